// Time and payments: sessions end, authorisations expire, a day ends, a payer never returns, limits start again.

import { newOrderNumber } from '../support/merchant.ts';
import { cardFormOf, cards, startPayer } from '../support/payer.ts';
import { authorise, expectCallbacks, pay, statusOf, untilStatus } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** Seconds until a little after the next UTC midnight. */
async function untilTomorrow(clock: { now(): Promise<Date> }): Promise<number> {
  const now = await clock.now();
  return Math.ceil((day * 1000 - (now.getTime() % (day * 1000))) / 1000) + 60;
}

test.describe('a session', () => {
  for (const [minutes, expiry] of [
    [60, undefined],
    [1, 1],
    [720, '720'],
  ] as const) {
    test(`ends after ${minutes} minutes${expiry === undefined ? ' by default' : ''}`, async ({
      shop,
      shopServer,
      clock,
    }) => {
      const expired = `${shopServer.url}/expired`;
      const { url, order } = await shop.open({ session_expiry: expiry, expiry_url: expired });
      const payer = startPayer(shop.baseUrl);
      await clock.advance(minutes * minute - 30);
      const open = await payer.visit(url);
      expect(cardFormOf(open)).toBeTruthy();
      await clock.advance(60);
      const over = await payer.visit(url);
      expect(cardFormOf(over)).toBeUndefined();
      expect(over.html.replaceAll('&amp;', '&')).toContain(`${expired}?`);
      await payer.payOn(open, cards.settled);
      expect((await shop.statusByOrder(order.number)).body.status).toBe('prepare');
    });
  }

  test('that ends while its payer is at the bank still settles', async ({ shop, clock }) => {
    const { id, link, payer, screen } = await pay(shop, cards.challenge, { session_expiry: 1 }, 'stay');
    await clock.advance(2 * minute);
    await payer.goOn(link, screen, 'confirm');
    expect((await statusOf(shop, id)).status).toBe('settled');
  });
});

test.describe('a day ends', () => {
  test('a settled payment can no longer be voided, only refunded', async ({ shop, clock }) => {
    const { id } = await pay(shop);
    await clock.advance(await untilTomorrow(clock));
    const answer = await shop.void(id);
    expect([answer.status, answer.body.error_message]).toEqual([400, 'Void is not allowed.']);
    expect((await statusOf(shop, id)).status).toBe('settled');
    expect((await shop.refund(id)).status).toBe(200);
    await untilStatus(shop, id, 'refund');
  });

  test('an authorisation can still be voided', async ({ shop, clock }) => {
    const { id } = await authorise(shop);
    await clock.advance(await untilTomorrow(clock));
    expect((await shop.void(id)).status).toBe(200);
    expect((await statusOf(shop, id)).status).toBe('reversal');
  });

  test('a capture counts for the day on which it was made', async ({ shop, clock }) => {
    const { id } = await authorise(shop);
    await clock.advance(await untilTomorrow(clock));
    await shop.capture(id);
    expect((await shop.void(id)).status).toBe(200);
    expect((await statusOf(shop, id)).status).toBe('void');
  });
});

test('an authorisation that is not captured expires after seven days', async ({ shop, clock, provider }) => {
  const { id, order } = await authorise(shop);
  await clock.advance(7 * day - hour);
  expect((await statusOf(shop, id)).status).toBe('pending');
  await clock.advance(2 * hour);
  const body = await untilStatus(shop, id, 'decline');
  expect(body.reason).toBeTruthy();
  const messages = await expectCallbacks(shop, order, ['success sale pending', 'fail sale decline']);
  expect(messages[1]?.fields.reason).toBe(body.reason);
  expect((await shop.capture(id)).body.error_code).toBe(208003);
  expect(await provider.moved(order.number)).not.toContain('capture 84.50');
});

test('an expired authorisation whose release is in progress is not captured', async ({ as, clock, provider }) => {
  const shop = as('impatient');
  const { id, order } = await authorise(shop);
  // The provider releases the money and its answer is lost.
  await provider.fault({ fault: 'hang', call: 'void', carriedOut: true }, order.number);
  await clock.advance(7 * day + hour);
  await expect.poll(() => provider.moved(order.number)).toContain('void 84.50');
  const captured = await shop.capture(id);
  expect([captured.status, captured.body.error_message]).toEqual([400, 'Duplicate request.']);
  await clock.advance(2 * minute);
  await untilStatus(shop, id, 'decline', 40);
  expect(await provider.moved(order.number)).toEqual(['authorize 84.50', 'void 84.50']);
  await expectCallbacks(shop, order, ['success sale pending', 'fail sale decline']);
});

test.describe('a payer who never returns', () => {
  test('from a challenge that was passed: polling gets the outcome', async ({ shop, clock }) => {
    const { id, order, payer, screen } = await pay(shop, cards.challenge, {}, 'stay');
    const frame = /src="([^"]+\/challenge[^"]*)"/.exec(screen.html)?.[1] ?? '';
    const there = await payer.visit(new URL(frame, screen.url).href);
    const bank = there.forms[0];
    if (!bank) throw new Error('no form to the bank');
    const question = await payer.submit(bank);
    const answer = question.forms[0];
    if (!answer) throw new Error('no question');
    // The answer reaches the bank, but its redirect never reaches the payer's browser.
    await fetch(answer.action, { method: 'POST', body: new URLSearchParams({ choice: 'submit' }), redirect: 'manual' });
    await clock.advance(60);
    await untilStatus(shop, id, 'settled');
    await expectCallbacks(shop, order, ['success 3ds 3ds', 'success sale settled']);
  });

  test('from a challenge without an answer: cancelled after 15 minutes', async ({ shop, clock, provider }) => {
    const { id, order } = await pay(shop, cards.challenge, {}, 'stay');
    await clock.advance(14 * minute);
    expect((await statusOf(shop, id)).status).toBe('3ds');
    await clock.advance(2 * minute);
    await untilStatus(shop, id, 'decline');
    await expectCallbacks(shop, order, ['success 3ds 3ds', 'fail sale decline']);
    expect(await provider.moved(order.number)).toEqual([]);
  });

  test('from a redirect: cancelled after an hour', async ({ shop, clock, provider }) => {
    const { id, order, payer, screen } = await pay(shop, cards.redirect, { session_expiry: 720 }, 'stay');
    await clock.advance(59 * minute);
    expect((await statusOf(shop, id)).status).toBe('redirect');
    await clock.advance(2 * minute);
    await untilStatus(shop, id, 'decline');
    // Too late: the provider has cancelled it and accepts no money any more.
    await payer.goOn(screen.url, screen, 'confirm');
    expect((await statusOf(shop, id)).status).toBe('decline');
    expect(await provider.moved(order.number)).toEqual([]);
  });
});

test.describe('a provider call that was never received', () => {
  for (const fault of ['error', 'garbage', 'reset'] as const) {
    test(`(${fault}) is declined once that is certain, and not before`, async ({ shop, clock, provider }) => {
      const number = newOrderNumber();
      await provider.fault({ fault, call: 'payment', carriedOut: false }, number);
      const { id, order, link, payer } = await pay(shop, cards.settled, { order: { number } });
      expect((await statusOf(shop, id)).status).toBe('prepare');
      await clock.advance(10);
      expect((await statusOf(shop, id)).status).toBe('prepare');
      await clock.advance(60);
      await untilStatus(shop, id, 'decline');
      await payer.pay(link, cards.settled);
      await untilStatus(shop, id, 'settled');
      await expectCallbacks(shop, order, ['undefined sale prepare', 'fail sale decline', 'success sale settled']);
      expect(await provider.moved(number)).toEqual(['sale 84.50']);
    });
  }

  test('a refund that never arrived is sent again under its key, once', async ({ shop, clock, provider }) => {
    const { id, order } = await pay(shop);
    await provider.fault({ fault: 'reset', call: 'refund', carriedOut: false }, order.number);
    await shop.refund(id);
    const sale = 'success sale settled';
    await expectCallbacks(shop, order, [sale, 'undefined refund settled']);
    expect((await shop.refund(id)).status).toBe(400);
    await clock.advance(60);
    await expectCallbacks(shop, order, [sale, 'undefined refund settled', 'success refund refund']);
    expect((await shop.refund(id)).status).toBe(400);
    expect(await provider.moved(order.number)).toEqual(['sale 84.50', 'refund 84.50']);
  });
});

test.describe('turnover limits', () => {
  const limits = [
    ['dailyMidLimit', 204007, day],
    ['monthlyMidLimit', 204014, 31 * day],
    ['dailyMappingLimit', 204008, day],
    ['weeklyMappingLimit', 204015, 7 * day],
  ] as const;
  for (const [name, code, length] of limits) {
    test(`${name}: ${code}, until the next period begins`, async ({ as, clock }) => {
      const shop = as(name);
      await clock.advance(length);
      const amount = (text: string) => ({ order: { amount: text } });
      await pay(shop, cards.settled, amount('60.00'));
      await pay(shop, cards.declined, amount('40.00'));
      const rejected = await shop.session(amount('40.01'));
      expect([rejected.status, rejected.body.error_code]).toEqual([400, code]);
      expect((await shop.session(amount('40.00'))).status).toBe(200);
      expect((await shop.session({ order: { amount: '100.00', currency: 'USD' } })).status).toBe(200);
      await clock.advance(length);
      expect((await shop.session(amount('100.00'))).status).toBe(200);
    });
  }
});
