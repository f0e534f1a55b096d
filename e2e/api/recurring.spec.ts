// Recurring payments over Checkout: the initial payment's id and token, payment/recurring, and the answers to wrong
// pairs.

import { type Changes, type Merchant, newOrderNumber } from '../support/merchant.ts';
import { type Card, cards } from '../support/payer.ts';
import { callbacksOf, expectCallbacks, idOf, pay, statusOf } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';

type Chain = { firstTransId: string; token: string };

async function begin(shop: Merchant, changes: Changes = {}, card: Card = cards.settled): Promise<Chain> {
  const { order } = await pay(shop, card, { recurring_init: true, ...changes });
  const messages = await callbacksOf(shop, order, 1);
  const fields = messages.at(-1)?.fields ?? {};
  return { firstTransId: fields.recurring_init_trans_id ?? '', token: fields.recurring_token ?? '' };
}

const orderOf = (amount = '12.00') => ({
  number: newOrderNumber(),
  amount,
  currency: 'EUR',
  description: 'The second month',
});

test('charges the card of the initial payment again', async ({ shop, provider }) => {
  const chain = await begin(shop);
  const order = orderOf();
  const { status, body } = await shop.recurring(chain, { order, custom_data: { month: '2' } });
  const id = await idOf(shop, order.number);
  expect(status).toBe(200);
  expect(body).toEqual({ status: 'settled', payment_id: id, date: expect.stringMatching(/^\d{4}-\d\d-\d\d /), order });
  const [callback] = await expectCallbacks(shop, order, ['success recurring settled']);
  expect(callback?.fields).toMatchObject({
    recurring_init_trans_id: chain.firstTransId,
    recurring_token: chain.token,
    'custom_data[month]': '2',
    card: '411111****1111',
    customer_email: 'ana@example.com',
  });
  expect(await provider.moved(order.number)).toEqual(['sale 12.00']);
  expect((await statusOf(shop, id)).recurring_token).toBe(chain.token);
});

test('takes the currency of the initial payment if the request has none', async ({ shop }) => {
  const chain = await begin(shop, { order: { currency: 'JPY', amount: '900' } });
  const { currency: _none, ...order } = orderOf('12');
  expect((await shop.recurring(chain, { order })).body.order).toEqual({ ...order, currency: 'JPY' });
  const decimals = await shop.recurring(chain, { order: { ...orderOf('12.50'), currency: undefined } });
  expect(decimals.body.errors[0].error_message).toBe('order.amount: This value is not valid.');
});

test('charges once, however often it is sent', async ({ shop, provider }) => {
  const chain = await begin(shop);
  const body = shop.recurringBody(chain);
  const send = () => shop.post('/api/v1/payment/recurring', body);
  const answers = await Promise.all(Array.from({ length: 30 }, send));
  expect(new Set(answers.map((answer) => JSON.stringify([answer.status, answer.body]))).size).toBe(1);
  expect(await provider.moved(String((body.order as { number: string }).number))).toEqual(['sale 12.00']);
});

test('charges a debit series as a debit', async ({ shop, provider }) => {
  const chain = await begin(shop, { operation: 'debit' });
  const order = orderOf();
  expect((await shop.recurring(chain, { order })).body.status).toBe('settled');
  await expectCallbacks(shop, order, ['success debit settled']);
  expect(await provider.moved(order.number)).toEqual(['debit 12.00']);
});

test.describe('rejects', () => {
  const wrong: [string, (chain: Chain) => Chain, 'plain' | 'other'][] = [
    ['an unknown token', (chain) => ({ ...chain, token: '00000000-0000-4000-8000-000000000000' }), 'plain'],
    [
      'an unknown transaction',
      (chain) => ({ ...chain, firstTransId: '00000000-0000-4000-8000-000000000000' }),
      'plain',
    ],
    ['a transaction that is not an id', (chain) => ({ ...chain, firstTransId: 'x' }), 'plain'],
    ['a pair of another merchant', (chain) => chain, 'other'],
  ];
  for (const [name, change, caller] of wrong) {
    test(name, async ({ shop, as }) => {
      const { status, body } = await as(caller).recurring(change(await begin(shop)));
      expect(`${status} ${body.error_code} ${body.error_message}`).toBe('400 100000 Incorrect transaction');
    });
  }

  test('a transaction and a token of two series', async ({ shop }) => {
    const [one, other] = [await begin(shop), await begin(shop)];
    const { body } = await shop.recurring({ firstTransId: one.firstTransId, token: other.token });
    expect(body.error_message).toBe('Incorrect transaction');
  });

  test('a wrong hash before a wrong pair, field errors before the hash, and an unknown schedule', async ({ shop }) => {
    const chain = await begin(shop);
    const post = (body: object) => shop.post('/api/v1/payment/recurring', body);
    const body = shop.recurringBody({ ...chain, token: 'x' });
    expect((await post({ ...body, hash: 'x' })).body.error_message).toBe('Hash is not valid');
    const blank = (await post({ ...body, order: undefined, hash: 'x' })).body;
    expect(blank.errors.map((each: { error_message: string }) => each.error_message)).toEqual([
      'order.number: This value should not be blank.',
      'order.amount: This value should not be blank.',
      'order.description: This value should not be blank.',
    ]);
    const unknown = { schedule_id: '00000000-0000-4000-8000-000000000000' };
    expect((await shop.recurring(chain, unknown)).body.error_message).toBe('Schedule not found');
    expect((await shop.recurring(chain, { schedule_id: 'x' })).body.errors[0].error_message).toBe(
      'schedule_id: This is not a valid UUID.',
    );
  });
});
