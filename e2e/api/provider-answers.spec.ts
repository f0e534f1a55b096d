// Provider answers that are late, contradictory or about another operation. Every
// movement is booked or listed as unresolved; the merchant gets a report either way.

import { type CardMerchant, payoutCard } from '../support/card-merchant.ts';
import {
  callbackSummaries,
  expectConsistentAnswer,
  expectLedgerMatches,
  ledgerBalanceOf,
  stateOf,
  unresolvedOf,
} from '../support/consistency.ts';
import { visitorAs } from '../support/dashboard.ts';
import { newOrderNumber } from '../support/merchant.ts';
import { scriptedProviderPorts } from '../support/merchants.ts';
import { describeS2sCallback, untilS2sStatus } from '../support/s2s-flows.ts';
import { type ScriptedProvider, startScriptedProvider } from '../support/scripted-provider.ts';
import { messagesOf } from '../support/shop-server.ts';
import { expect, test } from '../support/test.ts';

// All tests share one port and therefore one worker.
test.describe.configure({ mode: 'default' });

let bank: ScriptedProvider;
test.beforeAll(async () => {
  bank = await startScriptedProvider(scriptedProviderPorts.answer);
});
test.afterAll(() => bank.close());

const fragment = payoutCard.slice(0, 6) + payoutCard.slice(-4);

/** The callbacks of a late success whose money went back. */
const endReported = ['SALE DECLINED DECLINED', 'SALE UNDEFINED DECLINED', 'SALE DECLINED DECLINED'];

async function declinedSale(shop: CardMerchant) {
  const order_id = newOrderNumber();
  bank.on(order_id, 'payment', { says: 'declined' });
  const sold = await shop.sell({ order_id });
  expect(sold.answer.body).toMatchObject({ result: 'DECLINED', status: 'DECLINED' });
  return sold;
}

/** A sale that is declined, and that the provider approves after the merchant got the decline. */
async function lateApproval(shop: CardMerchant, florin: string, cannot: ('void' | 'refund')[] = []) {
  const sold = await declinedSale(shop);
  for (const call of cannot) bank.on(sold.orderId, call, { says: 'declined', stays: true });
  bank.becomes(sold.orderId, 'approved');
  expect(await bank.notify(sold.orderId, florin)).toBe(200);
  return sold;
}

test('a success after the decline is voided, reported and stored', async ({ cardAs, florin }) => {
  const shop = cardAs('answerProviderAlone');
  const sold = await lateApproval(shop, florin);
  const { orderId } = sold;
  await expect.poll(() => bank.net(orderId)).toBe(0);
  expect(bank.moved(orderId)).toEqual(['a payment after all 8450', 'a void -8450']);
  await expect
    .poll(() => unresolvedOf(orderId))
    .toMatchObject([{ amount_minor: '8450', currency: 'EUR', closed_at: expect.any(String) }]);
  await expect
    .poll(() => callbackSummaries(shop, orderId).filter((summary) => / UNDEFINED /.test(summary)))
    .toHaveLength(1);
  // A declined payment must have no bookings.
  expect(await ledgerBalanceOf(orderId)).toBe(0);
  await untilS2sStatus(shop, sold, 'DECLINED');
});

test('a repeated late success has no further effect', async ({ cardAs, florin }) => {
  const shop = cardAs('answerProviderAlone');
  const { orderId } = await lateApproval(shop, florin);
  await Promise.all([1, 2, 3].map(() => bank.notify(orderId, florin)));
  await expect.poll(() => bank.net(orderId)).toBe(0);
  await bank.notify(orderId, florin);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(bank.moved(orderId)).toEqual(['a payment after all 8450', 'a void -8450']);
  expect(await unresolvedOf(orderId)).toHaveLength(1);
});

test('a late success that cannot be voided is refunded', async ({ cardAs, florin }) => {
  const shop = cardAs('answerProviderAlone');
  const { orderId } = await lateApproval(shop, florin, ['void']);
  await expect.poll(() => bank.net(orderId)).toBe(0);
  expect(bank.moved(orderId)).toEqual(['a payment after all 8450', 'a refund -8450']);
  await expect
    .poll(() => unresolvedOf(orderId))
    .toMatchObject([{ amount_minor: '8450', closed_at: expect.any(String) }]);
});

test('a late success that was refunded stays closed, although the provider goes on reporting it', async ({
  cardAs,
  florin,
}) => {
  const shop = cardAs('answerProviderAlone');
  const { orderId } = await lateApproval(shop, florin, ['void']);
  const closed = [{ resolution: 'Refunded at the provider', closed_at: expect.any(String) }];
  await expect.poll(() => unresolvedOf(orderId)).toMatchObject(closed);
  await bank.notify(orderId, florin);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(await unresolvedOf(orderId)).toMatchObject(closed);
  expect(callbackSummaries(shop, orderId)).toEqual(endReported);
  await expectLedgerMatches(bank, orderId);
});

test('a late success that was undone at the provider before Florin could leaves nothing open', async ({
  cardAs,
  florin,
}) => {
  const shop = cardAs('answerProviderAlone');
  const { orderId: order_id } = await declinedSale(shop);
  for (const call of ['void', 'refund'] as const) bank.on(order_id, call, { says: 'declined', stays: true });
  // The notification's look-up, and those before the void and before the refund.
  const approved = { tells: { status: 'approved', decline: undefined } };
  bank.on(order_id, 'look-up', approved, approved, approved);
  await bank.notify(order_id, florin);
  await expect
    .poll(() => unresolvedOf(order_id))
    .toMatchObject([{ resolution: 'Undone at the provider', closed_at: expect.any(String) }]);
  await expect.poll(() => callbackSummaries(shop, order_id)).toEqual(endReported);
});

test('a late success that is undone stays listed until its void is decided', async ({ cardAs, florin }) => {
  const { orderId } = await declinedSale(cardAs('answerProviderAlone'));
  bank.on(orderId, 'void', { says: 'processing' });
  for (const [place, status] of (['approved', 'declined', 'approved'] as const).entries()) {
    bank.becomes(orderId, status);
    await bank.notify(orderId, florin);
    await expect.poll(() => bank.arrived(orderId, 'void').length).toBe(place + 1);
  }
  expect(await unresolvedOf(orderId)).toMatchObject([{ closed_at: null }]);
  bank.decides(orderId, 'void', 'approved');
  expect(bank.net(orderId)).toBe(0);
  await bank.notify(orderId, florin);
  await expect.poll(() => unresolvedOf(orderId)).toMatchObject([{ resolution: 'Voided at the provider' }]);
});

test('a late success that was found before the payment was declined is not reported', async ({ cardAs, florin }) => {
  const shop = cardAs('answerProvider');
  const order_id = newOrderNumber();
  bank.on(order_id, 'a payment', { says: 'soft' });
  bank.on(order_id, 'b payment', { says: 'declined', after: 1500 });
  bank.on(order_id, 'a void', { after: 1900 });
  const selling = shop.sell({ order_id });
  await expect.poll(() => bank.arrived(order_id, 'payment')).toHaveLength(2);
  const [first = ''] = bank.arrived(order_id, 'payment').map(({ key }) => key);
  bank.becomes(order_id, 'approved', 'a');
  await (await fetch(`${florin}/return/${first}`, { redirect: 'manual' })).arrayBuffer();
  expect((await selling).answer.body.status).toBe('DECLINED');
  await expect
    .poll(() => unresolvedOf(order_id))
    .toMatchObject([{ kind: 'late_success', closed_at: expect.any(String) }]);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(callbackSummaries(shop, order_id)).toEqual(['SALE DECLINED DECLINED']);
});

test('a slow answer does not close a difference that was found meanwhile', async ({ cardAs, florin }) => {
  const shop = cardAs('answerProviderPatient');
  const order_id = newOrderNumber();
  bank.on(order_id, 'payment', { after: 5000, tells: { status: 'approved', decline: undefined } });
  const selling = shop.sell({ order_id });
  await expect.poll(() => bank.moved(order_id)).toHaveLength(1);
  await bank.notify(order_id, florin);
  await expect.poll(() => callbackSummaries(shop, order_id)).toContain('SALE SUCCESS SETTLED');
  bank.becomes(order_id, 'declined');
  await bank.notify(order_id, florin);
  const listed = [{ kind: 'taken_back', closed_at: null }];
  await expect.poll(() => unresolvedOf(order_id)).toMatchObject(listed);
  await selling;
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(await unresolvedOf(order_id)).toMatchObject(listed);
});

test('an answer from before the end of a late success does not list it again', async ({ cardAs, florin }) => {
  const shop = cardAs('answerProviderPatient');
  const { orderId: order_id, transId } = await declinedSale(shop);
  bank.becomes(order_id, 'approved');
  // The provider has prepared this answer before the void, and Florin gets it afterwards.
  const approved = { status: 'approved', decline: undefined };
  bank.on(order_id, 'look-up', { after: 4000, tells: approved }, { tells: approved }, { tells: approved });
  await bank.notify(order_id, florin);
  await expect.poll(() => bank.arrived(order_id, 'look-up').length).toBe(1);
  await (await fetch(`${florin}/return/${transId}`, { redirect: 'manual' })).arrayBuffer();
  await expect
    .poll(() => unresolvedOf(order_id))
    .toMatchObject([{ kind: 'late_success', closed_at: expect.any(String) }]);
  await new Promise((resolve) => setTimeout(resolve, 6000));
  expect(await unresolvedOf(order_id)).toMatchObject([{ closed_at: expect.any(String) }]);
  expect(callbackSummaries(shop, order_id)).toEqual(endReported);
});

test('a void at a busy provider is retried, not replaced by a refund', async ({ cardAs, florin }) => {
  const shop = cardAs('answerProviderAlone');
  const { orderId: order_id } = await declinedSale(shop);
  bank.on(order_id, 'void', { refused: { status: 429, code: 'too_many_calls' } });
  bank.becomes(order_id, 'approved');
  await bank.notify(order_id, florin);
  await expect.poll(() => bank.net(order_id)).toBe(0);
  expect(bank.moved(order_id)).toEqual(['a payment after all 8450', 'a void -8450']);
});

test('a late success that can be neither voided nor refunded stays listed until an account manager closes it', async ({
  cardAs,
  florin,
}) => {
  const shop = cardAs('answerProviderAlone');
  const { orderId } = await lateApproval(shop, florin, ['void', 'refund']);
  await expect
    .poll(() => unresolvedOf(orderId))
    .toMatchObject([{ amount_minor: '8450', currency: 'EUR', closed_at: null }]);
  await expect
    .poll(() => callbackSummaries(shop, orderId).filter((summary) => / UNDEFINED /.test(summary)))
    .toHaveLength(1);
  const manager = await visitorAs(florin, 'manager');
  const { status, body } = await manager.get('/unresolved');
  expect(status).toBe(200);
  expect(JSON.stringify(body)).toContain(orderId);
});

test('an approved sale that is reversed at the portal is listed and reported', async ({ cardAs, florin }) => {
  const shop = cardAs('answerProviderAlone');
  const sold = await shop.sell();
  const { orderId } = sold;
  expect(sold.answer.body.status).toBe('SETTLED');
  bank.becomes(orderId, 'declined');
  await bank.notify(orderId, florin);
  await expect
    .poll(() => unresolvedOf(orderId))
    .toMatchObject([{ amount_minor: '8450', currency: 'EUR', closed_at: null }]);
  await expect
    .poll(() => callbackSummaries(shop, orderId).filter((summary) => / UNDEFINED /.test(summary)))
    .toHaveLength(1);
});

for (const [title, answer] of [
  ['another amount and currency', { amount: '1', currency: 'JPY' }],
  ['a part of the amount', { amount: '40.00', currency: 'EUR' }],
  ['more than the amount', { amount: '184.50', currency: 'EUR' }],
  ['another currency', { amount: '84.50', currency: 'USD' }],
] as const) {
  test(`an answer with ${title} does not settle the payment as ours`, async ({ cardAs }) => {
    const shop = cardAs('answerProviderAlone');
    const order_id = newOrderNumber();
    bank.on(order_id, 'payment', { tells: answer });
    bank.on(order_id, 'look-up', { tells: answer, stays: true });
    const sold = await shop.sell({ order_id });
    expect(sold.answer.body.result).not.toBe('SUCCESS');
    expectConsistentAnswer(sold.answer.body);
    await expect.poll(() => unresolvedOf(order_id)).not.toEqual([]);
    // The payment is declined once the provider has no money of it, and unknown until then.
    await untilS2sStatus(shop, sold, 'DECLINED');
    expect(bank.net(order_id)).toBe(0);
    expect(callbackSummaries(shop, order_id)).not.toContain('SALE SUCCESS SETTLED');
  });
}

test('a refund with another amount is not booked as ours', async ({ cardAs }) => {
  const shop = cardAs('answerProviderAlone');
  const sold = await shop.sell();
  const { orderId } = sold;
  const answer = { amount: '1', currency: 'JPY' };
  bank.on(orderId, 'refund', { tells: answer });
  bank.on(orderId, 'look-up', { tells: answer, stays: true });
  await shop.follow('CREDITVOID', sold, { amount: '40.00' });
  await expect.poll(() => unresolvedOf(orderId)).not.toEqual([]);
  expect(callbackSummaries(shop, orderId)).not.toContain('CREDITVOID SUCCESS SETTLED');
});

test('`authorized` is no outcome of a refund', async ({ cardAs }) => {
  const shop = cardAs('answerProviderAlone');
  const sold = await shop.sell();
  const { orderId } = sold;
  bank.on(orderId, 'refund', { says: 'declined', tells: { status: 'authorized', decline: undefined } });
  await shop.follow('CREDITVOID', sold, { amount: '40.00' });
  await expect.poll(() => callbackSummaries(shop, orderId)).toContain('CREDITVOID DECLINED SETTLED');
  expect(callbackSummaries(shop, orderId)).not.toContain('CREDITVOID SUCCESS SETTLED');
  await expectLedgerMatches(bank, orderId);
});

test('`authorized` is no outcome of a payout', async ({ cardAs }) => {
  const shop = cardAs('answerProviderAlone');
  const order_id = newOrderNumber();
  bank.on(order_id, 'payout', { says: 'declined', tells: { status: 'authorized', decline: undefined } });
  const { body } = await shop.payout({ order_id });
  expect(body.status).not.toBe('PENDING');
  const paid = { transId: body.trans_id, card: fragment };
  await expect.poll(async () => (await shop.follow('GET_TRANS_STATUS', paid)).body.status).toBe('DECLINED');
  await expectLedgerMatches(bank, order_id);
});

test('a sale with the answer `authorized` is no authorisation', async ({ cardAs }) => {
  const shop = cardAs('answerProviderAlone');
  const order_id = newOrderNumber();
  bank.on(order_id, 'payment', { tells: { status: 'authorized' } });
  const sold = await shop.sell({ order_id });
  expect(sold.answer.body.status).not.toBe('PENDING');
  // Settled if the provider reports that later, or declined if it was cancelled.
  await expect.poll(() => stateOf(shop, sold)).toMatch(/SETTLED|DECLINED/);
  expect(callbackSummaries(shop, order_id)).not.toContain('SALE SUCCESS PENDING');
  await expectLedgerMatches(bank, order_id);
});

test('the decline code of the card is reported although the notification declined first', async ({
  cardAs,
  florin,
}) => {
  const shop = cardAs('answerProvider');
  const order_id = newOrderNumber();
  bank.on(order_id, 'a payment', { says: 'soft', after: 1200 });
  const payment = shop.sell({ order_id });
  await expect.poll(() => bank.arrived(order_id, 'payment').length).toBe(1);
  await bank.notify(order_id, florin);
  const sold = await payment;
  await untilS2sStatus(shop, sold, 'SETTLED');
  const sent = bank.arrived(order_id, 'payment').map(({ account, body }) => [account, body.card.cvv]);
  expect(sent).toEqual([
    ['a', '123'],
    ['b', '123'],
  ]);
  expectConsistentAnswer(sold.answer.body);
  await expectLedgerMatches(bank, order_id);
});

test('a partial refund at the portal is listed, and the rest of the payment is unchanged', async ({
  cardAs,
  florin,
}) => {
  const shop = cardAs('answerProviderAlone');
  const sold = await shop.sell();
  const { orderId } = sold;
  bank.on(orderId, 'look-up', { tells: { amount: '60.00' }, stays: true });
  await bank.notify(orderId, florin);
  await expect
    .poll(() => unresolvedOf(orderId))
    .toMatchObject([{ kind: 'amount_mismatch', amount_minor: '6000', closed_at: null }]);
  await new Promise((resolve) => setTimeout(resolve, 3000));
  expect(new Set(bank.arrived(orderId).map(({ call }) => call))).toEqual(new Set(['payment', 'look-up']));
  expect(await unresolvedOf(orderId)).toMatchObject([{ closed_at: null }]);
  await untilS2sStatus(shop, sold, 'SETTLED');
});

test('a portal refund in another currency is listed as such, however large its amount', async ({ cardAs, florin }) => {
  const shop = cardAs('answerProviderAlone');
  const { orderId } = await shop.sell();
  bank.on(orderId, 'look-up', { tells: { amount: '9000', currency: 'JPY' }, stays: true });
  await bank.notify(orderId, florin);
  await expect
    .poll(() => unresolvedOf(orderId))
    .toMatchObject([{ kind: 'amount_mismatch', amount_minor: '9000', currency: 'JPY', closed_at: null }]);
});

test('a late success at the first account does not change the payment at the second', async ({ cardAs, florin }) => {
  const shop = cardAs('answerProvider');
  const order_id = newOrderNumber();
  bank.on(order_id, 'a payment', { says: 'soft' });
  const sold = await shop.sell({ order_id });
  expect(sold.answer.body.status).toBe('SETTLED');
  const [first = ''] = bank.arrived(order_id, 'payment').map(({ key }) => key);
  bank.becomes(order_id, 'approved', 'a');
  await (await fetch(`${florin}/return/${first}`, { redirect: 'manual' })).arrayBuffer();
  await expect
    .poll(() => unresolvedOf(order_id))
    .toMatchObject([{ kind: 'late_success', closed_at: expect.any(String) }]);
  expect(bank.net(order_id)).toBe(8450);
  await expect.poll(() => callbackSummaries(shop, order_id)).toContain('SALE SUCCESS SETTLED');
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(callbackSummaries(shop, order_id)).toEqual(['SALE SUCCESS SETTLED']);
  await expectLedgerMatches(bank, order_id);
});

test('an amount that was refunded because it could not be voided leaves nothing open', async ({ cardAs }) => {
  const shop = cardAs('answerProviderAlone');
  const order_id = newOrderNumber();
  const answer = { amount: '40.00', currency: 'EUR' };
  bank.on(order_id, 'payment', { tells: answer });
  bank.on(order_id, 'look-up', { tells: answer, stays: true });
  bank.on(order_id, 'void', { says: 'declined', stays: true });
  const sold = await shop.sell({ order_id });
  await untilS2sStatus(shop, sold, 'DECLINED');
  await expect
    .poll(async () => (await unresolvedOf(order_id)).filter(({ closed_at }) => closed_at === null))
    .toEqual([]);
});

test('the end of a late success is reported also if the portal caused it', async ({ cardAs, florin }) => {
  const shop = cardAs('answerProviderAlone');
  const { orderId } = await lateApproval(shop, florin, ['void', 'refund']);
  await expect.poll(() => callbackSummaries(shop, orderId)).toContain('SALE UNDEFINED DECLINED');
  await expect.poll(() => bank.arrived(orderId, 'refund').length).toBe(1);
  bank.becomes(orderId, 'declined');
  await bank.notify(orderId, florin);
  await expect.poll(() => unresolvedOf(orderId)).toMatchObject([{ closed_at: expect.any(String) }]);
  await expect.poll(() => messagesOf(shop.shopServer.arrived(orderId)).map(describeS2sCallback)).toEqual(endReported);
});
