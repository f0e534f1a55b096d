// Recurring payments of S2S CARD: the initial payment returns a token; every subsequent charge uses the stored card and
// is signed over the payer and card of the initial payment (interface.md, S2S CARD; protocol.md 5).

import { apiError } from '../support/api-error.ts';
import { cardFields } from '../support/card-merchant.ts';
import { newOrderNumber } from '../support/merchant.ts';
import { startPayer } from '../support/payer.ts';
import { expectS2sCallbacks, s2sStatusOf } from '../support/s2s-flows.ts';
import { expect, test } from '../support/test.ts';

const incorrect = [400, apiError(100000, 'Incorrect transaction')];

for (const [mode, name] of [
  ['MD5', 'plain'],
  ['SHA-256', 'additions'],
] as const) {
  for (const [first, second] of [
    ['SALE', 'RECURRING_SALE'],
    ['DEBIT', 'RECURRING_DEBIT'],
  ] as const) {
    test(`${first}, then ${second}, signed by ${mode}`, async ({ cardAs, provider }) => {
      const shop = cardAs(name);
      const init = await shop.sell({ recurring_init: 'Y', custom_data: { of: 'the first' } }, first);
      expect(init.answer.body).toMatchObject({ status: 'SETTLED', recurring_token: expect.any(String) });
      const [callback] = await expectS2sCallbacks(shop, init, [`${first} SUCCESS SETTLED`]);
      expect(callback?.fields.recurring_token).toBe(init.answer.body.recurring_token);
      expect((await s2sStatusOf(shop, init)).recurring_token).toBe(init.answer.body.recurring_token);

      const orderId = newOrderNumber();
      const again = await shop.again(init, { order_id: orderId, custom_data: { of: 'the second' } }, second);
      expect(again.body).toMatchObject({
        action: second,
        result: 'SUCCESS',
        status: 'SETTLED',
        order_id: orderId,
        amount: '12.00',
        currency: 'EUR',
        recurring_token: init.answer.body.recurring_token,
      });
      const [message] = await expectS2sCallbacks(shop, { ...init, orderId }, [`${second} SUCCESS SETTLED`]);
      expect(message?.fields).toMatchObject({ 'custom_data[of]': 'the second', card: '411111****1111' });
      const [entry] = await provider.journal(orderId);
      expect(entry?.card).toMatch(/1111$/);
    });
  }
}

test('a transaction and a token of different series are an incorrect transaction', async ({ cardShop, cardAs }) => {
  const init = await cardShop.sell({ recurring_init: 'Y' });
  const other = await cardShop.sell({ recurring_init: 'Y' });
  const plain = await cardShop.sell();
  const foreign = await cardAs('other').sell({ recurring_init: 'Y' });
  const pairs = [
    { recurring_first_trans_id: other.transId },
    { recurring_first_trans_id: plain.transId },
    { recurring_first_trans_id: foreign.transId, recurring_token: foreign.answer.body.recurring_token },
    { recurring_first_trans_id: 'no uuid' },
    { recurring_token: 'else' },
  ];
  for (const pair of pairs) {
    const { status, body } = await cardShop.again(init, pair);
    expect([status, body], JSON.stringify(pair)).toEqual(incorrect);
  }
});

test('a sale is not continued as a debit, nor a debit as a sale', async ({ cardShop }) => {
  const sale = await cardShop.sell({ recurring_init: 'Y' });
  const debit = await cardShop.sell({ recurring_init: 'Y' }, 'DEBIT');
  const crossed = [
    await cardShop.again(sale, {}, 'RECURRING_DEBIT'),
    await cardShop.again(debit, {}, 'RECURRING_SALE'),
  ];
  for (const { status, body } of crossed) expect([status, body]).toEqual(incorrect);
});

test('a declined initial payment begins no series', async ({ cardShop }) => {
  const init = await cardShop.sell({ ...cardFields.declined, recurring_init: 'Y' });
  expect(init.answer.body).not.toHaveProperty('recurring_token');
});

test('an initial payment that passes through the bank gets its token by callback', async ({ cardShop }) => {
  const init = await cardShop.sell({ ...cardFields.challenge, recurring_init: 'Y' });
  expect(init.answer.body).not.toHaveProperty('recurring_token');
  const { redirect_url: url, redirect_params: params } = init.answer.body;
  const payer = startPayer(cardShop.baseUrl);
  const body = new URLSearchParams(params).toString();
  await payer.goOn(url, await payer.visit(url, { method: 'POST', body }), 'confirm');
  const [, callback] = await expectS2sCallbacks(cardShop, init, ['SALE REDIRECT 3DS', 'SALE SUCCESS SETTLED']);
  const token = callback?.fields.recurring_token;
  const again = await cardShop.again(init, { recurring_token: token });
  // Subsequent charges of the challenged card skip the challenge, because the payer is absent.
  expect(again.body).toMatchObject({ action: 'RECURRING_SALE', status: 'SETTLED' });
});

test('an authorisation may begin a series, and a subsequent payment may be an authorisation', async ({ cardShop }) => {
  const init = await cardShop.sell({ recurring_init: 'Y', auth: 'Y' });
  expect(init.answer.body).toMatchObject({ status: 'PENDING', recurring_token: expect.any(String) });
  const orderId = newOrderNumber();
  const again = await cardShop.again(init, { auth: 'Y', order_id: orderId });
  expect(again.body).toMatchObject({ result: 'SUCCESS', status: 'PENDING' });
  const authorised = { ...init, orderId, transId: again.body.trans_id };
  expect((await cardShop.follow('CAPTURE', authorised)).body).toMatchObject({ result: 'SUCCESS', amount: '12.00' });
});

test('a zero amount begins a series if the account accepts one', async ({ cardAs, cardShop }) => {
  const shop = cardAs('zeroAmounts');
  const init = await shop.sell({ recurring_init: 'Y', order_amount: '0.00' });
  expect(init.answer.body).toMatchObject({ status: 'SETTLED', amount: '0.00', recurring_token: expect.any(String) });
  expect((await shop.again(init)).body).toMatchObject({ status: 'SETTLED' });
  const rejected = await cardShop.charge('SALE', { recurring_init: 'Y', order_amount: '0' });
  expect(rejected.body.error_message).toBe('amount: This value should be greater than 0.');
  const plain = await shop.charge('SALE', { order_amount: '0' });
  expect(plain.body.error_message).toBe('amount: This value should be greater than 0.');
});

test('a subsequent payment without a callback address is reported to that of the initial payment', async ({
  cardShop,
  shopServer,
}) => {
  const init = await cardShop.sell({ recurring_init: 'Y' });
  const again = await cardShop.again(init, { callback_url: undefined });
  const messages = await shopServer.waitFor(init.orderId, (all) =>
    all.some(({ fields }) => fields.trans_id === again.body.trans_id),
  );
  const message = messages.find(({ fields }) => fields.trans_id === again.body.trans_id);
  expect(message?.fields).toMatchObject({ action: 'RECURRING_SALE', recurring_init_trans_id: init.transId });
  expect(message?.fields).not.toHaveProperty('custom_data');
});

test('a subsequent payment in another currency', async ({ cardShop }) => {
  const init = await cardShop.sell({ recurring_init: 'Y' });
  const yen = await cardShop.again(init, { order_currency: 'JPY', order_amount: '1200' });
  expect(yen.body).toMatchObject({ status: 'SETTLED', amount: '1200', currency: 'JPY' });
  const decimals = await cardShop.again(init, { order_currency: 'JPY', order_amount: '12.50' });
  expect(decimals.body.errors).toEqual([
    { error_code: 100000, error_message: 'order_amount: This value is not valid.' },
  ]);
});

test('a stored card pays by its token, without its number', async ({ cardShop }) => {
  const first = await cardShop.sell({ req_token: 'Y' });
  const token = first.answer.body.card_token;
  expect(token).toMatch(/^[0-9a-f]{64}$/);
  const without = { card_number: undefined, card_exp_month: undefined, card_exp_year: undefined };
  const byToken = await cardShop.sell({ ...without, card_token: token, card_cvv2: '123' });
  expect(byToken.answer.body).toMatchObject({ result: 'SUCCESS', status: 'SETTLED' });
  await expectS2sCallbacks(cardShop, byToken, ['SALE SUCCESS SETTLED']);
  // Card data take precedence over a token, and the hash then covers the card.
  const both = await cardShop.sell({ card_token: 'f'.repeat(64) });
  expect(both.answer.body.status).toBe('SETTLED');
});

test("another merchant's token is unknown", async ({ cardShop, cardAs }) => {
  const first = await cardAs('other').sell({ req_token: 'Y' });
  const token = first.answer.body.card_token;
  const without = { card_number: undefined, card_exp_month: undefined, card_exp_year: undefined };
  const { status, body } = await cardShop.charge('SALE', { ...without, card_token: token });
  expect([status, body]).toEqual([400, apiError(205007, 'Card token is not accessible.')]);
});

test('credential on file: the initiator, the origin, and the position in the series', async ({ cardAs, cardShop }) => {
  const shop = cardAs('cardOnFile');
  const first = await shop.sell({ recurring_init: 'Y', req_token: 'Y', payer_present: 'Y' });
  const origin = { initiator: 'cardholder', source: 'card', sequence: 'first' };
  expect(await s2sStatusOf(shop, first)).toMatchObject(origin);
  const [callback] = await expectS2sCallbacks(shop, first, ['SALE SUCCESS SETTLED']);
  expect(callback?.fields).toMatchObject({ ...origin, ARN: expect.any(String) });
  const orderId = newOrderNumber();
  await shop.again(first, { order_id: orderId });
  const [second] = await expectS2sCallbacks(shop, { ...first, orderId }, ['RECURRING_SALE SUCCESS SETTLED']);
  expect(second?.fields).toMatchObject({ initiator: 'merchant', source: 'stored', sequence: 'subsequent' });
  const absent = await shop.sell({
    card_number: undefined,
    card_exp_month: undefined,
    card_exp_year: undefined,
    card_cvv2: undefined,
    card_token: first.answer.body.card_token,
    payer_present: 'N',
  });
  const lookup = { ...absent, card: first.card };
  expect(await s2sStatusOf(shop, lookup)).toMatchObject({ initiator: 'merchant', source: 'stored' });
  const elsewhere = await cardShop.sell({ payer_present: 'Y' });
  expect(await s2sStatusOf(cardShop, elsewhere)).not.toHaveProperty('initiator');
});
