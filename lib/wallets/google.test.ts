// The tokens are encrypted by an independent implementation. Each forged token differs from a well-formed one in one
// aspect, and the table names the check that must reject it.

import { describe, expect, test } from 'vitest';
import { ellipticKeys, infoOf, type KeyPair } from '../../e2e/support/wallet-sealers/certificates.ts';
import {
  type GoogleChoices,
  type GoogleToken,
  googleCryptogram,
  googlePayment,
  makeGoogleWorld,
  rootsOf,
  sealGoogle,
  signParts,
} from '../../e2e/support/wallet-sealers/google.ts';
import { decryptGooglePay, type GooglePayOptions, readGooglePayKey, readGooglePayRoots } from './google.ts';
import { WalletTokenError } from './token.ts';

const fixture = makeGoogleWorld();
const forger = makeGoogleWorld();
const now = new Date('2026-11-20T12:00:00Z');

const keyOf = ({ privateKey }: KeyPair) =>
  readGooglePayKey(privateKey.export({ format: 'pem', type: 'pkcs8' }) as string);
const options: GooglePayOptions = {
  keys: [keyOf(fixture.recipient)],
  roots: readGooglePayRoots(rootsOf(fixture)),
  recipientId: 'gateway:florin',
  gatewayMerchantId: 'shop-1',
  authMethods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'],
  now,
};

const seal = (choices: Partial<GoogleChoices> = {}) => sealGoogle(fixture, choices);
const opened = {
  number: '4111111111111111',
  expMonth: 12,
  expYear: 2029,
  authMethod: 'PAN_ONLY',
  messageId: 'AH2EjtfkY514K5lmPF4NOP9lMR5tPedsjQR719hIzI',
  expires: new Date('2026-11-27T12:00:00Z'),
};

/** Why a token is rejected; fails if it is decrypted or if any other error is thrown. */
function whyRefused(token: string | object, changed: Partial<GooglePayOptions> = {}): string {
  try {
    decryptGooglePay(token, { ...options, ...changed });
  } catch (error) {
    expect(error).toBeInstanceOf(WalletTokenError);
    expect(String(error)).toBe('WalletTokenError: The wallet token is not valid.');
    return (error as WalletTokenError).reason;
  }
  throw new Error('The token was decrypted.');
}

describe('a well-formed token', () => {
  test('of a card is decrypted, as an object and as text', () => {
    expect(decryptGooglePay(seal(), options)).toEqual(opened);
    expect(decryptGooglePay(JSON.stringify(seal()), options)).toEqual(opened);
  });

  test('of a device is decrypted with its cryptogram', () => {
    expect(decryptGooglePay(seal({ payment: googleCryptogram }), options)).toEqual({
      number: '4895370012003478',
      expMonth: 1,
      expYear: 2030,
      authMethod: 'CRYPTOGRAM_3DS',
      cryptogram: 'AgAAAAAABk4DWZ4C28yUQAAAAAA=',
      eci: '07',
      messageId: opened.messageId,
      expires: opened.expires,
    });
  });

  test('for a direct merchant is decrypted without a merchant of a gateway', () => {
    const { gatewayMerchantId: _none, ...payment } = googlePayment;
    const direct = { ...options, recipientId: 'merchant:12345678901234567890', gatewayMerchantId: undefined };
    expect(decryptGooglePay(seal({ recipientId: direct.recipientId, payment }), direct)).toEqual(opened);
  });

  test('is decrypted with the matching key', () => {
    const keys = [keyOf(ellipticKeys()), keyOf(fixture.recipient), keyOf(ellipticKeys())];
    expect(decryptGooglePay(seal(), { ...options, keys })).toEqual(opened);
  });

  test('is decrypted with the matching root and signature', () => {
    const token = seal();
    token.intermediateSigningKey.signatures.unshift(
      signParts(['Google', 'ECv2', token.intermediateSigningKey.signedKey], forger.root.privateKey),
    );
    const roots = [...readGooglePayRoots(rootsOf(forger)), ...options.roots];
    expect(decryptGooglePay(token, { ...options, roots })).toEqual(opened);
  });

  test('is valid until the millisecond of its expiry', () => {
    const at = (time: string) => ({ now: new Date(time) });
    const token = seal({ keyExpires: '2027-01-01T00:00:00Z' });
    expect(decryptGooglePay(token, { ...options, ...at('2026-11-27T11:59:59.999Z') })).toEqual(opened);
    expect(whyRefused(token, at('2026-11-27T12:00:00.000Z'))).toBe('message-expired');
  });
});

type Change = Record<string, unknown | ((text: string) => unknown)>;

/** A well-formed token with a change; a change to undefined removes the field. */
function outer(change: Change, base = seal()): GoogleToken {
  return apply(base, change);
}

function signing(change: Change, base = seal()): GoogleToken {
  apply(base.intermediateSigningKey, change);
  return base;
}

function apply<Fields extends Record<string, unknown>>(object: Fields, change: Change): Fields {
  for (const [name, value] of Object.entries(change)) {
    Object.assign(object, { [name]: typeof value === 'function' ? value(object[name]) : value });
  }
  return object;
}

/** A token whose message is changed before it is signed. */
const message = (change: Change) => seal({ message: (fields) => apply(fields, change) });
const paid = (fields: Record<string, unknown>) => seal({ payment: { ...googlePayment, ...fields } });
const details = (
  fields: Record<string, unknown>,
  base: typeof googlePayment | typeof googleCryptogram = googlePayment,
) => seal({ payment: { ...base, paymentMethodDetails: { ...base.paymentMethodDetails, ...fields } } });
const cryptogram = (fields: Record<string, unknown>) => details(fields, googleCryptogram);
const key = (fields: Record<string, unknown>) =>
  seal({ signedKey: JSON.stringify({ ...JSON.parse(seal().intermediateSigningKey.signedKey), ...fields }) });
const text = (change: (text: string) => string) => change(JSON.stringify(seal()));

const flip = (at: number) => (text: string) => {
  const bytes = Buffer.from(text, 'base64');
  const place = at < 0 ? bytes.length + at : at;
  bytes[place] = (bytes[place] as number) ^ 1;
  return bytes.toString('base64');
};
const cut = (bytes: number) => (text: string) => Buffer.from(text, 'base64').subarray(0, bytes).toString('base64');
const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64');
const rooted = (list: string) => ({ roots: readGooglePayRoots(list) });
const [x, y] = [
  infoOf(fixture.root.publicKey).toString('hex', 27, 59),
  infoOf(fixture.root.publicKey).toString('hex', 59),
];
const swapped = base64(`${infoOf(fixture.root.publicKey).toString('hex', 0, 27)}${y}${x}`);
const p384 = infoOf(ellipticKeys('P-384').publicKey);
const nested = { more: { more: { more: { more: {} } } } };
const past = { keyExpires: '2026-11-20T12:00:00Z' };
const panOnly: Partial<GooglePayOptions> = { authMethods: ['PAN_ONLY'] };
const cryptogramOnly: Partial<GooglePayOptions> = { authMethods: ['CRYPTOGRAM_3DS'] };

// The rejecting check, the change, and the token; options if they differ.
type Row = [why: string, name: string, make: () => string | object, changed?: Partial<GooglePayOptions>];

const broken: Row[] = [
  ['token-size', 'a token of more than 64 KB', () => ({ ...seal(), padding: 'x'.repeat(65_536) })],
  ['token-size', 'a token of more than 64 KB in bytes', () => 'ü'.repeat(40_000)],
  ['token-json', 'no JSON', () => 'examplePaymentMethodToken'],
  ['token-json', 'an empty text', () => ''],
  ['token-json', 'a list', () => [seal()]],
  ['token-json', 'text after the end', () => text((token) => `${token}{}`)],
  ['token-json', 'a duplicate name', () => text((token) => token.replace('{', '{"signedMessage":"{}",'))],
  ['token-json', 'nesting beyond the format', () => ({ ...seal(), ...nested })],
  ['token-json', 'unlimited nesting', () => `{"a":${'{"a":'.repeat(10_000)}`],
  ['version', 'ECv1', () => seal({ protocol: 'ECv1' })],
  ['version', 'ECv2 that calls itself ECv1', () => outer({ protocolVersion: 'ECv1' })],
  ['version', 'ECv2SigningOnly', () => seal({ protocol: 'ECv2SigningOnly' })],
  ['version', 'no version', () => outer({ protocolVersion: undefined })],
  ['version', 'the token inside its container', () => ({ token: seal() })],
  ['token-fields', 'no signature', () => outer({ signature: undefined })],
  ['token-fields', 'junk for Base64', () => outer({ signature: 'not base64!!' })],
  [
    'token-fields',
    'Base64 without its padding',
    () => outer({ signature: (whole: string) => `${whole.slice(0, 8)}QQ` }),
  ],
  ['token-fields', 'no message', () => outer({ signedMessage: '' })],
  ['token-fields', 'a message that is no text', () => outer({ signedMessage: (whole: string) => JSON.parse(whole) })],
  ['token-fields', 'no intermediate key', () => outer({ intermediateSigningKey: undefined })],
  ['token-fields', 'no signed key', () => signing({ signedKey: undefined })],
  ['token-fields', 'no signatures', () => signing({ signatures: [] })],
  ['token-fields', 'signatures that are one', () => signing({ signatures: (list: unknown) => (list as string[])[0] })],
  ['token-fields', 'the same signature twice', () => signing({ signatures: (list: unknown) => [list, list].flat() })],
  [
    'token-fields',
    'an empty signature among them',
    () => signing({ signatures: (list: unknown) => [list, ''].flat() }),
  ],
  [
    'token-fields',
    'a broken signature among them',
    () => signing({ signatures: (list: unknown) => [list, '!'].flat() }),
  ],
  [
    'token-fields',
    'more signatures than roots',
    () => signing({ signatures: Array.from('ABCDEFGHI', (a) => `QUJ${a}`) }),
  ],
];

const forged: Row[] = [
  ['roots-expired', 'a root that has expired', () => seal(), rooted(rootsOf(fixture, '2026-11-20T12:00:00Z'))],
  ['roots-expired', 'no root at all', () => seal(), { roots: [] }],
  ['intermediate-signature', 'forged tokens', () => sealGoogle(forger, { recipient: fixture.recipient.publicKey })],
  ['intermediate-signature', 'a token of TEST in PRODUCTION', () => seal(), rooted(rootsOf(forger))],
  ['intermediate-signature', "a forger's root", () => seal({ root: forger.root.privateKey })],
  ['intermediate-signature', 'another sender', () => seal({ sender: 'Goggle' })],
  ['intermediate-signature', 'signatures over ECv1', () => seal({ signedProtocol: 'ECv1' })],
  ['intermediate-signature', 'a changed key', () => signing({ signedKey: (whole: string) => `${whole} ` })],
  [
    'intermediate-signature',
    'a changed expiry of the key',
    () => signing({ signedKey: (whole: string) => whole.replace(/"17/, '"27') }),
  ],
  [
    'intermediate-signature',
    'a changed signature',
    () => signing({ signatures: (list: unknown) => [flip(-1)(String(list))] }),
  ],
  [
    'intermediate-signature',
    'a signature cut short',
    () => signing({ signatures: (list: unknown) => [cut(40)(String(list))] }),
  ],
  [
    'intermediate-signature',
    "the message's signature",
    () => outer({ intermediateSigningKey: swapSignatures(seal()) }),
  ],
  ['intermediate-signature', 'a signature of zeros', () => signing({ signatures: [base64('3006020100020100')] })],
  ['intermediate-key', 'a signed key that is no JSON', () => seal({ signedKey: 'key' })],
  ['intermediate-key', 'a signed key without a key', () => key({ keyValue: undefined })],
  ['intermediate-key', 'a signed key that is off the curve', () => key({ keyValue: swapped })],
  ['intermediate-key', 'a signed key on another curve', () => key({ keyValue: p384.toString('base64') })],
  ['intermediate-key', 'a signed key without an expiry', () => key({ keyExpiration: undefined })],
  ['intermediate-key', 'an expiry that is a number', () => key({ keyExpiration: 1_999_999_999_999 })],
  ['intermediate-key', 'an expiry that is a date', () => key({ keyExpiration: '2027-01-01' })],
  ['intermediate-key-expired', 'an intermediate key that has expired', () => seal(past)],
  ['message-signature', 'another recipient', () => seal({ recipientId: 'gateway:other' })],
  ['message-signature', 'a merchant of the same name', () => seal({ recipientId: 'merchant:florin' })],
  ['message-signature', 'a changed message', () => outer({ signedMessage: (whole: string) => `${whole} ` })],
  ['message-signature', "another token's message", () => outer({ signedMessage: seal().signedMessage })],
  ['message-signature', "another token's signature", () => outer({ signature: seal().signature })],
  ['message-signature', 'a changed signature', () => outer({ signature: flip(-1) })],
  ['message-signature', 'a signature cut short', () => outer({ signature: cut(-1) })],
  [
    'message-signature',
    "the root's own signature",
    () => seal({ intermediate: { ...fixture.intermediate, privateKey: fixture.root.privateKey } }),
  ],
  [
    'message-signature',
    "a forger's intermediate key",
    () => seal({ intermediate: { ...fixture.intermediate, privateKey: forger.intermediate.privateKey } }),
  ],
];

const misdirected: Row[] = [
  ['message-fields', 'a message that is no JSON', () => seal({ message: () => 'message' })],
  ['message-fields', 'a message without a MAC', () => message({ tag: undefined })],
  ['message-fields', 'a MAC cut short', () => message({ tag: cut(16) })],
  ['message-fields', 'an empty MAC', () => message({ tag: '' })],
  ['message-fields', 'nothing encrypted', () => message({ encryptedMessage: '' })],
  ['message-fields', 'no ephemeral key', () => message({ ephemeralPublicKey: undefined })],
  ['ephemeral-key', 'a point that is off the curve', () => message({ ephemeralPublicKey: base64(`04${y}${x}`) })],
  ['ephemeral-key', 'the zero point', () => message({ ephemeralPublicKey: base64(`04${'00'.repeat(64)}`) })],
  ['ephemeral-key', 'a point at infinity', () => message({ ephemeralPublicKey: base64('00') })],
  ['ephemeral-key', 'a compressed point', () => message({ ephemeralPublicKey: base64(`02${x}`) })],
  ['ephemeral-key', 'a point with bytes after it', () => message({ ephemeralPublicKey: base64(`04${x}${y}00`) })],
  [
    'ephemeral-key',
    'a point on another curve',
    () => message({ ephemeralPublicKey: p384.subarray(-97).toString('base64') }),
  ],
  ['mac', "another key's point", () => message({ ephemeralPublicKey: base64(`04${x}${y}`) })],
  ['mac', 'a changed MAC', () => message({ tag: flip(31) })],
  ['mac', 'a changed ciphertext', () => message({ encryptedMessage: flip(5) })],
  ['mac', 'a ciphertext cut short', () => message({ encryptedMessage: cut(-1) })],
  ['mac', 'a key of another merchant', () => seal({ recipient: forger.recipient.publicKey })],
  ['mac', 'a key that we no longer have', () => seal(), { keys: [] }],
  ['payment-json', 'sealed text that is no JSON', () => seal({ payment: 'plaintext' })],
  ['payment-json', 'a duplicate encrypted name', () => seal({ payment: twice(JSON.stringify(googlePayment)) })],
  ['message-expired', 'a message that has expired', () => paid({ messageExpiration: '1700000000000' })],
  ['payment-fields', 'a message without an expiry', () => paid({ messageExpiration: undefined })],
  ['payment-fields', 'an expiry that is a number', () => paid({ messageExpiration: 1_999_999_999_999 })],
  ['payment-fields', 'a message without a name', () => paid({ messageId: '' })],
  ['gateway-merchant', 'another merchant of the gateway', () => paid({ gatewayMerchantId: 'shop-2' })],
  ['gateway-merchant', 'no merchant of the gateway', () => paid({ gatewayMerchantId: undefined })],
  [
    'gateway-merchant',
    'a gateway that knows no merchant',
    () => paid({ gatewayMerchantId: undefined }),
    { gatewayMerchantId: undefined },
  ],
  ['payment-type', 'another payment method', () => paid({ paymentMethod: 'TOKENIZED_CARD' })],
  ['payment-fields', 'no details', () => paid({ paymentMethodDetails: undefined })],
  ['auth-method', 'a card if only devices are allowed', () => seal(), cryptogramOnly],
  ['auth-method', 'a device where only cards may pay', () => seal({ payment: googleCryptogram }), panOnly],
  ['auth-method', 'an unknown method', () => details({ authMethod: 'NONE' })],
  ['auth-method', 'no method', () => details({ authMethod: undefined })],
  ['payment-fields', 'no card number', () => details({ pan: undefined })],
  ['payment-fields', 'a card number that is a number', () => details({ pan: 4_111_111_111_111_111 })],
  ['payment-fields', 'a card number with spaces', () => details({ pan: '4111 1111 1111' })],
  ['payment-fields', 'a thirteenth month', () => details({ expirationMonth: 13 })],
  ['payment-fields', 'a month of none', () => details({ expirationMonth: 0 })],
  ['payment-fields', 'a year of two digits', () => details({ expirationYear: 29 })],
  ['payment-fields', 'a year as text', () => details({ expirationYear: '2029' })],
  ['payment-fields', 'a device without a cryptogram', () => cryptogram({ cryptogram: undefined })],
  ['payment-fields', 'a cryptogram that is no Base64', () => cryptogram({ cryptogram: 'AAAAAA...' })],
  ['payment-fields', 'an indicator that is no text', () => cryptogram({ eciIndicator: 7 })],
];

const twice = (sealed: string) => sealed.replace('{', '{"messageId":"another",');

function swapSignatures({ signature, intermediateSigningKey }: GoogleToken) {
  return { ...intermediateSigningKey, signatures: [signature] };
}

describe('a rejected token has one error message', () => {
  test.each([...broken, ...forged, ...misdirected])('%s: %s', (why, _name, make, changed = {}) => {
    expect(whyRefused(make(), changed)).toBe(why);
  });
});
