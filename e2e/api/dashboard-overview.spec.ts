// The overview's figures, whose they are, and what it says should be acted on. The merchants
// `overview`, whose every payment is counted, and `attention` are paid here only.
import { type Visitor, visitor, visitorAs } from '../support/dashboard';
import { hold, pay } from '../support/flows';
import { merchantId } from '../support/merchants';
import { cards, startPayer } from '../support/payer';
import { rowsOf } from '../support/table';
import { expect, test } from '../support/test';

const own = merchantId(84);
const attended = merchantId(85);

/** The person while they look at one merchant. */
async function lookingAt(florin: string, who: 'manager' | 'operator', id: string): Promise<Visitor> {
  const { cookie } = await visitorAs(florin, who);
  return visitor(florin, `${cookie}; florin_merchant=${id}`);
}

/** What the test compares: the sums of a currency, and the counts. */
async function figures(who: Visitor, currency: string) {
  const { status, body } = await who.get('/overview?period=today');
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

test('payments, refunds and declines are counted, each currency by itself', async ({ florin, as }) => {
  const manager = await lookingAt(florin, 'manager', own);
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

test('an operator sees their own merchant only, whichever they name', async ({ florin, as }) => {
  const named = await lookingAt(florin, 'operator', attended);
  await pay(as('attention'), cards.settled, { order: { amount: '3.33', currency: 'CHF' } });
  const currencies = async (who: Visitor) =>
    (await who.get('/overview')).body.volumes.map(({ currency }: { currency: string }) => currency);
  expect(await currencies(await lookingAt(florin, 'manager', attended))).toContain('CHF');
  expect(await currencies(named)).not.toContain('CHF');
});

test('a callback that does not arrive and money that is held call for action', async ({ florin, as, catcher }) => {
  const manager = await lookingAt(florin, 'manager', attended);
  const shop = as('attention');
  const { order, url } = await shop.open();
  catcher.answer(
    order.number,
    { status: 503, body: 'closed' },
    { status: 503, body: 'closed' },
    { status: 503, body: 'closed' },
  );
  await startPayer(florin).pay(url, cards.settled);
  await hold(shop);
  await expect.poll(async () => (await manager.get('/attention/counts')).body.callbacks).toBeGreaterThan(0);
  const { body } = await manager.get('/overview');
  const [item] = body.attention.filter(({ kind }: { kind: string }) => kind === 'callbacks');
  expect(`${item.strong}${item.rest}`).toMatch(/callbacks? to .+ (is|are) waiting\. The address answered 503\./);
  expect(item.href).toMatch(/^\/dashboard\/callbacks\?/);
  // A hold of seven days is nothing to act on yet.
  expect(body.attention.map(({ kind }: { kind: string }) => kind)).not.toContain('holds');
});

// The address of the period | unit | buckets | whether one still runs
const periods = rowsOf(`
  period=today                  | hour | 24 | yes
  period=7                      | day  | 7  | yes
  period=30                     | day  | 30 | yes
  period=90                     | day  | 90 | yes
  from=2026-01-01&to=2026-01-31 | day  | 31 | no
  from=yesterday                | day  | 7  | yes
`);

test('the period is chosen by the address', async ({ florin }) => {
  const operator = await visitorAs(florin, 'operator');
  const found = [];
  for (const [query = ''] of periods) {
    const { body } = await operator.get(`/overview?${query}`);
    const { unit, buckets, running } = body.period;
    expect([body.approvals, body.approvalsBefore].map((rates) => rates.length)).toEqual([
      buckets.length,
      buckets.length,
    ]);
    found.push([query, unit, String(buckets.length), running === null ? 'no' : 'yes']);
  }
  expect(found).toEqual(periods);
});

// Each address with what each person is answered.
const policies = rowsOf(`
  address                | stranger | viewer | operator | merchant | manager | administrator
  /overview              | 401      | 200    | 200      | 200      | 200     | 200
  /attention/counts      | 401      | 200    | 200      | 200      | 200     | 200
  /merchants-to-pick     | 401      | 403    | 403      | 200      | 200     | 200
`);

test('every address asks who it is', async ({ florin }) => {
  const [[, ...roles] = [], ...rows] = policies;
  const found: string[][] = [];
  for (const [address = ''] of rows) {
    const line = [address];
    for (const role of roles) {
      const who = role === 'stranger' ? visitor(florin) : await visitorAs(florin, role as 'manager');
      line.push(String((await who.get(address)).status));
    }
    found.push(line);
  }
  expect(found).toEqual(rows);
});

test('a merchant is picked by a part of the name, and nobody finds another than their own', async ({ florin }) => {
  const names = async (who: 'manager' | 'merchant', q: string) =>
    (await (await visitorAs(florin, who)).get(`/merchants-to-pick?q=${encodeURIComponent(q)}`)).body.merchants.map(
      ({ id }: { id: string }) => id,
    );
  expect(await names('manager', 'OVERVIEW')).toEqual([own]);
  expect(await names('manager', '%')).toEqual([]);
  expect(await names('merchant', 'Overview')).toEqual([]);
  expect(await names('merchant', '')).toHaveLength(1);
});
