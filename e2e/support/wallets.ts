// Apple Pay and Google Pay tokens for the sandbox merchants, sealed at the time of the call like those of a payer's
// device.
import { createPublicKey, randomBytes } from 'node:crypto';
import type { CardMerchant } from './card-merchant.ts';
import type { Changes } from './merchant.ts';
import type { Sold } from './s2s-merchant.ts';
import { fragmentOf } from './signatures.ts';
import { appleRootKey, googleRootKey, recipients } from './wallet-keys.ts';
import { type AppleChoices, type AppleParties, markers, sealApple } from './wallet-sealers/apple.ts';
import { ellipticKeys, issue, rsaKeys } from './wallet-sealers/certificates.ts';
import { nothing } from './wallet-sealers/der.ts';
import { type GoogleChoices, type GoogleParties, sealGoogle } from './wallet-sealers/google.ts';

/** The payment data of a wallet. Only Apple Pay tokens contain the amount, in minor units. */
export type Paid = {
  number?: string;
  /** `MM/YYYY`. */
  expiry?: string;
  amount?: number;
  /** Numeric, such as 978. */
  currency?: string;
  cryptogram?: string;
};

/** The number that settles, or whose outcome its expiry date decides (protocol.md 9). */
export const walletNumber = '4111111111111111';

const rootKeys = { privateKey: appleRootKey, publicKey: createPublicKey(appleRootKey) };
const appleRoot = issue({ name: 'Florin test root', keys: rootKeys, authority: true, digest: 'sha384' });
const marked = { [markers.intermediate]: nothing };
const intermediate = issue({ ...authority('Intermediate'), issuer: appleRoot, extensions: marked });
const signer = { issuer: intermediate, extensions: { [markers.leaf]: nothing } };

/** The keys and certificates of Apple and the merchants. */
export const apple: AppleParties = {
  intermediate,
  leaf: issue({ name: 'Signer', keys: ellipticKeys(), serial: 7, ...signer }),
  rsaLeaf: issue({ name: 'RSA signer', keys: rsaKeys(), serial: 8, ...signer }),
  merchant: { publicKey: recipients.elliptic },
  rsaMerchant: { publicKey: recipients.rsa },
};

/** The keys of Google and the merchants. */
const google: GoogleParties = {
  root: { privateKey: googleRootKey, publicKey: createPublicKey(googleRootKey) },
  intermediate: ellipticKeys(),
  recipient: { publicKey: recipients.google, privateKey: googleRootKey },
};

function authority(name: string) {
  return { name, keys: ellipticKeys(), authority: true, digest: 'sha384' } as const;
}

export const newCryptogram = () => randomBytes(20).toString('base64');

/** An Apple Pay token for 84.50 EUR by default. */
export function appleToken(paid: Paid = {}, choices: Partial<AppleChoices> = {}): string {
  const { number = walletNumber, expiry = '01/2038', amount = 8450, currency = '978' } = paid;
  const [month = '', year = ''] = expiry.split('/');
  const token = sealApple(apple, {
    merchantId: 'merchant.test.florin',
    transactionId: randomBytes(32).toString('hex'),
    signedAt: new Date().toISOString(),
    payment: {
      applicationPrimaryAccountNumber: number,
      applicationExpirationDate: `${year.slice(2)}${month}28`,
      currencyCode: currency,
      transactionAmount: amount,
      deviceManufacturerIdentifier: '040010030273',
      paymentDataType: '3DSecure',
      paymentData: { onlinePaymentCryptogram: paid.cryptogram ?? newCryptogram(), eciIndicator: '7' },
    },
    ...choices,
  });
  return JSON.stringify(token);
}

type Device = 'PAN_ONLY' | 'CRYPTOGRAM_3DS';

/** A Google Pay token: the card, or with CRYPTOGRAM_3DS the device's number. */
export function googleToken(device: Device, paid: Paid = {}, choices: Partial<GoogleChoices> = {}, more: object = {}) {
  const { number = walletNumber, expiry = '01/2038', cryptogram = newCryptogram() } = paid;
  const [month, year] = expiry.split('/').map(Number);
  const proof = device === 'PAN_ONLY' ? {} : { cryptogram, eciIndicator: '05' };
  const token = sealGoogle(google, {
    keyExpires: new Date(Date.now() + 86_400_000).toISOString(),
    payment: {
      messageExpiration: String(Date.now() + 3_600_000),
      messageId: randomBytes(24).toString('base64url'),
      paymentMethod: 'CARD',
      paymentMethodDetails: { pan: number, expirationMonth: month, expirationYear: year, authMethod: device, ...proof },
      gatewayMerchantId: 'test-wallets',
      ...more,
    },
    ...choices,
  });
  return JSON.stringify(token);
}

/** No card fields. */
export const noCard = {
  card_number: undefined,
  card_exp_month: undefined,
  card_exp_year: undefined,
  card_cvv2: undefined,
};

/** The fields of S2S CARD that replace the card. */
export function walletFields(wallet: 'applepay' | 'googlepay', token: string): Changes {
  return { ...noCard, digital_wallet: wallet, payment_token: token };
}

/** The response to every invalid token. */
export const invalidToken = [400, 'Request data is invalid.', 'payment_token: This value is not valid.'];

/** Status, message and first field error of a rejected charge. */
export async function refusalOf(shop: CardMerchant, fields: Changes, action = 'SALE'): Promise<unknown[]> {
  const { status, body } = await shop.charge(action, fields);
  return [status, body.error_message, body.errors?.[0]?.error_message].filter((each) => each !== undefined);
}

/** Makes a sale by wallet; later requests are signed with the signed part of `number`. */
export async function sellByWallet(
  shop: CardMerchant,
  fields: Changes,
  { action = 'SALE', number = walletNumber } = {},
): Promise<Sold> {
  return { ...(await shop.sell(fields, action)), card: fragmentOf(number) };
}
