// Voids, refunds and chargebacks over HTTP, their callbacks in order, and invalid transitions: the contract's error
// code and no change (interface.md, States; protocol.md 5 and 7).

import { cards } from '../support/payer.ts';
import { authorise, expectCallbacks, pay, statusOf, untilStatus } from '../support/payment-flows.ts';
import { rejections, summaryOf } from '../support/rejections.ts';
import { expect, test } from '../support/test.ts';

test.describe('void', () => {
  test('of a settled payment on its own day', async ({ shop, provider }) => {
    const { id, order } = await pay(shop);
    const { status, body } = await shop.void(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      payment_id: id,
      status: 'void',
      payment_status: 'void',
      trans_status: 'SUCCESS',
      order: { number: order.number },
    });
    expect(body.date).toMatch(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/);
    expect((await statusOf(shop, id)).status).toBe('void');
    await expectCallbacks(shop, order, ['success sale settled', 'success void void']);
    expect(await provider.moved(order.number)).toEqual(['sale 84.50', 'void 84.50']);
  });

  test('of an authorisation reverses it', async ({ shop, provider }) => {
    const { id, order } = await authorise(shop);
    expect(summaryOf(await shop.void(id))).toBe('200');
    expect((await statusOf(shop, id)).status).toBe('reversal');
    await expectCallbacks(shop, order, ['success sale pending', 'success reversal reversal']);
    expect(summaryOf(await shop.capture(id))).toBe(rejections.notPending);
    expect(await provider.moved(order.number)).toEqual(['authorize 84.50', 'void 84.50']);
  });

  test('that the provider declines leaves the payment settled', async ({ shop }) => {
    const { id, order } = await pay(shop, { number: '4000 0000 0000 1091', expiry: '12/30' });
    const { status, body } = await shop.void(id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'settled', payment_status: 'settled', trans_status: 'FAIL' });
    expect(body.reason).toBeTruthy();
    await expectCallbacks(shop, order, ['success sale settled', 'fail void settled']);
    expect((await statusOf(shop, id)).status).toBe('settled');
  });

  test('of a payment that is neither settled nor authorised', async ({ shop }) => {
    const declined = await pay(shop, cards.declined);
    const voided = await pay(shop);
    await shop.void(voided.id);
    const refunded = await pay(shop);
    await shop.refund(refunded.id);
    await untilStatus(shop, refunded.id, 'refund');
    const { order } = await shop.open();
    const prepared = (await shop.statusByOrder(order.number)).body.payment_id;
    for (const id of [declined.id, voided.id, refunded.id, prepared]) {
      const before = (await statusOf(shop, id)).status;
      expect(summaryOf(await shop.void(id))).toBe(rejections.noVoid);
      expect((await statusOf(shop, id)).status).toBe(before);
    }
  });

  test('of a payment that was refunded in part', async ({ shop }) => {
    const { id } = await pay(shop);
    await shop.refund(id, '1.00');
    expect(summaryOf(await shop.void(id))).toBe(rejections.noVoid);
  });
});

test.describe('refund', () => {
  test('in full', async ({ shop, provider }) => {
    const { id, order } = await pay(shop);
    const answer = await shop.refund(id, order.amount);
    const operation_id = answer.headers.get('florin-operation-id');
    expect([answer.status, answer.body]).toEqual([200, { payment_id: id, result: 'accepted', operation_id }]);
    await untilStatus(shop, id, 'refund');
    await expectCallbacks(shop, order, ['success sale settled', 'success refund refund']);
    expect(await provider.moved(order.number)).toEqual(['sale 84.50', 'refund 84.50']);
  });

  test('several parts, the last without an amount', async ({ shop, provider }) => {
    const { id, order } = await pay(shop);
    const sale = 'success sale settled';
    expect(summaryOf(await shop.refund(id, '4.50'))).toBe('200');
    await expectCallbacks(shop, order, [sale, 'success refund settled']);
    expect((await statusOf(shop, id)).status).toBe('settled');
    expect(summaryOf(await shop.refund(id, '30.00'))).toBe('200');
    await expectCallbacks(shop, order, [sale, 'success refund settled', 'success refund settled']);
    expect(summaryOf(await shop.refund(id, '50.01'))).toBe(rejections.aboveRemaining);
    expect(summaryOf(await shop.refund(id))).toBe('200');
    await expectCallbacks(shop, order, [
      sale,
      'success refund settled',
      'success refund settled',
      'success refund refund',
    ]);
    expect((await statusOf(shop, id)).status).toBe('refund');
    expect(await provider.moved(order.number)).toEqual(['sale 84.50', 'refund 4.50', 'refund 30.00', 'refund 50.00']);
    expect(summaryOf(await shop.refund(id, '0.01'))).toMatch(/^400 20800[56] /);
  });

  test('above the paid amount', async ({ shop }) => {
    const { id } = await pay(shop);
    expect(summaryOf(await shop.refund(id, '84.51'))).toBe(rejections.aboveRemaining);
    expect((await statusOf(shop, id)).status).toBe('settled');
  });

  test('of a payment that is not settled', async ({ shop }) => {
    const authorised = await authorise(shop);
    const declined = await pay(shop, cards.declined);
    const challenged = await pay(shop, cards.challenge, {}, 'stay');
    const voided = await pay(shop);
    await shop.void(voided.id);
    const { order } = await shop.open();
    const prepared = (await shop.statusByOrder(order.number)).body.payment_id;
    for (const id of [authorised.id, declined.id, challenged.id, voided.id, prepared]) {
      const before = (await statusOf(shop, id)).status;
      expect(summaryOf(await shop.refund(id))).toBe(rejections.notSettled);
      expect((await statusOf(shop, id)).status).toBe(before);
    }
  });

  test('that the provider declines leaves the payment settled', async ({ shop }) => {
    const { id, order } = await pay(shop, { number: '4000 0000 0000 5126', expiry: '12/30' });
    expect(summaryOf(await shop.refund(id))).toBe('200');
    const messages = await expectCallbacks(shop, order, ['success sale settled', 'fail refund settled']);
    expect(messages[1]?.fields.reason).toBeTruthy();
    expect((await statusOf(shop, id)).status).toBe('settled');
    // The amount that the failed refund had reserved is available again.
    expect(summaryOf(await shop.refund(id))).toBe('200');
  });

  test('of a debit reverses it, in full only', async ({ shop }) => {
    const { id, order } = await pay(shop, cards.settled, { operation: 'debit' });
    expect(summaryOf(await shop.refund(id, '1.00'))).toMatch(/^400 208009 /);
    expect(summaryOf(await shop.refund(id, '84.51'))).toMatch(/^400 208008 /);
    expect(summaryOf(await shop.refund(id))).toBe('200');
    await untilStatus(shop, id, 'reversal');
    await expectCallbacks(shop, order, ['success debit settled', 'success reversal reversal']);
  });

  test('if the account allows none over the API', async ({ as }) => {
    const portal = as('portalRefunds');
    const inPortal = await pay(portal);
    expect(summaryOf(await portal.refund(inPortal.id))).toBe(
      '400 210002 Refund via API is not supported. Only from the connector admin portal.',
    );
    const none = as('noRefunds');
    const never = await pay(none);
    expect(summaryOf(await none.refund(never.id))).toBe('400 100000 Refund is not allowed');
    expect((await statusOf(none, never.id)).status).toBe('settled');
  });

  for (const amount of ['0', '0.00', '-1', '1e1', '01.00', '1.001', 'all']) {
    test(`of ${amount} has an invalid amount`, async ({ shop }) => {
      const { id } = await pay(shop);
      const answer = await shop.refund(id, amount);
      expect([answer.status, answer.body.error_code]).toEqual([400, 100000]);
      expect(answer.body.error_message + JSON.stringify(answer.body.errors)).toContain('amount');
    });
  }
});

test.describe('chargeback', () => {
  test('of a settled payment', async ({ shop, provider }) => {
    const { id, order } = await pay(shop);
    await provider.chargeback(order.number);
    await untilStatus(shop, id, 'chargeback');
    await expectCallbacks(shop, order, ['success sale settled', 'success chargeback chargeback']);
    expect(summaryOf(await shop.refund(id))).toBe(rejections.notSettled);
  });

  test('of a refunded payment', async ({ shop, provider }) => {
    const { id, order } = await pay(shop);
    await shop.refund(id);
    await untilStatus(shop, id, 'refund');
    await provider.chargeback(order.number);
    await untilStatus(shop, id, 'chargeback');
    await expectCallbacks(shop, order, [
      'success sale settled',
      'success refund refund',
      'success chargeback chargeback',
    ]);
  });
});
