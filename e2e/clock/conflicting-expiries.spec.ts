// Expiries at which the provider disagrees: a payer who settles a cancelled payment, an authorisation that the provider
// does not release, a challenge that it cannot cancel, a process that dies with a notification, a call of an earlier
// release, a refund that is rejected late.

import { type CardMerchant, cardMerchant } from '../support/card-merchant.ts';
import {
  advanceSteps,
  advanceUntil,
  callbackSummaries,
  expectConsistentAnswer,
  expectLedgerMatches,
  ledgerBalanceOf,
  startSecondServer,
  stateOf,
  unresolvedOf,
} from '../support/consistency.ts';
import { visitorAs } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import { newOrderNumber } from '../support/merchant.ts';
import { merchants, scriptedProviderPorts } from '../support/merchants.ts';
import { type ScriptedProvider, startScriptedProvider } from '../support/scripted-provider.ts';
import { expect, test } from '../support/test.ts';

const day = 24 * 60 * 60;

let bank: ScriptedProvider;
test.beforeAll(async ({ clock }) => {
  bank = await startScriptedProvider(scriptedProviderPorts.late, () => clock.now());
});
test.afterAll(() => bank.close());

/** The provider's balance is booked, or an open unresolved item reports it. */
async function expectKnown(order: string): Promise<void> {
  if ((await ledgerBalanceOf(order)) === bank.net(order)) return;
  const open = (await unresolvedOf(order)).filter(({ closed_at }) => closed_at === null);
  expect(open, `the provider holds ${bank.net(order)} of order ${order}`).not.toEqual([]);
}

test('a void that the provider has not decided is not rejected by a refusal of its repeat', async ({
  cardAs,
  clock,
}) => {
  const shop = cardAs('lateProvider');
  const order_id = newOrderNumber();
  bank.on(order_id, 'a payment', { lost: 'reset' });
  bank.on(order_id, 'a look-up', { stray: true, stays: true });
  bank.on(order_id, 'a void', { says: 'processing' }, { refused: { status: 429, code: 'rate_limited' } });
  const sold = await shop.sell({ order_id });
  const voids = () => bank.arrived(order_id, 'void').length;
  await advanceUntil(clock, async () => voids() > 0);
  bank.on(order_id, 'a look-up');
  await advanceUntil(clock, async () => voids() > 1);
  expect(await stateOf(shop, sold)).toBe('PREPARE');
  bank.decides(order_id, 'void', 'approved');
  await advanceUntil(clock, async () => (await stateOf(shop, sold)) !== 'PREPARE');
  await advanceSteps(clock, 2);
  expect(new Set(bank.arrived(order_id, 'void').map(({ key }) => key)).size).toBe(1);
  await expectLedgerMatches(bank, order_id);
});

test('a payer settles a cancelled payment, and returns', async ({ cardAs, clock, florin }) => {
  const shop = cardAs('lateProviderAlone');
  const order_id = newOrderNumber();
  bank.on(order_id, 'payment', { says: 'challenge' });
  const sold = await shop.sell({ order_id });
  expect(sold.answer.body.status).toBe('3DS');
  await clock.advance(16 * 60);
  await advanceUntil(clock, async () => (await stateOf(shop, sold)) === 'DECLINED');
  bank.becomes(order_id, 'approved');
  await (await fetch(`${florin}/return/${sold.transId}`, { redirect: 'manual' })).arrayBuffer();
  await expect.poll(() => bank.net(order_id)).toBe(0);
  await expect
    .poll(() => unresolvedOf(order_id))
    .toMatchObject([{ amount_minor: '8450', currency: 'EUR', closed_at: expect.any(String) }]);
  await expect
    .poll(() => callbackSummaries(shop, order_id).filter((summary) => / UNDEFINED /.test(summary)))
    .toHaveLength(1);
});

test('a success in the answer of a call that was fenced meanwhile is refunded or voided', async ({
  shopServer,
  cardAs,
  clock,
}) => {
  const shop = cardAs('lateProviderPatient');
  const victim = await startSecondServer(clock);
  try {
    const order_id = newOrderNumber();
    // The provider denies the order that it has received, and confirms a void without making it.
    bank.on(order_id, 'a payment', { after: 3000 });
    bank.on(order_id, 'a look-up', { stray: true }, { stray: true }, { stray: true });
    bank.on(order_id, 'a void', { says: 'declined', tells: { status: 'approved', decline: undefined } });
    const selling = cardMerchant(victim.url, merchants.lateProviderPatient, shopServer).charge('SALE', { order_id });
    await expect.poll(() => bank.moved(order_id)).toContain('a sale 8450');
    process.kill(victim.pid, 'SIGSTOP');
    const sold = { orderId: order_id, email: 'ana@example.com', card: '4111111111' };
    const shopSold = { ...sold, transId: '', answer: {} as never };
    await advanceUntil(clock, async () => (await stateOf(shop, shopSold)) === 'SETTLED');
    await new Promise((resolve) => setTimeout(resolve, 3000));
    process.kill(victim.pid, 'SIGCONT');
    const { body } = await selling;
    expectConsistentAnswer(body);
    await advanceSteps(clock, 3);
    expect(bank.net(order_id)).toBe(8450);
    await expectLedgerMatches(bank, order_id);
  } finally {
    process.kill(victim.pid, 'SIGCONT');
    await victim.kill();
  }
});

/** Authorises, sets the provider's answers, and lets the authorisation expire. */
async function expireAuthorisation(
  shop: CardMerchant,
  clock: Parameters<typeof advanceUntil>[0],
  prepare: (order: string) => void,
) {
  const sold = await shop.sell({ auth: 'Y' });
  expect(sold.answer.body.status).toBe('PENDING');
  prepare(sold.orderId);
  await clock.advance(7 * day + 60);
  return sold;
}

test('an authorisation that was captured at the portal does not expire', async ({ cardAs, clock }) => {
  const shop = cardAs('lateProviderAlone');
  const sold = await expireAuthorisation(shop, clock, (order) => {
    bank.captureAtPortal(order);
    bank.on(order, 'void', { says: 'declined', stays: true });
  });
  await advanceSteps(clock, 4);
  expect(bank.net(sold.orderId)).toBe(8450);
  expect(callbackSummaries(shop, sold.orderId)).not.toContain('SALE DECLINED DECLINED');
  expect(await stateOf(shop, sold)).not.toBe('DECLINED');
  await expectKnown(sold.orderId);
});

test('an authorisation that is captured at the portal after its release was refused is listed once', async ({
  cardAs,
  clock,
  florin,
}) => {
  const shop = cardAs('lateProviderAlone');
  const { orderId } = await expireAuthorisation(shop, clock, (order) =>
    bank.on(order, 'void', { says: 'declined', stays: true }),
  );
  await expect.poll(() => unresolvedOf(orderId)).toMatchObject([{ kind: 'not_released', closed_at: null }]);
  bank.captureAtPortal(orderId);
  const captured = { kind: 'captured_elsewhere', closed_at: null };
  await bank.notify(orderId, florin);
  await expect.poll(() => unresolvedOf(orderId)).toMatchObject([{ kind: 'not_released' }, captured]);
  // The next release is refused too.
  await clock.advance(6 * 60 * 60);
  await expect
    .poll(() => unresolvedOf(orderId))
    .toMatchObject([{ kind: 'not_released', resolution: 'Listed as another difference' }, captured]);
});

test('a notification is processed soon after the provider answers again, however long the outage was', async ({
  cardAs,
  clock,
  florin,
}) => {
  const shop = cardAs('lateProviderAlone');
  const sold = await shop.sell({ auth: 'Y' });
  bank.captureAtPortal(sold.orderId);
  bank.on(sold.orderId, 'look-up', { never: 503, stays: true });
  expect(await bank.notify(sold.orderId, florin)).toBe(200);
  await advanceSteps(clock, 30);
  expect(await unresolvedOf(sold.orderId)).toEqual([]);
  bank.on(sold.orderId, 'look-up');
  await advanceUntil(clock, async () => (await unresolvedOf(sold.orderId)).length > 0, 3);
  await expectKnown(sold.orderId);
});

test('an authorisation expires once its release is approved, not while it is in progress', async ({
  cardAs,
  clock,
}) => {
  const shop = cardAs('lateProviderAlone');
  const sold = await expireAuthorisation(shop, clock, (order) => bank.on(order, 'void', { says: 'processing' }));
  await advanceSteps(clock, 3);
  expect(await stateOf(shop, sold)).not.toBe('DECLINED');
  expect(callbackSummaries(shop, sold.orderId)).not.toContain('SALE DECLINED DECLINED');
  bank.decides(sold.orderId, 'void', 'approved');
  await advanceUntil(clock, async () => (await stateOf(shop, sold)) === 'DECLINED');
  expect(bank.net(sold.orderId)).toBe(0);
  await expectLedgerMatches(bank, sold.orderId);
});

test('a release without an answer is retried at growing intervals', async ({ cardAs, clock }) => {
  const shop = cardAs('lateProviderAlone');
  const sold = await expireAuthorisation(shop, clock, (order) =>
    bank.on(order, 'void', { never: 'reset', stays: true }),
  );
  const voids = () => bank.arrived(sold.orderId, 'void').length;
  await expect.poll(voids).toBeGreaterThan(0);
  for (let round = 0; round < 60; round += 1) await clock.advance(21);
  expect(voids()).toBeGreaterThan(2);
  // Every 20 seconds would be 60 of them.
  expect(voids()).toBeLessThan(36);
  expect(await stateOf(shop, sold)).toBe('PENDING');
  bank.on(sold.orderId, 'void');
  await advanceUntil(clock, async () => (await stateOf(shop, sold)) === 'DECLINED', 30);
});

test('a release is soon repeated although the attempt was polled often', async ({ cardAs, clock, florin }) => {
  const shop = cardAs('lateProviderAlone');
  const order_id = newOrderNumber();
  bank.on(order_id, 'payment', { says: 'challenge' });
  const sold = await shop.sell({ order_id, auth: 'Y' });
  for (let round = 0; round < 12; round += 1) await clock.advance(31);
  bank.becomes(order_id, 'authorized');
  await bank.notify(order_id, florin);
  await advanceUntil(clock, async () => (await stateOf(shop, sold)) === 'PENDING');
  bank.on(order_id, 'void', { never: 'reset' });
  await clock.advance(7 * day + 60);
  await expect.poll(() => bank.arrived(order_id, 'void').length).toBe(1);
  await advanceUntil(clock, async () => (await stateOf(shop, sold)) === 'DECLINED', 10);
});

test('an expired authorisation whose capture has no outcome is looked at at growing intervals', async ({
  cardAs,
  clock,
}) => {
  const shop = cardAs('lateProviderAlone');
  const sold = await shop.sell({ auth: 'Y' });
  bank.on(sold.orderId, 'capture', { says: 'processing' });
  await shop.follow('CAPTURE', sold);
  await clock.advance(7 * day + 60);
  for (let round = 0; round < 40; round += 1) await clock.advance(31);
  const [{ polls }] = await sql('select polls from transactions where id = $1', [sold.transId]);
  expect(polls).toBeGreaterThan(2);
  expect(polls).toBeLessThan(10);
  bank.decides(sold.orderId, 'capture', 'approved');
  await advanceUntil(clock, async () => (await stateOf(shop, sold)) === 'SETTLED', 30);
});

test('a challenge that the provider cannot cancel is listed as unresolved', async ({ cardAs, clock }) => {
  const shop = cardAs('lateProviderAlone');
  const order_id = newOrderNumber();
  bank.on(order_id, 'payment', { says: 'challenge' });
  bank.on(order_id, 'void', { says: 'declined', stays: true });
  const sold = await shop.sell({ order_id });
  await clock.advance(16 * 60);
  await advanceSteps(clock, 15);
  expect(await unresolvedOf(order_id)).toMatchObject([{ amount_minor: '8450', currency: 'EUR', closed_at: null }]);
  // If the payer confirms after all, the confirmation counts.
  bank.becomes(order_id, 'approved');
  await advanceUntil(clock, async () => (await stateOf(shop, sold)) === 'SETTLED', 30);
  await expect.poll(() => unresolvedOf(order_id)).toMatchObject([{ closed_at: expect.any(String) }]);
  await expectLedgerMatches(bank, order_id);
});

test('a challenge of the second account has its whole time, however late the first one declined', async ({
  cardAs,
  clock,
}) => {
  const shop = cardAs('lateProvider');
  const order_id = newOrderNumber();
  bank.on(order_id, 'a payment', { says: 'processing' });
  bank.on(order_id, 'b payment', { says: 'challenge' });
  const sold = await shop.sell({ order_id });
  await clock.advance(20 * 60);
  const decline = { code: 'not_now', message: 'not_now', class: 'bank', soft: true };
  bank.on(order_id, 'a look-up', { tells: { status: 'declined', decline }, stays: true });
  await advanceUntil(clock, async () => (await stateOf(shop, sold)) === '3DS');
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(bank.arrived(order_id, 'void')).toEqual([]);
  expect(await stateOf(shop, sold)).toBe('3DS');
});

test('the item of an attempt is closed when another account continues the payment', async ({ cardAs, clock }) => {
  const shop = cardAs('lateProvider');
  const order_id = newOrderNumber();
  bank.on(order_id, 'a payment', { never: 'hang' });
  bank.on(order_id, 'a void', { says: 'declined', stays: true });
  await shop.sell({ order_id });
  await advanceUntil(clock, async () => (await unresolvedOf(order_id)).length > 0, 30);
  expect(await unresolvedOf(order_id)).toMatchObject([{ kind: 'not_cancelled', closed_at: null }]);
  bank.on(order_id, 'a void');
  bank.on(order_id, 'b payment', { says: 'processing' });
  await advanceUntil(clock, async () => bank.arrived(order_id, 'payment').length > 1, 30);
  await expect.poll(() => unresolvedOf(order_id)).toMatchObject([{ closed_at: expect.any(String) }]);
});

test('a notification survives the process that has acknowledged it', async ({ cardAs, clock }) => {
  const shop = cardAs('lateProviderAlone');
  const sold = await shop.sell();
  const victim = await startSecondServer(clock);
  bank.chargeBack(sold.orderId, { amount: '84.50', currency: 'EUR' });
  bank.on(sold.orderId, 'look-up', { never: 'hang' });
  expect(await bank.notify(sold.orderId, victim.url)).toBe(200);
  await victim.kill();
  await advanceUntil(clock, async () =>
    callbackSummaries(shop, sold.orderId).some((summary) => summary.startsWith('CHARGEBACK')),
  );
  expect(await stateOf(shop, sold)).toBe('CHARGEBACK');
});

test('a call that an earlier release stored is fenced too', async ({ cardAs, clock }) => {
  const shop = cardAs('lateProviderAlone');
  const order_id = newOrderNumber();
  bank.on(order_id, 'payment', { held: true });
  const sold = await shop.sell({ order_id });
  expect(sold.answer.body.result).toBe('UNDEFINED');
  await sql('update transactions set due_back_at = null where id = $1', [sold.transId]);
  await advanceUntil(clock, async () => (await stateOf(shop, sold)) === 'DECLINED');
  await bank.release(order_id);
  await advanceSteps(clock, 2);
  expect(bank.moved(order_id)).toEqual([]);
});

test('a refund that never arrived and is rejected late waits for an account manager, who frees its amount', async ({
  cardAs,
  clock,
  florin,
}) => {
  const shop = cardAs('lateProviderAlone');
  const sold = await shop.sell();
  const { orderId } = sold;
  bank.on(orderId, 'refund', { never: 'reset' }, { refused: { status: 422, code: 'refunds_closed' }, stays: true });
  await shop.follow('CREDITVOID', sold, { amount: '40.00' });
  const open = async () => (await unresolvedOf(orderId)).filter(({ closed_at }) => closed_at === null);
  await advanceUntil(clock, async () => (await open()).length > 0);
  expect(await open()).toMatchObject([{ kind: 'not_found', amount_minor: '4000' }]);
  const [row] = await sql(
    'select u.id from unresolved u join payments p on p.id = u.payment_id where p.order_number = $1',
    [orderId],
  );
  const manager = await visitorAs(florin, 'manager');
  const decided = await manager.post(`/unresolved/${row?.id}/close`, { decision: 'declined', note: 'Never refunded' });
  expect(decided.status, JSON.stringify(decided.body)).toBeLessThan(300);
  bank.on(orderId, 'refund');
  expect((await shop.follow('CREDITVOID', sold)).body.result).toBe('ACCEPTED');
  await expect.poll(() => bank.moved(orderId)).toEqual(['a sale 8450', 'a refund -8450']);
});
