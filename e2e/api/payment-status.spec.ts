// Payment lookups by id and by order (interface.md, Endpoints; protocol.md 3). Another merchant's id gets the answer
// for an id that does not exist, at every endpoint.

import { apiError } from '../support/api-error.ts';
import { newOrderNumber } from '../support/merchant.ts';
import { merchants } from '../support/merchants.ts';
import { cards, startPayer } from '../support/payer.ts';
import { pay, statusOf } from '../support/payment-flows.ts';
import { signCheckout } from '../support/signatures.ts';
import { expect, test } from '../support/test.ts';
import { parseCell, rowsOf } from '../support/text-table.ts';

const unknown = '00000000-0000-4000-8000-000000000000';
const noPayment = apiError(101000, 'Payment does not exist.');
const noOrder = apiError(101000, 'Order does not exist.');

test('by payment_id', async ({ shop }) => {
  const { id, order } = await pay(shop);
  const body = await statusOf(shop, id);
  expect(body).toEqual({
    payment_id: id,
    date: expect.stringMatching(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/),
    status: 'settled',
    order,
    customer: { name: 'Ana Petrović', email: 'ana@example.com' },
  });
});

test('of a declined payment contains the reason', async ({ shop }) => {
  const { id } = await pay(shop, cards.declined);
  expect((await statusOf(shop, id)).reason).toBe('Declined by processing');
});

test('with the additions of the mapping', async ({ as }) => {
  const shop = as('additions');
  const { id } = await pay(shop);
  expect(await statusOf(shop, id)).toMatchObject({
    card: '411111****1111',
    card_expiration_date: '01/2038',
    brand: expect.stringMatching(/^visa$/i),
    ARN: expect.stringMatching(/^\d{23}$/),
    payer_email: 'ana@example.com',
  });
});

test.describe('by order_id', () => {
  test('size decides between one and a list', async ({ shop }) => {
    const { order } = await shop.open();
    const one = (await shop.statusByOrder(order.number)).body;
    expect(one.status).toBe('prepare');
    for (const size of ['1', '2', '100', 1]) {
      const { status, body } = await shop.statusByOrder(order.number, size);
      expect(status, `size ${size}`).toBe(200);
      expect(body).toEqual([one]);
    }
  });

  const sizes = rowsOf(`
    "0"     | size: This value is not valid.
    "101"   | size should be within 1..100
    "1000"  | size should be within 1..100
    "-1"    | size: This value is not valid.
    "1.5"   | size: This value is not valid.
    "ten"   | size: This value is not valid.
    [1]     | size: This value is not valid.
    true    | size: This value is not valid.
  `);
  for (const [cell = '', text = ''] of sizes) {
    test(`size ${cell} is rejected`, async ({ shop }) => {
      const { order } = await shop.open();
      const { status, body } = await shop.statusByOrder(order.number, parseCell(cell));
      expect(status).toBe(400);
      expect(body).toMatchObject({ result: 'ERROR', error_code: 100000 });
      expect([
        body.error_message,
        ...(body.errors ?? []).map((error: { error_message: string }) => error.error_message),
      ]).toContain(text);
    });
  }

  test('the hash does not cover size, and covers order_id', async ({ shop }) => {
    const { order } = await shop.open();
    const hash = signCheckout([order.number, '5'], merchants.plain);
    const request = { merchant_key: merchants.plain.key, order_id: order.number, size: '5', hash };
    expect((await shop.post('/api/v1/payment/status', request)).body.error_message).toBe('Hash is not valid');
  });

  test('an unknown order', async ({ shop, as }) => {
    const { order } = await shop.open();
    for (const answer of [
      await shop.statusByOrder(newOrderNumber()),
      await shop.statusByOrder(newOrderNumber(), '5'),
      await as('other').statusByOrder(order.number),
      await as('other').statusByOrder(order.number, '100'),
    ]) {
      expect([answer.status, answer.body]).toEqual([400, noOrder]);
    }
  });

  test('one payment of an order is a list of one', async ({ as }) => {
    const shop = as('alwaysReuses');
    const first = await pay(shop);
    const { body } = await shop.statusByOrder(first.order.number, '100');
    expect(body.map((each: { payment_id: string }) => each.payment_id)).toEqual([first.id]);
  });
});

test.describe('with both or neither id', () => {
  const requests = rowsOf(`
    {}                                    | 400 100000
    {"payment_id": ""}                    | 400 100000
    {"order_id": ""}                      | 400 100000
    {"payment_id": "seven"}               | 400 101000
    {"payment_id": 7}                     | 400 100000
    {"order_id": 7}                       | 400 100000
    {"payment_id": {"a": 1}}              | 400 100000
  `);
  for (const [cell = '', expected] of requests) {
    test(`${cell} gives ${expected}`, async ({ shop }) => {
      const fields = JSON.parse(cell);
      const hash = signCheckout([String(fields.payment_id ?? fields.order_id ?? '')], merchants.plain);
      const { status, body } = await shop.post('/api/v1/payment/status', {
        merchant_key: merchants.plain.key,
        ...fields,
        hash,
      });
      expect(`${status} ${body.error_code}`).toBe(expected);
    });
  }
});

test.describe("another merchant's payment", () => {
  test('does not exist for any request', async ({ shop, as }) => {
    const { id } = await pay(shop);
    const other = as('other');
    for (const someId of [id, unknown]) {
      const status = await other.status(someId);
      expect([status.status, status.body]).toEqual([400, noPayment]);
      for (const answer of [
        await other.refund(someId),
        await other.refund(someId, '1.00'),
        await other.capture(someId),
        await other.void(someId),
        await other.retry(someId),
      ]) {
        expect(answer.status).toBe(400);
        expect(answer.body).toMatchObject({
          result: 'ERROR',
          error_message: expect.stringMatching(/^Payment not found\.$/),
        });
      }
    }
    expect((await statusOf(shop, id)).status).toBe('settled');
  });

  test("another merchant's stored card is unknown", async ({ shop, as, florin }) => {
    const { id } = await pay(shop, cards.settled, { req_token: true });
    const { card_token } = await statusOf(shop, id);
    const answer = await as('other').session({ card_token: [card_token] });
    expect([answer.status, answer.body.error_code]).toEqual([400, 205007]);
    const own = await shop.open({ card_token: [card_token] });
    expect((await startPayer(florin).visit(own.url)).html).toContain('saved_card');
  });
});

test('a wrong hash is rejected at every address', async ({ shop }) => {
  const { id } = await pay(shop);
  for (const action of ['status', 'refund', 'capture', 'void', 'retry']) {
    const request = {
      merchant_key: merchants.plain.key,
      payment_id: id,
      hash: signCheckout([id, 'x'], merchants.plain),
    };
    const { status, body } = await shop.post(`/api/v1/payment/${action}`, request);
    expect([status, body.error_message], action).toEqual([400, 'Hash is not valid']);
  }
  expect((await statusOf(shop, id)).status).toBe('settled');
});
