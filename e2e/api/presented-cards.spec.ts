// Methods whose payer sends money to a card: the payer and the response have the whole number, until the payment is final.
// The database and the callbacks have it masked, and the database encrypted beside.
import { sql } from '../support/database-rows.ts';
import type { Merchant } from '../support/merchant.ts';
import { messagesOf } from '../support/messages.ts';
import { finish, methodFormOf } from '../support/method-flows.ts';
import type { Screen } from '../support/payer.ts';
import { formTo, startPayer } from '../support/payer.ts';
import { expectS2sCallbacks, untilS2sStatus } from '../support/s2s-flows.ts';
import { expect, test } from '../support/test.ts';

const brand = 'ptw-p2c';
const number = '2200 0000 0000 0004';
const masked = '220000******0004';
const clear = /2200\s?0000\s?0000\s?0004/;

/** Every stored text about an order, except the records of the simulated provider. */
async function storedOf(order: string): Promise<string> {
  const rows = await sql(
    `select to_jsonb(p) as payment, (select jsonb_agg(t) from transactions t where t.payment_id = p.id) as transactions,
            (select jsonb_agg(c) from callbacks c where c.payment_id = p.id) as callbacks,
            (select jsonb_agg(m) from messages m where m.payment_id = p.id) as messages,
            (select jsonb_agg(r) from api_requests r where r.order_number = p.order_number) as requests
       from payments p where p.order_number = $1`,
    [order],
  );
  expect(rows).toHaveLength(1);
  return JSON.stringify(rows);
}

const presentedOf = async (order: string) =>
  (
    await sql(
      `select t.id, t.status, t.facts -> 'present' as present, t.sealed_present is not null as sealed
         from transactions t join payments p on p.id = t.payment_id where p.order_number = $1`,
      [order],
    )
  )[0];

async function openPage(shop: Merchant) {
  const opened = await shop.open({ methods: [brand], customer: { name: 'Mia', email: 'mia@example.com' } });
  const payer = startPayer(shop.baseUrl);
  const screen: Screen = await payer.submit(methodFormOf(await payer.visit(opened.url), brand));
  return { order: opened.order.number, url: opened.url, payer, screen };
}

test('the response of S2S APM has the number, its callback the masked one, and the database none in clear', async ({
  apmShop,
}) => {
  const sold = await apmShop.sell({ brand, identifier: 'ana@example.com' });
  expect(sold.answer.body).toMatchObject({ status: 'PENDING', payment_data: { card_number: number } });
  const [first] = await expectS2sCallbacks(apmShop, sold, ['SALE SUCCESS PENDING']);
  expect(first?.fields['payment_data[card_number]']).toBe(masked);
  expect(JSON.stringify(first?.fields)).not.toMatch(clear);
  const presented = await presentedOf(sold.orderId);
  expect(presented).toMatchObject({ status: 'waiting', present: { kind: 'details', masked: true }, sealed: true });
  expect(await storedOf(sold.orderId)).not.toMatch(clear);
  await finish(apmShop, sold.transId);
  await untilS2sStatus(apmShop, sold, 'SETTLED');
  const all = await expectS2sCallbacks(apmShop, sold, ['SALE SUCCESS PENDING', 'SALE SUCCESS SETTLED']);
  expect(JSON.stringify(all)).not.toMatch(clear);
  expect(await presentedOf(sold.orderId)).toMatchObject({ status: 'success', sealed: false });
  expect(await storedOf(sold.orderId)).not.toMatch(clear);
});

test('a declined payment has nothing left of it', async ({ apmShop }) => {
  const sold = await apmShop.sell({ brand, identifier: 'ana@example.com' });
  await finish(apmShop, sold.transId, 'decline');
  await untilS2sStatus(apmShop, sold, 'DECLINED');
  expect(await presentedOf(sold.orderId)).toMatchObject({ status: 'fail', sealed: false });
  expect(await storedOf(sold.orderId)).not.toMatch(clear);
});

test('the page shows the number as long as the payment waits, and messages have none', async ({ as }) => {
  const { order, url, payer, screen } = await openPage(as('methods'));
  expect(screen.html).toMatch(clear);
  expect((await payer.visit(url)).html).toMatch(clear);
  await payer.submit(formTo(screen, '/remind'));
  const [message] = await messagesOf(order);
  expect(message?.text).not.toMatch(clear);
  expect(await storedOf(order)).not.toMatch(clear);
});

test('a number that an earlier release has stored in clear is encrypted by the next status query', async ({ as }) => {
  const { order, url, payer } = await openPage(as('methods'));
  const { id, present } = await presentedOf(order);
  const rows = present.rows.map((row: { name: string }) =>
    row.name === 'card_number' ? { ...row, value: number } : row,
  );
  await sql(
    `update transactions set facts = jsonb_set(facts, '{present}', $2::jsonb - 'masked'), sealed_present = null, due_at = now()
      where id = $1`,
    [id, JSON.stringify({ ...present, rows })],
  );
  await expect.poll(() => presentedOf(order)).toMatchObject({ present: { masked: true }, sealed: true });
  expect(await storedOf(order)).not.toMatch(clear);
  expect((await payer.visit(url)).html).toMatch(clear);
});

test('an encrypted number that was moved to another payment is not shown there', async ({ as }) => {
  const [one, other] = [await openPage(as('methods')), await openPage(as('methods'))];
  const [from, to] = [await presentedOf(one.order), await presentedOf(other.order)];
  // A status query would return the payment's own presentation.
  await sql(
    `update transactions t set sealed_present = f.sealed_present, due_at = now() + interval '1 hour'
       from transactions f where t.id = $1 and f.id = $2`,
    [to.id, from.id],
  );
  const { html } = await other.payer.visit(other.url);
  expect(html).toContain(masked);
  expect(html).not.toMatch(clear);
  // A key with a row that does not decrypt could not be replaced.
  await sql('update transactions set sealed_present = null, due_at = now() where id = $1', [to.id]);
});
