// Unresolved items whose look-ups give no outcome, or one that is older than what is known: an item stays open until a
// look-up that began last agrees with the payment.

import type { CardMerchant } from '../support/card-merchant.ts';
import { advanceSteps, advanceUntil, callbackSummaries, unresolvedOf } from '../support/consistency.ts';
import { visitorAs } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import { newOrderNumber } from '../support/merchant.ts';
import { scriptedProviderPorts } from '../support/merchants.ts';
import { type ScriptedProvider, startScriptedProvider } from '../support/scripted-provider.ts';
import { expect, test } from '../support/test.ts';

let bank: ScriptedProvider;
test.beforeAll(async ({ clock }) => {
  bank = await startScriptedProvider(scriptedProviderPorts.late, () => clock.now());
});
test.afterAll(() => bank.close());

const approved = { status: 'approved', decline: undefined };

/** Waits for the number of look-ups of an order. */
const untilLookedUp = (order: string, count: number) =>
  expect.poll(() => bank.arrived(order, 'look-up').length).toBe(count);

async function sellAs(shop: CardMerchant, status: 'SETTLED' | 'DECLINED'): Promise<string> {
  const order_id = newOrderNumber();
  if (status === 'DECLINED') bank.on(order_id, 'payment', { says: 'declined' });
  expect((await shop.sell({ order_id })).answer.body.status).toBe(status);
  return order_id;
}

test('a late success whose refund was refused is looked up until there is an outcome', async ({
  cardAs,
  clock,
  florin,
}) => {
  const shop = cardAs('lateProviderAlone');
  const order = await sellAs(shop, 'DECLINED');
  for (const call of ['void', 'refund'] as const) bank.on(order, call, { says: 'declined', stays: true });
  // The look-ups of the notification, before and after the void and before the refund; the one after it finds nothing.
  bank.on(order, 'look-up', ...Array.from({ length: 4 }, () => ({ tells: approved })), { stray: true });
  expect(await bank.notify(order, florin)).toBe(200);
  await untilLookedUp(order, 5);
  expect(bank.arrived(order, 'refund')).toHaveLength(1);
  expect(await unresolvedOf(order)).toMatchObject([{ kind: 'late_success', closed_at: null }]);
  await advanceSteps(clock, 3);
  await expect.poll(() => unresolvedOf(order)).toMatchObject([{ resolution: 'Undone at the provider' }]);
  expect(callbackSummaries(shop, order)).toContain('SALE UNDEFINED DECLINED');
});

test('a slow look-up does not close a difference that was found again meanwhile', async ({ cardAs, florin }) => {
  const shop = cardAs('lateProviderPatient');
  const order = await sellAs(shop, 'SETTLED');
  const listed = [{ kind: 'taken_back', closed_at: null }];
  bank.becomes(order, 'declined');
  await bank.notify(order, florin);
  await expect.poll(() => unresolvedOf(order)).toMatchObject(listed);
  await untilLookedUp(order, 2);
  // The provider approves the sale again for a moment: the job's look-up has this answer, and gets it slowly.
  bank.on(order, 'look-up', { tells: approved }, { tells: approved, after: 3000 });
  await bank.notify(order, florin);
  await untilLookedUp(order, 4);
  await bank.notify(order, florin);
  await untilLookedUp(order, 6);
  await new Promise((resolve) => setTimeout(resolve, 5000));
  expect(await unresolvedOf(order)).toMatchObject(listed);
});

test('an authorisation that is taken back is listed while its capture waits for a user', async ({ cardAs, florin }) => {
  const shop = cardAs('lateProviderAlone');
  const order_id = newOrderNumber();
  const sold = await shop.sell({ order_id, auth: 'Y' });
  expect(sold.answer.body.status).toBe('PENDING');
  const less = { amount: '40.00' };
  bank.on(order_id, 'capture', { tells: less });
  bank.on(order_id, 'look-up', { tells: less, stays: true });
  await shop.follow('CAPTURE', sold);
  const listed = [{ kind: 'amount_mismatch', closed_at: null }];
  await expect.poll(() => unresolvedOf(order_id)).toMatchObject(listed);
  bank.becomes(order_id, 'declined');
  await bank.notify(order_id, florin);
  await expect
    .poll(() => unresolvedOf(order_id))
    .toMatchObject([...listed, { kind: 'taken_back', amount_minor: '8450', closed_at: null }]);
});

test('an outcome that changed is listed although a look-up reports the operation as open', async ({
  cardAs,
  clock,
  florin,
}) => {
  const order = await sellAs(cardAs('lateProviderAlone'), 'SETTLED');
  bank.becomes(order, 'declined');
  bank.on(order, 'look-up', { tells: { status: 'processing', decline: undefined } });
  await bank.notify(order, florin);
  await untilLookedUp(order, 1);
  await advanceSteps(clock, 3);
  await expect.poll(() => unresolvedOf(order)).toMatchObject([{ kind: 'taken_back', closed_at: null }]);
});

test('an attempt that settles although its void was approved is listed', async ({ cardAs, clock, florin }) => {
  const shop = cardAs('lateProviderAlone');
  const order_id = newOrderNumber();
  bank.on(order_id, 'payment', { says: 'challenge' });
  bank.on(order_id, 'void', { lost: 'reset' });
  await shop.sell({ order_id });
  await clock.advance(16 * 60);
  await expect.poll(() => bank.arrived(order_id, 'void').length).toBe(1);
  bank.becomes(order_id, 'approved');
  await bank.notify(order_id, florin);
  await expect.poll(() => bank.arrived(order_id, 'void').length).toBeGreaterThan(1);
  await advanceSteps(clock, 3);
  await expect.poll(() => unresolvedOf(order_id)).toMatchObject([{ kind: 'late_success' }]);
});

test('a notification of an attempt that cannot be cancelled sends one void', async ({ cardAs, clock, florin }) => {
  const order_id = newOrderNumber();
  bank.on(order_id, 'payment', { says: 'challenge' });
  bank.on(order_id, 'void', { says: 'declined', stays: true });
  await cardAs('lateProviderAlone').sell({ order_id });
  await clock.advance(16 * 60);
  await expect.poll(() => unresolvedOf(order_id)).toMatchObject([{ kind: 'not_cancelled' }]);
  const voids = () => bank.arrived(order_id, 'void').length;
  const before = voids();
  await bank.notify(order_id, florin);
  await expect.poll(voids).toBe(before + 1);
  for (let round = 0; round < 5; round += 1) {
    await clock.advance(5);
    await new Promise((resolve) => setTimeout(resolve, 400));
  }
  expect(voids()).toBe(before + 1);
});

test('a void that was sent during a look-up explains its answer', async ({ cardAs, florin }) => {
  const shop = cardAs('lateProviderAlone');
  const order_id = newOrderNumber();
  const sold = await shop.sell({ order_id });
  bank.on(order_id, 'look-up', { after: 1500 });
  bank.on(order_id, 'void', { after: 5000 });
  await bank.notify(order_id, florin);
  await untilLookedUp(order_id, 1);
  await shop.follow('VOID', sold);
  await expect.poll(() => callbackSummaries(shop, order_id)).toContain('VOID SUCCESS VOID');
  expect(await unresolvedOf(order_id)).toEqual([]);
});

test('a late answer that a void may explain is compared again after the void', async ({ cardAs, clock, florin }) => {
  const shop = cardAs('lateProviderAlone');
  const order_id = newOrderNumber();
  bank.on(order_id, 'payment', { after: 1800 });
  const selling = shop.sell({ order_id });
  await expect.poll(() => bank.moved(order_id)).toContain('a sale 8450');
  await bank.notify(order_id, florin);
  await expect.poll(() => callbackSummaries(shop, order_id)).toContain('SALE SUCCESS SETTLED');
  bank.on(order_id, 'void', { says: 'processing' });
  const transId = bank.arrived(order_id, 'payment')[0]?.key ?? '';
  const settled = { orderId: order_id, transId, email: 'ana@example.com', card: '4111111111', answer: {} as never };
  await shop.follow('VOID', settled);
  bank.becomes(order_id, 'declined');
  await selling;
  expect(await unresolvedOf(order_id)).toEqual([]);
  bank.decides(order_id, 'void', 'declined');
  await bank.notify(order_id, florin, 'void');
  await advanceSteps(clock, 3);
  await expect.poll(() => unresolvedOf(order_id)).toMatchObject([{ kind: 'taken_back', closed_at: null }]);
});

test('a late success that was not reported ends without a report', async ({ cardAs, clock, florin }) => {
  const shop = cardAs('lateProvider');
  const order_id = newOrderNumber();
  bank.on(order_id, 'a payment', { says: 'soft' });
  bank.on(order_id, 'b payment', { says: 'declined', after: 1500 });
  bank.on(order_id, 'a void', { never: 503, stays: true });
  for (const call of ['void', 'refund'] as const) bank.on(order_id, `b ${call}`, { says: 'declined', stays: true });
  const selling = shop.sell({ order_id });
  await expect.poll(() => bank.arrived(order_id, 'payment')).toHaveLength(2);
  const [first, second] = bank.arrived(order_id, 'payment').map(({ key }) => key);
  const lookUp = async (key?: string) =>
    void (await (await fetch(`${florin}/return/${key}`, { redirect: 'manual' })).arrayBuffer());
  bank.becomes(order_id, 'approved', 'a');
  await lookUp(first);
  expect((await selling).answer.body.status).toBe('DECLINED');
  bank.becomes(order_id, 'approved', 'b');
  await lookUp(second);
  const reported = ['SALE DECLINED DECLINED', 'SALE UNDEFINED DECLINED'];
  await expect.poll(() => callbackSummaries(shop, order_id)).toEqual(reported);
  bank.on(order_id, 'a void');
  await advanceSteps(clock, 3);
  const closed = async () => (await unresolvedOf(order_id)).filter(({ closed_at }) => closed_at !== null);
  await expect.poll(closed).toMatchObject([{ resolution: 'Voided at the provider, beside the payment' }]);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(callbackSummaries(shop, order_id)).toEqual(reported);
});

for (const [operation, action, call] of [
  ['capture', 'CAPTURE', 'capture'],
  ['refund', 'CREDITVOID', 'refund'],
  ['debit', 'CREDITVOID', 'refund'],
] as const) {
  test(`a ${operation} that moved another amount than was recorded is listed until both agree`, async ({
    cardAs,
    clock,
    florin,
  }) => {
    const shop = cardAs('lateProviderAlone');
    const isDebit = operation === 'debit';
    const sold = await shop.sell(operation === 'capture' ? { auth: 'Y' } : {}, isDebit ? 'DEBIT' : 'SALE');
    const { orderId } = sold;
    expect((await shop.follow(action, sold)).body.result).toMatch(/ACCEPTED|SUCCESS/);
    await expect.poll(() => callbackSummaries(shop, orderId).join()).toContain(`${action} SUCCESS`);
    const listed = (amount_minor: string) => [{ kind: 'amount_mismatch', amount_minor, closed_at: null }];
    for (const [amount, minor] of [
      ['3.00', '300'],
      ['99.00', '9900'],
    ] as const) {
      bank.on(orderId, 'look-up', { tells: { amount }, stays: true });
      await bank.notify(orderId, florin, call);
      await expect.poll(() => unresolvedOf(orderId)).toMatchObject(listed(minor));
    }
    await advanceSteps(clock, 3);
    expect(await unresolvedOf(orderId)).toMatchObject(listed('9900'));
    bank.on(orderId, 'look-up');
    await bank.notify(orderId, florin, call);
    const agreed = [{ resolution: 'The provider and the payment agree' }];
    await expect.poll(() => unresolvedOf(orderId)).toMatchObject(agreed);
  });
}

test('an operation that is found again is not listed as not found, and is listed when it is lost again', async ({
  cardAs,
  clock,
}) => {
  const shop = cardAs('lateProviderAlone');
  const sold = await shop.sell();
  const { orderId } = sold;
  bank.on(orderId, 'refund', { says: 'processing' });
  await shop.follow('CREDITVOID', sold, { amount: '5.00' });
  await expect.poll(() => callbackSummaries(shop, orderId)).toContain('CREDITVOID WAITING SETTLED');
  // An operation without an outcome is listed half an hour after its response was due.
  await sql(
    `update transactions set due_back_at = clock_timestamp() - interval '1 hour'
      where kind = 'refund' and payment_id in (select payment_id from transactions where id = $1)`,
    [sold.transId],
  );
  const open = async () =>
    (await unresolvedOf(orderId)).filter(({ closed_at }) => closed_at === null).map(({ kind }) => kind);
  for (let times = 0; times < 2; times += 1) {
    bank.on(orderId, 'look-up', { stray: true, stays: true });
    await advanceUntil(clock, async () => (await open()).includes('not_found'), 20);
    bank.on(orderId, 'look-up');
    await advanceUntil(clock, async () => !(await open()).includes('not_found'), 40);
  }
  bank.decides(orderId, 'refund', 'approved');
  await advanceUntil(clock, async () => callbackSummaries(shop, orderId).includes('CREDITVOID SUCCESS SETTLED'), 40);
});

test('a difference that ends while a capture is in progress is closed', async ({ cardAs, florin }) => {
  const shop = cardAs('lateProviderAlone');
  const sold = await shop.sell({ auth: 'Y' });
  const { orderId } = sold;
  bank.on(orderId, 'look-up', { tells: { amount: '60.00' }, stays: true });
  await bank.notify(orderId, florin);
  await expect.poll(() => unresolvedOf(orderId)).toMatchObject([{ kind: 'amount_mismatch', closed_at: null }]);
  bank.on(orderId, 'capture', { says: 'processing' });
  await shop.follow('CAPTURE', sold);
  await expect.poll(() => callbackSummaries(shop, orderId)).toContain('CAPTURE WAITING PENDING');
  bank.on(orderId, 'look-up');
  await bank.notify(orderId, florin);
  await expect.poll(() => unresolvedOf(orderId)).toMatchObject([{ resolution: 'The provider and the payment agree' }]);
});

test('a difference is closed once the provider reports another one, which is listed', async ({ cardAs, florin }) => {
  const shop = cardAs('lateProviderAlone');
  const { orderId } = await shop.sell();
  bank.on(orderId, 'look-up', { tells: { amount: '60.00' }, stays: true });
  await bank.notify(orderId, florin);
  await expect.poll(() => unresolvedOf(orderId)).toMatchObject([{ kind: 'amount_mismatch', closed_at: null }]);
  bank.on(orderId, 'look-up');
  bank.becomes(orderId, 'declined');
  await bank.notify(orderId, florin);
  await expect
    .poll(() => unresolvedOf(orderId))
    .toMatchObject([
      { kind: 'amount_mismatch', resolution: 'Listed as another difference' },
      { kind: 'taken_back', amount_minor: '8450', closed_at: null },
    ]);
});

test('a decline that is recorded after a newer look-up without a decision is compared again', async ({
  cardAs,
  clock,
  florin,
}) => {
  const order_id = newOrderNumber();
  const decline = { code: 'not_now', message: 'not_now', class: 'bank', soft: false };
  bank.on(order_id, 'payment', { says: 'processing' });
  const sold = await cardAs('lateProviderPatient').sell({ order_id });
  bank.on(
    order_id,
    'look-up',
    { tells: { status: 'declined', decline }, after: 4000 },
    { tells: { status: 'processing' } },
  );
  const slow = fetch(`${florin}/return/${sold.transId}`, { redirect: 'manual' });
  await untilLookedUp(order_id, 1);
  bank.becomes(order_id, 'approved');
  expect(await bank.notify(order_id, florin)).toBe(200);
  await untilLookedUp(order_id, 2);
  await (await slow).arrayBuffer();
  const rows = () => sql('select state from payments where order_number = $1', [order_id]);
  await expect.poll(rows).toEqual([{ state: 'declined' }]);
  await advanceUntil(clock, async () => (await unresolvedOf(order_id)).length > 0, 40);
  expect(await unresolvedOf(order_id)).toMatchObject([{ kind: 'late_success' }]);
});

test('an approval by a user that the provider takes back replaces the item that was open before', async ({
  cardAs,
  clock,
  florin,
}) => {
  const order_id = newOrderNumber();
  bank.on(order_id, 'payment', { says: 'challenge' });
  bank.on(order_id, 'void', { says: 'declined', stays: true });
  await cardAs('lateProviderAlone').sell({ order_id });
  await clock.advance(16 * 60);
  await expect.poll(() => unresolvedOf(order_id)).toMatchObject([{ kind: 'not_cancelled', closed_at: null }]);
  const [attempt] = await sql(
    `select t.id from transactions t join payments p on p.id = t.payment_id where p.order_number = $1`,
    [order_id],
  );
  // As by a process that ends after it has recorded a user's decision and before it closes the item.
  const manager = await visitorAs(florin, 'manager');
  const listed = await manager.get(`/unresolved?q=${order_id}`);
  expect(listed).toMatchObject({ status: 200 });
  const [item] = listed.body.rows;
  const decided = await manager.post(`/unresolved/${item.id}/close`, {
    decision: 'approved',
    note: 'Seen at the bank',
  });
  expect(decided.body).toEqual({ closed: true });
  await sql(
    `update unresolved set closed_at = null, closed_by = null, resolution = null, due_at = clock_timestamp() where transaction_id = $1`,
    [attempt?.id],
  );
  bank.becomes(order_id, 'declined');
  await advanceSteps(clock, 3);
  await expect
    .poll(() => unresolvedOf(order_id))
    .toMatchObject([
      { kind: 'not_cancelled', resolution: 'Listed as another difference' },
      { kind: 'taken_back', amount_minor: '8450', closed_at: null },
    ]);
});

test('a notification whose look-ups failed first is looked up a quarter of an hour after one without a decision', async ({
  cardAs,
  clock,
  florin,
}) => {
  const order_id = newOrderNumber();
  bank.on(order_id, 'payment', { says: 'processing' });
  await cardAs('lateProviderAlone').sell({ order_id });
  bank.on(order_id, 'look-up', { stray: true, stays: true });
  await bank.notify(order_id, florin);
  const waits = () =>
    sql(
      `select n.polls, extract(epoch from n.due_at - n.received_at)::int as wait from provider_notifications n
         join transactions t on t.id = n.transaction_id join payments p on p.id = t.payment_id where p.order_number = $1`,
      [order_id],
    );
  await advanceUntil(clock, async () => ((await waits())[0]?.polls ?? 0) >= 4, 40);
  bank.on(order_id, 'look-up');
  await advanceUntil(clock, async () => ((await waits())[0]?.wait ?? 0) >= 15 * 60, 40);
  expect((await waits())[0]?.wait).toBeLessThan(20 * 60);
});
