import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Payment } from '../core/payment.ts';
import type { Mid } from '../merchants/merchants.ts';
import { googleOffer, networksOf, walletFlow } from './wallet-offers.ts';

const base = {
  operation: 'purchase',
  authorizeOnly: false,
  recurringInit: false,
  requestToken: false,
  currency: 'EUR',
  amountMinor: 8450n,
  digitalWallet: null,
} as Payment;

const account = (methods: string[], wallet?: string) =>
  ({
    id: 'mid',
    enabled: true,
    paymentMode: 'sms_dms',
    connector: 'http',
    capabilities: wallet ? { wallet } : {},
    methods,
    currencies: [],
    operations: [],
    zeroAmounts: true,
  }) as unknown as Mid;

const changes: Record<string, Partial<Payment>> = {
  '-': {},
  hold: { authorizeOnly: true },
  chain: { recurringInit: true },
  token: { requestToken: true },
  zero: { amountMinor: 0n },
  yen: { currency: 'JPY', amountMinor: 5n },
  before: { digitalWallet: 'applepay' },
};

// the account's methods | what it takes | keys | the payment | the flow
const table = `
card applepay | decrypted | yes | -      | card
card applepay | decrypted | yes | hold   | card
card applepay | decrypted | yes | chain  | card
card applepay | decrypted | yes | token  | card
card applepay | decrypted | yes | before | card
card applepay | decrypted | yes | zero   | none
card applepay | decrypted | no  | -      | token
card applepay | decrypted | no  | hold   | none
card applepay | decrypted | no  | chain  | none
card applepay | decrypted | no  | token  | none
card applepay | token     | yes | -      | token
card applepay | token     | no  | yen    | token
card applepay | token     | no  | before | token
card applepay | none      | yes | -      | none
card          | decrypted | yes | -      | none
applepay      | decrypted | yes | -      | token
googlepay     | decrypted | no  | -      | none
`;

describe('the flow of a wallet', () => {
  it.each(table.trim().split('\n'))('%s', (line) => {
    const [methods = '', takes, keys, what = '', flow] = line.split('|').map((cell) => cell.trim());
    const mids = [account(methods.split(' '), takes)];
    const found = walletFlow('applepay', { ...base, ...changes[what] }, { mids }, keys === 'yes');
    expect(found ?? 'none').toBe(flow);
  });
});

describe('the networks of a wallet', () => {
  it('are those of its settings, or all, whose brand an account takes', () => {
    const apple = { kind: 'applepay' as const, networks: [] };
    const all = ['visa', 'masterCard', 'amex', 'discover', 'jcb', 'chinaUnionPay', 'maestro'];
    expect(networksOf(apple, null)).toEqual(all);
    expect(networksOf(apple, ['mastercard', 'unionpay', 'rupay'])).toEqual(['masterCard', 'chinaUnionPay']);
    const google = { kind: 'googlepay' as const, networks: ['VISA', 'AMEX'] };
    expect(networksOf(google, null)).toEqual(['VISA', 'AMEX']);
    expect(networksOf(google, ['visa', 'mastercard'])).toEqual(['VISA']);
    expect(networksOf(google, ['rupay'])).toEqual([]);
  });
});

describe('the parameters of Google Pay', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const settings = { kind: 'googlepay' as const, networks: ['VISA'], allowedAuthMethods: ['PAN_ONLY' as const] };
  const offerWith = (more: object) => googleOffer({ ...settings, keys: [privateKey], recipientId: '', ...more });

  it('contain the gateway with its merchant', () => {
    expect(offerWith({ recipientId: 'gateway:florin', gatewayMerchantId: 'shop-1' })?.tokenization).toEqual({
      type: 'PAYMENT_GATEWAY',
      parameters: { gateway: 'florin', gatewayMerchantId: 'shop-1' },
    });
  });

  it("contain the merchant's own public key, uncompressed", () => {
    const { x = '', y = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
    const { publicKey = '' } = offerWith({ recipientId: 'merchant:123' })?.tokenization.parameters ?? {};
    const point = Buffer.from(publicKey, 'base64');
    expect([point.length, point[0]]).toEqual([65, 4]);
    expect(point.subarray(1, 33).toString('base64url')).toBe(x);
    expect(point.subarray(33).toString('base64url')).toBe(y);
  });

  it('are null where the settings lack the recipient', () => {
    expect(offerWith({ recipientId: 'gateway:florin' })).toBeNull();
    expect(offerWith({ recipientId: 'merchant:123', keys: [] })).toBeNull();
    expect(offerWith({ recipientId: 'florin' })).toBeNull();
  });
});
