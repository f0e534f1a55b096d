// Reconciliation over HTTP: the upload of a settlement report, its lines in the ledger, the decisions about differences with
// a second user above the limit, and the report that the sandbox provider offers.
import { randomUUID } from 'node:crypto';
import { makeMerchant, makeMid } from '../support/created-merchants.ts';
import { type Visitor, visitorAs } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import { type Body, merchantClient } from '../support/merchant.ts';
import { pay } from '../support/payment-flows.ts';
import { providerClient, settlementReport } from '../support/provider-client.ts';
import {
  decide,
  differencesOf,
  entriesOf,
  matchedReport,
  midOf,
  reportBody,
  reportHeader,
  today,
  upload,
  uploadBody,
} from '../support/settlement-reports.ts';
import { expect, test } from '../support/test.ts';
import { createUser, merchantIds } from '../support/users.ts';

const ownerOf = async (florin: string, merchantId: string) =>
  (await createUser(florin, 'merchant_owner', merchantId)).visitor;
const owner = (florin: string) => ownerOf(florin, merchantIds.plain);

test('a line confirms its payment, and its fee is in the ledger once', async ({ florin, shop }) => {
  const user = await owner(florin);
  const paid = await pay(shop);
  const mid = await midOf(paid);
  const body = reportBody(mid, [`${paid.order.number},,sale,84.50,1.27,83.23`]);
  const first = await user.post('/reports', body);
  expect([first.status, first.body]).toMatchObject([200, { kind: 'imported', report: { bad: 0, lines: 2 } }]);
  expect((await matchedReport(user, first.body.report.id)).results).toEqual({ matched: 1, booked: 1 });
  expect((await user.post('/reports', body)).body).toMatchObject({
    kind: 'known',
    report: { id: first.body.report.id },
  });
  expect(await entriesOf(paid.order.number)).toEqual(['fee fees < provider_receivable 127']);
  expect(await differencesOf(user, paid.order.number)).toEqual([]);
});

test('a file with bad lines is refused by number and field, and has no effect', async ({ florin, shop }) => {
  const user = await owner(florin);
  const paid = await pay(shop);
  const mid = await midOf(paid);
  const refused = await upload(user, mid, [`${paid.order.number},,sale,84.50`, 'x,,mystery,1,5']);
  expect(refused).toMatchObject({ kind: 'refused', report: { state: 'refused', bad: 1, lines: 0 } });
  expect(refused.report.errors.map(({ line, field }: Body) => [line, field])).toContainEqual([3, 'type']);
  expect(await entriesOf(paid.order.number)).toEqual([]);
  expect(await sql('select 1 from settlement_lines where reference = $1', [paid.order.number])).toEqual([]);
  // An account manager adds the word, and the file is read.
  const manager = await visitorAs(florin, 'manager');
  const { body: mapping } = await manager.get(`/settlement-mappings/${mid}`);
  const settings = JSON.parse(mapping.settings);
  const change = { version: mapping.version, settings: JSON.stringify({ ...settings, types: { sale: ['mystery'] } }) };
  expect((await manager.post(`/settlement-mappings/${mid}`, change)).status).toBe(200);
  expect((await manager.post(`/settlement-mappings/${mid}`, change)).status).toBe(409);
  expect(await upload(user, mid, ['no-such-order,,mystery,1.00'])).toMatchObject({ kind: 'imported' });
});

test('uploads need the right, a MID of the merchant and Base64', async ({ florin, shop }) => {
  const mid = await midOf(await pay(shop));
  const user = await owner(florin);
  const { visitor: outsider } = await createUser(florin, 'merchant_owner', merchantIds.other);
  const operator = await visitorAs(florin, 'operator');
  const body = reportBody(mid, ['x,,sale,1.00']);
  const statuses = [
    (await operator.post('/reports', body)).status,
    (await outsider.post('/reports', body)).status,
    (await user.post('/reports', { ...body, midId: randomUUID() })).status,
    (await user.post('/reports', { ...body, file: 'not base64!' })).status,
    (await user.post('/reports', { ...body, name: '' })).status,
  ];
  expect(statuses).toEqual([403, 400, 400, 400, 400]);
  expect((await operator.get('/reports')).status).toBe(200);
  expect((await (await visitorAs(florin, 'viewer')).get('/reports')).status).toBe(403);
});

test('a difference is explained, adjusted by an entry, or accepted without one', async ({ florin, shop }) => {
  const user = await owner(florin);
  const [adjusted, accepted] = [await pay(shop), await pay(shop)];
  const mid = await midOf(adjusted);
  await upload(user, mid, [`${adjusted.order.number},,sale,84.00`, `${accepted.order.number},,sale,85.00`]);
  const [less] = await differencesOf(user, adjusted.order.number);
  expect(less).toMatchObject({
    kind: 'amount_differs',
    reported: '84.00 EUR',
    expected: '84.50 EUR',
    adjustment: '-0.50 EUR',
  });
  const act = (name: string, row: Body) => decide(user, name, row);
  expect((await decide(user, 'explain', less, '')).status).toBe(400);
  expect((await act('explain', less)).body).toEqual({ state: 'open' });
  // A decision is about the amount that its user has seen.
  const note = { note: 'As agreed' };
  expect((await user.post(`/differences/${less?.id}/adjust`, note)).status).toBe(400);
  for (const seen of [{ deltaMinor: '-51' }, { currency: 'USD' }]) {
    const changed = await act('adjust', { ...less, ...seen });
    expect([changed.status, changed.body.error.message]).toEqual([409, expect.stringContaining('has changed')]);
  }
  expect((await act('adjust', less)).body).toEqual({ state: 'closed' });
  // A second decision finds it closed.
  expect((await act('adjust', less)).status).toBe(409);
  expect(await entriesOf(adjusted.order.number)).toEqual(['adjustment merchant_payable < provider_receivable 50']);
  const [more] = await differencesOf(user, accepted.order.number);
  expect((await act('accept', more)).body).toEqual({ state: 'closed' });
  expect(await entriesOf(accepted.order.number)).toEqual([]);
  const logged = await sql('select action, after from audit_entries where subject = $1 order by id', [
    `settlement_difference:${less?.id}`,
  ]);
  const refused = ['settlement_difference.adjust', 'settlement_difference.adjust.refused'];
  expect(logged.map(({ action }) => action)).toEqual([
    'settlement_difference.explain',
    ...refused,
    ...refused,
    'settlement_difference.adjust',
    ...refused,
  ]);
  expect(logged[5]?.after).toEqual({
    kind: 'amount_differs',
    mid,
    reason: 'As agreed with the provider',
    amount: '-0.50 EUR',
    resolution: 'adjusted',
  });
});

test('above the limit an account manager approves, and never the proposer or another owner', async ({
  florin,
  shopServer,
}) => {
  const manager = await visitorAs(florin, 'manager');
  const own = await makeMerchant(manager);
  const { id: mid } = await makeMid(manager, own.id);
  const limits = (all: object[]) => manager.post(`/settlement-limits/${own.id}`, { limits: all });
  expect((await limits([{ currency: 'EUR', amount: '0.40' }])).status).toBe(200);
  const [proposer, second] = [await ownerOf(florin, own.id), await ownerOf(florin, own.id)];
  const paid = await pay(merchantClient(florin, own.credentials, shopServer));
  await upload(proposer, mid, [`${paid.order.number},,sale,84.00`]);
  const [found] = await differencesOf(proposer, paid.order.number);
  const act = (user: Visitor, name: string) => decide(user, name, found as Body);
  expect((await act(proposer, 'adjust')).body).toEqual({ state: 'proposed' });
  expect(await entriesOf(paid.order.number)).toEqual([]);
  expect(await differencesOf(proposer, paid.order.number)).toMatchObject([{ mayApprove: false, mayReject: true }]);
  expect((await act(proposer, 'approve')).status).toBe(409);
  expect((await act(second, 'approve')).status).toBe(409);
  expect((await act(second, 'reject')).body).toEqual({ state: 'open' });
  expect((await act(second, 'adjust')).body).toEqual({ state: 'proposed' });
  // Without limits it still needs the second user whom it has needed once.
  expect((await act(proposer, 'reject')).body).toEqual({ state: 'open' });
  expect((await limits([])).status).toBe(200);
  expect((await act(second, 'adjust')).body).toEqual({ state: 'proposed' });
  expect((await limits([{ currency: 'EUR', amount: '0.40' }])).status).toBe(200);
  expect((await act(proposer, 'approve')).status).toBe(409);
  const approvals = await Promise.all([act(manager, 'approve'), act(manager, 'approve')]);
  expect(approvals.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await entriesOf(paid.order.number)).toEqual(['adjustment merchant_payable < provider_receivable 50']);
  const [approved] = await sql(
    `select d.limit_minor::text as stored, a.after from settlement_differences d join audit_entries a
           on a.subject = 'settlement_difference:' || d.id and a.action = 'settlement_difference.approve'
        where d.id = $1 order by a.id desc limit 1`,
    [found?.id],
  );
  expect(approved).toMatchObject({
    stored: '40',
    after: { amount: '-0.50 EUR', resolution: 'adjusted', limit: '0.40 EUR' },
  });
  const [changed] = await sql(
    `select before, after from audit_entries where action = 'settlement_limits.change' and subject = $1 order by id desc limit 1`,
    [`merchant:${own.id}`],
  );
  expect(changed).toEqual({ before: { limits: [] }, after: { limits: [{ currency: 'EUR', amount: '0.40' }] } });
});

test('the report of the sandbox provider reconciles with the ledger', async ({ florin, shop }) => {
  const user = await owner(florin);
  const paid = await pay(shop);
  await shop.refund(paid.id, '20.00');
  const refunds = () =>
    sql("select status::text from transactions where payment_id = $1 and kind = 'refund'", [paid.id]);
  await expect.poll(refunds).toEqual([{ status: 'success' }]);
  const operations = await sql(
    "select account, key from sim_operations where order_number = $1 and kind in ('payment', 'refund')",
    [paid.order.number],
  );
  const { http, type, text } = await settlementReport(florin, operations[0]?.account, today());
  expect([http, type]).toEqual([200, 'text/csv; charset=utf-8']);
  // Other tests use the account, too.
  const own = text.split('\n').filter((line) => operations.some(({ key }) => line.startsWith(key)));
  const report = reportBody(await midOf(paid), [], [reportHeader, ...own].join('\n'));
  expect(await uploadBody(user, report)).toMatchObject({ kind: 'imported', report: { results: { matched: 2 } } });
  expect(await entriesOf(own[0]?.split(',')[0] ?? '')).toEqual(['fee fees < provider_receivable 127']);
  expect(await differencesOf(user, paid.order.number)).toEqual([]);
});

test('the sandbox provider plants the faults that its report is asked for', async ({ florin, shopServer }) => {
  const gateway = providerClient(florin, shopServer);
  for (let sold = 0; sold < 6; sold += 1) await gateway.pay('astropay', { parameters: { sandbox: 'approve' } });
  const linesOf = async (...faults: string[]) => {
    const { http, text } = await gateway.settlements(today(), faults);
    expect(http).toBe(200);
    return text.split('\n').filter((line) => line !== '');
  };
  const whole = await linesOf();
  expect(whole[0]).toBe(reportHeader);
  // Six sales less 1.5 per cent each, and the payout of their batch.
  expect([whole.length, whole.at(-1)]).toEqual([8, `,,payout,499.38,,,EUR,${today()},${today()}-EUR,,`]);
  const differing = async (fault: string) => {
    const changed = await linesOf(fault);
    return [changed.filter((line) => !whole.includes(line)).length, changed.length - whole.length];
  };
  for (const fault of ['amount', 'currency', 'fee', 'type', 'batch'])
    expect([fault, await differing(fault)]).toEqual([fault, [1, 0]]);
  expect(await differing('missing')).toEqual([0, -1]);
  expect(await differing('duplicate')).toEqual([0, 1]);
  expect(await differing('unknown')).toEqual([1, 1]);
  expect((await linesOf('truncated')).at(-1)?.split(',').length).toBeLessThan(11);
  expect((await gateway.settlements('2020-13-01')).http).toBe(400);
  expect((await gateway.settlements('2999-01-01')).http).toBe(404);
});

test('the report of the sandbox provider has what moved money on its day', async ({ florin, shopServer, provider }) => {
  const gateway = providerClient(florin, shopServer);
  const sold: string[] = [];
  for (let count = 0; count < 4; count += 1) {
    const { reference, status } = await gateway.pay('astropay', { parameters: { sandbox: 'approve' } });
    expect(status).toBe('approved');
    sold.push(reference);
  }
  const [kept = '', voided = '', returned = '', won = ''] = sold;
  expect((await gateway.void(voided)).status).toBe('approved');
  expect((await gateway.follow('refund', kept, '10.00')).status).toBe('approved');
  // The portal shows the payment as declined.
  await provider.portal(returned, 'refund');
  const { id } = await provider.chargeback(won, '30.00');
  await provider.won(won, id);
  const { text } = await gateway.settlements(today());
  const lines = text
    .split('\n')
    .slice(1)
    .filter((line) => line !== '');
  expect(lines.map((line) => line.split(',').slice(2, 4).join(' ')).sort()).toEqual([
    ...['chargeback 30.00', 'chargeback_won 30.00', 'payout 155.19', 'refund 10.00', 'refund 84.50'],
    ...['sale 84.50', 'sale 84.50', 'sale 84.50'],
  ]);
  // No answer has the days of the reports.
  expect(Object.keys(await gateway.status(won))).not.toEqual(expect.arrayContaining(['won_on']));
});
