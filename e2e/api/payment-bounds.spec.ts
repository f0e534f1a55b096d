// How much one payment can have: attempts, modifications, and what a status request lists.
import { cardFields } from '../support/card-merchant.ts';
import { sql } from '../support/database-rows.ts';
import { newOrderNumber } from '../support/merchant.ts';
import { cards } from '../support/payer.ts';
import { callbacksOf, pay } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';

test('a payment has at most 50 attempts, those of RETRY among them', async ({ cardShop }) => {
  const sold = await cardShop.sell({ ...cardFields.declined });
  const setAttempts = (change: string) =>
    sql(`update payments set attempts = ${change} where order_number = $1`, [sold.orderId]);
  await setAttempts('attempts + 49');
  expect((await cardShop.follow('RETRY', sold)).body).toMatchObject({ result: 'ERROR', error_code: 204005 });
  await setAttempts('attempts - 49');
  expect((await cardShop.follow('RETRY', sold)).body.result).toBe('ACCEPTED');
});

test('a payment has at most 500 modifications', async ({ cardShop }) => {
  const sold = await cardShop.sell();
  // Copies of the attempt as declined refunds; they are gone before the records are checked.
  const copies = `insert into transactions select (jsonb_populate_record(t, jsonb_build_object(
      'id', gen_random_uuid(), 'kind', 'refund', 'status', 'fail', 'attempt_id', t.id, 'number', t.number + n))).*
    from transactions t, generate_series(1, 500) n where t.id = $1`;
  await sql(copies, [sold.transId]);
  const refund = () => cardShop.follow('CREDITVOID', sold, { amount: '1.00' });
  expect((await refund()).body).toMatchObject({ result: 'ERROR', error_code: 204005 });
  await sql("delete from transactions where attempt_id = $1 and kind = 'refund'", [sold.transId]);
  expect((await refund()).body.result).toBe('ACCEPTED');
});

test('operations are listed for one payment, and not in a list of payments', async ({ shop }) => {
  const { order } = await pay(shop, cards.settled);
  const listed = await shop.statusByOrder(order.number, '10', { operations: 'Y' });
  expect([listed.status, listed.body]).toEqual([
    400,
    {
      error_code: 100000,
      error_message: 'Request data is invalid.',
      result: 'ERROR',
      errors: [{ error_code: 100000, error_message: 'operations: This value is not valid.' }],
    },
  ]);
  expect((await shop.statusByOrder(order.number, undefined, { operations: 'Y' })).body.operations).toEqual([]);
});

test('a payout is no repeat of the session of its order', async ({ shop, provider }) => {
  const { order: paid } = await pay(shop, cards.settled, { req_token: true });
  const [callback] = await callbacksOf(shop, paid, 1);
  const order = { number: newOrderNumber(), amount: '40.00', currency: 'EUR', description: 'Refund of a deposit' };
  await shop.open({ order });
  const { status, body } = await shop.credit({ order_id: order.number, card_token: callback?.fields.card_token });
  expect([status, body.error_message]).toEqual([400, 'order_id: Duplicate payment.']);
  expect(await provider.moved(order.number)).toEqual([]);
});
