import { execFileSync } from 'node:child_process';
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  certificateInfo,
  certificateMatchesKey,
  merchantHashOf,
  readCertificateFile,
  readPrivateKeyFile,
} from './certificate.ts';
import { certificateRequest, makePrivateKey } from './certificate-request.ts';
import { readPkcs12 } from './pkcs12.ts';

const merchant = 'merchant.example.orme';
const password = 'pâ55 wörd';
let folder = '';
const at = (name: string) => join(folder, name);
const openssl = (...options: string[]) => execFileSync('openssl', options, { cwd: folder, stdio: 'pipe' }).toString();

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'florin-certificates-'));
  const hash = merchantHashOf(merchant).toUpperCase();
  for (const [name, kind] of [
    ['ec', ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256']],
    ['rsa', ['-newkey', 'rsa:2048']],
    ['other', ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256']],
  ] as const) {
    const subject = `/UID=${merchant}/CN=Apple Pay Payment Processing:${merchant}`;
    const mark = `1.2.840.113635.100.6.32=ASN1:UTF8String:${hash}`;
    const files = ['-keyout', `${name}.key`, '-out', `${name}.pem`];
    openssl('req', '-x509', '-nodes', '-days', '365', ...kind, '-subj', subject, '-addext', mark, ...files);
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

describe.each([
  ['EC', 'prime256v1', 'ecdsa-with-SHA256'],
  ['RSA', '2048 bit', 'sha256WithRSAEncryption'],
] as const)('a certificate request of %s', (kind, size, algorithm) => {
  it('is valid for OpenSSL and signed by its own key', async () => {
    const key = await makePrivateKey(kind);
    writeFileSync(at('request.pem'), certificateRequest(key, { commonName: merchant, organisation: 'Orme & Söhne' }));
    const text = openssl('req', '-in', 'request.pem', '-verify', '-noout', '-text', '-nameopt', 'utf8');
    expect(text).toContain(size);
    expect(text).toContain(algorithm);
    expect(text).toMatch(/Subject: .*CN ?= ?merchant\.example\.orme/);
    expect(text).toContain('Orme & Söhne');
    const requestKey = openssl('req', '-in', 'request.pem', '-pubkey', '-noout');
    expect(createPublicKey(requestKey).equals(createPublicKey(key))).toBe(true);
  });
});

it('returns subject, key and validity of a certificate', () => {
  const pem = readFileSync(at('ec.pem'), 'utf8');
  const facts = certificateInfo(pem);
  expect(facts).toMatchObject({
    name: `Apple Pay Payment Processing:${merchant}`,
    merchantIdentifier: merchant,
    merchantHash: merchantHashOf(merchant),
    key: 'EC P-256',
    marks: ['1.2.840.113635.100.6.32'],
  });
  expect(facts?.fingerprint).toBe(new X509Certificate(pem).fingerprint256.replaceAll(':', '').toLowerCase());
  expect(Date.parse(facts?.validTo ?? '') - Date.parse(facts?.validFrom ?? '')).toBe(365 * 86_400_000);
  expect(certificateInfo(readFileSync(at('rsa.pem'), 'utf8'))?.key).toBe('RSA 2048');
  expect(certificateInfo('nothing')).toBeNull();
});

it('reads a certificate and a key in both formats, and nothing else', () => {
  const pem = readFileSync(at('ec.pem'));
  const der = Buffer.from(new X509Certificate(pem).raw);
  expect(readCertificateFile(der)).toBe(readCertificateFile(pem));
  expect(readCertificateFile(Buffer.concat([Buffer.from('Bag Attributes\n'), pem]))).toBe(readCertificateFile(der));
  expect(readCertificateFile(Buffer.from('nothing'))).toBeNull();
  const key = readFileSync(at('ec.key'));
  const keyDer = createPrivateKey(key).export({ format: 'der', type: 'pkcs8' });
  expect(readPrivateKeyFile(keyDer)).toBe(readPrivateKeyFile(key));
  expect(readPrivateKeyFile(pem)).toBeNull();
});

it.each([
  ['ec', 'ec', true],
  ['rsa', 'rsa', true],
  ['ec', 'other', false],
  ['ec', 'rsa', false],
])('the certificate %s and the key %s belong together: %s', (certificate, key, expected) => {
  const [pem, secret] = [readFileSync(at(`${certificate}.pem`), 'utf8'), readFileSync(at(`${key}.key`), 'utf8')];
  expect(certificateMatchesKey(pem, secret)).toBe(expected);
});

// The encryption of the file | options of `openssl pkcs12 -export`
const seals: [string, string[]][] = [
  ['AES-256 and SHA-256 of OpenSSL 3', []],
  ['3DES and RC2 of Keychain Access', ['-legacy']],
  ['3DES alone', ['-keypbe', 'PBE-SHA1-3DES', '-certpbe', 'PBE-SHA1-3DES', '-macalg', 'sha1']],
  ['AES-128', ['-keypbe', 'AES-128-CBC', '-certpbe', 'AES-128-CBC']],
  ['no seal over the certificate', ['-certpbe', 'NONE']],
  ['no seal over the key', ['-keypbe', 'NONE']],
];

describe.each(seals)('a P12 file under %s', (_how, options) => {
  it.each(['ec', 'rsa'])('returns the key and the certificate of %s for the right password only', async (name) => {
    const pair = ['-inkey', `${name}.key`, '-in', `${name}.pem`];
    openssl('pkcs12', '-export', ...pair, '-out', 'made.p12', '-passout', `pass:${password}`, ...options);
    const file = readFileSync(at('made.p12'));
    expect(await readPkcs12(file, password)).toEqual({
      privateKey: readPrivateKeyFile(readFileSync(at(`${name}.key`))),
      certificate: readCertificateFile(readFileSync(at(`${name}.pem`))),
    });
    expect(await readPkcs12(file, 'another')).toBe('password');
  });
});

it('rejects a P12 file without a pair, and any other file', async () => {
  const other = ['-inkey', 'ec.key', '-in', 'ec.pem', '-certfile', 'rsa.pem'];
  openssl('pkcs12', '-export', ...other, '-out', 'two.p12', '-passout', 'pass:');
  expect(await readPkcs12(readFileSync(at('two.p12')), '')).toMatchObject({
    certificate: expect.stringContaining('BEGIN'),
  });
  openssl('pkcs12', '-export', '-nokeys', '-in', 'ec.pem', '-out', 'none.p12', '-passout', 'pass:x');
  expect(await readPkcs12(readFileSync(at('none.p12')), 'x')).toBe('pair');
  expect(await readPkcs12(Buffer.from('nothing'), 'x')).toBe('form');
});
