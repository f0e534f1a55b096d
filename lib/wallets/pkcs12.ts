// Reads P12 files (PKCS #12, RFC 7292): a private key and its certificate under a password, as exported by key chains.
// Node reads such files for TLS only and exposes neither. pkijs parses the file; node-forge has RC2, with which Keychain
// Access encrypts certificates and which OpenSSL no longer includes. The file names the rounds of key derivation, up to
// seconds of them, so other requests run in between.

import { createDecipheriv, createHmac, createPrivateKey, hash, pbkdf2, X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';
import { Integer, type Sequence } from 'asn1js';
import forge from 'node-forge';
import {
  type AlgorithmIdentifier,
  AuthenticatedSafe,
  CertBag,
  ContentInfo,
  EncryptedData,
  type MacData,
  PBES2Params,
  PBKDF2Params,
  PFX,
  PKCS8ShroudedKeyBag,
  PrivateKeyInfo,
  type SafeBag,
  SafeContents,
} from 'pkijs';
import { octetsOf, orNull, readBer } from './ber.ts';

export type KeyWithCertificate = { privateKey: string; certificate: string };

export type Pkcs12Error = 'form' | 'password' | 'cipher' | 'pair';

class Pkcs12Rejection extends Error {
  readonly why: Pkcs12Error;
  constructor(why: Pkcs12Error) {
    super(why);
    this.why = why;
  }
}

function reject(why: Pkcs12Error): never {
  throw new Pkcs12Rejection(why);
}

/** Far above real files; more rounds, in one derivation or in all of a file, would only use the processor. */
const roundsMax = 1_000_000;
const roundsOfFileMax = 4 * roundsMax;

const hashes: Record<string, 'sha1' | 'sha256'> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.9': 'sha256',
};

const ciphers: Record<string, { name: string; keyBytes: number }> = {
  '2.16.840.1.101.3.4.1.2': { name: 'aes-128-cbc', keyBytes: 16 },
  '2.16.840.1.101.3.4.1.22': { name: 'aes-192-cbc', keyBytes: 24 },
  '2.16.840.1.101.3.4.1.42': { name: 'aes-256-cbc', keyBytes: 32 },
  '1.2.840.113549.3.7': { name: 'des-ede3-cbc', keyBytes: 24 },
};

const schemes = {
  pbes2: '1.2.840.113549.1.5.13',
  tripleDes: '1.2.840.113549.1.12.1.3',
  rc2: '1.2.840.113549.1.12.1.6',
};

/** Reads a file. Returns its key and certificate, or the error. */
export async function readPkcs12(file: Buffer, password: string): Promise<KeyWithCertificate | Pkcs12Error> {
  try {
    return pairOf(await bagsOf(file, { password, rounds: 0 }));
  } catch (thrown) {
    if (thrown instanceof Pkcs12Rejection) return thrown.why;
    // An invalid length or padding inside the file: it is corrupt, or the password is wrong.
    return 'password';
  }
}

type Secret = {
  readonly password: string;
  /** The rounds of key derivation so far. */
  rounds: number;
};

type Bags = { keys: Buffer[]; certificates: Buffer[] };

function pairOf({ keys, certificates }: Bags): KeyWithCertificate {
  const own = certificates.map((der) => new X509Certificate(der));
  for (const der of keys) {
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    const certificate = own.find((each) => each.checkPrivateKey(key));
    if (!certificate) continue;
    return { privateKey: key.export({ format: 'pem', type: 'pkcs8' }).toString(), certificate: certificate.toString() };
  }
  return reject('pair');
}

async function bagsOf(file: Buffer, secret: Secret): Promise<Bags> {
  const { authSafe, macData } = parsed(() => new PFX({ schema: readBer(file) }), 'form');
  const content = contentOf(authSafe);
  // Without one the file can be changed unnoticed.
  await verify(macData ?? reject('form'), content, secret);
  const bags: Bags = { keys: [], certificates: [] };
  for (const part of parsed(() => new AuthenticatedSafe({ schema: readBer(content) }), 'form').safeContents) {
    const isEncrypted = part.contentType === ContentInfo.ENCRYPTED_DATA;
    const contents = isEncrypted ? await decryptContent(part, secret) : contentOf(part);
    const { safeBags } = parsed(() => new SafeContents({ schema: readBer(contents) }), 'password');
    for (const bag of safeBags) await collectBag(bag, secret, bags);
  }
  return bags;
}

async function collectBag({ bagValue }: SafeBag, secret: Secret, { keys, certificates }: Bags): Promise<void> {
  if (bagValue instanceof CertBag) certificates.push(octetsOf(bagValue.certValue));
  if (bagValue instanceof PrivateKeyInfo) keys.push(Buffer.from(bagValue.toSchema().toBER()));
  if (bagValue instanceof PKCS8ShroudedKeyBag) {
    keys.push(await decrypt(bagValue.encryptionAlgorithm, octetsOf(bagValue.encryptedData), secret));
  }
}

function contentOf({ contentType, content }: ContentInfo): Buffer {
  return contentType === ContentInfo.DATA ? parsed(() => octetsOf(content), 'form') : reject('form');
}

async function decryptContent({ content }: ContentInfo, secret: Secret): Promise<Buffer> {
  const { encryptedContentInfo } = parsed(() => new EncryptedData({ schema: content }), 'form');
  const sealed = parsed(() => Buffer.from(encryptedContentInfo.getEncryptedContent()), 'form');
  return decrypt(encryptedContentInfo.contentEncryptionAlgorithm, sealed, secret);
}

async function decrypt(
  { algorithmId, algorithmParams }: AlgorithmIdentifier,
  sealed: Buffer,
  secret: Secret,
): Promise<Buffer> {
  if (algorithmId === schemes.pbes2) return decryptPbes2(algorithmParams, sealed, secret);
  if (algorithmId !== schemes.tripleDes && algorithmId !== schemes.rc2) return reject('cipher');
  const [salt, rounds] = parsed(() => (algorithmParams as Sequence).valueBlock.value, 'form');
  const options = {
    salt: parsed(() => octetsOf(salt), 'form'),
    rounds: spend(rounds instanceof Integer ? rounds.valueBlock.valueDec : 0, secret),
  };
  const iv = await derive(secret, { ...options, id: 2, bytes: 8 });
  if (algorithmId === schemes.tripleDes) {
    return decipher('des-ede3-cbc', await derive(secret, { ...options, id: 1, bytes: 24 }), iv, sealed);
  }
  const key = await derive(secret, { ...options, id: 1, bytes: 5 });
  const cipher = forge.rc2.createDecryptionCipher(forgeBytes(key), 40);
  cipher.start(forgeBytes(iv));
  cipher.update(forgeBytes(sealed));
  return cipher.finish() ? Buffer.from(cipher.output.getBytes(), 'latin1') : reject('password');
}

async function decryptPbes2(parameters: unknown, sealed: Buffer, secret: Secret): Promise<Buffer> {
  const { keyDerivationFunc, encryptionScheme } = parsed(() => new PBES2Params({ schema: parameters }), 'cipher');
  const cipher = ciphers[encryptionScheme.algorithmId] ?? reject('cipher');
  const iv = parsed(() => octetsOf(encryptionScheme.algorithmParams), 'cipher');
  const derivation = parsed(() => new PBKDF2Params({ schema: keyDerivationFunc.algorithmParams }), 'cipher');
  const algorithm = (derivation.prf ? hashes[derivation.prf.algorithmId] : 'sha1') ?? reject('cipher');
  const salt = parsed(() => octetsOf(derivation.salt), 'cipher');
  const rounds = spend(derivation.iterationCount, secret);
  const key = await promisify(pbkdf2)(secret.password, salt, rounds, cipher.keyBytes, algorithm);
  return decipher(cipher.name, key, iv, sealed);
}

function decipher(name: string, key: Buffer, iv: Buffer, sealed: Buffer): Buffer {
  const cipher = createDecipheriv(name, key, iv);
  return Buffer.concat([cipher.update(sealed), cipher.final()]);
}

async function verify({ mac, macSalt, iterations = 1 }: MacData, content: Buffer, secret: Secret): Promise<void> {
  // With an unsupported MAC the file could be changed unnoticed, as without one.
  const algorithm = hashes[mac.digestAlgorithm.algorithmId] ?? reject('cipher');
  const options = {
    salt: octetsOf(macSalt),
    rounds: spend(iterations, secret),
    id: 3,
    bytes: algorithm === 'sha1' ? 20 : 32,
  };
  const key = await derive(secret, options, algorithm);
  if (!createHmac(algorithm, key).update(content).digest().equals(octetsOf(mac.digest))) reject('password');
}

// Counts the rounds of the file before they are run.
function spend(rounds: number, secret: Secret): number {
  secret.rounds += rounds;
  const isAllowed = Number.isInteger(rounds) && rounds >= 1 && rounds <= roundsMax && secret.rounds <= roundsOfFileMax;
  return isAllowed ? rounds : reject('form');
}

type Derivation = { salt: Buffer; rounds: number; id: number; bytes: number };

/** The block of SHA-1 and SHA-256 in bytes. */
const blockBytes = 64;

/** About two milliseconds; then other requests run. */
const roundsAtOnce = 2000;

/** The key derivation of RFC 7292, appendix B. */
async function derive(
  { password }: Secret,
  { salt, rounds, id, bytes }: Derivation,
  algorithm: 'sha1' | 'sha256' = 'sha1',
): Promise<Buffer> {
  const text = Buffer.from(`${password}\0`, 'utf16le').swap16();
  const blocks = Buffer.concat([salt, text].map(wholeBlocks));
  const derived: Buffer[] = [];
  for (let length = 0; length < bytes; length += (derived.at(-1) as Buffer).length) {
    let digest = hash(algorithm, Buffer.concat([Buffer.alloc(blockBytes, id), blocks]), 'buffer');
    for (let round = 1; round < rounds; round += 1) {
      if (round % roundsAtOnce === 0) await new Promise((resume) => setImmediate(resume));
      digest = hash(algorithm, digest, 'buffer');
    }
    derived.push(digest);
    for (let at = 0; at < blocks.length; at += blockBytes) increase(blocks.subarray(at, at + blockBytes), digest);
  }
  return Buffer.concat(derived).subarray(0, bytes);
}

/** The bytes, repeated to a multiple of a block. */
const wholeBlocks = (bytes: Buffer) => Buffer.alloc(Math.ceil(bytes.length / blockBytes) * blockBytes, bytes);

/** Adds the repeated digest and one to a block, as numbers. */
function increase(block: Buffer, digest: Buffer): void {
  let carry = 1;
  for (let at = blockBytes - 1; at >= 0; at -= 1) {
    carry += (block[at] as number) + (digest[at % digest.length] as number);
    block[at] = carry & 0xff;
    carry >>= 8;
  }
}

const forgeBytes = (bytes: Buffer) => forge.util.createBuffer(bytes.toString('latin1'));

function parsed<Value>(read: () => Value, why: Pkcs12Error): NonNullable<Value> {
  return orNull(read) ?? reject(why);
}
