/** The cipher of the vault: AES-256-GCM with tags of the full 16 bytes only. */
import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceLength = 12;
const tagLength = 16;

/** How many bytes longer an encrypted value is than its clear text. */
export const overhead = nonceLength + tagLength;

const converted = new WeakMap<Buffer, KeyObject>();

/** A key as Node's functions use it, converted once: they need four times as long for a short value with other keys. */
export function keyObject(key: Buffer): KeyObject {
  const known = converted.get(key) ?? createSecretKey(key);
  converted.set(key, known);
  return known;
}

/** Encrypts: 12 bytes nonce, 16 bytes tag, ciphertext. `context` is authenticated and not stored. */
export function encrypt(key: Buffer, clear: Buffer, context: string): Buffer {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv(algorithm, keyObject(key), nonce, { authTagLength: tagLength });
  cipher.setAAD(Buffer.from(context));
  const body = Buffer.concat([cipher.update(clear), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

/** Decrypts the output of {@link encrypt}; throws for another key or context, and for altered or shortened bytes. */
export function decrypt(key: Buffer, bytes: Buffer, context: string): Buffer {
  // A shorter tag could be guessed.
  if (bytes.length < overhead) throw new Error('the value is too short');
  const decipher = createDecipheriv(algorithm, keyObject(key), bytes.subarray(0, nonceLength), {
    authTagLength: tagLength,
  });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(nonceLength, overhead));
  const clear = decipher.update(bytes.subarray(overhead));
  try {
    decipher.final();
    return clear;
  } catch (err) {
    clear.fill(0);
    throw err;
  }
}

/** Encrypts a text, and clears its copy in a buffer. The text itself cannot be cleared. */
export function encryptText(key: Buffer, text: string, context: string): Buffer {
  const clear = Buffer.from(text, 'utf8');
  const encrypted = encrypt(key, clear, context);
  clear.fill(0);
  return encrypted;
}

/** Decrypts the output of {@link encryptText}, and clears the copy in a buffer. Throws as {@link decrypt} does. */
export function decryptText(key: Buffer, bytes: Buffer, context: string): string {
  const clear = decrypt(key, bytes, context);
  const text = clear.toString('utf8');
  clear.fill(0);
  return text;
}
