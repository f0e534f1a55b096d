// Any change of a token's bytes either rejects it with the common error or leaves the signed content unchanged, and any
// change of an uploaded file gives the same key or a known error. No other result is allowed, and none takes long.

import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { makeAppleWorld, sealApple } from '../../e2e/support/wallet-sealers/apple.ts';
import { pemOf } from '../../e2e/support/wallet-sealers/certificates.ts';
import { makeGoogleWorld, rootsOf, sealGoogle } from '../../e2e/support/wallet-sealers/google.ts';
import { decryptApplePay } from './apple.ts';
import { readApplePayKey } from './apple-key.ts';
import { orNull, readBer } from './ber.ts';
import { certificateInfo, readCertificate, readCertificateFile } from './certificate.ts';
import { decryptGooglePay, readGooglePayRoots } from './google.ts';
import { readPkcs12 } from './pkcs12.ts';
import { WalletTokenError } from './token.ts';

const now = new Date('2026-11-20T12:00:00Z');

/** The decrypted token, or null for the common error. */
function attempt<Opened>(open: () => Opened): Opened | null {
  try {
    return open();
  } catch (error) {
    expect(error).toBeInstanceOf(WalletTokenError);
    return null;
  }
}

/** Changes of a file: bytes set, inserted, removed or repeated, and possibly the file truncated. */
const tampering = fc.record({
  edits: fc.array(
    fc.record({
      kind: fc.constantFrom('set', 'set', 'insert', 'remove', 'repeat'),
      at: fc.nat(),
      // The second half are bytes with a meaning in ASN.1: tags, lengths, ends of contents.
      bytes: fc
        .uint8Array({ minLength: 1, maxLength: 8 })
        .chain((bytes) =>
          fc.constantFrom(bytes, Uint8Array.of(0x80), Uint8Array.of(0), Uint8Array.of(0x30), Uint8Array.of(0x24)),
        ),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  keep: fc.option(fc.nat(), { freq: 10 }),
});

type Tampering = typeof tampering extends fc.Arbitrary<infer Value> ? Value : never;

function tampered(bytes: Buffer, { edits, keep }: Tampering): Buffer {
  let copy = Buffer.from(bytes);
  for (const { kind, at, bytes } of edits) {
    const from = at % Math.max(copy.length, 1);
    const after = { set: from + 1, insert: from, remove: from + bytes.length, repeat: from }[kind];
    const put = { set: bytes.subarray(0, 1), insert: bytes, remove: [], repeat: copy.subarray(from, from + 8) }[kind];
    copy = Buffer.concat([copy.subarray(0, from), Buffer.from(put), copy.subarray(after)]);
  }
  return keep === null ? copy : copy.subarray(0, keep % (copy.length + 1));
}

describe('a modified token', () => {
  const apple = makeAppleWorld();
  const privateKey = apple.merchant.privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
  const keys = [readApplePayKey({ certificate: pemOf(apple.merchant.certificate), privateKey })];
  const roots = [new X509Certificate(apple.root.certificate)];
  const openApple = (token: string | object) => decryptApplePay(token, { keys, roots, now });
  const signed = openApple(sealApple(apple));

  test('has the content that Apple signed, or is rejected', () => {
    const bytes = Buffer.from(JSON.stringify(sealApple(apple)));
    fc.assert(
      fc.property(tampering, (change) => {
        const opened = attempt(() => openApple(tampered(bytes, change).toString()));
        if (opened) expect(opened).toMatchObject(signed);
      }),
      { numRuns: 200 },
    );
  });

  test('has the content that Apple signed, or is rejected, if its signature is modified', () => {
    const token = sealApple(apple);
    const signature = Buffer.from(token.paymentData.signature, 'base64');
    fc.assert(
      fc.property(tampering, (change) => {
        const paymentData = { ...token.paymentData, signature: tampered(signature, change).toString('base64') };
        const opened = attempt(() => openApple({ paymentData }));
        if (opened) expect(opened).toEqual(signed);
      }),
      { numRuns: 2_000 },
    );
  });

  test('has the content that Google signed, or is rejected', () => {
    const google = makeGoogleWorld();
    const bytes = Buffer.from(JSON.stringify(sealGoogle(google)));
    const roots = readGooglePayRoots(rootsOf(google));
    const open = (token: string) =>
      decryptGooglePay(token, {
        keys: [google.recipient.privateKey],
        roots,
        recipientId: 'gateway:florin',
        gatewayMerchantId: 'shop-1',
        authMethods: ['PAN_ONLY'],
        now,
      });
    const said = open(bytes.toString());
    fc.assert(
      fc.property(tampering, (change) => {
        const opened = attempt(() => open(tampered(bytes, change).toString()));
        if (opened) expect(opened).toEqual(said);
      }),
      { numRuns: 200 },
    );
  });
});

describe('a modified file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'florin-tamper-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const openssl = (...options: string[]) => execFileSync('openssl', options, { cwd: folder, stdio: 'pipe' });
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];
  openssl('req', '-x509', '-nodes', ...kind, '-subj', '/CN=Florin', '-keyout', 'key.pem', '-out', 'certificate.pem');
  const certificate = readFileSync(join(folder, 'certificate.pem'));

  test.each([
    ['AES-256', []],
    ['3DES and RC2', ['-legacy']],
    ['3DES', ['-keypbe', 'PBE-SHA1-3DES', '-certpbe', 'PBE-SHA1-3DES', '-macalg', 'sha1']],
    ['no encryption', ['-keypbe', 'NONE', '-certpbe', 'NONE']],
  ])('in PKCS #12 with %s returns the same pair or a known error', async (_name, options) => {
    const pair = ['-inkey', 'key.pem', '-in', 'certificate.pem'];
    openssl('pkcs12', '-export', ...pair, '-out', 'pair.p12', '-passout', 'pass:secret', ...options);
    const bytes = readFileSync(join(folder, 'pair.p12'));
    const original = await readPkcs12(bytes, 'secret');
    expect(original).toHaveProperty('privateKey');
    await fc.assert(
      fc.asyncProperty(tampering, async (change) => {
        const read = await readPkcs12(tampered(bytes, change), 'secret');
        if (typeof read === 'string') expect(['form', 'password', 'cipher', 'pair']).toContain(read);
        else expect(read).toEqual(original);
      }),
      { numRuns: 400 },
    );
  });

  test('in PKCS #12 without a MAC is rejected', async () => {
    const pair = ['-inkey', 'key.pem', '-in', 'certificate.pem'];
    openssl('pkcs12', '-export', ...pair, '-out', 'no-mac.p12', '-passout', 'pass:secret', '-nomac');
    expect(await readPkcs12(readFileSync(join(folder, 'no-mac.p12')), 'secret')).toBe('form');
  });

  test('in PKCS #12 with a MAC of another algorithm is rejected', async () => {
    const options = ['-keypbe', 'NONE', '-certpbe', 'NONE', '-macalg', 'sha512'];
    const pair = ['-inkey', 'key.pem', '-in', 'certificate.pem'];
    openssl('pkcs12', '-export', ...pair, '-out', 'other-mac.p12', '-passout', 'pass:secret', ...options);
    expect(await readPkcs12(readFileSync(join(folder, 'other-mac.p12')), 'another password')).toBe('cipher');
  });

  test('in PKCS #12 is rejected before it costs more rounds of key derivation than allowed', async () => {
    const rounds = ['-iter', '1000001', '-nomaciter'];
    const pair = ['-inkey', 'key.pem', '-in', 'certificate.pem'];
    openssl('pkcs12', '-export', ...pair, '-out', 'slow.p12', '-passout', 'pass:secret', ...rounds);
    expect(await readPkcs12(readFileSync(join(folder, 'slow.p12')), 'secret')).toBe('form');
  });

  test('in PKCS #12 with the most rounds of key derivation does not block other requests', async () => {
    const rounds = ['-iter', '1000000', '-macalg', 'sha1', '-keypbe', 'NONE', '-certpbe', 'PBE-SHA1-3DES'];
    const pair = ['-inkey', 'key.pem', '-in', 'certificate.pem'];
    openssl('pkcs12', '-export', ...pair, '-out', 'rounds.p12', '-passout', 'pass:secret', ...rounds);
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    });
    expect(await readPkcs12(readFileSync(join(folder, 'rounds.p12')), 'secret')).toHaveProperty('privateKey');
    clearInterval(timer);
    expect(turns).toBeGreaterThan(20);
  });

  test('with a certificate is read as a certificate or as nothing', () => {
    const der = new X509Certificate(certificate).raw;
    fc.assert(
      fc.property(tampering, (change) => {
        const bytes = tampered(der, change);
        const read = readCertificate(bytes);
        if (read) expect(read.x509.raw).toEqual(new X509Certificate(bytes).raw);
        const pem = readCertificateFile(bytes);
        if (pem !== null) expect(certificateInfo(pem)?.name ?? '').toEqual(expect.any(String));
      }),
      { numRuns: 2_000 },
    );
  });
});

test('the ASN.1 parser accepts exactly one value, within its limits', () => {
  const read = (bytes: Uint8Array) => orNull(() => readBer(bytes));
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const value = read(bytes);
      if (value) expect(Buffer.from(value.valueBeforeDecodeView)).toEqual(Buffer.from(bytes));
    }),
    { numRuns: 2_000 },
  );
  const one = Buffer.from('020105', 'hex');
  expect(read(one)).not.toBeNull();
  expect(read(Buffer.concat([one, one]))).toBeNull();
  expect(read(Buffer.from('30800201050000', 'hex'))).not.toBeNull();
  expect(read(Buffer.from('3003300202010500', 'hex'))).toBeNull();
  expect(read(Buffer.from('3004300102010500', 'hex'))).toBeNull();
  for (const end of ['', '00', '0001', '00020000']) expect(read(Buffer.from(`3080020105${end}`, 'hex'))).toBeNull();
  expect(read(Buffer.from('3080'.repeat(30_000), 'hex'))).toBeNull();
  expect(read(Buffer.from('30847fffffff', 'hex'))).toBeNull();
  expect(read(Buffer.concat([Buffer.from('30827530', 'hex'), Buffer.alloc(30_000, '0500', 'hex')]))).toBeNull();
  expect(read(Buffer.concat([Buffer.from('0483011170', 'hex'), Buffer.alloc(70_000)]))).toBeNull();
});
