// Any change of a token's bytes either rejects it with the common error or leaves the signed content unchanged. No
// other result is allowed, and none takes long.

import { X509Certificate } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeAppleWorld, sealApple } from '../../e2e/support/wallet-sealers/apple';
import { pemOf } from '../../e2e/support/wallet-sealers/certificates';
import { makeGoogleWorld, rootsOf, sealGoogle } from '../../e2e/support/wallet-sealers/google';
import { decryptApplePay } from './apple';
import { readApplePayKey } from './apple-key';
import { readAsn1 } from './asn1';
import { decryptGooglePay } from './google';
import { readGooglePayRoots } from './google-key';
import { WalletTokenError } from './token-error';

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

/** A token's text with some bytes changed, and possibly truncated. */
const tampering = fc.record({
  sets: fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { minLength: 1, maxLength: 4 }),
  keep: fc.option(fc.nat(), { freq: 10 }),
});

type Tampering = typeof tampering extends fc.Arbitrary<infer Value> ? Value : never;

function tampered(bytes: Buffer, { sets, keep }: Tampering): Buffer {
  const copy = Buffer.from(bytes);
  for (const [at, byte] of sets) copy[at % copy.length] = byte;
  return keep === null ? copy : copy.subarray(0, keep % copy.length);
}

describe('a modified token', () => {
  const apple = makeAppleWorld();
  const privateKey = apple.merchant.privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
  const keys = [readApplePayKey({ certificate: pemOf(apple.merchant.certificate), privateKey })];
  const roots = [new X509Certificate(apple.root.certificate)];
  const openApple = (token: string | object) => decryptApplePay(token, { keys, roots, now });
  const { network: _unsigned, ...signed } = openApple(sealApple(apple));

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
      { numRuns: 200 },
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

test('the ASN.1 parser does not throw for any bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const value = readAsn1(Buffer.from(bytes));
      if (value) expect(value.raw).toEqual(Buffer.from(bytes));
    }),
    { numRuns: 2_000 },
  );
  expect(readAsn1(Buffer.from('3080'.repeat(30_000), 'hex'))).toBeNull();
  expect(readAsn1(Buffer.from('30847fffffff', 'hex'))).toBeNull();
});
