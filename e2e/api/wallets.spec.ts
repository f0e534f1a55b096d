// Apple Pay and Google Pay over S2S CARD: a token replaces the card and pays like it. The tests encrypt their own
// tokens (interface.md, Digital wallet token fields).
import { cardMerchant } from '../support/card-merchant.ts';
import { routingOf, visitorAs } from '../support/dashboard.ts';
import { allRows } from '../support/database-rows.ts';
import { startKillableServer } from '../support/killable-server.ts';
import { newOrderNumber } from '../support/merchant.ts';
import { startPayer } from '../support/payer.ts';
import { expectS2sCallbacks, s2sStatusOf, untilS2sStatus } from '../support/s2s-flows.ts';
import { expect, test } from '../support/test.ts';
import {
  appleToken,
  googleToken,
  invalidToken,
  newCryptogram,
  noCard,
  refusalOf,
  sellByWallet,
  walletFields,
} from '../support/wallets.ts';

// Races in the records of money show by chance: no test here is repeated.
test.describe.configure({ retries: 0 });

/** A well-formed token per wallet and format, of a device's number. */
const kinds = [
  ['Apple Pay, EC_v1', 'applepay', appleToken],
  ['Apple Pay, RSA_v1', 'applepay', (paid?: object) => appleToken(paid, { version: 'RSA_v1' })],
  ['Google Pay, CRYPTOGRAM_3DS', 'googlepay', (paid?: object) => googleToken('CRYPTOGRAM_3DS', paid)],
] as const;

for (const [name, wallet, seal] of kinds) {
  test.describe(name, () => {
    test('pays without a challenge, is reported with its number and refunded', async ({ cardAs, provider }) => {
      const shop = cardAs('wallets');
      // The card with this date would be challenged; the cryptogram replaces the challenge.
      const sold = await sellByWallet(shop, walletFields(wallet, seal({ expiry: '05/2038' })));
      const expected = { digital_wallet: wallet, pan_type: 'dpan' };
      expect(sold.answer.body).toMatchObject({ result: 'SUCCESS', status: 'SETTLED', amount: '84.50', ...expected });
      expect(await s2sStatusOf(shop, sold)).toMatchObject({ status: 'SETTLED', digital_wallet: wallet });
      expect((await shop.follow('GET_TRANS_DETAILS', sold)).body).toMatchObject({
        card: '411111****1111',
        pan_type: 'dpan',
        name: 'Ana Petrović',
      });
      expect((await shop.byOrder(sold)).body).toMatchObject({ trans_id: sold.transId, status: 'SETTLED' });
      expect((await shop.follow('CREDITVOID', sold, { amount: '4.50' })).body.result).toBe('ACCEPTED');
      const messages = await expectS2sCallbacks(shop, sold, ['SALE SUCCESS SETTLED', 'CREDITVOID SUCCESS SETTLED']);
      expect(messages[0]?.fields).toMatchObject({
        ...expected,
        card: '411111****1111',
        card_expiration_date: '05/2038',
        brand: 'visa',
      });
      expect(await provider.moved(sold.orderId)).toEqual(['sale 84.50', 'refund 4.50']);
    });

    test('is declined like its card', async ({ cardAs }) => {
      const shop = cardAs('wallets');
      const sold = await sellByWallet(shop, walletFields(wallet, seal({ expiry: '02/2038' })));
      expect(sold.answer.body).toMatchObject({ result: 'DECLINED', decline_reason: 'Declined by processing' });
      // The cryptogram of the device is not stored after the payment.
      expect((await shop.follow('RETRY', sold)).status).toBe(400);
      await expectS2sCallbacks(shop, sold, ['SALE DECLINED DECLINED']);
    });

    test('authorises, is captured in part; another authorisation is reversed, a sale voided', async ({
      cardAs,
      provider,
    }) => {
      const shop = cardAs('wallets');
      const hold = () => sellByWallet(shop, { ...walletFields(wallet, seal()), auth: 'Y' });
      const authorised = await hold();
      expect(authorised.answer.body).toMatchObject({ status: 'PENDING', pan_type: 'dpan' });
      expect((await shop.follow('CAPTURE', authorised, { amount: '50.00' })).body).toMatchObject({ status: 'SETTLED' });
      expect(await provider.moved(authorised.orderId)).toEqual(['authorize 84.50', 'capture 50.00']);
      const reversed = await hold();
      expect((await shop.follow('CREDITVOID', reversed)).body.result).toBe('ACCEPTED');
      await untilS2sStatus(shop, reversed, 'REVERSAL');
      const sold = await sellByWallet(shop, walletFields(wallet, seal()));
      expect((await shop.follow('VOID', sold)).body).toMatchObject({ result: 'SUCCESS', status: 'VOID' });
    });

    test('begins a series and creates a card token, both charged without the device', async ({ cardAs, provider }) => {
      const shop = cardAs('wallets');
      const fields = { ...walletFields(wallet, seal()), recurring_init: 'Y', req_token: 'Y' };
      const first = await sellByWallet(shop, fields);
      expect(first.answer.body).toMatchObject({
        recurring_token: expect.any(String),
        card_token: expect.stringMatching(/^[0-9a-f]{64}$/),
      });
      const orderId = newOrderNumber();
      const again = await shop.again(first, { order_id: orderId });
      expect(again.body).toMatchObject({ result: 'SUCCESS', status: 'SETTLED', digital_wallet: wallet });
      await expectS2sCallbacks(shop, { ...first, orderId }, ['RECURRING_SALE SUCCESS SETTLED']);
      expect(await provider.moved(orderId)).toEqual(['sale 12.00']);
      const { card_token } = first.answer.body;
      const stored = await shop.charge('SALE', { ...noCard, card_token });
      expect(stored.body).toMatchObject({ status: 'SETTLED' });
      expect(stored.body.digital_wallet).toBeUndefined();
    });

    test('debits, and verifies a card with a zero amount', async ({ cardAs, provider }) => {
      const shop = cardAs('wallets');
      const debited = await sellByWallet(shop, walletFields(wallet, seal()), { action: 'DEBIT' });
      expect(debited.answer.body).toMatchObject({ action: 'DEBIT', status: 'SETTLED', digital_wallet: wallet });
      expect(await provider.moved(debited.orderId)).toEqual(['debit 84.50']);
      const nothing = { ...walletFields(wallet, seal({ amount: 0 })), order_amount: '0.00' };
      const checked = await sellByWallet(shop, { ...nothing, recurring_init: 'Y' });
      expect(checked.answer.body).toMatchObject({ status: 'SETTLED', recurring_token: expect.any(String) });
    });

    test('one request twice is one payment, and its token pays no other order', async ({ cardAs, provider }) => {
      const shop = cardAs('wallets');
      const fields = walletFields(wallet, seal());
      const body = shop.signed(shop.chargeBody('SALE', fields));
      const first = await shop.post(body);
      expect(first.body).toMatchObject({ status: 'SETTLED' });
      expect((await shop.post(body)).body).toEqual(first.body);
      expect(await refusalOf(shop, fields)).toEqual(invalidToken);
      expect(await refusalOf(shop, fields, 'DEBIT')).toEqual(invalidToken);
      expect(await provider.moved(String(body.order_id))).toEqual(['sale 84.50']);
    });

    test('twenty at once are one charge', async ({ cardAs, provider }) => {
      const shop = cardAs('wallets');
      const body = shop.signed(shop.chargeBody('SALE', walletFields(wallet, seal())));
      const answers = await Promise.all(Array.from({ length: 20 }, () => shop.post(body)));
      for (const answer of answers) expect(answer.body).toEqual(answers[0]?.body);
      expect(answers[0]?.body).toMatchObject({ status: 'SETTLED' });
      expect(await provider.moved(String(body.order_id))).toEqual(['sale 84.50']);

      const fields = walletFields(wallet, seal());
      const orders = await Promise.all(Array.from({ length: 20 }, () => shop.charge('SALE', fields)));
      expect(orders.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(400)]);
    });
  });
}

test('PAN_ONLY leaves 3-D Secure to the acquirer', async ({ cardAs, shopServer, provider }) => {
  const shop = cardAs('wallets');
  const token = googleToken('PAN_ONLY', { expiry: '05/2038' });
  const termUrl = `${shopServer.url}/back`;
  const sold = await sellByWallet(shop, { ...walletFields('googlepay', token), term_url_3ds: termUrl });
  expect(sold.answer.body).toMatchObject({ result: 'REDIRECT', status: '3DS', pan_type: 'fpan' });
  const { redirect_url: url, redirect_params: params } = sold.answer.body;
  const payer = startPayer(shop.baseUrl);
  const screen = await payer.visit(url, { method: 'POST', body: new URLSearchParams(params).toString() });
  expect((await payer.goOn(url, screen, 'confirm')).url).toBe(termUrl);
  const messages = await expectS2sCallbacks(shop, sold, ['SALE REDIRECT 3DS', 'SALE SUCCESS SETTLED']);
  expect(messages[1]?.fields).toMatchObject({ digital_wallet: 'googlepay', pan_type: 'fpan', transStatus: 'Y' });
  expect(await provider.moved(sold.orderId)).toEqual(['sale 84.50']);

  // After the decline the card itself can be retried.
  const declined = await sellByWallet(shop, walletFields('googlepay', googleToken('PAN_ONLY', { expiry: '02/2038' })));
  expect((await shop.follow('RETRY', declined)).body).toMatchObject({ result: 'ACCEPTED' });
  const [, retried] = await expectS2sCallbacks(shop, declined, ['SALE DECLINED DECLINED', 'SALE DECLINED DECLINED']);
  expect(retried?.fields).toMatchObject({ digital_wallet: 'googlepay', pan_type: 'fpan' });
});

test('is routed past an account without decrypted wallets, and fails over with its cryptogram', async ({
  cardAs,
  provider,
  florin,
}) => {
  const shop = cardAs('wallets');
  const number = '4000000000001026';
  const sold = await sellByWallet(shop, walletFields('applepay', appleToken({ number })), { number });
  expect(sold.answer.body).toMatchObject({ status: 'SETTLED', digital_wallet: 'applepay' });
  expect((await provider.journal(sold.orderId)).map(({ status }) => status)).toEqual(['declined', 'approved']);
  const [message] = await expectS2sCallbacks(shop, sold, ['SALE SUCCESS SETTLED']);
  expect(message?.fields).toMatchObject({ 'extended_data[mid_name]': 'Wallets C', pan_type: 'dpan' });
  const manager = await visitorAs(florin, 'manager');
  const [row] = (await manager.get(`/payments?q=${sold.orderId}`)).body.rows;
  const { body } = await manager.get(`/payments/${row.id}`);
  expect(routingOf(body)).toEqual([
    'Wallets A: skipped: no decrypted applepay',
    'Wallets B: taken: priority',
    expect.stringMatching(/^Wallets C: taken: after a soft decline/),
  ]);
});

test('a live number fails like a live card, and is not stored', async ({ cardAs, provider }) => {
  const shop = cardAs('wallets');
  const number = '4817499130018492';
  const sold = await sellByWallet(shop, walletFields('applepay', appleToken({ number })), { number });
  expect(sold.answer.body).toMatchObject({ result: 'DECLINED', decline_reason: 'Declined by processing' });
  expect((await s2sStatusOf(shop, sold)).status).toBe('DECLINED');
  expect(await provider.journal(sold.orderId)).toEqual([]);
});

test('number and cryptogram appear in no log and in no row', async ({ cardAs, shopServer }) => {
  const number = '2223003122003222';
  const victim = await startKillableServer({ LOG_LEVEL: 'trace' });
  const shop = cardMerchant(victim.url, cardAs('wallets').credentials, shopServer);
  const cryptograms = [newCryptogram(), newCryptogram()] as const;
  const tokens = [
    walletFields('applepay', appleToken({ number, cryptogram: cryptograms[0] })),
    walletFields('googlepay', googleToken('CRYPTOGRAM_3DS', { number, cryptogram: cryptograms[1] })),
  ];
  try {
    for (const fields of tokens) {
      const sold = await sellByWallet(shop, { ...fields, recurring_init: 'Y' }, { number });
      expect(sold.answer.body).toMatchObject({ status: 'SETTLED' });
      expect(await refusalOf(shop, fields)).toEqual(invalidToken);
    }
  } finally {
    await victim.kill();
  }
  const log = victim.output();
  expect(log).toContain('a wallet payment was refused');
  const rows = await allRows();
  expect(rows).toContain('"digital_wallet":"applepay"');
  const texts = [number, ...cryptograms, ...cryptograms.map((each) => each.slice(0, 20))];
  for (const secret of texts) {
    for (const [where, content] of Object.entries({ log, rows })) {
      expect(content.includes(secret), where).toBe(false);
      expect(content.includes(Buffer.from(secret).toString('hex')), where).toBe(false);
      expect(content.includes(JSON.stringify(secret).slice(1, -1)), where).toBe(false);
    }
  }
});
