// Every mistake in the settings must be reported when they are entered, not at the first payment.

import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  ellipticKeys,
  infoOf,
  issue,
  issueMerchant,
  pemOf,
  rsaKeys,
} from '../../e2e/support/wallet-sealers/certificates.ts';
import { utf8 } from '../../e2e/support/wallet-sealers/der.ts';
import { makeGoogleWorld, rootsOf } from '../../e2e/support/wallet-sealers/google.ts';
import { readApplePayKey, readApplePayRoots } from './apple-key.ts';
import { readGooglePayKey, readGooglePayRoots } from './google.ts';
import { WalletKeyError } from './p256.ts';

const merchant = issueMerchant('merchant.example', ellipticKeys());
const rsaMerchant = issueMerchant('merchant.example', rsaKeys());
const weak = issueMerchant('merchant.example', generateKeyPairSync('rsa', { modulusLength: 1024 }));
const extensions = { '1.2.840.113635.100.6.32': utf8('merchant.example') };

const pem = (key: KeyObject, type: 'pkcs8' | 'sec1' = 'pkcs8') => key.export({ format: 'pem', type }) as string;
const sealed = (key: KeyObject) =>
  key.export({ format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'secret' }) as string;
const certificate = (changed: Partial<Parameters<typeof issue>[0]>) =>
  pemOf(issue({ name: 'merchant.example', keys: merchant, ...changed }).certificate);
const ours = pemOf(merchant.certificate);

/** The invalid part of the settings. */
function faultOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(WalletKeyError);
    return (error as WalletKeyError).part;
  }
  return 'none';
}

describe('an Apple Pay key', () => {
  const rows: [fault: string, name: string, certificate: string, privateKey: string][] = [
    ['none', 'an elliptic key', ours, pem(merchant.privateKey)],
    ['none', 'an elliptic key in its older form', ours, pem(merchant.privateKey, 'sec1')],
    ['none', 'an RSA key', pemOf(rsaMerchant.certificate), pem(rsaMerchant.privateKey)],
    ['none', 'text before the certificate and the key', `Bag\n${ours}`, `Bag\n${pem(merchant.privateKey)}`],
    ['certificate', 'no certificate', '', pem(merchant.privateKey)],
    ['certificate', 'a key for a certificate', pem(merchant.privateKey), pem(merchant.privateKey)],
    ['certificate', 'a certificate without a merchant', certificate({}), pem(merchant.privateKey)],
    ['certificate', 'a merchant that is no hash', certificate({ extensions }), pem(merchant.privateKey)],
    ['privateKey', 'no key', ours, ''],
    ['privateKey', 'a public key', ours, infoPem(merchant.publicKey)],
    ['privateKey', 'an encrypted key', ours, sealed(merchant.privateKey)],
    ['privateKey', 'the key of another certificate', ours, pem(ellipticKeys().privateKey)],
    ['privateKey', 'a key on another curve', ours, pem(ellipticKeys('P-384').privateKey)],
    ['privateKey', 'an RSA key that is too short', pemOf(weak.certificate), pem(weak.privateKey)],
  ];
  test.each(rows)('%s: %s', (error, _name, certificate, privateKey) => {
    expect(faultOf(() => readApplePayKey({ certificate, privateKey }))).toBe(error);
  });

  test('has its version and merchant', () => {
    const key = readApplePayKey({ certificate: ours, privateKey: pem(merchant.privateKey) });
    expect(key.version).toBe('EC_v1');
    expect(key.merchantHash).toEqual(createHash('sha256').update('merchant.example').digest());
    expect(key.publicKeyHash).toEqual(createHash('sha256').update(infoOf(merchant.publicKey)).digest());
  });
});

describe("Apple's roots", () => {
  test('default to Apple Root CA - G3', () => {
    const [root, ...more] = readApplePayRoots();
    const published = '63:34:3A:BF:B8:9A:6A:03:EB:B5:7E:9B:3F:5F:A7:BE:7C:4F:5C:75:6F:30:17:B3:A8:C4:88:C3:65:3E:91:79';
    expect(root?.fingerprint256).toBe(published);
    expect(more).toEqual([]);
  });

  const root = certificate({ authority: true });
  const rows: [fault: string, name: string, pem: string][] = [
    ['none', 'two authorities', root + certificate({ authority: true, serial: 5 })],
    ['roots', 'nothing', ''],
    ['roots', 'a certificate that is no authority', root + ours],
    ['roots', 'a broken certificate', root.replace(/\n.{64}\n/, '\n')],
  ];
  test.each(rows)('%s: %s', (error, _name, pem) => {
    expect(faultOf(() => readApplePayRoots(pem))).toBe(error);
  });
});

describe('a Google Pay key', () => {
  const { privateKey } = ellipticKeys();
  const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
  const rows: [fault: string, name: string, text: string][] = [
    ['none', 'PEM', pem(privateKey)],
    ['none', 'PEM in its older form', pem(privateKey, 'sec1')],
    ['none', 'Base64', pkcs8],
    ['privateKey', 'nothing', ''],
    ['privateKey', 'Base64 cut short', pkcs8.slice(0, 100)],
    ['privateKey', 'an RSA key', pem(rsaMerchant.privateKey)],
    ['privateKey', 'a key on another curve', pem(ellipticKeys('P-384').privateKey)],
    ['privateKey', 'an encrypted key', sealed(privateKey)],
    ['privateKey', 'a public key', infoPem(merchant.publicKey)],
  ];
  test.each(rows)('%s: %s', (error, _name, text) => {
    expect(faultOf(() => readGooglePayKey(text))).toBe(error);
  });
});

describe("Google's roots", () => {
  test('are those of ECv2, each with its expiry', () => {
    const roots = readGooglePayRoots(rootsOf(makeGoogleWorld(), '2030-01-01T00:00:00Z'));
    expect(roots.map(({ expires }) => expires.toISOString())).toEqual(['2030-01-01T00:00:00.000Z']);
  });

  const list = rootsOf(makeGoogleWorld());
  const rows: [fault: string, name: string, text: string][] = [
    ['none', 'as Google publishes them', list],
    ['roots', 'nothing', ''],
    ['roots', 'a list without its name', '[]'],
    ['roots', 'no keys', '{"keys":[]}'],
    ['roots', 'keys of ECv1 only', list.replace('ECv2', 'ECv1')],
    ['roots', 'a key without an end', list.replace('keyExpiration', 'expires')],
    ['roots', 'an end that is a date', list.replace(/(keyExpiration":")\d+/, '$12030-01-01')],
    ['roots', 'a broken key', list.replaceAll('MFkw', 'MFkx')],
  ];
  test.each(rows)('%s: %s', (error, _name, text) => {
    expect(faultOf(() => readGooglePayRoots(text))).toBe(error);
  });
});

function infoPem(key: KeyObject): string {
  return key.export({ format: 'pem', type: 'spki' }) as string;
}
