// How much one payment can have: attempts, modifications, and what a status request lists.
import { cardFields } from '../support/card-merchant.ts';
import { isUnposted, sql } from '../support/database-rows.ts';
import { newOrderNumber } from '../support/merchant.ts';
import { cards } from '../support/payer.ts';
import { callbacksOf, pay } from '../support/payment-flows.ts';
import { untilS2sStatus } from '../support/s2s-flows.ts';
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

/** Copies an attempt as declined modifications; they must be gone before the records are checked. */
async function withDeclined(transId: string, kind: string, number: number, run: () => Promise<unknown>) {
  const copies = `insert into transactions select (jsonb_populate_record(t, jsonb_build_object(
      'id', gen_random_uuid(), 'kind', $2::text, 'status', 'fail', 'attempt_id', t.id, 'number', t.number + n))).*
    from transactions t, generate_series(1, $3) n where t.id = $1 and ${isUnposted}`;
  await sql(copies, [transId, kind, number]);
  await run();
  await sql('delete from transactions where attempt_id = $1 and kind = $2::"TransactionKind" and status = \'fail\'', [
    transId,
    kind,
  ]);
}

const refused = { result: 'ERROR', error_code: 204005 };

test('a payment has at most 500 modifications', async ({ cardShop }) => {
  const sold = await cardShop.sell();
  const refund = () => cardShop.follow('CREDITVOID', sold, { amount: '1.00' });
  await withDeclined(sold.transId, 'refund', 500, async () => expect((await refund()).body).toMatchObject(refused));
  // Attempts at other accounts are none.
  await withDeclined(sold.transId, 'sale', 500, async () => expect((await refund()).body.result).toBe('ACCEPTED'));
  expect((await refund()).body.result).toBe('ACCEPTED');
});

test('an authorisation is released after 500 modifications, and not after 520', async ({ cardShop }) => {
  const held = await cardShop.sell({ auth: 'Y' });
  const capture = () => cardShop.follow('CAPTURE', held, { amount: '1.00' });
  const release = () => cardShop.follow('CREDITVOID', held);
  await withDeclined(held.transId, 'capture', 520, async () => expect((await release()).body).toMatchObject(refused));
  await withDeclined(held.transId, 'capture', 500, async () => {
    expect((await capture()).body).toMatchObject(refused);
    expect((await release()).body.result).toBe('ACCEPTED');
    await untilS2sStatus(cardShop, held, 'REVERSAL');
  });
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
