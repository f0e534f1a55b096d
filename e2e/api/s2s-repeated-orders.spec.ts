// Repeated and parallel requests: money moves once and every request gets the same answer (interface.md, Limits;
// protocol.md 8). The tests count the provider's transactions.

import { apiError } from '../support/api-error';
import { expectCardCallbacks, untilCardStatus } from '../support/card-flows';
import { type CardMerchant, cardFields } from '../support/card-merchant';
import type { Answer, Changes } from '../support/merchant';
import { expect, test } from '../support/test';

const duplicate = apiError(100000, 'order_id: Duplicate payment.');

const times = <T>(count: number, make: () => Promise<T>) => Promise.all(Array.from({ length: count }, make));

test('a hundred identical sales at once are one charge and a hundred equal answers', async ({ cardShop, provider }) => {
  const body = cardShop.signed(cardShop.chargeBody('SALE', { req_token: 'Y', recurring_init: 'Y' }));
  const answers = await times(100, () => cardShop.post(body));
  for (const answer of answers) expect([answer.status, answer.body]).toEqual([200, answers[0]?.body]);
  expect(answers[0]?.body).toMatchObject({ result: 'SUCCESS', status: 'SETTLED' });
  const orderId = String(body.order_id);
  const entries = await provider.journal(orderId);
  expect(entries.map(({ calls }) => calls)).toEqual([1]);
  await expectCardCallbacks(cardShop, { orderId, email: 'ana@example.com' }, ['SALE SUCCESS SETTLED']);
});

const outcomes: [name: string, Changes][] = [
  ['settled', {}],
  ['declined', cardFields.declined],
  ['authorised', { auth: 'Y' }],
  ['challenged', cardFields.challenge],
  ['redirected', cardFields.redirect],
];

for (const [name, changes] of outcomes) {
  test(`a repeat of a ${name} sale gets the same answer`, async ({ cardShop, provider }) => {
    const body = cardShop.signed(cardShop.chargeBody('SALE', changes));
    const first = await cardShop.post(body);
    const again = await cardShop.post(body);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(await provider.journal(String(body.order_id))).toHaveLength(1);
  });
}

const actions: [name: string, (shop: CardMerchant) => Promise<Changes>][] = [
  ['DEBIT', async (shop) => shop.signed(shop.chargeBody('DEBIT'))],
  ['CARD2CARD', async (shop) => shop.signed(shop.chargeBody('CARD2CARD'))],
  ['CREDIT2CARD', async (shop) => shop.payoutBody()],
  ['RECURRING_SALE', async (shop) => shop.secondaryBody(await shop.sell({ recurring_init: 'Y' }))],
  [
    'RECURRING_DEBIT',
    async (shop) => shop.secondaryBody(await shop.sell({ recurring_init: 'Y' }, 'DEBIT'), {}, 'RECURRING_DEBIT'),
  ],
];

for (const [name, make] of actions) {
  test(`ten times ${name} at once moves money once`, async ({ cardShop, provider }) => {
    const body = await make(cardShop);
    const answers = await times(10, () => cardShop.post(body));
    for (const answer of answers) expect([answer.status, answer.body]).toEqual([200, answers[0]?.body]);
    expect(answers[0]?.body).toMatchObject({ action: name, result: 'SUCCESS', status: 'SETTLED' });
    expect((await provider.journal(String(body.order_id))).map(({ calls }) => calls)).toEqual([1]);
    const other = await cardShop.post({ ...body, order_description: 'Something else' });
    expect([other.status, other.body]).toEqual([400, expect.objectContaining(duplicate)]);
  });
}

for (const [name, value] of Object.entries({
  order_amount: '84.51',
  order_currency: 'USD',
  order_description: 'Three bowls',
  payer_email: 'else@example.com',
  card_number: '4242424242424242',
})) {
  test(`another ${name} under the same number is a duplicate`, async ({ cardShop, provider }) => {
    const { orderId } = await cardShop.sell();
    const answer = await cardShop.charge('SALE', { order_id: orderId, [name]: value });
    expect([answer.status, answer.body]).toEqual([400, expect.objectContaining(duplicate)]);
    expect(await provider.moved(orderId)).toEqual(['sale 84.50']);
  });
}

test('a debit does not repeat a sale', async ({ cardShop }) => {
  const { orderId } = await cardShop.sell();
  expect((await cardShop.charge('DEBIT', { order_id: orderId })).body).toMatchObject(duplicate);
});

test('two merchants may use one number', async ({ cardShop, cardAs }) => {
  const { orderId, transId } = await cardShop.sell();
  const other = await cardAs('other').sell({ order_id: orderId });
  expect(other.transId).not.toBe(transId);
});

function counted(answers: Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { body } of answers) {
    const word = body.result === 'ERROR' ? `${body.error_code}` : body.result;
    counts[word] = (counts[word] ?? 0) + 1;
  }
  return counts;
}

test('two hundred captures at once capture once', async ({ cardShop, provider }) => {
  const sold = await cardShop.sell({ auth: 'Y' });
  const counts = counted(await times(200, () => cardShop.follow('CAPTURE', sold)));
  expect(counts.SUCCESS).toBe(1);
  expect((counts['400'] ?? 0) + (counts['208003'] ?? 0)).toBe(199);
  expect(await provider.moved(sold.orderId)).toEqual(['authorize 84.50', 'capture 84.50']);
});

test('two hundred voids at once void once', async ({ cardShop, provider }) => {
  const sold = await cardShop.sell();
  const counts = counted(await times(200, () => cardShop.follow('VOID', sold)));
  expect(counts.SUCCESS).toBe(1);
  expect((await provider.journal(sold.orderId)).filter(({ kind }) => kind === 'void')).toHaveLength(1);
  expect((await untilCardStatus(cardShop, sold, 'VOID')).status).toBe('VOID');
});

test('two hundred full refunds at once refund once', async ({ cardShop, provider }) => {
  const sold = await cardShop.sell();
  const counts = counted(await times(200, () => cardShop.follow('CREDITVOID', sold)));
  expect(counts.ACCEPTED).toBe(1);
  await untilCardStatus(cardShop, sold, 'REFUND');
  expect(await provider.moved(sold.orderId)).toEqual(['sale 84.50', 'refund 84.50']);
});

test('two hundred partial refunds at once never exceed the captured amount', async ({ cardShop, provider }) => {
  const sold = await cardShop.sell({ auth: 'Y', order_amount: '100.00' });
  await cardShop.follow('CAPTURE', sold, { amount: '70.00' });
  const counts = counted(await times(200, () => cardShop.follow('CREDITVOID', sold, { amount: '3.00' })));
  // 23 times 3.00 is 69.00.
  expect(counts.ACCEPTED ?? 0).toBeGreaterThan(0);
  expect(counts.ACCEPTED ?? 0).toBeLessThanOrEqual(23);
  let refunded = counts.ACCEPTED ?? 0;
  while (refunded < 23) {
    const { body } = await cardShop.follow('CREDITVOID', sold, { amount: '3.00' });
    expect(body.result).toBe('ACCEPTED');
    refunded += 1;
  }
  expect((await cardShop.follow('CREDITVOID', sold, { amount: '3.00' })).body.error_code).toBe(208006);
  await expect
    .poll(async () => (await provider.moved(sold.orderId)).filter((line) => line === 'refund 3.00').length)
    .toBe(23);
  expect((await cardShop.follow('CREDITVOID', sold, { amount: '1.01' })).body.error_code).toBe(208006);
});

test('an authorisation is either captured or reversed, never both', async ({ cardShop, provider }) => {
  const sold = await cardShop.sell({ auth: 'Y' });
  await Promise.all([
    times(20, () => cardShop.follow('CAPTURE', sold)),
    times(20, () => cardShop.follow('CREDITVOID', sold)),
  ]);
  await expect
    .poll(async () => (await cardShop.follow('GET_TRANS_STATUS', sold)).body.status)
    .toMatch(/^(SETTLED|REVERSAL|REFUND)$/);
  const kinds = (await provider.journal(sold.orderId))
    .filter(({ status }) => status === 'approved')
    .map(({ kind }) => kind);
  expect(kinds.includes('capture') && kinds.includes('void')).toBe(false);
});
