// What an adjustment posts for each kind of difference, and the reverse when what was adjusted appears later.
import { randomUUID } from 'node:crypto';
import { makeMerchant, makeMid } from '../support/created-merchants.ts';
import { visitorAs } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import { type Body, merchantClient, newOrderNumber } from '../support/merchant.ts';
import { cards } from '../support/payer.ts';
import { pay } from '../support/payment-flows.ts';
import { decide, differencesOf, entriesOf, matchedReport, reportBody, upload } from '../support/settlement-reports.ts';
import type { ShopServer } from '../support/shop-server.ts';
import { expect, test } from '../support/test.ts';

/** A merchant of its own, so that limits and mappings of other tests do not apply, and a user who decides. */
async function trader(florin: string, shopServer: ShopServer) {
  const user = await visitorAs(florin, 'manager');
  const own = await makeMerchant(user);
  const { id: mid } = await makeMid(user, own.id);
  return { user, mid: mid as string, shop: merchantClient(florin, own.credentials, shopServer) };
}

const closed = { state: 'closed' };

test('a line in another currency is moved from one currency to the other', async ({ florin, shopServer }) => {
  const { user, mid, shop } = await trader(florin, shopServer);
  const paid = await pay(shop);
  await upload(user, mid, [`${paid.order.number},,sale,90.00,1.00,89.00,USD`]);
  const [found] = await differencesOf(user, paid.order.number);
  expect(found).toMatchObject({ kind: 'currency_differs', adjustment: '90.00 USD and -84.50 EUR' });
  expect((await decide(user, 'adjust', found as Body)).body).toEqual(closed);
  expect(await entriesOf(paid.order.number)).toEqual([
    'fee fees < provider_receivable 100',
    'adjustment merchant_payable < provider_receivable 8450',
    'conversion provider_receivable < merchant_payable 9000',
  ]);
});

test('an unexpected fee is claimed back', async ({ florin, shopServer }) => {
  const { user, mid, shop } = await trader(florin, shopServer);
  const paid = await pay(shop, cards.settled, { order: { currency: 'CHF' } });
  const { body: mapping } = await user.get(`/settlement-mappings/${mid}`);
  const rule = { type: 'sale', currency: 'CHF', percent: '1.0', fixed: '0.10', tolerance: '0.01' };
  const settings = JSON.stringify({ ...JSON.parse(mapping.settings), fees: [rule] });
  expect((await user.post(`/settlement-mappings/${mid}`, { version: mapping.version, settings })).status).toBe(200);
  await upload(user, mid, [`${paid.order.number},,sale,84.50,2.00,82.50,CHF`]);
  const [found] = await differencesOf(user, paid.order.number);
  // One per cent and ten cents are 0.95.
  expect(found).toMatchObject({
    kind: 'fee_unexpected',
    reported: '2.00 CHF',
    expected: '0.95 CHF',
    adjustment: '1.05 CHF',
  });
  expect((await decide(user, 'adjust', found as Body)).body).toEqual(closed);
  expect(await entriesOf(paid.order.number)).toEqual([
    'fee fees < provider_receivable 200',
    'fee_return provider_receivable < fees 105',
  ]);
});

test('a line that was adjusted as missing and whose payment appears is adjusted back', async ({
  florin,
  shopServer,
}) => {
  const { user, mid, shop } = await trader(florin, shopServer);
  const number = newOrderNumber();
  await upload(user, mid, [`${number},,sale,84.50,1.27,83.23`]);
  const [missing] = await differencesOf(user, number);
  expect(missing).toMatchObject({ kind: 'missing_here', adjustment: '83.23 EUR' });
  expect((await decide(user, 'adjust', missing as Body)).body).toEqual(closed);
  const posted = ['adjustment provider_receivable < merchant_payable 8450', 'fee fees < provider_receivable 127'];
  expect(await entriesOf(number)).toEqual(posted);
  await pay(shop, cards.settled, { order: { number } });
  // Each import looks at what is missing again.
  await upload(user, mid, [`${randomUUID()},,fee,0.01`]);
  const before = async () => (await differencesOf(user, number)).find(({ kind }: Body) => kind === 'adjusted_before');
  await expect.poll(async () => (await before())?.adjustment).toBe('-83.23 EUR');
  expect((await decide(user, 'adjust', await before())).body).toEqual(closed);
  expect(await entriesOf(number)).toEqual([
    ...posted,
    // Of the line, which is matched now.
    'fee fees < provider_receivable 127',
    'adjustment merchant_payable < provider_receivable 8450',
    'fee_return provider_receivable < fees 127',
  ]);
});

test('a repeated fee is booked once it is adjusted, and a repeated payout is not when it is accepted', async ({
  florin,
  shopServer,
}) => {
  const { user, mid } = await trader(florin, shopServer);
  const [kept, paidOut] = [randomUUID(), randomUUID()];
  const lines = [`${kept},,fee,5.00`, `${paidOut},,payout,70.00,0.50`];
  await upload(user, mid, lines);
  await upload(user, mid, lines);
  const [repeated] = await differencesOf(user, kept);
  expect(repeated).toMatchObject({ kind: 'duplicate', reported: '5.00 EUR', adjustment: '-5.00 EUR' });
  expect((await decide(user, 'adjust', repeated as Body)).body).toEqual(closed);
  expect(await entriesOf(kept)).toEqual(['fee fees < provider_receivable 500', 'fee fees < provider_receivable 500']);
  const [again] = await differencesOf(user, paidOut);
  expect(again).toMatchObject({ kind: 'duplicate', adjustment: '-70.50 EUR' });
  expect((await decide(user, 'accept', again as Body)).body).toEqual(closed);
  expect(await entriesOf(paidOut)).toEqual([
    'fee fees < provider_receivable 50',
    'bank_payout bank < provider_receivable 7000',
  ]);
});

test('a decision that waits for a second user is open again when the total of its batch changes', async ({
  florin,
  shopServer,
}) => {
  const { user, mid } = await trader(florin, shopServer);
  const [batch, paidOut] = [randomUUID(), randomUUID()];
  await upload(user, mid, [`${paidOut},,payout,10.00,,,,,${batch}`]);
  const [found] = await differencesOf(user, paidOut);
  expect(found).toMatchObject({ kind: 'batch_total', adjustment: '10.00 EUR' });
  // As a proposal of another user.
  await sql(
    "update settlement_differences set state = 'proposed', resolution = 'adjusted', proposed_by = 'user:1', second = true where id = $1",
    [found?.id],
  );
  await upload(user, mid, [`${randomUUID()},,sale,4.00,,,,,${batch}`]);
  const [changed] = await differencesOf(user, paidOut);
  expect(changed).toMatchObject({ state: 'open', resolution: null, adjustment: '6.00 EUR' });
  expect((await decide(user, 'adjust', found as Body)).status).toBe(409);
  // It has needed a second user once.
  expect((await decide(user, 'adjust', changed as Body)).body).toEqual({ state: 'proposed' });
});

test('card numbers are in no name of a file, and the list of reports has no errors', async ({ florin, shopServer }) => {
  const { user, mid } = await trader(florin, shopServer);
  const body = reportBody(mid, ['x,,enigma,1.00']);
  const name = `VISA4111111111111111 ${randomUUID().slice(0, 8)}.csv`;
  const { body: refused } = await user.post('/reports', { ...body, name });
  expect(refused.report.name).toContain('411111******1111');
  expect(refused.kind).toBe('refused');
  const listed = (await user.get('/reports')).body.rows.find(({ id }: Body) => id === refused.report.id);
  expect([listed.name, 'errors' in listed]).toEqual([refused.report.name, false]);
  const logged = await sql("select after ->> 'name' as name from audit_entries where after ->> 'name' like $1", [
    `%${name.slice(-12)}`,
  ]);
  expect(logged).toEqual([{ name: refused.report.name }]);
  // What is read is matched by a job.
  const sent = await user.post('/reports', reportBody(mid, [`${randomUUID()},,sale,1.00`]));
  expect(sent.body).toMatchObject({ kind: 'imported', report: { state: expect.stringMatching(/^(read|matched)$/) } });
  expect((await matchedReport(user, sent.body.report.id)).results).toEqual({ booked: 1, missing_here: 1 });
});

test('a report whose process has ended is completed by a job', async ({ florin, shopServer }) => {
  const { user, mid } = await trader(florin, shopServer);
  const reference = randomUUID();
  const { report } = await upload(user, mid, [`${reference},,fee,5.00`, `${randomUUID()},,sale,1.00`]);
  // As a process leaves it that was killed while it matched the lines.
  await sql('update settlement_lines set result = null where report_id = $1 and reference = $2', [
    report.id,
    reference,
  ]);
  await sql("update settlement_reports set state = 'read', due_at = now() - interval '1 second' where id = $1", [
    report.id,
  ]);
  expect((await matchedReport(user, report.id)).results).toEqual({ booked: 2, missing_here: 1 });
  expect(await entriesOf(reference)).toEqual(['fee fees < provider_receivable 500']);
});
