// Chargebacks that coincide with another operation, are reported incorrectly, or do not have the full amount: none is
// lost, and none is recorded as another operation.

import type { CardMerchant } from '../support/card-merchant.ts';
import { callbackSummaries, ledgerBalanceOf, unresolvedOf } from '../support/consistency.ts';
import { sql } from '../support/database-rows.ts';
import { type Changes, newOrderNumber } from '../support/merchant.ts';
import { scriptedProviderPorts } from '../support/merchants.ts';
import { untilS2sStatus } from '../support/s2s-flows.ts';
import { type ScriptedProvider, startScriptedProvider } from '../support/scripted-provider.ts';
import { messagesOf } from '../support/shop-server.ts';
import { expect, test } from '../support/test.ts';

// All tests share one port, so one worker runs them.
test.describe.configure({ mode: 'default' });

let bank: ScriptedProvider;
test.beforeAll(async () => {
  bank = await startScriptedProvider(scriptedProviderPorts.dispute);
});
test.afterAll(() => bank.close());

async function sellSettled(shop: CardMerchant, changes: Changes = {}) {
  const sold = await shop.sell(changes);
  expect(sold.answer.body.result).toBe('SUCCESS');
  return sold;
}

/** The amounts of the chargeback callbacks that the merchant received. */
const disputed = (shop: CardMerchant, order: string) =>
  messagesOf(shop.shopServer.arrived(order))
    .filter(({ fields }) => fields.action === 'CHARGEBACK')
    .map(({ fields }) => fields.amount);

/** The movements that the service lists, as `REFUND success 5.00`. */
async function listed(shop: CardMerchant, sold: Parameters<CardMerchant['follow']>[1]): Promise<string[]> {
  const { body } = await shop.follow('GET_TRANS_DETAILS', sold);
  return (body.transactions as { type: string; status: string; amount: string }[]).map(
    ({ type, status, amount }) => `${type} ${status} ${amount}`,
  );
}

test('a refund that was pending when the payer disputed is recorded', async ({ cardAs, florin }) => {
  const shop = cardAs('disputeProvider');
  const sold = await sellSettled(shop);
  const { orderId } = sold;
  bank.on(orderId, 'refund', { says: 'processing' });
  await shop.follow('CREDITVOID', sold, { amount: '5.00' });
  await expect.poll(() => callbackSummaries(shop, orderId)).toContain('CREDITVOID WAITING SETTLED');
  bank.chargeBack(orderId, { amount: '84.50', currency: 'EUR' });
  await bank.notify(orderId, florin);
  await expect.poll(() => disputed(shop, orderId)).toHaveLength(1);
  bank.decides(orderId, 'refund', 'approved');
  await bank.notify(orderId, florin, 'refund');
  await expect
    .poll(() => callbackSummaries(shop, orderId).filter((summary) => /^CREDITVOID SUCCESS/.test(summary)))
    .toHaveLength(1);
  const all = await listed(shop, sold);
  expect(all).toContain('REFUND success 5.00');
  expect(all).toContain('CHARGEBACK success 84.50');
});

test('a void that was pending when the payer disputed is recorded', async ({ cardAs, florin }) => {
  const shop = cardAs('disputeProvider');
  const sold = await sellSettled(shop);
  const { orderId } = sold;
  bank.on(orderId, 'void', { says: 'processing' });
  await shop.follow('VOID', sold);
  bank.chargeBack(orderId, { amount: '84.50', currency: 'EUR' });
  await bank.notify(orderId, florin);
  await expect.poll(() => disputed(shop, orderId)).toHaveLength(1);
  bank.decides(orderId, 'void', 'approved');
  await bank.notify(orderId, florin, 'void');
  await expect
    .poll(() => callbackSummaries(shop, orderId).filter((summary) => /^VOID SUCCESS/.test(summary)))
    .toHaveLength(1);
  expect(await listed(shop, sold)).toContain('VOID success 84.50');
});

test('a notification whose status request fails is retried until it succeeds', async ({ cardAs, florin }) => {
  const shop = cardAs('disputeProvider');
  const sold = await sellSettled(shop);
  bank.chargeBack(sold.orderId, { amount: '84.50', currency: 'EUR' });
  bank.on(sold.orderId, 'look-up', { never: 503 }, { never: 'reset' });
  expect(await bank.notify(sold.orderId, florin)).toBe(200);
  await expect.poll(() => disputed(shop, sold.orderId)).toEqual(['84.50']);
  await untilS2sStatus(shop, sold, 'CHARGEBACK');
});

test('a slow status request completes no notification that arrived after it', async ({ cardAs, florin }) => {
  const shop = cardAs('disputeProvider');
  const { orderId } = await sellSettled(shop);
  const requests = () => bank.arrived(orderId, 'look-up').length;
  // The second request is answered before the first one, and the third fails.
  bank.on(orderId, 'look-up', { after: 1500, tells: { chargebacks: [] } }, {}, { never: 503 });
  for (const number of [1, 2]) {
    expect(await bank.notify(orderId, florin)).toBe(200);
    await expect.poll(requests).toBe(number);
  }
  await new Promise((resolve) => setTimeout(resolve, 500));
  bank.chargeBack(orderId, { amount: '84.50', currency: 'EUR' });
  expect(await bank.notify(orderId, florin)).toBe(200);
  await expect.poll(() => disputed(shop, orderId)).toEqual(['84.50']);
});

test('a chargeback is recorded although a refund was recorded during its status request', async ({
  cardAs,
  florin,
}) => {
  const shop = cardAs('disputeProvider');
  const sold = await sellSettled(shop);
  const { orderId } = sold;
  bank.chargeBack(orderId, { amount: '20.00', currency: 'EUR' });
  bank.on(orderId, 'look-up', { after: 1500 });
  await bank.notify(orderId, florin);
  await expect.poll(() => bank.arrived(orderId, 'look-up').length).toBe(1);
  await shop.follow('CREDITVOID', sold, { amount: '5.00' });
  await expect.poll(() => callbackSummaries(shop, orderId)).toContain('CREDITVOID SUCCESS SETTLED');
  await expect.poll(() => disputed(shop, orderId)).toEqual(['20.00']);
  expect(await listed(shop, sold)).toEqual(
    expect.arrayContaining(['SALE success 84.50', 'REFUND success 5.00', 'CHARGEBACK success 20.00']),
  );
});

test('a chargeback in the first known answer of a payment is recorded', async ({ cardAs }) => {
  const shop = cardAs('disputeProvider');
  const order_id = newOrderNumber();
  bank.on(order_id, 'payment', { lost: 'reset' });
  const sold = await shop.sell({ order_id });
  expect(sold.answer.body.result).toBe('UNDEFINED');
  bank.chargeBack(order_id, { amount: '84.50', currency: 'EUR' });
  await expect.poll(() => disputed(shop, order_id)).toEqual(['84.50']);
  expect(callbackSummaries(shop, order_id)).toContain('SALE SUCCESS SETTLED');
});

for (const [title, amount, currency] of [
  ['of another currency', '3000', 'JPY'],
  ['above the collected amount', '999999.00', 'EUR'],
] as const) {
  test(`a chargeback ${title} needs attention and is not recorded as a chargeback of the payment`, async ({
    cardAs,
    florin,
  }) => {
    const shop = cardAs('disputeProvider');
    const sold = await sellSettled(shop, { order_amount: '20.00' });
    bank.chargeBack(sold.orderId, { amount, currency });
    await bank.notify(sold.orderId, florin);
    await expect.poll(() => unresolvedOf(sold.orderId)).toMatchObject([{ currency, closed_at: null }]);
    expect((await unresolvedOf(sold.orderId))[0]?.amount_minor).toBe(amount.replace('.', ''));
    expect(disputed(shop, sold.orderId)).toEqual([]);
    expect(await ledgerBalanceOf(sold.orderId)).toBe(2000);
  });
}

test('of a partly disputed payment only the rest can be refunded', async ({ cardAs, florin }) => {
  const shop = cardAs('disputeProvider');
  const sold = await sellSettled(shop, { order_amount: '20.00' });
  const { orderId } = sold;
  bank.chargeBack(orderId, { amount: '1.00', currency: 'EUR' });
  await bank.notify(orderId, florin);
  await expect.poll(() => disputed(shop, orderId)).toEqual(['1.00']);
  const above = await shop.follow('CREDITVOID', sold, { amount: '19.01' });
  expect(above.body.error_code).toBe(208006);
  const rest = await shop.follow('CREDITVOID', sold, { amount: '19.00' });
  expect(rest.body, JSON.stringify(rest.body)).toMatchObject({ result: 'ACCEPTED' });
  await expect.poll(() => bank.moved(orderId)).toEqual(['a sale 2000', 'a refund -1900']);
});

test('several chargebacks of one payment are recorded one by one', async ({ cardAs, florin }) => {
  const shop = cardAs('disputeProvider');
  const sold = await sellSettled(shop, { order_amount: '20.00' });
  const { orderId } = sold;
  for (const amount of ['5.00', '3.00']) {
    bank.chargeBack(orderId, { amount, currency: 'EUR' });
    await bank.notify(orderId, florin);
    await expect.poll(() => disputed(shop, orderId)).toContain(amount);
  }
  // A repeated notification has no further effect.
  await bank.notify(orderId, florin);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(disputed(shop, orderId)).toEqual(['5.00', '3.00']);
  const all = await listed(shop, sold);
  expect(all.filter((each) => each.startsWith('CHARGEBACK'))).toEqual(
    expect.arrayContaining(['CHARGEBACK success 5.00', 'CHARGEBACK success 3.00']),
  );
  expect((await shop.follow('CREDITVOID', sold, { amount: '12.01' })).body.error_code).toBe(208006);
});

test('a won dispute leaves the payment unchanged', async ({ cardAs, florin }) => {
  const shop = cardAs('disputeProvider');
  const sold = await sellSettled(shop, { order_amount: '20.00' });
  const { orderId } = sold;
  const chargeback = bank.chargeBack(orderId, { amount: '20.00', currency: 'EUR' });
  await bank.notify(orderId, florin);
  await untilS2sStatus(shop, sold, 'CHARGEBACK');
  bank.chargeBack(orderId, { ...chargeback, status: 'won' });
  await bank.notify(orderId, florin);
  await untilS2sStatus(shop, sold, 'SETTLED');
  expect((await shop.follow('CREDITVOID', sold)).body.result).toBe('ACCEPTED');
  await expect.poll(() => bank.moved(orderId)).toEqual(['a sale 2000', 'a refund -2000']);
});

test('a chargeback of a refunded amount needs attention', async ({ cardAs, florin }) => {
  const shop = cardAs('disputeProvider');
  const sold = await sellSettled(shop, { order_amount: '20.00' });
  await shop.follow('CREDITVOID', sold);
  await untilS2sStatus(shop, sold, 'REFUND');
  bank.chargeBack(sold.orderId, { amount: '20.00', currency: 'EUR' });
  await bank.notify(sold.orderId, florin);
  await expect
    .poll(() => unresolvedOf(sold.orderId))
    .toMatchObject([{ amount_minor: '2000', currency: 'EUR', closed_at: null }]);
});

test('a refund that is approved after a full chargeback is listed as unresolved', async ({ cardAs, florin }) => {
  const shop = cardAs('disputeProvider');
  const sold = await sellSettled(shop);
  const { orderId } = sold;
  bank.on(orderId, 'refund', { says: 'processing' });
  await shop.follow('CREDITVOID', sold, { amount: '5.00' });
  await expect.poll(() => callbackSummaries(shop, orderId)).toContain('CREDITVOID WAITING SETTLED');
  bank.chargeBack(orderId, { amount: '84.50', currency: 'EUR' });
  await bank.notify(orderId, florin);
  await expect.poll(() => disputed(shop, orderId)).toHaveLength(1);
  bank.decides(orderId, 'refund', 'approved');
  await bank.notify(orderId, florin, 'refund');
  await expect
    .poll(() => unresolvedOf(orderId))
    .toMatchObject([{ kind: 'returned_twice', amount_minor: '500', closed_at: null }]);
});

test('a double return is listed although the process that booked the chargeback ended before it', async ({
  cardAs,
  florin,
}) => {
  const shop = cardAs('disputeProvider');
  const sold = await sellSettled(shop);
  const { orderId } = sold;
  await shop.follow('CREDITVOID', sold);
  await untilS2sStatus(shop, sold, 'REFUND');
  bank.chargeBack(orderId, { amount: '84.50', currency: 'EUR' });
  await bank.notify(orderId, florin);
  const listed = [{ kind: 'returned_twice', amount_minor: '8450', closed_at: null }];
  await expect.poll(() => unresolvedOf(orderId)).toMatchObject(listed);
  // What such a process leaves: the chargeback without the item.
  const ofOrder = 'payment_id in (select id from payments where order_number = $1)';
  await sql(`delete from unresolved where ${ofOrder}`, [orderId]);
  await bank.notify(orderId, florin);
  await expect.poll(() => unresolvedOf(orderId)).toMatchObject(listed);
});

test('a chargeback whose process ended before it was booked is never sent', async ({ cardAs, florin }) => {
  const shop = cardAs('disputeProvider');
  const sold = await sellSettled(shop);
  const { orderId } = sold;
  bank.chargeBack(orderId, { amount: '84.50', currency: 'EUR' });
  await bank.notify(orderId, florin);
  await expect.poll(() => disputed(shop, orderId)).toHaveLength(1);
  // What such a process leaves: a row that was not booked, a minute ago.
  await sql(
    `delete from callback_attempts where callback_id in
       (select c.id from callbacks c join transactions t using (payment_id) where t.id = $1 and c.type = 'chargeback')`,
    [sold.transId],
  );
  const [left] = await sql(
    `with booked as (
       update transactions set status = 'sent', finished_at = null, due_back_at = clock_timestamp() - interval '1 minute'
        where kind = 'chargeback' and payment_id in (select payment_id from transactions where id = $1)
       returning id, payment_id
     ), reported as (
       delete from callbacks using booked where transaction_id = booked.id
     ), payment as (
       update payments set state = 'settled', charged_back_minor = 0 from booked where payments.id = booked.payment_id
     )
     select id from booked`,
    [sold.transId],
  );
  for (let visits = 0; visits < 3; visits += 1)
    await (await fetch(`${florin}/return/${left.id}`, { redirect: 'manual' })).arrayBuffer();
  const status = async () => (await sql('select status::text from transactions where id = $1', [left.id]))[0].status;
  expect([await status(), bank.arrived(orderId, 'void')]).toEqual(['sent', []]);
  await bank.notify(orderId, florin);
  await expect.poll(status).toBe('success');
});

test('a second conflicting chargeback is listed in addition to the first', async ({ cardAs, florin }) => {
  const shop = cardAs('disputeProvider');
  const sold = await sellSettled(shop, { order_amount: '20.00' });
  const { orderId } = sold;
  for (const amount of ['3000', '4000']) {
    bank.chargeBack(orderId, { amount, currency: 'JPY' });
    expect(await bank.notify(orderId, florin)).toBe(200);
    await expect
      .poll(async () => (await unresolvedOf(orderId)).map(({ amount_minor }) => amount_minor))
      .toContain(amount);
  }
  // A repeated notification has no further effect.
  await bank.notify(orderId, florin);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(await unresolvedOf(orderId)).toHaveLength(2);
});

test('a chargeback whose amount increased, or that is reopened after it was won, is listed', async ({
  cardAs,
  florin,
}) => {
  const shop = cardAs('disputeProvider');
  for (const change of [{ amount: '12.00' }, { status: 'open' as const }]) {
    const sold = await sellSettled(shop, { order_amount: '20.00' });
    const { orderId } = sold;
    const chargeback = bank.chargeBack(orderId, { amount: '5.00', currency: 'EUR' });
    await bank.notify(orderId, florin);
    await expect.poll(() => disputed(shop, orderId)).toEqual(['5.00']);
    if (change.status) {
      bank.chargeBack(orderId, { ...chargeback, status: 'won' });
      await bank.notify(orderId, florin);
      await untilS2sStatus(shop, sold, 'SETTLED');
    }
    expect(await unresolvedOf(orderId)).toEqual([]);
    bank.chargeBack(orderId, { ...chargeback, ...change });
    await bank.notify(orderId, florin);
    await expect.poll(() => unresolvedOf(orderId)).toMatchObject([{ kind: 'chargeback_mismatch', closed_at: null }]);
  }
});

test('a chargeback whose amount changes twice is listed twice', async ({ cardAs, florin }) => {
  const shop = cardAs('disputeProvider');
  const { orderId } = await sellSettled(shop);
  const chargeback = bank.chargeBack(orderId, { amount: '5.00', currency: 'EUR' });
  await bank.notify(orderId, florin);
  await expect.poll(() => disputed(shop, orderId)).toEqual(['5.00']);
  for (const [place, amount] of ['6.00', '7.00', '7.00'].entries()) {
    bank.chargeBack(orderId, { ...chargeback, amount });
    await bank.notify(orderId, florin);
    const amounts = ['600', '700'].slice(0, place + 1).map((amount_minor) => ({ amount_minor, closed_at: null }));
    await expect.poll(() => unresolvedOf(orderId)).toMatchObject(amounts);
  }
});

test('a payment that was voided during a chargeback is not refunded too', async ({ cardAs, florin }) => {
  const shop = cardAs('disputeProvider');
  const sold = await sellSettled(shop);
  const { orderId } = sold;
  bank.on(orderId, 'void', { says: 'processing' });
  await shop.follow('VOID', sold);
  bank.chargeBack(orderId, { amount: '1.00', currency: 'EUR' });
  await bank.notify(orderId, florin);
  await expect.poll(() => disputed(shop, orderId)).toHaveLength(1);
  bank.decides(orderId, 'void', 'approved');
  await bank.notify(orderId, florin, 'void');
  await expect
    .poll(() => callbackSummaries(shop, orderId).filter((summary) => /^VOID SUCCESS/.test(summary)))
    .toHaveLength(1);
  const { body } = await shop.follow('CREDITVOID', sold, { amount: '10.00' });
  expect(body.result).toBe('ERROR');
  expect(bank.arrived(orderId, 'refund')).toEqual([]);
});

test('a partly disputed debit is not reversed in full', async ({ cardAs, florin }) => {
  const shop = cardAs('disputeProvider');
  const sold = await shop.sell({ order_amount: '20.00' }, 'DEBIT');
  expect(sold.answer.body.result).toBe('SUCCESS');
  const { orderId } = sold;
  bank.chargeBack(orderId, { amount: '1.00', currency: 'EUR' });
  await bank.notify(orderId, florin);
  await expect.poll(() => disputed(shop, orderId)).toEqual(['1.00']);
  const { body } = await shop.follow('CREDITVOID', sold);
  expect(body.result).toBe('ERROR');
  expect(bank.arrived(orderId, 'refund')).toEqual([]);
});

test("a chargeback that a refund's answer also lists is recorded once", async ({ cardAs, florin }) => {
  const shop = cardAs('disputeProvider');
  const sold = await sellSettled(shop);
  const { orderId } = sold;
  const chargeback = bank.chargeBack(orderId, { amount: '20.00', currency: 'EUR' });
  await bank.notify(orderId, florin);
  await expect.poll(() => disputed(shop, orderId)).toEqual(['20.00']);
  bank.on(orderId, 'refund', { says: 'processing' });
  bank.on(orderId, 'look-up', { tells: { chargebacks: [chargeback] }, stays: true });
  await shop.follow('CREDITVOID', sold, { amount: '5.00' });
  await expect.poll(() => callbackSummaries(shop, orderId)).toContain('CREDITVOID WAITING CHARGEBACK');
  bank.decides(orderId, 'refund', 'approved');
  await bank.notify(orderId, florin, 'refund');
  await expect.poll(() => callbackSummaries(shop, orderId)).toContain('CREDITVOID SUCCESS CHARGEBACK');
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(disputed(shop, orderId)).toEqual(['20.00']);
});

test('an approval that is withdrawn, restored and withdrawn again is listed again', async ({ cardAs, florin }) => {
  const shop = cardAs('disputeProvider');
  const { orderId } = await sellSettled(shop);
  const closed = async () => (await unresolvedOf(orderId)).map(({ kind, closed_at }) => [kind, closed_at !== null]);
  for (const [status, isClosed] of [
    ['declined', false],
    ['approved', true],
    ['declined', false],
  ] as const) {
    bank.becomes(orderId, status);
    await bank.notify(orderId, florin);
    await expect.poll(closed).toEqual([['taken_back', isClosed]]);
  }
  await expect
    .poll(() => callbackSummaries(shop, orderId))
    .toEqual(['SALE SUCCESS SETTLED', 'SALE UNDEFINED SETTLED', 'SALE UNDEFINED SETTLED']);
});
