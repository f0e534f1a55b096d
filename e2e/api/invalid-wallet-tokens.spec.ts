// Invalid wallet tokens, and merchants without wallet keys: every invalid token gets the same answer, and no money
// moves (interface.md, Digital wallet token fields).
import { cardFields } from '../support/card-merchant.ts';
import { newOrderNumber } from '../support/merchant.ts';
import { expect, test } from '../support/test.ts';
import { markers } from '../support/wallet-sealers/apple.ts';
import { ellipticKeys, issue, issueMerchant } from '../support/wallet-sealers/certificates.ts';
import { nothing } from '../support/wallet-sealers/der.ts';
import { appleToken, googleToken, invalidToken, refusalOf, walletFields } from '../support/wallets.ts';

const stranger = ellipticKeys();
const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
const otherRoot = issue({ name: 'Florin test root', keys: ellipticKeys('P-384'), authority: true, digest: 'sha384' });
const forgers = issue({
  name: 'Intermediate',
  keys: ellipticKeys(),
  issuer: otherRoot,
  authority: true,
  extensions: { [markers.intermediate]: nothing },
});
const forger = issue({
  name: 'Signer',
  keys: ellipticKeys(),
  issuer: forgers,
  extensions: { [markers.leaf]: nothing },
});
const forged = { signer: forger, issuer: forgers, certificates: [forger, forgers] };

const brokenApple: [string, () => string][] = [
  ['no token at all', () => '{"data":"x"}'],
  ['no JSON', () => 'abc'],
  ['another amount', () => appleToken({ amount: 8449 })],
  ['another currency', () => appleToken({ currency: '840' })],
  ['the key of another merchant', () => appleToken({}, { recipient: issueMerchant('merchant.test.florin', stranger) })],
  ['another merchant identifier', () => appleToken({}, { merchantId: 'merchant.other' })],
  ['signed an hour ago', () => appleToken({}, { signedAt: hourAgo })],
  ['signed under another root', () => appleToken({}, forged)],
  ['signed over other content', () => appleToken({}, { content: Buffer.from('x') })],
  ['a network that is not supported', () => appleToken({ number: '6011111111111117' })],
  ['altered data', () => appleToken().replace(/"data":"..../, '"data":"AAAA')],
  ["the other wallet's token", () => googleToken('PAN_ONLY')],
];

const brokenGoogle: [string, () => string][] = [
  ['no token at all', () => '{"signature":"x"}'],
  ['no JSON', () => 'abc'],
  ['ECv1', () => googleToken('PAN_ONLY', {}, { protocol: 'ECv1' })],
  ['another sender', () => googleToken('PAN_ONLY', {}, { sender: 'Giggle' })],
  ['another recipient', () => googleToken('PAN_ONLY', {}, { recipientId: 'gateway:other' })],
  ['the root of another environment', () => googleToken('PAN_ONLY', {}, { root: stranger.privateKey })],
  ['the key of another merchant', () => googleToken('PAN_ONLY', {}, { recipient: stranger.publicKey })],
  ['another merchant of the gateway', () => googleToken('PAN_ONLY', {}, {}, { gatewayMerchantId: 'other' })],
  ['an expired message', () => googleToken('PAN_ONLY', {}, {}, { messageExpiration: String(Date.now() - 1000) })],
  ['an expired key', () => googleToken('PAN_ONLY', {}, { keyExpires: hourAgo })],
  ['a network that is not supported', () => googleToken('PAN_ONLY', { number: '378282246310005' })],
  [
    'an altered message',
    () => googleToken('PAN_ONLY').replace(/encryptedMessage\\":\\"..../, 'encryptedMessage\\":\\"AAAA'),
  ],
  ["the other wallet's token", () => appleToken()],
];

for (const [wallet, broken] of [
  ['applepay', brokenApple],
  ['googlepay', brokenGoogle],
] as const) {
  test(`every invalid token of ${wallet} gets one answer, and no money moves`, async ({ cardAs, provider }) => {
    const shop = cardAs('wallets');
    for (const [what, seal] of broken) {
      const order_id = newOrderNumber();
      expect(await refusalOf(shop, { ...walletFields(wallet, seal()), order_id }), what).toEqual(invalidToken);
      expect(await provider.journal(order_id), what).toEqual([]);
      expect(
        (await shop.byOrder({ orderId: order_id, transId: '', email: 'ana@example.com', answer: {} as never })).status,
      ).toBe(400);
    }
  });
}

test('without wallet keys the method is not supported', async ({ cardAs, cardShop }) => {
  const unsupported = [400, 'Payment method not supported.', 'Payment method not supported.'];
  const both = [walletFields('applepay', appleToken()), walletFields('googlepay', googleToken('PAN_ONLY'))];
  for (const shop of [cardShop, cardAs('walletsWithoutKeys'), cardAs('walletTokensOnly')]) {
    for (const fields of both) {
      expect(await refusalOf(shop, fields)).toEqual(unsupported);
      expect(await refusalOf(shop, fields, 'DEBIT')).toEqual(unsupported);
      expect((await shop.charge('SALE', fields)).body.error_code).toBe(204004);
    }
  }
  // Rejected tokens were not claimed.
  for (const fields of both) expect((await cardAs('wallets').charge('SALE', fields)).status).toBe(200);
});

test('a token replaces the whole card, and its wallet must be named', async ({ cardAs }) => {
  const shop = cardAs('wallets');
  const fields = walletFields('applepay', appleToken());
  const cardData = Object.entries(cardFields.settled);
  for (const [name, value] of cardData) {
    const { status, body } = await shop.charge('SALE', { ...fields, [name]: value });
    expect([status, body.error_code], name).toEqual([400, 100000]);
  }
  expect(await refusalOf(shop, { ...fields, digital_wallet: undefined })).toEqual([
    400,
    'Request data is invalid.',
    'digital_wallet: This value should not be blank.',
  ]);
  const wrongHash = { ...shop.chargeBody('SALE', fields), hash: 'ab'.repeat(16) };
  expect((await shop.post(wrongHash)).body.error_message).toBe('Hash is not valid');
  expect((await shop.charge('SALE', fields)).body).toMatchObject({ status: 'SETTLED' });
});
