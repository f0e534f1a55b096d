// The tokens are encrypted by an independent implementation. Each forged token differs from a well-formed one in one
// aspect, and the table names the check that must reject it.

import { createHash, X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  type AppleChoices,
  type AppleToken,
  applePayment,
  makeAppleWorld,
  markers,
  sealApple,
} from '../../e2e/support/wallet-sealers/apple.ts';
import {
  ellipticKeys,
  type Issued,
  infoOf,
  issue,
  issueMerchant,
  pemOf,
  type Request,
} from '../../e2e/support/wallet-sealers/certificates.ts';
import { bits, nothing } from '../../e2e/support/wallet-sealers/der.ts';
import { type ApplePayOptions, decryptApplePay, isForOrder } from './apple.ts';
import { readApplePayKey } from './apple-key.ts';
import { WalletTokenError } from './token.ts';

const fixture = makeAppleWorld();
const forger = makeAppleWorld();
const now = new Date('2026-11-20T12:00:00Z');
const hash = createHash('sha256').update('order 42').digest('hex');

const keyOf = ({ certificate, privateKey }: Issued) =>
  readApplePayKey({
    certificate: pemOf(certificate),
    privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }) as string,
  });
const keys = [keyOf(fixture.merchant), keyOf(fixture.rsaMerchant)];
const options: ApplePayOptions = { keys, now, roots: [new X509Certificate(fixture.root.certificate)] };

const seal = (changed: Partial<AppleChoices> = {}) => sealApple(fixture, changed);
const opened = {
  number: '4817499130018492',
  expMonth: 12,
  expYear: 2029,
  currencyCode: '978',
  amountMinor: 8450n,
  holder: 'Zoë Ünal',
  cryptogram: 'Af9x/QwAA/DjmU65oyc1MAABAAA=',
  eci: '5',
  transactionId: '117a9854c5886bdff1815c06ae695c171bc22b1e37994ad9fbe77a3efb868034',
};

/** Why a token is rejected; fails if it is decrypted or if any other error is thrown. */
function whyRefused(token: string | object, changed: Partial<ApplePayOptions> = {}): string {
  try {
    decryptApplePay(token, { ...options, ...changed });
  } catch (error) {
    expect(error).toBeInstanceOf(WalletTokenError);
    expect(String(error)).toBe('WalletTokenError: The wallet token is not valid.');
    return (error as WalletTokenError).reason;
  }
  throw new Error('The token was decrypted.');
}

describe('a well-formed token', () => {
  test('of EC_v1 is decrypted, as an object, as text and as its payment data alone', () => {
    const token = seal();
    expect(decryptApplePay(token, options)).toEqual(opened);
    expect(decryptApplePay(JSON.stringify(token), options)).toEqual(opened);
    expect(decryptApplePay(token.paymentData, options)).toEqual(opened);
  });

  test('of RSA_v1 is decrypted', () => {
    expect(decryptApplePay(seal({ version: 'RSA_v1' }), options)).toEqual(opened);
  });

  test('is decrypted with the key that it names while two keys of a kind are in use', () => {
    const next = keyOf(issueMerchant('merchant.example.florin', ellipticKeys()));
    expect(decryptApplePay(seal(), { ...options, keys: [next, ...keys] }).number).toBe(opened.number);
  });

  test('returns its application data, which must match if it is known', () => {
    const token = seal({ applicationData: hash.toUpperCase() });
    expect(decryptApplePay(token, options).applicationData).toBe(hash);
    expect(decryptApplePay(token, { ...options, applicationData: hash }).applicationData).toBe(hash);
  });

  test('may include its root, and omit the holder and the indicator', () => {
    const { cardholderName: _holder, ...rest } = applePayment;
    const paymentData = { onlinePaymentCryptogram: applePayment.paymentData.onlinePaymentCryptogram };
    const token = seal({
      certificates: [fixture.root, fixture.intermediate, fixture.leaf],
      payment: { ...rest, cardholderName: '', paymentData },
    });
    const { holder: _none, eci: _neither, ...expected } = opened;
    expect(decryptApplePay(token, options)).toEqual(expected);
  });

  test('has the same transaction id in either letter case, so that a second use is detected', () => {
    const token = seal();
    token.paymentData.header.transactionId = token.paymentData.header.transactionId.toUpperCase();
    expect(decryptApplePay(token, options).transactionId).toBe(opened.transactionId);
  });

  test('is fresh up to the tolerance', () => {
    const at = (time: string, seconds?: number) => ({ now: new Date(time), toleranceSeconds: seconds });
    expect(decryptApplePay(seal(), { ...options, ...at('2026-11-20T12:04:30Z') }).number).toBe(opened.number);
    expect(whyRefused(seal(), at('2026-11-20T12:04:31Z'))).toBe('signing-time');
    expect(whyRefused(seal(), at('2026-11-20T11:59:41Z', 10))).toBe('signing-time');
  });
});

describe('the order', () => {
  const rows: [boolean, bigint, string][] = [
    [true, 8450n, 'EUR'],
    [false, 8451n, 'EUR'],
    [false, 8449n, 'EUR'],
    [false, 84n, 'EUR'],
    [false, 8450n, 'USD'],
    [false, 8450n, 'eur'],
    [false, 8450n, 'toString'],
  ];
  test.each(rows)('%s for %d %s', (fits, minor, currency) => {
    expect(isForOrder(decryptApplePay(seal(), options), { minor, currency })).toBe(fits);
  });
});

type Change = Record<string, unknown | ((text: string) => unknown)>;

/** A well-formed token with a change; a change to undefined removes the field. */
function data(change: Change, base = seal()): AppleToken {
  apply(base.paymentData, change);
  return base;
}

function header(change: Change, base = seal()): AppleToken {
  apply(base.paymentData.header, change);
  return base;
}

function apply(object: Record<string, unknown>, change: Change): void {
  for (const [name, value] of Object.entries(change)) {
    object[name] = typeof value === 'function' ? value(object[name]) : value;
  }
}

const flip = (at: number) => (text: string) => {
  const bytes = Buffer.from(text, 'base64');
  const place = at < 0 ? bytes.length + at : at;
  bytes[place] = (bytes[place] as number) ^ 1;
  return bytes.toString('base64');
};
const cut = (bytes: number) => (text: string) => Buffer.from(text, 'base64').subarray(0, bytes).toString('base64');
const append = (text: string) => Buffer.concat([Buffer.from(text, 'base64'), Buffer.alloc(3)]).toString('base64');
const text = (change: (text: string) => string) => change(JSON.stringify(seal()));
const rsa = (choices: Partial<AppleChoices> = {}) => seal({ version: 'RSA_v1', ...choices });
const paid = (fields: Record<string, unknown>) => seal({ payment: { ...applePayment, ...fields } });
const rooted = (...roots: Issued[]) => ({ roots: roots.map(({ certificate }) => new X509Certificate(certificate)) });

/** A token signed by another leaf, under another intermediate. */
function chain(changed: Partial<Record<'leaf' | 'intermediate', Partial<Request>>>): AppleToken {
  const intermediate = issue({
    name: 'Intermediate',
    keys: fixture.intermediate,
    issuer: fixture.root,
    authority: true,
    extensions: { [markers.intermediate]: nothing },
    ...changed.intermediate,
  });
  const extensions = { [markers.leaf]: nothing };
  const leaf = issue({
    name: 'Signer',
    keys: fixture.leaf,
    issuer: intermediate,
    serial: 9,
    extensions,
    ...changed.leaf,
  });
  return seal({ signer: leaf, issuer: intermediate, certificates: [leaf, intermediate] });
}

// A token that Apple has signed although its ephemeral key is: P-256 up to the point, then the point.
const points = (hex: string) =>
  seal({ key: Buffer.from(`3059301306072a8648ce3d020106082a8648ce3d030107034200${hex}`, 'hex') });
const [x, y] = [
  infoOf(fixture.leaf.publicKey).toString('hex', 27, 59),
  infoOf(fixture.leaf.publicKey).toString('hex', 59),
];
const used = seal().paymentData.header.transactionId;
const split = { transactionId: used.slice(0, 62), applicationData: used.slice(62) };
const ourHash = { publicKeyHash: seal().paymentData.header.publicKeyHash };
const ourRsaHash = { publicKeyHash: rsa().paymentData.header.publicKeyHash };
const { leaf, rsaLeaf, intermediate, root } = fixture;
const nested = { more: { more: { more: { more: {} } } } };
const ecdsa = '1.2.840.10045.4.3.2';
const signing = {
  authority: false,
  extensions: { [markers.intermediate]: nothing, '2.5.29.15': bits(Buffer.from([0x06])) },
};
const inNameOf = (issued: Issued, key: Issued) => ({ issuer: { name: issued.name, privateKey: key.privateKey } });

// The rejecting check, the change, and the token; options if they differ.
type Row = [why: string, name: string, make: () => string | object, changed?: Partial<ApplePayOptions>];

const broken: Row[] = [
  ['token-size', 'a token of more than 64 KB', () => ({ ...seal(), padding: 'x'.repeat(65_536) })],
  ['token-size', 'a token of more than 64 KB in bytes', () => 'ü'.repeat(40_000)],
  ['token-json', 'no JSON', () => 'MIAGCSqGSIb3DQEHAqCAMIACAQEx'],
  ['token-json', 'an empty text', () => ''],
  ['token-json', 'a list', () => [seal()]],
  ['token-json', 'an object around itself', () => around()],
  ['token-json', 'text after the end', () => text((token) => `${token}{}`)],
  ['token-json', 'a comma too many', () => text((token) => token.replace(/}$/, ',}'))],
  ['token-json', 'a duplicate name', () => text((token) => token.replace('{', '{"paymentData":{},'))],
  [
    'token-json',
    'a duplicate name, once escaped',
    () => text((token) => token.replace('"data"', '"d\\u0061ta":"","data"')),
  ],
  ['token-json', 'half a character', () => text((token) => token.replace('Visa', '\\ud83d'))],
  ['token-json', 'nesting beyond the format', () => ({ ...seal(), ...nested })],
  ['token-json', 'unlimited nesting', () => `{"a":${'['.repeat(30_000)}`],
  ['token-fields', 'payment data that is null', () => ({ paymentData: null })],
  ['version', 'payment data in a prototype', () => text((token) => token.replace('paymentData', '__proto__'))],
  ['token-fields', 'no signature', () => data({ signature: undefined })],
  ['token-fields', 'a signature that is no text', () => data({ signature: { length: 4 } })],
  ['token-fields', 'junk for Base64', () => data({ data: 'not base64!!' })],
  ['token-fields', 'Base64 for addresses', () => data({ data: '-_-_'.repeat(20) })],
  ['token-fields', 'Base64 in lines', () => data({ data: (whole: string) => whole.replace(/.{64}/g, '$&\n') })],
  ['token-fields', 'Base64 without its padding', () => data({ data: 'QQ' })],
  ['token-fields', 'Base64 with stray bits', () => data({ data: 'QR==' })],
  ['token-fields', 'no data', () => data({ data: '' })],
  ['data-length', 'data no longer than the tag', () => data({ data: cut(16) })],
  ['version', 'another version', () => data({ version: 'EC_v2' })],
  ['version', 'no version', () => data({ version: undefined })],
  ['header-fields', 'no header', () => data({ header: undefined })],
  ['header-fields', 'EC_v1 called RSA_v1', () => data({ version: 'RSA_v1' })],
  ['header-fields', 'a short transaction', () => header({ transactionId: 'ab'.repeat(31) })],
  ['header-fields', 'a transaction that is not hexadecimal', () => header({ transactionId: 'xy'.repeat(32) })],
  ['header-fields', 'a used transaction whose end is passed off as application data', () => header(split)],
  ['header-fields', 'a short hash of the key', () => header({ publicKeyHash: cut(16) })],
  ['signature-form', 'a signature that is no CMS', () => data({ signature: 'QUJD' })],
  ['signature-form', 'a signature cut short', () => data({ signature: cut(900) })],
  ['signature-form', 'bytes after the signature', () => data({ signature: append })],
  ['signature-form', 'the same signer twice', () => seal({ signers: 2 })],
  ['signature-form', 'no signer', () => seal({ signers: 0 })],
  ['signature-form', 'a signature over a content of its own', () => seal({ attached: true })],
  ['signature-form', 'no signing time', () => seal({ signedAt: null })],
  ['signature-form', 'no certificates', () => seal({ certificates: [] })],
  ['signature-form', 'too many certificates', () => seal({ certificates: [leaf, intermediate, root, root] })],
];

const forged: Row[] = [
  ['certificate-leaf', 'a leaf without its marker', () => chain({ leaf: { extensions: {} } })],
  ['certificate-leaf', 'two leaves', () => seal({ certificates: [leaf, rsaLeaf, intermediate] })],
  ['certificate-intermediate', 'an unmarked intermediate', () => chain({ intermediate: { extensions: {} } })],
  ['certificate-intermediate', 'the leaf alone', () => seal({ certificates: [leaf] })],
  [
    'certificate-extra',
    'a strange root beside the chain',
    () => seal({ certificates: [leaf, intermediate, forger.root] }),
  ],
  ['certificate-algorithm', 'a leaf signed with SHA-1', () => chain({ leaf: { digest: 'sha1' } })],
  ['certificate-algorithm', 'an intermediate signed with SHA-1', () => chain({ intermediate: { digest: 'sha1' } })],
  ['chain-root', 'a forged chain', () => sealApple(forger, { recipient: fixture.merchant })],
  ['chain-root', 'a root that is not trusted', () => seal(), rooted(forger.root)],
  ['chain-root', 'no root at all', () => seal(), rooted()],
  ['chain-root', "a leaf's root that is no authority", () => seal(), rooted(leaf)],
  ['chain-root', "Apple's root, which has not issued it", () => seal(), { roots: undefined }],
  ['chain-root', 'an intermediate that has signed itself', () => chain({ intermediate: { issuer: undefined } })],
  ['chain-root', "an intermediate in the root's name", () => chain({ intermediate: inNameOf(root, forger.root) })],
  [
    'chain-leaf',
    "a leaf in the intermediate's name",
    () => chain({ leaf: inNameOf(intermediate, forger.intermediate) }),
  ],
  ['chain-root', 'an intermediate of another issuer', () => chain({ intermediate: inNameOf(leaf, root) })],
  ['chain-leaf', 'an intermediate that is no authority', () => chain({ intermediate: signing })],
  ['chain-leaf', 'a leaf of the root itself', () => chain({ leaf: { issuer: root } })],
  ['chain-leaf', 'an intermediate that is no authority', () => chain({ intermediate: { authority: false } })],
  ['chain-leaf', 'a leaf that is an authority', () => chain({ leaf: { authority: true } })],
  ['leaf-expired', 'a leaf that has expired', () => chain({ leaf: { until: '2026-11-19' } })],
  ['leaf-expired', 'a leaf that is not valid yet', () => chain({ leaf: { from: '2026-11-21' } })],
  ['intermediate-expired', 'an expired intermediate', () => chain({ intermediate: { until: '2026-11-19' } })],
  ['root-expired', 'an expired root', () => seal({ signedAt: '2041-01-01' }), { now: new Date('2041-01-01') }],
  ['signer', 'a signer of another issuer', () => seal({ issuer: root })],
  ['signer', 'a signer of another number', () => seal({ signer: { ...leaf, serial: rsaLeaf.serial } })],
  ['signature-algorithm', 'a digest with SHA-1', () => seal({ digestAlgorithm: '1.3.14.3.2.26' })],
  ['signature-algorithm', 'an algorithm with SHA-1', () => seal({ algorithm: '1.2.840.10045.4.1' })],
  ['signature-algorithm', 'an RSA signature on EC_v1', () => seal({ signer: rsaLeaf })],
  ['signature-algorithm', 'an RSA key called elliptic', () => seal({ signer: rsaLeaf, algorithm: ecdsa })],
  ['signature-algorithm', 'an elliptic signature on RSA_v1', () => rsa({ signer: leaf })],
  ['message-digest', 'changed data', () => data({ data: flip(3) })],
  ['message-digest', 'a changed tag', () => data({ data: flip(-1) })],
  ['message-digest', 'a tag cut short', () => data({ data: cut(-4) })],
  [
    'message-digest',
    'another ephemeral key',
    () => header({ ephemeralPublicKey: headerOf(seal()).ephemeralPublicKey }),
  ],
  ['message-digest', 'another wrapped key', () => header({ wrappedKey: headerOf(rsa()).wrappedKey }, rsa())],
  ['message-digest', 'another transaction', () => header({ transactionId: hash })],
  ['message-digest', 'application data put in', () => header({ applicationData: hash })],
  [
    'message-digest',
    'application data changed',
    () => header({ applicationData: used }, seal({ applicationData: hash })),
  ],
  [
    'message-digest',
    'application data left out',
    () => header({ applicationData: undefined }, seal({ applicationData: hash })),
  ],
  ['message-digest', "another token's signature", () => data({ signature: seal().paymentData.signature })],
  ['message-digest', 'a digest of something else', () => seal({ digest: Buffer.alloc(32) })],
  ['message-digest', 'an empty digest', () => seal({ digest: Buffer.alloc(0) })],
  ['message-digest', 'content of another type', () => seal({ contentType: '1.2.840.113549.1.7.3' })],
  ['signature', 'a changed signature', () => data({ signature: flip(-20) })],
  ['signature', "the forger's signature", () => seal({ signer: { ...leaf, privateKey: forger.leaf.privateKey } })],
  [
    'signature',
    "the forger's RSA signature",
    () => rsa({ signer: { ...rsaLeaf, privateKey: forger.rsaLeaf.privateKey } }),
  ],
  ['signing-time', 'a token of an hour ago', () => seal({ signedAt: '2026-11-20T11:00:00Z' })],
  ['signing-time', 'a token from the future', () => seal({ signedAt: '2026-11-20T12:05:01Z' })],
  ['signing-time', 'a token of the last century', () => seal({ signedAt: '1976-11-20T12:00:00Z' })],
  ['application-data', 'application data missing', () => seal(), { applicationData: hash }],
  ['application-data', 'that of another order', () => seal({ applicationData: used }), { applicationData: hash }],
];

const misdirected: Row[] = [
  ['public-key-hash', 'a token for another merchant', () => seal({ recipient: forger.merchant })],
  ['public-key-hash', 'a changed hash of the key', () => header({ publicKeyHash: flip(0) })],
  ['public-key-hash', 'the hash of our other key', () => header(ourRsaHash)],
  ['public-key-hash', 'a token for a key that is gone', () => seal(), { keys: [] }],
  ['decryption', "another merchant's under our hash", () => header(ourHash, seal({ recipient: forger.merchant }))],
  ['decryption', 'a token for another merchant identifier', () => seal({ merchantId: 'merchant.example.other' })],
  [
    'wrapped-key',
    "another merchant's under our RSA hash",
    () => header(ourRsaHash, rsa({ recipient: forger.rsaMerchant })),
  ],
  ['wrapped-key', 'a wrapped key of nothing', () => rsa({ key: Buffer.alloc(256) })],
  ['decryption', 'a wrapped key of another token', () => rsa({ key: wrappedAnew() })],
  ['decryption', 'another ephemeral key', () => points(`04${x}${y}`)],
  ['ephemeral-key', 'a point that is not on the curve', () => points(`04${y}${x}`)],
  ['ephemeral-key', 'a point outside the field', () => points(`04${'ff'.repeat(64)}`)],
  ['ephemeral-key', 'the zero point', () => points(`04${'00'.repeat(64)}`)],
  ['ephemeral-key', 'a point at infinity', () => points('00')],
  ['ephemeral-key', 'a compressed point', () => points(`02${x}`)],
  [
    'ephemeral-key',
    'a point in the form of both',
    () => points(`0${6 + (Number.parseInt(y.slice(-1), 16) % 2)}${x}${y}`),
  ],
  ['ephemeral-key', 'bytes after the point', () => points(`04${x}${y}00`)],
  ['ephemeral-key', 'a key on another curve', () => seal({ key: infoOf(root.publicKey) })],
  ['ephemeral-key', 'an RSA key', () => seal({ key: infoOf(rsaLeaf.publicKey) })],
  ['payment-json', 'sealed text that is no JSON', () => seal({ payment: 'a payment of 84.50 euros' })],
  ['payment-json', 'a duplicate encrypted name', () => seal({ payment: twice(JSON.stringify(applePayment)) })],
  ['payment-type', 'EMV data', () => paid({ paymentDataType: 'EMV' })],
  ['payment-fields', 'no card number', () => paid({ applicationPrimaryAccountNumber: undefined })],
  ['payment-fields', 'a card number with spaces', () => paid({ applicationPrimaryAccountNumber: '4817 4991 3001' })],
  ['payment-fields', 'an expiry that is no day', () => paid({ applicationExpirationDate: '291331' })],
  ['payment-fields', 'a currency by its name', () => paid({ currencyCode: 'EUR' })],
  ['payment-fields', 'a negative amount', () => paid({ transactionAmount: -8450 })],
  ['payment-fields', 'an amount with decimals', () => paid({ transactionAmount: 84.5 })],
  ['payment-fields', 'an amount beyond all amounts', () => paid({ transactionAmount: 1e21 })],
  ['payment-fields', 'an amount as text', () => paid({ transactionAmount: '8450' })],
  ['payment-fields', 'a holder that is no text', () => paid({ cardholderName: ['Zoë'] })],
  ['payment-fields', 'no cryptogram', () => paid({ paymentData: { eciIndicator: '5' } })],
  ['payment-fields', 'a cryptogram that is no Base64', () => paid({ paymentData: { onlinePaymentCryptogram: '<>' } })],
];

const headerOf = (token: AppleToken) => token.paymentData.header;
const twice = (sealed: string) => sealed.replace('{', '{"currencyCode":"840",');
const wrappedAnew = () => Buffer.from(headerOf(rsa()).wrappedKey as string, 'base64');

function around(): object {
  const token: Record<string, unknown> = { ...seal() };
  token.more = token;
  return token;
}

describe('a rejected token has one error message', () => {
  test.each([...broken, ...forged, ...misdirected])('%s: %s', (why, _name, make, options = {}) => {
    expect(whyRefused(make(), options)).toBe(why);
  });

  test('for any other error', () => {
    expect(whyRefused(seal(), { now: null as unknown as Date })).toBe('unexpected');
  });
});
