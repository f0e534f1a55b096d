// Requests that reach the provider after Florin has cancelled them, and a provider that denies orders that it has
// received. "The provider does not know the key" is no decline: the order is fenced first, or sent again
// under its own key.

import { type CardMerchant, cardMerchant, payoutCard } from '../support/card-merchant.ts';
import type { Clock } from '../support/clock.ts';
import {
  advanceSteps,
  advanceUntil,
  callbackSummaries,
  expectConsistentAnswer,
  expectLedgerMatches,
  ledgerBalanceOf,
  startSecondServer,
  stateOf,
} from '../support/consistency.ts';
import { makeMerchant, makeMid } from '../support/created-merchants.ts';
import { visitorAs } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import { type Changes, newOrderNumber } from '../support/merchant.ts';
import { merchants, scriptedProviderPorts } from '../support/merchants.ts';
import { untilS2sStatus } from '../support/s2s-flows.ts';
import { type ScriptedProvider, startScriptedProvider } from '../support/scripted-provider.ts';
import { skewed } from '../support/skewed-clock.ts';
import { slowDatabase } from '../support/slow-database.ts';
import { expect, test } from '../support/test.ts';
import { serverSettings } from '../support/vault.ts';

let bank: ScriptedProvider;
test.beforeAll(async ({ clock }) => {
  bank = await startScriptedProvider(scriptedProviderPorts.late, () => clock.now());
});
test.afterAll(() => bank.close());

const final = ['SETTLED', 'DECLINED', 'REFUND', 'VOID', 'REVERSAL'];
const fragment = payoutCard.slice(0, 6) + payoutCard.slice(-4);

const hasEnded = (shop: CardMerchant, sold: Parameters<CardMerchant['byOrder']>[0]) => async () =>
  final.includes(await stateOf(shop, sold));

/** A settled payment, for the modification that follows. */
async function sellSettled(shop: CardMerchant, changes: Changes = {}) {
  const sold = await shop.sell(changes);
  expect(sold.answer.body.result).toBe('SUCCESS');
  return sold;
}

test('a sale that reaches the provider late is charged once', async ({ cardAs, clock }) => {
  const shop = cardAs('lateProvider');
  const order_id = newOrderNumber();
  bank.on(order_id, 'a payment', { held: true });
  const sold = await shop.sell({ order_id });
  expect(sold.answer.body).toMatchObject({ result: 'UNDEFINED', status: 'PREPARE' });
  await advanceUntil(clock, hasEnded(shop, sold));
  expect(await bank.release(order_id)).toBe(1);
  await advanceSteps(clock, 2);
  expect(bank.moved(order_id)).toEqual(['b sale 8450']);
  expect(await stateOf(shop, sold)).toBe('SETTLED');
  await expectLedgerMatches(bank, order_id);
  expect(callbackSummaries(shop, order_id)).not.toContain('SALE DECLINED DECLINED');
});

test('if the provider cannot claim a key by a void, the outcome stays unknown', async ({ cardAs, clock }) => {
  const shop = cardAs('lateProvider');
  const order_id = newOrderNumber();
  bank.on(order_id, 'a payment', { held: true });
  bank.on(order_id, 'a void', { stray: true, stays: true });
  const sold = await shop.sell({ order_id });
  await advanceSteps(clock, 4);
  expect(await stateOf(shop, sold)).toBe('PREPARE');
  expect(bank.arrived(order_id, 'payment').map(({ account }) => account)).toEqual(['a']);
  await bank.release(order_id);
  await advanceUntil(clock, hasEnded(shop, sold));
  expect(await stateOf(shop, sold)).toBe('SETTLED');
  expect(bank.moved(order_id)).toEqual(['a sale 8450']);
  await expectLedgerMatches(bank, order_id);
});

test('a process dies while its request is in transit, and the payer is charged once', async ({
  shopServer,
  cardAs,
  clock,
}) => {
  const shop = cardAs('lateProviderPatient');
  const victim = await startSecondServer(clock);
  const killed = cardMerchant(victim.url, merchants.lateProviderPatient, shopServer);
  const order_id = newOrderNumber();
  bank.on(order_id, 'a payment', { held: true });
  const response = killed.charge('SALE', { order_id }).catch(() => null);
  await expect.poll(() => bank.arrived(order_id, 'payment').some(({ account }) => account === 'a')).toBe(true);
  await victim.kill();
  await response;
  const sold = { orderId: order_id, email: 'ana@example.com', card: '4111111111', transId: '', answer: {} as never };
  await advanceUntil(clock, hasEnded(shop, sold));
  await bank.release(order_id);
  await advanceSteps(clock, 2);
  expect(bank.moved(order_id)).toHaveLength(1);
  await expectLedgerMatches(bank, order_id);
});

test('a payout that reaches the provider late is paid once', async ({ cardAs, clock }) => {
  const shop = cardAs('lateProvider');
  const order_id = newOrderNumber();
  bank.on(order_id, 'a payout', { held: true });
  const { body } = await shop.payout({ order_id });
  expect(body).toMatchObject({ result: 'UNDEFINED', status: 'PREPARE' });
  const paid = { transId: body.trans_id, card: fragment };
  const ended = async () => final.includes((await shop.follow('GET_TRANS_STATUS', paid)).body.status);
  await advanceUntil(clock, ended);
  await bank.release(order_id);
  await advanceSteps(clock, 2);
  expect(bank.moved(order_id)).toHaveLength(1);
  expect((await shop.follow('GET_TRANS_STATUS', paid)).body.status).toBe('SETTLED');
  await expectLedgerMatches(bank, order_id);
  // A repeat of the request under the same key decides; no other account gets it under another key.
  const keys = new Set(bank.arrived(order_id, 'payout').map(({ key }) => key));
  expect(keys.size).toBe(1);
});

/** A separate process that sleeps between the row that it has written and the call. */
async function pausedProcess(clock: Clock, send: (shop: string) => Promise<unknown>, order: string) {
  const database = await slowDatabase(serverSettings().DATABASE_URL ?? '');
  const victim = await startSecondServer(clock, { DATABASE_URL: database.url });
  const written = database.hold('payments-create-direct', order);
  const response = send(victim.url).catch(() => null);
  return {
    async stop() {
      await written;
      process.kill(victim.pid, 'SIGSTOP');
      database.release();
    },
    async resume() {
      // Only the server's clock was moved: a process that slept for less than a second is taken for one that did not.
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      process.kill(victim.pid, 'SIGCONT');
      return response;
    },
    async end() {
      await victim.kill();
      await database.close();
    },
  };
}

test('a process that slept before its call does not send an operation that another process has taken over', async ({
  shopServer,
  cardAs,
  clock,
}) => {
  const shop = cardAs('lateProvider');
  const order_id = newOrderNumber();
  const sale = (url: string) => cardMerchant(url, merchants.lateProvider, shopServer).charge('SALE', { order_id });
  const paused = await pausedProcess(clock, sale, order_id);
  await expect.poll(async () => (await attemptsOf(order_id)).length).toBeGreaterThan(0);
  await paused.stop();
  const sold = { orderId: order_id, email: 'ana@example.com', card: '4111111111', transId: '', answer: {} as never };
  await advanceUntil(clock, hasEnded(shop, sold));
  const answer = (await paused.resume()) as { body: { result: string; status: string } } | null;
  await advanceSteps(clock, 2);
  expect(bank.moved(order_id)).toHaveLength(1);
  expect(await stateOf(shop, sold)).toBe('SETTLED');
  await expectLedgerMatches(bank, order_id);
  expect(
    bank.arrived(order_id, 'payment').map(({ account }) => account),
    'the operation that was taken over is not sent',
  ).toEqual(['b']);
  if (answer) expectConsistentAnswer(answer.body);
  await paused.end();
});

test('a payout by a process that slept before its call is paid once', async ({ shopServer, cardAs, clock }) => {
  const shop = cardAs('lateProvider');
  const order_id = newOrderNumber();
  const payout = (url: string) => cardMerchant(url, merchants.lateProvider, shopServer).payout({ order_id });
  const paused = await pausedProcess(clock, payout, order_id);
  await expect.poll(async () => (await attemptsOf(order_id)).length).toBeGreaterThan(0);
  await paused.stop();
  const [transId = ''] = await attemptsOf(order_id);
  const paid = { transId, card: fragment };
  const ended = async () => final.includes((await shop.follow('GET_TRANS_STATUS', paid)).body.status);
  await advanceUntil(clock, ended);
  await paused.resume();
  await advanceSteps(clock, 2);
  expect(bank.moved(order_id)).toHaveLength(1);
  await expectLedgerMatches(bank, order_id);
  await paused.end();
});

/** The ids of the stored attempts of an order, the oldest first. */
async function attemptsOf(order: string): Promise<string[]> {
  const rows = await sql(
    `select t.id from transactions t join payments p on p.id = t.payment_id
      where p.order_number = $1 order by t.attempt_id nulls first`,
    [order],
  );
  return rows.map(({ id }) => String(id));
}

test('a decline at the only account is reported once no request can arrive any more', async ({ cardAs, clock }) => {
  const shop = cardAs('lateProviderAlone');
  const order_id = newOrderNumber();
  bank.on(order_id, 'payment', { held: true });
  const sold = await shop.sell({ order_id });
  await advanceUntil(clock, hasEnded(shop, sold));
  expect(await stateOf(shop, sold)).toBe('DECLINED');
  await bank.release(order_id);
  await advanceSteps(clock, 2);
  expect(bank.moved(order_id)).toEqual([]);
  expect(await stateOf(shop, sold)).toBe('DECLINED');
});

test('a refund that reaches the provider late is made once', async ({ cardAs, clock }) => {
  const shop = cardAs('lateProvider');
  const sold = await sellSettled(shop);
  bank.on(sold.orderId, 'refund', { held: true });
  expect((await shop.follow('CREDITVOID', sold, { amount: '40.00' })).body.result).toBe('ACCEPTED');
  await expect.poll(() => bank.arrived(sold.orderId, 'refund').length).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 2500));
  const isReported = async () =>
    callbackSummaries(shop, sold.orderId).some((each) => /^CREDITVOID (SUCCESS|DECLINED)/.test(each));
  await advanceUntil(clock, isReported);
  await bank.release(sold.orderId);
  await advanceSteps(clock, 2);
  expect(callbackSummaries(shop, sold.orderId)).not.toContain('CREDITVOID DECLINED SETTLED');
  expect(bank.moved(sold.orderId)).toEqual(['a sale 8450', 'a refund -4000']);
  await expectLedgerMatches(bank, sold.orderId);
});

test('a sale that was answered is never missing, whatever a replica reports', async ({ cardAs, clock }) => {
  const shop = cardAs('lateProviderAlone');
  const order_id = newOrderNumber();
  bank.on(order_id, 'payment', { says: 'processing' });
  bank.on(order_id, 'look-up', { stray: true, stays: true });
  const sold = await shop.sell({ order_id });
  await advanceSteps(clock, 4);
  expect(await stateOf(shop, sold)).toBe('PREPARE');
  bank.on(order_id, 'look-up');
  bank.becomes(order_id, 'approved');
  await advanceUntil(clock, hasEnded(shop, sold));
  expect(await stateOf(shop, sold)).toBe('SETTLED');
  expect(bank.moved(order_id)).toHaveLength(1);
  await expectLedgerMatches(bank, order_id);
});

test('a payer at their bank is not charged at another account because of a stray 404', async ({ cardAs, clock }) => {
  const shop = cardAs('lateProvider');
  const order_id = newOrderNumber();
  bank.on(order_id, 'a payment', { says: 'challenge' });
  bank.on(order_id, 'a look-up', { stray: true, stays: true });
  const sold = await shop.sell({ order_id });
  expect(sold.answer.body.status).toBe('3DS');
  await advanceSteps(clock, 3);
  expect(bank.arrived(order_id, 'payment').map(({ account }) => account)).toEqual(['a']);
  bank.on(order_id, 'a look-up');
  bank.becomes(order_id, 'approved', 'a');
  await advanceUntil(clock, hasEnded(shop, sold));
  expect(await stateOf(shop, sold)).toBe('SETTLED');
  expect(bank.net(order_id)).toBe(8450);
  await expectLedgerMatches(bank, order_id);
});

test('a refund that was answered does not fail because of a stray 404', async ({ cardAs, clock }) => {
  const shop = cardAs('lateProviderAlone');
  const sold = await sellSettled(shop);
  const { orderId } = sold;
  bank.on(orderId, 'refund', { says: 'processing' });
  bank.on(orderId, 'look-up', { stray: true, stays: true });
  await shop.follow('CREDITVOID', sold, { amount: '40.00' });
  await expect.poll(() => bank.arrived(orderId, 'refund').length).toBe(1);
  await advanceSteps(clock, 4);
  expect(callbackSummaries(shop, orderId)).not.toContain('CREDITVOID DECLINED SETTLED');
  bank.on(orderId, 'look-up');
  bank.decides(orderId, 'refund', 'approved');
  await advanceUntil(clock, async () => callbackSummaries(shop, orderId).includes('CREDITVOID SUCCESS SETTLED'));
  expect(bank.moved(orderId)).toEqual(['a sale 8450', 'a refund -4000']);
  await expectLedgerMatches(bank, orderId);
});

test('a payer who returns during the call causes no failover', async ({ cardAs, clock, florin }) => {
  const shop = cardAs('lateProviderPatient');
  const order_id = newOrderNumber();
  bank.on(order_id, 'a payment', { held: true });
  const selling = shop.sell({ order_id });
  await expect.poll(() => bank.arrived(order_id, 'payment').length).toBe(1);
  const [transId = ''] = bank.arrived(order_id, 'payment').map(({ key }) => key);
  await clock.advance(33);
  await (await fetch(`${florin}/return/${transId}`, { redirect: 'manual' })).arrayBuffer();
  expect(bank.arrived(order_id, 'payment').map(({ account }) => account)).toEqual(['a']);
  await bank.release(order_id);
  const { answer } = await selling;
  expectConsistentAnswer(answer.body);
  expect(answer.body).toMatchObject({ result: 'SUCCESS', status: 'SETTLED' });
  expect(bank.moved(order_id)).toEqual(['a sale 8450']);
  await expectLedgerMatches(bank, order_id);
});

test('a visit of the return address does not prove that the provider has the request', async ({
  cardAs,
  clock,
  florin,
}) => {
  const shop = cardAs('lateProvider');
  const order_id = newOrderNumber();
  bank.on(order_id, 'a payment', { held: true });
  const sold = await shop.sell({ order_id });
  expect(sold.answer.body).toMatchObject({ result: 'UNDEFINED', status: 'PREPARE' });
  await (await fetch(`${florin}/return/${sold.transId}`, { redirect: 'manual' })).arrayBuffer();
  await advanceUntil(clock, hasEnded(shop, sold));
  expect(await bank.release(order_id)).toBe(1);
  await advanceSteps(clock, 2);
  expect(bank.moved(order_id)).toEqual(['b sale 8450']);
  await expectLedgerMatches(bank, order_id);
});

test('a capture that reaches the provider late is booked as captured', async ({ cardAs, clock }) => {
  const shop = cardAs('lateProvider');
  const sold = await sellSettled(shop, { auth: 'Y' });
  const { orderId } = sold;
  bank.on(orderId, 'capture', { held: true });
  expect((await shop.follow('CAPTURE', sold, { amount: '30.00' })).body.result).toBe('UNDEFINED');
  const isReported = async () =>
    callbackSummaries(shop, orderId).some((each) => /^CAPTURE (SUCCESS|DECLINED)/.test(each));
  await advanceUntil(clock, isReported);
  await bank.release(orderId);
  await advanceSteps(clock, 2);
  expect(callbackSummaries(shop, orderId)).not.toContain('CAPTURE DECLINED PENDING');
  expect(bank.moved(orderId)).toEqual(['a capture 3000']);
  await expectLedgerMatches(bank, orderId);
});

test('an attempt is polled at the address that processed it after the account has a new one', async ({
  florin,
  shopServer,
  clock,
}) => {
  const manager = await visitorAs(florin, 'manager');
  const own = await makeMerchant(manager);
  const signingSecret = `whsec_${Buffer.alloc(24).toString('base64')}`;
  const at = (name: string) => `http://127.0.0.1:${scriptedProviderPorts.late}/${name}`;
  const settings = { provider: 'own', url: at('a'), apiKey: 'scripted', signingSecret, timeoutSeconds: 2 };
  const mid = await makeMid(manager, own.id, settings);
  const shop = cardMerchant(florin, own.credentials, shopServer);
  const order_id = newOrderNumber();
  bank.on(order_id, 'a payment', { lost: 'hang' });
  const sold = await shop.sell({ order_id });
  const { version, values } = mid;
  const moved = await manager.post(`/mids/${mid.id}`, { version, ...values, ...settings, url: at('b') });
  expect(moved.status, JSON.stringify(moved.body)).toBe(200);
  await advanceUntil(clock, hasEnded(shop, sold));
  expect(await stateOf(shop, sold)).toBe('SETTLED');
  expect(bank.arrived(order_id).map(({ account }) => account)).not.toContain('b');
  // Modifications of the payment go to the old address, too.
  await shop.follow('CREDITVOID', sold, { amount: '1.00' });
  await expect.poll(() => bank.moved(order_id)).toEqual(['a sale 8450', 'a refund -100']);
  // A new payment goes to the new address.
  const next = await shop.sell();
  expect(bank.moved(next.orderId)).toEqual(['b sale 8450']);
});

test('a process whose clock is two minutes ahead cancels nothing early', async ({ cardAs, clock }) => {
  const shop = cardAs('lateProviderPatient');
  const ahead = await startSecondServer(clock, { ...skewed(120), JOBS: 'on' });
  try {
    const orders = Array.from({ length: 8 }, newOrderNumber);
    const sold = await Promise.all(
      orders.map((order_id) => {
        // That process considers a call of a few seconds two minutes old.
        bank.on(order_id, 'a payment', { held: 4000 });
        return shop.sell({ order_id });
      }),
    );
    for (const each of sold) expectConsistentAnswer(each.answer.body);
    for (const order of orders) expect(bank.moved(order), order).toEqual(['a sale 8450']);
    for (const each of sold) await untilS2sStatus(shop, each, 'SETTLED');
    for (const order of orders) expect(await ledgerBalanceOf(order)).toBe(8450);
    for (const order of orders) expect(callbackSummaries(shop, order)).not.toContain('SALE DECLINED DECLINED');
  } finally {
    await ahead.kill();
  }
});

test('every order contains the deadline for its processing', async ({ cardAs, clock }) => {
  const shop = cardAs('lateProvider');
  const sold = await sellSettled(shop);
  await shop.follow('CREDITVOID', sold, { amount: '1.00' });
  await expect.poll(() => bank.arrived(sold.orderId, 'refund').length).toBe(1);
  const now = (await clock.now()).getTime();
  for (const { call, headers } of bank.arrived(sold.orderId)) {
    if (call === 'look-up') continue;
    const deadline = Date.parse(String(headers['florin-deadline']));
    expect(deadline - now, `the deadline of the ${call}`).toBeGreaterThan(-10_000);
    expect(deadline - now, `the deadline of the ${call}`).toBeLessThan(30_000);
  }
});
