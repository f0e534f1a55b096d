// The overview's figures, their merchants, and the items that need attention. Only these tests pay at the merchants
// `overview`, whose payments are all counted, and `attention`.
import { type Visitor, visitor, visitorAs } from '../support/dashboard.ts';
import { merchantId } from '../support/merchants.ts';
import { cards, startPayer } from '../support/payer.ts';
import { authorise, pay } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';
import { rowsOf } from '../support/text-table.ts';

// One after the other: each counts what it paid.
test.describe.configure({ mode: 'default' });

const own = merchantId(84);
const attentionMerchant = merchantId(85);

/** The user with one selected merchant. */
async function userOf(florin: string, name: 'manager' | 'operator', id: string): Promise<Visitor> {
  const { cookie } = await visitorAs(florin, name);
  return visitor(florin, `${cookie}; florin_merchant=${id}`);
}

/** The compared figures: the sums of a currency, and the counts. */
async function figures(user: Visitor, currency: string) {
  const { status, body } = await user.get('/overview?period=today');
  expect(status, JSON.stringify(body)).toBe(200);
  const volume = body.volumes.find((each: { currency: string }) => each.currency === currency);
  const declines = body.declines.reduce((sum: number, { now }: { now: number }) => sum + now, 0);
  const card = body.methods.find(({ method }: { method: string }) => method === 'card');
  return {
    settled: Number(volume?.settled.now ?? 0),
    refunded: Number(volume?.refunded.now ?? 0),
    payments: body.payments.now,
    attempts: body.attempts,
    declines,
    byCard: card?.payments ?? 0,
    written: body.callbacks.written,
  };
}

test('payments, refunds and declines are counted separately by currency', async ({ florin, as }) => {
  const manager = await userOf(florin, 'manager', own);
  const shop = as('overview');
  const [euro, dollar] = [await figures(manager, 'EUR'), await figures(manager, 'USD')];
  const paid = await pay(shop, cards.settled, { order: { amount: '100.00', currency: 'EUR' } });
  await pay(shop, cards.declined, { order: { amount: '50.00', currency: 'EUR' } });
  await pay(shop, cards.settled, { order: { amount: '7.25', currency: 'USD' } });
  await shop.refund(paid.id, '30.00');
  await shop.open({ order: { amount: '1.00', currency: 'EUR' } });
  await expect.poll(async () => (await figures(manager, 'EUR')).refunded - euro.refunded).toBeCloseTo(30);
  const after = await figures(manager, 'EUR');
  expect(after.settled - euro.settled).toBeCloseTo(100);
  expect([after.payments - euro.payments, after.attempts - euro.attempts, after.declines - euro.declines]).toEqual([
    4, 3, 1,
  ]);
  expect(after.byCard - euro.byCard).toBe(3);
  expect(after.written).toBeGreaterThan(euro.written);
  expect((await figures(manager, 'USD')).settled - dollar.settled).toBeCloseTo(7.25);
});

test('an operator sees only their own merchant, whichever the request names', async ({ florin, as }) => {
  const named = await userOf(florin, 'operator', attentionMerchant);
  await pay(as('attention'), cards.settled, { order: { amount: '3.33', currency: 'CHF' } });
  const currencies = async (user: Visitor) =>
    (await user.get('/overview')).body.volumes.map(({ currency }: { currency: string }) => currency);
  expect(await currencies(await userOf(florin, 'manager', attentionMerchant))).toContain('CHF');
  expect(await currencies(named)).not.toContain('CHF');
});

test('the figures are those of one merchant and one MID, whose attempts are also listed', async ({ florin, as }) => {
  const everyMerchant = await visitorAs(florin, 'manager');
  const shop = as('overview');
  await pay(shop, cards.settled, { order: { amount: '10.00', currency: 'EUR' } });
  await pay(shop, cards.declined, { order: { amount: '5.00', currency: 'EUR' } });
  const ofMerchant = `period=today&merchant=${own}`;
  const { body: all } = await everyMerchant.get(`/overview?${ofMerchant}`);
  expect(all.filters).toMatchObject({ merchant: own, mid: null });
  const mids: string[] = all.filters.mids.map(({ id }: { id: string }) => id);
  const rowsBy = async (by: string, more = '', user = everyMerchant) => {
    const { status, body } = await user.get(`/overview/breakdown?${ofMerchant}&currency=EUR&by=${by}${more}`);
    expect(status).toBe(200);
    return body.rows as { id: string; name: string; attempts: number; approved: number; volume: string }[];
  };
  const byMid = await rowsBy('mid');
  expect(mids).toEqual(expect.arrayContaining(byMid.map(({ id }) => id)));
  const attempts = byMid.reduce((sum, row) => sum + row.attempts, 0);
  expect(attempts).toBeGreaterThanOrEqual(2);
  const [mostUsed] = byMid;
  expect(mostUsed?.approved).toBeGreaterThan(0);
  expect(Number(mostUsed?.volume)).toBeGreaterThanOrEqual(10);
  expect(await rowsBy('merchant')).toMatchObject([{ id: own, attempts }]);
  expect((await rowsBy('brand')).map(({ name }) => name)).toContain('Visa');
  const { body: one } = await everyMerchant.get(`/overview?${ofMerchant}&mid=${mostUsed?.id}`);
  expect(one.attempts).toBe(mostUsed?.attempts);
  expect(one.payments.now).toBeGreaterThanOrEqual(2);
  const { body: none } = await everyMerchant.get(`/overview?${ofMerchant}&mid=${attentionMerchant}`);
  expect([none.attempts, none.payments.now, none.chargebacks.now]).toEqual([0, 0, 0]);
  // A user of another merchant gets nothing of this one, whatever the query names.
  const foreign = await visitorAs(florin, 'operator');
  expect(await rowsBy('mid', `&mid=${mostUsed?.id}`, foreign)).toEqual([]);
  expect((await foreign.get(`/overview?${ofMerchant}`)).body.filters).toMatchObject({ merchants: [] });
});

test('failed callbacks and authorised amounts need attention', async ({ florin, as, shopServer }) => {
  const manager = await userOf(florin, 'manager', attentionMerchant);
  const shop = as('attention');
  const { order, url } = await shop.open();
  shopServer.answer(
    order.number,
    { status: 503, body: 'closed' },
    { status: 503, body: 'closed' },
    { status: 503, body: 'closed' },
  );
  await startPayer(florin).pay(url, cards.settled);
  await authorise(shop);
  await expect.poll(async () => (await manager.get('/attention/counts')).body.callbacks).toBeGreaterThan(0);
  const { body } = await manager.get('/overview');
  const [item] = body.attention.filter(({ kind }: { kind: string }) => kind === 'callbacks');
  expect(`${item.strong}${item.rest}`).toMatch(/callbacks? to .+ (is|are) waiting\. The address answered 503\./);
  expect(item.href).toMatch(/^\/dashboard\/callbacks\?/);
  // An authorisation that is valid for seven more days does not need attention yet.
  expect(body.attention.map(({ kind }: { kind: string }) => kind)).not.toContain('holds');
});

// The query of the period | unit | buckets | whether the last bucket is still open
const periods = rowsOf(`
  period=today                  | hour | 24 | yes
  period=7                      | day  | 7  | yes
  period=30                     | day  | 30 | yes
  period=90                     | day  | 90 | yes
  from=2026-01-01&to=2026-01-31 | day  | 31 | no
  from=yesterday                | day  | 7  | yes
`);

test('the query selects the period', async ({ florin }) => {
  const operator = await visitorAs(florin, 'operator');
  const actual = [];
  for (const [query = ''] of periods) {
    const { body } = await operator.get(`/overview?${query}`);
    const { unit, buckets, running } = body.period;
    expect([body.approvals, body.approvalsBefore].map((rates) => rates.length)).toEqual([
      buckets.length,
      buckets.length,
    ]);
    actual.push([query, unit, String(buckets.length), running === null ? 'no' : 'yes']);
  }
  expect(actual).toEqual(periods);
});

// Each endpoint with each user's answer.
const policies = rowsOf(`
  address                | anonymous | viewer | operator | merchant | manager | administrator
  /overview              | 401       | 200    | 200      | 200      | 200     | 200
  /overview/breakdown    | 401       | 200    | 200      | 200      | 200     | 200
  /attention/counts      | 401       | 200    | 200      | 200      | 200     | 200
  /merchants-to-pick     | 401       | 403    | 403      | 200      | 200     | 200
`);

test('every endpoint checks the session', async ({ florin }) => {
  const [[, ...roles] = [], ...rows] = policies;
  const actual: string[][] = [];
  for (const [address = ''] of rows) {
    const line = [address];
    for (const role of roles) {
      const user = role === 'anonymous' ? visitor(florin) : await visitorAs(florin, role as 'manager');
      line.push(String((await user.get(address)).status));
    }
    actual.push(line);
  }
  expect(actual).toEqual(rows);
});

test('a merchant is found by a part of its name, and users find only their own', async ({ florin }) => {
  const names = async (name: 'manager' | 'merchant', q: string) =>
    (await (await visitorAs(florin, name)).get(`/merchants-to-pick?q=${encodeURIComponent(q)}`)).body.merchants.map(
      ({ id }: { id: string }) => id,
    );
  expect(await names('manager', 'OVERVIEW')).toEqual([own]);
  expect(await names('manager', '%')).toEqual([]);
  expect(await names('merchant', 'Overview')).toEqual([]);
  expect(await names('merchant', '')).toHaveLength(1);
});
