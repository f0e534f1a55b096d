// The double-entry ledger: the entries that each operation posts in the statement of its outcome, and that none can be
// changed. That the entries agree with all payments is checked after all tests (florin ledger check).
import { unresolvedOf } from '../support/consistency.ts';
import { sql } from '../support/database-rows.ts';
import { cards } from '../support/payer.ts';
import { authorise, pay, untilStatus } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';

/** The entries of an order, oldest first: `movement debit < credit amount`. */
async function entriesOf(order: string): Promise<string[]> {
  const rows = await sql(
    `select e.movement || ' ' || e.debit || ' < ' || e.credit || ' ' || e.amount_minor || ' ' || e.currency as line
       from ledger_entries e join payments p on p.id = e.payment_id and p.merchant_id = e.merchant_id
      where p.order_number = $1 order by e.id`,
    [order],
  );
  return rows.map(({ line }) => line);
}

const settlement = (minor: number) => `settlement provider_receivable < merchant_payable ${minor} EUR`;
const authorisation = 'authorisation authorised < payer 8450 EUR';
const release = 'release payer < authorised 8450 EUR';

test('a sale posts its settlement, a declined one nothing', async ({ shop }) => {
  const paid = await pay(shop);
  expect(await entriesOf(paid.order.number)).toEqual([settlement(8450)]);
  const declined = await pay(shop, cards.declined);
  expect(await entriesOf(declined.order.number)).toEqual([]);
});

test('a part that is captured releases the whole authorisation', async ({ shop }) => {
  const { id, order } = await authorise(shop);
  expect(await entriesOf(order.number)).toEqual([authorisation]);
  await shop.capture(id, '50.00');
  await untilStatus(shop, id, 'settled');
  expect(await entriesOf(order.number)).toEqual([authorisation, release, settlement(5000)]);
});

test('a void releases an authorisation, and returns what is settled', async ({ shop }) => {
  const held = await authorise(shop);
  await shop.void(held.id);
  expect(await entriesOf(held.order.number)).toEqual([authorisation, release]);
  const paid = await pay(shop);
  await shop.void(paid.id);
  expect(await entriesOf(paid.order.number)).toEqual([
    settlement(8450),
    'return merchant_payable < provider_receivable 8450 EUR',
  ]);
});

test('a refund is reserved until the provider has decided it', async ({ shop, provider }) => {
  const { id, order } = await pay(shop);
  const reservation = 'reservation merchant_payable < refunds_in_transit 2000 EUR';
  await provider.fault({ fault: 'hang', call: 'refund', carriedOut: true }, order.number);
  const refunded = shop.refund(id, '20.00');
  await expect.poll(() => entriesOf(order.number)).toEqual([settlement(8450), reservation]);
  await refunded;
  const paidBack = 'refund refunds_in_transit < provider_receivable 2000 EUR';
  await expect.poll(() => entriesOf(order.number)).toEqual([settlement(8450), reservation, paidBack]);
  // The provider declines refunds of this card.
  const refused = await pay(shop, { number: '4000 0000 0000 5126', expiry: '01/38' });
  await shop.refund(refused.id, '20.00');
  const released = 'reservation_release refunds_in_transit < merchant_payable 2000 EUR';
  await expect.poll(() => entriesOf(refused.order.number)).toEqual([settlement(8450), reservation, released]);
});

test('a payout is reserved and paid out, or released', async ({ cardShop }) => {
  const reservation = 'reservation merchant_payable < payouts_in_transit';
  const paid = await cardShop.payout();
  const amount = `${String(paid.body.amount).replace('.', '')} ${paid.body.currency}`;
  expect(await entriesOf(String(paid.body.order_id))).toEqual([
    `${reservation} ${amount}`,
    `payout payouts_in_transit < provider_receivable ${amount}`,
  ]);
  const declined = await cardShop.payout({ card_number: cards.declined.number.replaceAll(' ', '') });
  expect(declined.body.result).toBe('DECLINED');
  expect(await entriesOf(String(declined.body.order_id))).toEqual([
    `${reservation} ${amount}`,
    `reservation_release payouts_in_transit < merchant_payable ${amount}`,
  ]);
});

test('a chargeback goes to the dispute reserve, and back when it is won', async ({ shop, provider }) => {
  const { id, order } = await pay(shop);
  const dispute = await provider.chargeback(order.number, '30.00');
  await untilStatus(shop, id, 'chargeback');
  const charged = 'chargeback dispute_reserve < provider_receivable 3000 EUR';
  expect(await entriesOf(order.number)).toEqual([settlement(8450), charged]);
  await provider.won(order.number, dispute.id);
  await untilStatus(shop, id, 'settled');
  expect(await entriesOf(order.number)).toEqual([
    settlement(8450),
    charged,
    'chargeback_won provider_receivable < dispute_reserve 3000 EUR',
  ]);
});

test('the amount of an unresolved item is in suspense until it is closed', async ({ shop, provider }) => {
  const { order } = await pay(shop);
  // More than the payment: listed, and closed by a user only.
  await provider.chargeback(order.number, '99.00');
  await expect
    .poll(async () => (await unresolvedOf(order.number)).map(({ kind }) => kind))
    .toEqual(['chargeback_mismatch']);
  const listed = 'suspense_release suspense < provider_receivable 9900 EUR';
  expect(await entriesOf(order.number)).toEqual([settlement(8450), listed]);
  const close = `update unresolved set closed_at = now(), closed_by = 'florin', resolution = 'Closed by a test', due_at = null
    where payment_id = (select id from payments where order_number = $1)`;
  await sql(close, [order.number]);
  await sql(close, [order.number]);
  expect(await entriesOf(order.number)).toEqual([
    settlement(8450),
    listed,
    'suspense provider_receivable < suspense 9900 EUR',
  ]);
});

test('entries are neither changed nor deleted, and no movement is posted twice', async ({ shop }) => {
  const { order } = await pay(shop);
  const refused = async (statement: string) => expect(sql(statement)).rejects.toThrow('ledger_entries is append-only');
  await refused('update ledger_entries set amount_minor = 1');
  await refused('delete from ledger_entries');
  await refused('truncate ledger_entries');
  const copy = `insert into ledger_entries (movement, debit, credit, amount_minor, currency, merchant_id, mid_id, payment_id, transaction_id)
    select movement, debit, credit, e.amount_minor, e.currency, e.merchant_id, mid_id, payment_id, transaction_id
      from ledger_entries e join payments p on p.id = e.payment_id where p.order_number = $1`;
  await expect(sql(copy, [order.number])).rejects.toThrow('ledger_entries_once');
});
