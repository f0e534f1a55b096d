// Rejected modifications and lookups of S2S CARD, and the fields that lookups return (interface.md, Errors and Events 4
// to 6; protocol.md 5).

import { apiError } from '../support/api-error.ts';
import { type CardMerchant, cardFields } from '../support/card-merchant.ts';
import type { Changes } from '../support/merchant.ts';
import { pay } from '../support/payment-flows.ts';
import { expectS2sCallbacks, untilS2sStatus } from '../support/s2s-flows.ts';
import type { Sold } from '../support/s2s-merchant.ts';
import { fragmentOf, signCard } from '../support/signatures.ts';
import { expect, test } from '../support/test.ts';
import { parseCell, rowsOf } from '../support/text-table.ts';

const made: Record<string, (shop: CardMerchant) => Promise<Sold>> = {
  settled: (shop) => shop.sell(),
  declined: (shop) => shop.sell(cardFields.declined),
  authorised: (shop) => shop.sell({ auth: 'Y' }),
  challenged: (shop) => shop.sell(cardFields.challenge),
  debit: (shop) => shop.sell({}, 'DEBIT'),
  captured: async (shop) => {
    const sold = await shop.sell({ auth: 'Y' });
    await shop.follow('CAPTURE', sold, { amount: '50.00' });
    return sold;
  },
  refunded: async (shop) => {
    const sold = await shop.sell();
    await shop.follow('CREDITVOID', sold);
    await untilS2sStatus(shop, sold, 'REFUND');
    return sold;
  },
  'refunded in part': async (shop) => {
    const sold = await shop.sell();
    await shop.follow('CREDITVOID', sold, { amount: '10.00' });
    return sold;
  },
  voided: async (shop) => {
    const sold = await shop.sell();
    await shop.follow('VOID', sold);
    return sold;
  },
};

const rejections = `
  CAPTURE    | settled          | -       | 208003 Not acceptable to request the capture for payment not in pending status.
  CAPTURE    | declined         | -       | 208003
  CAPTURE    | challenged       | -       | 208003
  CAPTURE    | captured         | "34.50" | 208003
  CAPTURE    | voided           | -       | 208003
  CAPTURE    | authorised       | "84.51" | 208004
  CAPTURE    | authorised       | "0"     | 100000 amount: This value should be greater than 0.
  CAPTURE    | authorised       | "1.001" | 100000 Request data is invalid.
  CAPTURE    | authorised       | ""      | 100000 Request data is invalid.
  CREDITVOID | declined         | -       | 208005 refund requires a settled payment
  CREDITVOID | challenged       | -       | 208005
  CREDITVOID | refunded         | -       | 208005
  CREDITVOID | voided           | -       | 208005
  CREDITVOID | settled          | "84.51" | 208006
  CREDITVOID | captured         | "50.01" | 208006
  CREDITVOID | refunded in part | "74.51" | 208006
  CREDITVOID | settled          | "-1.00" | 100000 amount: This value should be greater than 0.
  CREDITVOID | settled          | ""      | 100000 Request data is invalid.
  CREDITVOID | authorised       | "10.00" | 208009
  CREDITVOID | authorised       | "84.51" | 208008
  CREDITVOID | debit            | "10.00" | 208009
  CREDITVOID | debit            | "84.51" | 208008
  VOID       | authorised       | -       | 100000 Void is not allowed.
  VOID       | declined         | -       | 100000 Void is not allowed.
  VOID       | challenged       | -       | 100000 Void is not allowed.
  VOID       | refunded in part | -       | 100000 Void is not allowed.
  VOID       | voided           | -       | 100000 Void is not allowed.
  RETRY      | settled          | -       | 204005 Payment action not supported
  RETRY      | authorised       | -       | 204005`;

for (const [action = '', state = '', cell = '', expected = ''] of rowsOf(rejections)) {
  test(`${action} ${cell === '-' ? '' : `of ${cell} `}on a ${state} payment is rejected`, async ({ cardShop }) => {
    const sold = await (made[state] as (typeof made)['settled'])(cardShop);
    const { status, body } = await cardShop.follow(action, sold, { amount: parseCell(cell) });
    expect([status, body.result]).toEqual([400, 'ERROR']);
    expect(`${body.error_code} ${body.error_message}`).toContain(expected);
  });
}

const accounts = [
  ['portalRefunds', 210002, 'Refund via API is not supported. Only from the connector admin portal.'],
  ['noRefunds', 100000, 'Refund is not allowed'],
] as const;

for (const [name, error_code, error_message] of accounts) {
  test(`${name}: a refund is rejected, an authorisation is still reversed`, async ({ cardAs }) => {
    const shop = cardAs(name);
    const { body } = await shop.follow('CREDITVOID', await shop.sell());
    expect(body).toMatchObject({ error_code, error_message });
    const authorised = await shop.sell({ auth: 'Y' });
    expect((await shop.follow('CREDITVOID', authorised)).body.result).toBe('ACCEPTED');
    await untilS2sStatus(shop, authorised, 'REVERSAL');
  });
}

test('RETRY is signed by formula 1 as well', async ({ cardShop }) => {
  const sold = await cardShop.sell({ card_number: '4000000000001026', card_exp_month: '01' });
  expect(sold.answer.body.status).toBe('DECLINED');
  const hash = signCard(1, { email: sold.email, card: sold.card }, cardShop.credentials);
  const { body } = await cardShop.post({ ...cardShop.followBody('RETRY', sold), hash });
  expect(body).toMatchObject({ action: 'RETRY', result: 'ACCEPTED', order_id: sold.orderId });
  await untilS2sStatus(cardShop, { ...sold, transId: body.trans_id }, 'SETTLED');
  await expectS2sCallbacks(cardShop, sold, ['SALE DECLINED DECLINED', 'SALE SUCCESS SETTLED']);
});

test('a payment is found by any of its attempts', async ({ cardShop }) => {
  const sold = await cardShop.sell({ card_number: '4000000000001026', card_exp_month: '01' });
  const { body } = await cardShop.follow('RETRY', sold);
  await untilS2sStatus(cardShop, { ...sold, transId: body.trans_id }, 'SETTLED');
  expect((await cardShop.follow('GET_TRANS_STATUS', sold)).body).toMatchObject({ status: 'SETTLED' });
});

test('a hash over another card, or by another formula, is not valid', async ({ cardShop }) => {
  const sold = await cardShop.sell();
  const wrong: Changes[] = [
    { hash: signCard(2, { ...sold, card: fragmentOf('4242424242424242') }, cardShop.credentials) },
    { hash: signCard(6, sold, cardShop.credentials) },
    { hash: signCard(2, { ...sold, email: 'ANA@EXAMPLE.ORG' }, cardShop.credentials) },
  ];
  for (const changes of wrong) {
    const { status, body } = await cardShop.follow('CREDITVOID', sold, changes);
    expect([status, body.error_message]).toEqual([400, 'Hash is not valid']);
  }
  const upper = String(cardShop.followBody('GET_TRANS_STATUS', sold).hash).toUpperCase();
  expect((await cardShop.follow('GET_TRANS_STATUS', sold, { hash: upper })).status).toBe(200);
});

test('a payment of Checkout does not exist in this protocol', async ({ cardShop, shop }) => {
  const { order } = await pay(shop);
  const [callback] = await shop.shopServer.waitFor(order.number, (all) => all.length > 0);
  const lookup = { transId: String(callback?.fields.trans_id), email: 'ana@example.com', card: '4111111111' };
  expect((await cardShop.follow('GET_TRANS_STATUS', lookup)).body.error_code).toBe(101000);
  expect((await cardShop.follow('CREDITVOID', lookup)).body.error_message).toBe('Payment not found.');
});

test('an unknown, an outdated and a closed key get the answer of a wrong signature', async ({ cardAs, cardShop }) => {
  const unknown = { client_key: '7e570000-0000-4000-9000-000000000000' };
  const answers = [
    await cardShop.charge('SALE', unknown),
    await cardAs('oldKey').charge('SALE'),
    await cardAs('closed').charge('SALE'),
    await cardShop.follow('GET_TRANS_STATUS', await cardShop.sell(), unknown),
  ];
  for (const { status, body } of answers) {
    expect([status, body]).toEqual([400, apiError(100000, 'Hash is not valid')]);
  }
});

test('GET_TRANS_DETAILS returns the payer, the card and every movement', async ({ cardShop }) => {
  const sold = await cardShop.sell({ auth: 'Y' });
  await cardShop.follow('CAPTURE', sold, { amount: '50.00' });
  await cardShop.follow('CREDITVOID', sold, { amount: '20.00' });
  await expectS2sCallbacks(cardShop, sold, [
    'SALE SUCCESS PENDING',
    'CAPTURE SUCCESS SETTLED',
    'CREDITVOID SUCCESS SETTLED',
  ]);
  const { status, body } = await cardShop.follow('GET_TRANS_DETAILS', sold);
  const date = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  const operation_id = expect.stringMatching(/^[0-9a-f-]{36}$/);
  expect([status, body]).toEqual([
    200,
    {
      action: 'GET_TRANS_DETAILS',
      result: 'SUCCESS',
      status: 'SETTLED',
      order_id: sold.orderId,
      trans_id: sold.transId,
      name: 'Ana Petrović',
      mail: 'ana@example.com',
      ip: '203.0.113.7',
      amount: '84.50',
      currency: 'EUR',
      card: '411111****1111',
      transactions: [
        { operation_id: sold.transId, type: 'AUTH', status: 'success', date, amount: '84.50' },
        { operation_id, type: 'CAPTURE', status: 'success', date, amount: '50.00' },
        { operation_id, type: 'REFUND', status: 'success', date, amount: '20.00' },
      ],
      refundable_amount: '30.00',
    },
  ]);
});

test('a challenge appears among the movements', async ({ cardShop }) => {
  const sold = await cardShop.sell(cardFields.challenge);
  const { body } = await cardShop.follow('GET_TRANS_DETAILS', sold);
  expect(body).toMatchObject({ status: '3DS', transactions: [{ type: '3DS', status: 'waiting', amount: '84.50' }] });
});

test('a plain mapping adds nothing to a status', async ({ cardShop }) => {
  const sold = await cardShop.sell();
  expect((await cardShop.follow('GET_TRANS_STATUS', sold)).body).toEqual({
    action: 'GET_TRANS_STATUS',
    result: 'SUCCESS',
    status: 'SETTLED',
    order_id: sold.orderId,
    trans_id: sold.transId,
  });
});

test('the fields that a mapping adds to status and callback', async ({ cardAs }) => {
  const shop = cardAs('additions');
  const sold = await shop.sell({
    payer_country: 'US',
    payer_state: 'CA',
    payer_city: 'Oakland',
    payer_zip: '94607',
    payer_address: '7 Cedar Street',
    payer_phone_country_code: '1-787',
    payer_birth_date: '1990-02-28',
    payer_language: 'de',
  });
  const payer = {
    payer_first_name: 'Ana',
    payer_last_name: 'Petrović',
    payer_email: 'ana@example.com',
    payer_country: 'US',
    payer_state: 'CA',
    payer_city: 'Oakland',
    payer_zip: '94607',
    payer_phone_country_code: '1-787',
    payer_birth_date: '1990-02-28',
    payer_ip: '203.0.113.7',
  };
  const card = { card: '411111****1111', card_expiration_date: '01/2038', brand: 'visa' };
  const { body } = await shop.follow('GET_TRANS_STATUS', sold);
  expect(body).toMatchObject({ ...payer, ...card, ARN: expect.stringMatching(/^\d+$/) });
  expect(body).not.toHaveProperty('payer_language');
  const [message] = await expectS2sCallbacks(shop, sold, ['SALE SUCCESS SETTLED']);
  expect(message?.fields).toMatchObject({
    ...payer,
    ...card,
    RRN: expect.any(String),
    ARN: body.ARN,
    checkout_payment_method: 'card',
    'extended_data[merchant_name]': 'Test Additions',
  });
  expect(Object.keys(message?.fields ?? {})).not.toContain('payer_language');
});

test('an unknown ARN is empty in a callback and absent from a status', async ({ cardAs }) => {
  const shop = cardAs('additions');
  const sold = await shop.sell(cardFields.declined);
  expect((await shop.follow('GET_TRANS_STATUS', sold)).body).not.toHaveProperty('ARN');
  const [message] = await expectS2sCallbacks(shop, sold, ['SALE DECLINED DECLINED']);
  expect(message?.fields.ARN).toBe('');
});
