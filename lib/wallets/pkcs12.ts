// Reads P12 files (PKCS #12, RFC 7292): a private key and its certificate under a password, as exported by key chains.
// Node reads such files for TLS only and exposes neither.

import { createDecipheriv, createHash, createHmac, createPrivateKey, pbkdf2Sync, X509Certificate } from 'node:crypto';
import { type Asn1, oidOf, readAsn1, tags } from './asn1';
import { pemOf } from './certificate-request';
import { decryptRc2 } from './rc2';

/** An unencrypted private key and its certificate, both in PEM. */
export type KeyWithCertificate = { privateKey: string; certificate: string };

/** Why a file was rejected. */
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

/** Far above real files; more rounds would only block the server. */
const roundsMax = 1_000_000;

const kinds = {
  data: '1.2.840.113549.1.7.1',
  encrypted: '1.2.840.113549.1.7.6',
  key: '1.2.840.113549.1.12.10.1.1',
  sealedKey: '1.2.840.113549.1.12.10.1.2',
  certificate: '1.2.840.113549.1.12.10.1.3',
} as const;

const hashes: Record<string, string> = {
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
export function readPkcs12(file: Buffer, password: string): KeyWithCertificate | Pkcs12Error {
  try {
    return pairOf(bagsOf(file, password));
  } catch (thrown) {
    if (thrown instanceof Pkcs12Rejection) return thrown.why;
    // An invalid length or padding inside the file: it is corrupt, or the password is wrong.
    return 'password';
  }
}

type Bags = { keys: Buffer[]; certificates: Buffer[] };

function pairOf({ keys, certificates }: Bags): KeyWithCertificate {
  for (const der of keys) {
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    const own = certificates.find((certificate) => new X509Certificate(certificate).checkPrivateKey(key));
    if (own) return { privateKey: pemOf('PRIVATE KEY', der), certificate: pemOf('CERTIFICATE', own) };
  }
  return reject('pair');
}

function bagsOf(file: Buffer, password: string): Bags {
  const [version, authSafe, mac] = readAsn1(file)?.parts ?? [];
  if (version?.tag !== tags.integer || !authSafe) return reject('form');
  const content = contentOf(authSafe, kinds.data);
  if (mac) verify(mac, content, password);
  const bags: Bags = { keys: [], certificates: [] };
  for (const part of readAsn1(content)?.parts ?? reject('form')) {
    const isEncrypted = oidOf(part.parts[0]) === kinds.encrypted;
    const contents = isEncrypted ? decryptContent(part, password) : contentOf(part, kinds.data);
    for (const bag of readAsn1(contents)?.parts ?? reject('password')) collectBags(bag, password, bags);
  }
  return bags;
}

function collectBags({ parts }: Asn1, password: string, bags: Bags): void {
  const kind = oidOf(parts[0]);
  const value = parts[1]?.parts[0];
  if (kind === kinds.key && value) bags.keys.push(value.raw);
  if (kind === kinds.sealedKey && value?.parts[0] && value.parts[1]) {
    bags.keys.push(decryptBag(value.parts[0], octetsOf(value.parts[1]), password));
  }
  const certificate = value?.parts[1]?.parts[0];
  if (kind === kinds.certificate && certificate) bags.certificates.push(octetsOf(certificate));
}

function contentOf({ parts }: Asn1, kind: string): Buffer {
  const content = parts[1]?.parts[0];
  return oidOf(parts[0]) === kind && content ? octetsOf(content) : reject('form');
}

function decryptContent({ parts }: Asn1, password: string): Buffer {
  const [, algorithm, content] = parts[1]?.parts[0]?.parts[1]?.parts ?? [];
  return algorithm && content ? decryptBag(algorithm, octetsOf(content), password) : reject('form');
}

// In BER an octet string may consist of several.
function octetsOf(value: Asn1): Buffer {
  return value.parts.length > 0 ? Buffer.concat(value.parts.map(octetsOf)) : value.content;
}

function decryptBag(algorithm: Asn1, sealed: Buffer, password: string): Buffer {
  const scheme = oidOf(algorithm.parts[0]);
  const parameters = algorithm.parts[1]?.parts ?? [];
  if (scheme === schemes.pbes2) return decryptPbes2(parameters, sealed, password);
  if (scheme !== schemes.tripleDes && scheme !== schemes.rc2) return reject('cipher');
  const salt = parameters[0]?.content ?? reject('form');
  const rounds = numberOf(parameters[1]);
  const part = (id: number, bytes: number) => derive('sha1', password, { salt, rounds, id, bytes });
  if (scheme === schemes.tripleDes) return decipher('des-ede3-cbc', part(1, 24), part(2, 8), sealed);
  return unpadded(decryptRc2(part(1, 5), part(2, 8), sealed));
}

function decryptPbes2([derivation, encryption]: readonly Asn1[], sealed: Buffer, password: string): Buffer {
  const [salt, rounds, ...more] = derivation?.parts[1]?.parts ?? [];
  const named = more.find(({ tag }) => tag === tags.sequence);
  const hash = named ? hashes[oidOf(named.parts[0]) ?? ''] : 'sha1';
  const cipher = ciphers[oidOf(encryption?.parts[0]) ?? ''];
  const iv = encryption?.parts[1]?.content;
  if (!salt || !hash || !cipher || !iv) return reject('cipher');
  const key = pbkdf2Sync(password, salt.content, numberOf(rounds), cipher.keyBytes, hash);
  return decipher(cipher.name, key, iv, sealed);
}

function decipher(name: string, key: Buffer, iv: Buffer, sealed: Buffer): Buffer {
  const cipher = createDecipheriv(name, key, iv);
  return Buffer.concat([cipher.update(sealed), cipher.final()]);
}

function unpadded(bytes: Buffer): Buffer {
  const count = bytes.at(-1) ?? 0;
  const padding = bytes.subarray(bytes.length - count);
  return count > 0 && count <= 8 && padding.every((byte) => byte === count)
    ? bytes.subarray(0, bytes.length - count)
    : reject('password');
}

function verify({ parts }: Asn1, content: Buffer, password: string): void {
  const [info, salt, rounds] = parts;
  const hash = hashes[oidOf(info?.parts[0]?.parts[0]) ?? ''];
  const digest = info?.parts[1]?.content;
  // An unsupported MAC is not checked; then the padding reveals a wrong password.
  if (!hash || !salt || !digest) return;
  const bytes = hash === 'sha1' ? 20 : 32;
  const options = { salt: salt.content, rounds: rounds ? numberOf(rounds) : 1, id: 3, bytes };
  const key = derive(hash, password, options);
  if (!createHmac(hash, key).update(content).digest().equals(digest)) reject('password');
}

function numberOf(value: Asn1 | undefined): number {
  const { tag, content } = value ?? reject('form');
  if (tag !== tags.integer || content.length > 4) return reject('form');
  const number = content.readUIntBE(0, content.length);
  return number >= 1 && number <= roundsMax ? number : reject('form');
}

type Derivation = { salt: Buffer; rounds: number; id: number; bytes: number };

/** The key derivation of RFC 7292, appendix B, with 64-byte blocks as both hashes have. */
function derive(hash: string, password: string, { salt, rounds, id, bytes }: Derivation): Buffer {
  const block = 64;
  const text = Buffer.from(`${password}\0`, 'utf16le').swap16();
  const filled = (source: Buffer) =>
    Buffer.alloc(source.length === 0 ? 0 : block * Math.ceil(source.length / block), source);
  const input = Buffer.concat([filled(salt), filled(text)]);
  const blocks: Buffer[] = [];
  for (let length = 0; length < bytes; ) {
    let digest = createHash(hash).update(Buffer.alloc(block, id)).update(input).digest();
    for (let round = 1; round < rounds; round += 1) digest = createHash(hash).update(digest).digest();
    blocks.push(digest);
    length += digest.length;
    for (let at = 0; at < input.length; at += block) addTo(input.subarray(at, at + block), Buffer.alloc(block, digest));
  }
  return Buffer.concat(blocks).subarray(0, bytes);
}

// Adds two numbers of equal length and one, without the overflow.
function addTo(target: Buffer, added: Buffer): void {
  let carry = 1;
  for (let at = target.length - 1; at >= 0; at -= 1) {
    carry += (target[at] as number) + (added[at] as number);
    target[at] = carry & 0xff;
    carry >>= 8;
  }
}
