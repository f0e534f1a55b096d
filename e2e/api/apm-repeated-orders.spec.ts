// Repeated and concurrent S2S APM requests: money moves once and every caller gets the same answer (interface.md,
// Limits; protocol.md 8). The tests count movements in the provider's journal.

import { apiError } from '../support/api-error';
import { expectApmCallbacks, untilApmStatus } from '../support/apm-flows';
import { type ApmMerchant, koraPayout } from '../support/apm-merchant';
import type { Answer, Changes } from '../support/merchant';
import { expect, test } from '../support/test';

const duplicate = apiError(100000, 'order_id: Duplicate payment.');

const times = <T>(count: number, make: () => Promise<T>) => Promise.all(Array.from({ length: count }, make));

test('a hundred identical concurrent sales are one charge and a hundred equal answers', async ({
  apmShop,
  provider,
}) => {
  const body = apmShop.signed(apmShop.chargeBody('SALE'));
  const answers = await times(100, () => apmShop.post(body));
  for (const answer of answers) expect([answer.status, answer.body]).toEqual([200, answers[0]?.body]);
  expect(answers[0]?.body).toMatchObject({ result: 'SUCCESS', status: 'SETTLED' });
  const orderId = String(body.order_id);
  expect((await provider.journal(orderId)).map(({ calls }) => calls)).toEqual([1]);
  await expectApmCallbacks(apmShop, { orderId }, ['SALE SUCCESS SETTLED']);
});

const outcomes: [name: string, Changes][] = [
  ['settled', {}],
  ['declined', { identifier: 'fail@gmail.com' }],
  ['held', { auth: 'Y' }],
  ['redirected', { brand: 'astropay' }],
  ['coded', { brand: 'ips' }],
  ['shown', { brand: 'webpaygate' }],
];

for (const [name, changes] of outcomes) {
  test(`a repeated ${name} sale gets the same answer`, async ({ apmShop, provider }) => {
    const body = apmShop.signed(apmShop.chargeBody('SALE', changes));
    const first = await apmShop.post(body);
    expect(first.status).toBe(200);
    const repeated = await apmShop.post(body);
    expect([repeated.status, repeated.body]).toEqual([200, first.body]);
    expect(await provider.journal(String(body.order_id))).toHaveLength(1);
  });
}

const actions: [name: string, (shop: ApmMerchant) => Promise<Changes>][] = [
  ['DEBIT2VIRTUAL', async (shop) => shop.signed(shop.chargeBody('DEBIT2VIRTUAL'))],
  ['CREDIT2VIRTUAL', async (shop) => shop.creditBody(koraPayout)],
];

for (const [name, make] of actions) {
  test(`ten concurrent requests for ${name} move money once`, async ({ apmShop, provider }) => {
    const body = await make(apmShop);
    const answers = await times(10, () => apmShop.post(body));
    for (const answer of answers) expect([answer.status, answer.body]).toEqual([200, answers[0]?.body]);
    expect(answers[0]?.body).toMatchObject({ action: name, result: 'SUCCESS', status: 'SETTLED' });
    expect((await provider.journal(String(body.order_id))).map(({ calls }) => calls)).toEqual([1]);
    const other = await apmShop.post({ ...body, order_description: 'Something else' });
    expect([other.status, other.body]).toEqual([400, expect.objectContaining(duplicate)]);
  });
}

for (const [name, value] of Object.entries({
  order_amount: '84.51',
  order_currency: 'USD',
  order_description: 'Three bowls',
  identifier: 'fail@gmail.com',
  brand: 'astropay',
})) {
  test(`another ${name} under the same number is a duplicate`, async ({ apmShop, provider }) => {
    const { orderId } = await apmShop.sell();
    const answer = await apmShop.charge('SALE', { order_id: orderId, [name]: value });
    expect([answer.status, answer.body]).toEqual([400, expect.objectContaining(duplicate)]);
    expect(await provider.moved(orderId)).toEqual(['sale 84.50']);
  });
}

test('a debit does not repeat a sale', async ({ apmShop }) => {
  const { orderId } = await apmShop.sell();
  expect((await apmShop.charge('DEBIT2VIRTUAL', { order_id: orderId })).body).toMatchObject(duplicate);
});

test('an order number is shared by all protocols, and two merchants may use the same one', async ({
  apmShop,
  apmAs,
  cardAs,
}) => {
  const { orderId, transId } = await apmShop.sell();
  expect((await cardAs('methods').charge('SALE', { order_id: orderId })).body).toMatchObject(duplicate);
  const other = await apmAs('payerBears').sell({ order_id: orderId });
  expect(other.transId).not.toBe(transId);
});

function counted(answers: Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { body } of answers) {
    const result = body.result === 'ERROR' ? `${body.error_code}` : body.result;
    counts[result] = (counts[result] ?? 0) + 1;
  }
  return counts;
}

test('a hundred concurrent captures capture once', async ({ apmShop, provider }) => {
  const sold = await apmShop.sell({ auth: 'Y' });
  const counts = counted(await times(100, () => apmShop.follow('CAPTURE', sold)));
  expect(counts.SUCCESS).toBe(1);
  expect((counts['400'] ?? 0) + (counts['208003'] ?? 0)).toBe(99);
  expect(await provider.moved(sold.orderId)).toEqual(['authorize 84.50', 'capture 84.50']);
});

test('a hundred concurrent voids or full refunds take effect once', async ({ apmShop, provider }) => {
  const voided = await apmShop.sell();
  expect(counted(await times(100, () => apmShop.follow('VOID', voided))).SUCCESS).toBe(1);
  expect((await provider.journal(voided.orderId)).filter(({ kind }) => kind === 'void')).toHaveLength(1);
  const refunded = await apmShop.sell();
  expect(counted(await times(100, () => apmShop.follow('CREDITVOID', refunded))).ACCEPTED).toBe(1);
  await untilApmStatus(apmShop, refunded, 'REFUND');
  expect(await provider.moved(refunded.orderId)).toEqual(['sale 84.50', 'refund 84.50']);
});
