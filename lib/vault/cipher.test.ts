import { createCipheriv, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { decrypt, decryptText, encrypt, encryptText } from './cipher.ts';

const key = randomBytes(32);

/** The bytes of a cipher with a tag of `tagLength` bytes. */
function shortTag(tagLength: number, clear = ''): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength }).setAAD(Buffer.from('use'));
  const body = Buffer.concat([cipher.update(clear), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

test('a text is decrypted with its key and its context', () => {
  const encrypted = encryptText(key, 'número 42', 'use');
  expect(decryptText(key, encrypted, 'use')).toBe('número 42');
  expect(encrypted.toString('latin1')).not.toContain('mero 42');
});

test.each([4, 8, 12, 13, 14, 15])('a correct tag of %i bytes is refused', (length) => {
  expect(() => decrypt(key, shortTag(length), 'use')).toThrow();
  expect(() => decrypt(key, shortTag(length, 'clear'), 'use')).toThrow();
});

test('every changed byte, another context and another key are refused', () => {
  const encrypted = encrypt(key, Buffer.from('clear'), 'use');
  for (let place = 0; place < encrypted.length; place += 1) {
    const changed = Buffer.from(encrypted);
    changed.writeUInt8(changed.readUInt8(place) ^ 1, place);
    expect(() => decrypt(key, changed, 'use'), `byte ${place}`).toThrow();
  }
  expect(() => decrypt(key, encrypted, 'other use')).toThrow();
  expect(() => decrypt(randomBytes(32), encrypted, 'use')).toThrow();
  expect(() => decrypt(key, encrypted.subarray(0, -1), 'use')).toThrow();
});

test('the copy of a clear text is cleared', () => {
  const written: Buffer[] = [];
  const { from } = Buffer;
  // A text of this length has a buffer of its own.
  const text = 'secret '.repeat(2000);
  Buffer.from = ((...values: Parameters<typeof from>) => {
    const made = from(...values);
    written.push(made);
    return made;
  }) as typeof from;
  try {
    encryptText(key, text, 'use');
  } finally {
    Buffer.from = from;
  }
  const copy = written.find(({ length }) => length === text.length);
  expect(copy?.every((byte) => byte === 0)).toBe(true);
});
