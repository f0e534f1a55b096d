// The transitions of the state table up to the capture over HTTP, their callbacks in order, and invalid transitions: the
// contract's error code and no change (interface.md, States; protocol.md 5 and 7). Simultaneous requests move money once.

import type { Answer, Merchant } from '../support/merchant.ts';
import { cards, formTo, returnLinkOf } from '../support/payer.ts';
import { authorise, expectCallbacks, pay, statusOf, untilStatus } from '../support/payment-flows.ts';
import { rejections, summaryOf } from '../support/rejections.ts';
import { signNotice } from '../support/signatures.ts';
import { expect, test } from '../support/test.ts';

// Races in the records of money show by chance: no test here is repeated.
test.describe.configure({ retries: 0 });

test.describe('the first attempt', () => {
  test('settle', async ({ shop }) => {
    const { id, order, screen } = await pay(shop);
    expect(await statusOf(shop, id)).toMatchObject({ payment_id: id, status: 'settled', order });
    await expectCallbacks(shop, order, ['success sale settled']);
    const back = returnLinkOf(screen);
    expect(back?.pathname).toBe('/success');
    expect(back?.searchParams.get('payment_id')).toBe(id);
    expect(back?.searchParams.get('order_id')).toBe(order.number);
    expect(back?.searchParams.get('trans_id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(back?.searchParams.get('hash')).toBe(signNotice(id, order, shop.credentials));
  });

  test('authorise', async ({ shop }) => {
    const { id, order } = await authorise(shop);
    expect((await statusOf(shop, id)).status).toBe('pending');
    await expectCallbacks(shop, order, ['success sale pending']);
  });

  test('decline', async ({ shop }) => {
    const { id, order } = await pay(shop, cards.declined);
    expect(await statusOf(shop, id)).toMatchObject({ status: 'decline', reason: 'Declined by processing' });
    const [message] = await expectCallbacks(shop, order, ['fail sale decline']);
    expect(message?.fields.reason).toBe('Declined by processing');
  });

  test('challenge, then settle', async ({ shop }) => {
    const { id, order, link, payer, screen } = await pay(shop, cards.challenge, {}, 'stay');
    expect((await statusOf(shop, id)).status).toBe('3ds');
    await payer.goOn(link, screen, 'confirm');
    expect((await statusOf(shop, id)).status).toBe('settled');
    await expectCallbacks(shop, order, ['success 3ds 3ds', 'success sale settled']);
  });

  test('challenge, then authorise', async ({ shop }) => {
    const { id, order } = await authorise(shop, cards.challenge);
    expect((await statusOf(shop, id)).status).toBe('pending');
    await expectCallbacks(shop, order, ['success 3ds 3ds', 'success sale pending']);
  });

  test('challenge, then decline', async ({ shop }) => {
    const { id, order } = await pay(shop, cards.challengeDeclined);
    expect((await statusOf(shop, id)).status).toBe('decline');
    await expectCallbacks(shop, order, ['success 3ds 3ds', 'fail sale decline']);
  });

  test('challenge that the payer rejects', async ({ shop }) => {
    const { id, order } = await pay(shop, cards.challenge, {}, 'refuse');
    expect((await statusOf(shop, id)).status).toBe('decline');
    await expectCallbacks(shop, order, ['success 3ds 3ds', 'fail sale decline']);
  });

  test('redirect, then settle', async ({ shop }) => {
    const { id, order, link, payer, screen } = await pay(shop, cards.redirect, {}, 'stay');
    expect((await statusOf(shop, id)).status).toBe('redirect');
    await payer.goOn(link, screen, 'confirm');
    expect((await statusOf(shop, id)).status).toBe('settled');
    await expectCallbacks(shop, order, ['success redirect redirect', 'success sale settled']);
  });

  test('redirect, then authorise', async ({ shop }) => {
    const { id, order } = await authorise(shop, cards.redirect);
    expect((await statusOf(shop, id)).status).toBe('pending');
    await expectCallbacks(shop, order, ['success redirect redirect', 'success sale pending']);
  });

  test('redirect, then decline', async ({ shop }) => {
    const { id, order } = await pay(shop, cards.redirectDeclined);
    expect((await statusOf(shop, id)).status).toBe('decline');
    await expectCallbacks(shop, order, ['success redirect redirect', 'fail sale decline']);
  });

  test('abandoned challenge: cancelled at the provider, and the session goes on', async ({ shop }) => {
    const { id, order, link, payer, screen } = await pay(shop, cards.challenge, {}, 'stay');
    await payer.submit(formTo(screen, '/abandon'));
    expect((await statusOf(shop, id)).status).toBe('decline');
    await payer.pay(link, cards.settled);
    expect((await statusOf(shop, id)).status).toBe('settled');
    await expectCallbacks(shop, order, ['success 3ds 3ds', 'fail sale decline', 'success sale settled']);
  });

  test('a debit is reported as one', async ({ shop }) => {
    const { id, order } = await pay(shop, cards.challenge, { operation: 'debit' });
    expect((await statusOf(shop, id)).status).toBe('settled');
    await expectCallbacks(shop, order, ['success 3ds 3ds', 'success debit settled']);
  });
});

test.describe('another attempt', () => {
  test('on the open session after a decline', async ({ shop }) => {
    const { id, order, link, payer } = await pay(shop, cards.declined);
    await payer.pay(link, cards.settled);
    const body = await statusOf(shop, id);
    expect(body.status).toBe('settled');
    expect(body).not.toHaveProperty('reason');
    await expectCallbacks(shop, order, ['fail sale decline', 'success sale settled']);
  });

  test('by retry', async ({ shop }) => {
    const { id, order } = await pay(shop, { number: '4000 0000 0000 1026', expiry: '12/30' });
    expect((await statusOf(shop, id)).status).toBe('decline');
    const answer = await shop.retry(id);
    expect([answer.status, answer.body]).toEqual([200, { payment_id: id, result: 'accepted' }]);
    await untilStatus(shop, id, 'settled');
    await expectCallbacks(shop, order, ['fail sale decline', 'success sale settled']);
  });

  test('by retry of a card that is declined again', async ({ shop }) => {
    const { id, order } = await pay(shop, cards.declined);
    expect((await shop.retry(id)).status).toBe(200);
    await expectCallbacks(shop, order, ['fail sale decline', 'fail sale decline']);
    expect((await statusOf(shop, id)).status).toBe('decline');
  });

  test('retry needs a declined payment', async ({ shop }) => {
    const settled = await pay(shop);
    const answer = await shop.retry(settled.id);
    expect([answer.status, answer.body.result]).toEqual([400, 'ERROR']);
    const { order } = await shop.open();
    const { body } = await shop.statusByOrder(order.number);
    expect((await shop.retry(body.payment_id)).status).toBe(400);
    expect((await statusOf(shop, settled.id)).status).toBe('settled');
  });
});

test.describe('capture', () => {
  test('in full', async ({ shop }) => {
    const { id, order } = await authorise(shop);
    const { status, body } = await shop.capture(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ payment_id: id, status: 'settled', trans_status: 'SUCCESS' });
    expect(body.date).toMatch(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/);
    expect((await statusOf(shop, id)).status).toBe('settled');
    await expectCallbacks(shop, order, ['success sale pending', 'success capture settled']);
  });

  test('in full by naming the amount', async ({ shop }) => {
    const { id, order } = await authorise(shop);
    expect(summaryOf(await shop.capture(id, order.amount))).toBe('200');
    expect((await statusOf(shop, id)).status).toBe('settled');
  });

  test('in part, once; the captured amount is the refundable amount', async ({ shop, provider }) => {
    const { id, order } = await authorise(shop);
    expect(summaryOf(await shop.capture(id, '50.00'))).toBe('200');
    expect(summaryOf(await shop.capture(id, '10.00'))).toBe(rejections.notPending);
    expect(summaryOf(await shop.refund(id, '50.01'))).toBe(rejections.aboveRemaining);
    expect(summaryOf(await shop.refund(id, '50.00'))).toBe('200');
    await untilStatus(shop, id, 'refund');
    expect(await provider.moved(order.number)).toEqual(['authorize 84.50', 'capture 50.00', 'refund 50.00']);
    await expectCallbacks(shop, order, ['success sale pending', 'success capture settled', 'success refund refund']);
  });

  test('above the authorised amount', async ({ shop }) => {
    const { id } = await authorise(shop);
    expect(summaryOf(await shop.capture(id, '84.51'))).toBe(rejections.aboveHeld);
    expect((await statusOf(shop, id)).status).toBe('pending');
    expect(summaryOf(await shop.capture(id))).toBe('200');
  });

  test('of a payment that is not authorised', async ({ shop }) => {
    const settled = await pay(shop);
    const declined = await pay(shop, cards.declined);
    const challenged = await pay(shop, cards.challenge, {}, 'stay');
    const { order } = await shop.open();
    const prepared = (await shop.statusByOrder(order.number)).body.payment_id;
    for (const id of [settled.id, declined.id, challenged.id, prepared]) {
      const before = (await statusOf(shop, id)).status;
      expect(summaryOf(await shop.capture(id))).toBe(rejections.notPending);
      expect((await statusOf(shop, id)).status).toBe(before);
    }
  });

  test('that the provider declines leaves the authorisation', async ({ shop }) => {
    const { id, order } = await authorise(shop, cards.captureDeclined);
    const { status, body } = await shop.capture(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ payment_id: id, status: 'pending', trans_status: 'FAIL' });
    expect((await statusOf(shop, id)).status).toBe('pending');
    await expectCallbacks(shop, order, ['success sale pending', 'fail capture pending']);
    expect(summaryOf(await shop.void(id))).toBe('200');
    expect((await statusOf(shop, id)).status).toBe('reversal');
  });
});

test.describe('ten at once move money once', () => {
  const tenTimes = (run: () => Promise<Answer>) => Promise.all(Array.from({ length: 10 }, run));
  const accepted = (answers: Answer[]) => answers.filter(({ status }) => status === 200).length;

  async function noneFailed(answers: Answer[], merchant: Merchant, id: string) {
    for (const { status } of answers) expect([200, 400]).toContain(status);
    return (await statusOf(merchant, id)).status;
  }

  test('captures', async ({ shop, provider }) => {
    const { id, order } = await authorise(shop);
    const answers = await tenTimes(() => shop.capture(id, '40.00'));
    expect(await noneFailed(answers, shop, id)).toBe('settled');
    expect(accepted(answers)).toBe(1);
    expect(await provider.moved(order.number)).toEqual(['authorize 84.50', 'capture 40.00']);
  });

  test('full refunds', async ({ shop, provider }) => {
    const { id, order } = await pay(shop);
    const answers = await tenTimes(() => shop.refund(id));
    expect(accepted(answers)).toBe(1);
    await untilStatus(shop, id, 'refund');
    expect(await provider.moved(order.number)).toEqual(['sale 84.50', 'refund 84.50']);
  });

  test('partial refunds never exceed the paid amount', async ({ shop, provider }) => {
    const { id, order } = await pay(shop, cards.settled, { order: { amount: '10.00' } });
    const answers = await tenTimes(() => shop.refund(id, '3.00'));
    expect(accepted(answers)).toBe(3);
    await expectCallbacks(shop, order, ['success sale settled', ...Array(3).fill('success refund settled')]);
    expect((await provider.moved(order.number)).sort()).toEqual([...Array(3).fill('refund 3.00'), 'sale 10.00']);
  });

  test('voids', async ({ shop, provider }) => {
    const { id, order } = await pay(shop);
    const answers = await tenTimes(() => shop.void(id));
    expect(accepted(answers)).toBe(1);
    expect((await statusOf(shop, id)).status).toBe('void');
    expect(await provider.moved(order.number)).toEqual(['sale 84.50', 'void 84.50']);
  });

  test('a void and a refund: one of the two', async ({ shop, provider }) => {
    const { id, order } = await pay(shop);
    const [voided, refunded] = await Promise.all([shop.void(id), shop.refund(id)]);
    expect(accepted([voided, refunded])).toBe(1);
    await untilStatus(shop, id, voided.status === 200 ? 'void' : 'refund');
    expect(await provider.moved(order.number)).toHaveLength(2);
  });

  test('retries', async ({ shop, provider }) => {
    const { id, order } = await pay(shop, { number: '4000 0000 0000 1026', expiry: '12/30' });
    const answers = await tenTimes(() => shop.retry(id));
    expect(accepted(answers)).toBe(1);
    await untilStatus(shop, id, 'settled');
    expect(await provider.moved(order.number)).toEqual(['sale 84.50']);
  });
});
