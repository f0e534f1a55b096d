// The list of payments with thousands of matches: a filter returns the same payments in the same order and without
// gaps, whether they are among the newest, found by an index scan, or collected first.

import { createHash, randomUUID } from 'node:crypto';
import type { Visitor } from '../support/dashboard.ts';
import { isUnposted, sql } from '../support/database-rows.ts';
import { expect, test } from '../support/test.ts';
import { rowsOf } from '../support/text-table.ts';
import { createUser, merchantIds, reauthenticatedAs } from '../support/users.ts';

const payments = 4400;
const seconds = (number: number) => payments - Math.floor(number / 3);

/** A payment of the test by number: the highest is the newest, and three share each moment. */
const fixture = {
  id: (run: string, number: number) => {
    const digits = createHash('md5').update(`${run}${number}`).digest('hex');
    return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  },
  isDeclined: (number: number) => number < 2100,
  hasReason: (number: number) => number >= 2090 && number < 4200,
  hasChain: (number: number) => number >= 2200 && number < 4300,
  isBlik: (number: number) => number % 3 === 0,
  /** Paid after a declined attempt. */
  isRetried: (number: number) => number >= 2100 && number % 50 === 1,
  amount: (number: number) => 1000 + (number % 7) * 100,
};

// Also after a test that ran out of time: what is left would fail the ledger check.
const removals: (() => Promise<void>)[] = [];
test.afterEach(async () => {
  for (const remove of removals.splice(0)) await remove();
});

/** A merchant with thousands of payments, written by SQL because so many sales would take minutes. */
async function insertPayments(run: string): Promise<{ merchant: string; mid: string }> {
  const [merchant, key, mid] = [randomUUID(), randomUUID(), randomUUID()];
  await sql(`insert into merchants (id, name) values ($1, $2)`, [merchant, `Many ${run}`]);
  await sql(
    `insert into merchant_keys (id, merchant_id, environment, key, password) values ($1, $2, 'sandbox', $3, '\\x00')`,
    [key, merchant, run],
  );
  await sql(
    `insert into mids (id, merchant_id, name, connector, settings, methods) values ($1, $2, 'Many', 'http', '\\x00', '{card}')`,
    [mid, merchant],
  );
  await sql(
    `insert into payments (id, merchant_id, key_id, protocol, operation, state, request_digest, order_number, order_amount,
         currency, amount_minor, description, method, reason, recurring_token, created_at, updated_at)
     select md5($1::text || i)::uuid, $2::uuid, $3::uuid, 'checkout', 'purchase',
            (case when i < 2100 then 'declined' else 'settled' end)::"PaymentState", sha256(i::text::bytea),
            $1::text || '-' || i, '10.00', 'EUR', 1000 + i % 7 * 100, 'Many',
            case when i % 3 = 0 then 'blik' else 'card' end, case when i between 2090 and 4199 then 'Many reasons' end,
            case when i between 2200 and 4299 then $1::text end, at, at
       from (select i, timestamptz '2026-01-01 12:00:00Z' - interval '1 second' * ($4::int - i / 3) as at
               from generate_series(0, $4::int - 1) i) n`,
    [run, merchant, key, payments],
  );
  await sql(
    `insert into transactions (id, payment_id, kind, status, amount_minor, currency, mid_id, method, decline_class, created_at)
     select md5('t' || p.id)::uuid, p.id, 'sale', (case when p.state = 'declined' then 'fail' else 'success' end)::"TransactionStatus",
            1000, 'EUR', $2::uuid, p.method, case when p.state = 'declined' then 'funds' end, p.created_at
       from payments p where p.merchant_id = $1::uuid and ${isUnposted}`,
    [merchant, mid],
  );
  await sql(
    `insert into transactions (id, payment_id, kind, status, amount_minor, currency, mid_id, method, decline_class, created_at)
     select md5('d' || p.id)::uuid, p.id, 'sale', 'fail', 1000, 'EUR', $2::uuid, p.method, 'funds', p.created_at
       from generate_series(2101, $3::int, 50) i join payments p on p.id = md5($1::text || i)::uuid`,
    [run, mid, payments],
  );
  removals.push(async () => {
    await sql('delete from transactions where mid_id = $1::uuid', [mid]);
    await sql('delete from payments where merchant_id = $1::uuid', [merchant]);
    await sql('delete from mids where id = $1::uuid', [mid]);
    await sql('delete from merchant_keys where id = $1::uuid', [key]);
    await sql('delete from merchants where id = $1::uuid', [merchant]);
  });
  return { merchant, mid };
}

/** The payments of a query, page by page until there is no older one. */
async function pagesOf(user: Visitor, query: string): Promise<string[]> {
  const ids: string[] = [];
  let cursor = '';
  do {
    const { status, body } = await user.get(`/payments?${query}${cursor}`);
    expect(status, JSON.stringify(body)).toBe(200);
    ids.push(...body.rows.map(({ id }: { id: string }) => id));
    cursor = body.older === null ? '' : `&after=${body.older}`;
  } while (cursor !== '');
  return ids;
}

/** The rows of a query's export, which is read in much longer pages. */
async function exportOf({ cookie }: Visitor, query: string): Promise<string[]> {
  const florin = process.env.FLORIN_URL ?? '';
  const response = await fetch(`${florin}/dashboard/api/payments/export?${query}`, { headers: { cookie } });
  expect(response.status).toBe(200);
  const [, ...lines] = (await response.text()).trimEnd().split('\r\n');
  return lines.map((line) => line.split(',')[2] ?? '');
}

// The conditions behind the words of the table below.
const fits: Record<string, (number: number) => boolean> = {
  all: () => true,
  declined: fixture.isDeclined,
  reason: fixture.hasReason,
  chain: fixture.hasChain,
  none: (number) => !fixture.hasChain(number),
  'declined reason': (number) => fixture.isDeclined(number) && fixture.hasReason(number),
  'reason chain': (number) => fixture.hasReason(number) && fixture.hasChain(number),
  nothing: () => false,
  blik: fixture.isBlik,
  'blik chain': (number) => fixture.isBlik(number) && fixture.hasChain(number),
  'declined blik': (number) => fixture.isBlik(number) && fixture.isDeclined(number),
  'from 12.50': (number) => fixture.amount(number) >= 1250,
  'declined from 12.50': (number) => fixture.isDeclined(number) && fixture.amount(number) >= 1250,
  retried: fixture.isRetried,
  'retried blik': (number) => fixture.isBlik(number) && fixture.isRetried(number),
  'retried chain': (number) => fixture.hasChain(number) && fixture.isRetried(number),
  'declined or retried': (number) => fixture.isDeclined(number) || fixture.isRetried(number),
  'begins with 39': (number) => /^39/.test(String(number)),
};

type Besides = (manager: Visitor, query: string, wanted: string[]) => Promise<void>;

/** Compares the exports of every search strategy in one direction, and what `besides` compares. */
async function everyStrategy(florin: string, sort: 'newest' | 'oldest', besides: Besides): Promise<void> {
  const run = `many-${randomUUID()}`;
  const manager = (await createUser(florin, 'account_manager')).visitor;
  const { merchant, mid } = await insertPayments(run);
  const table = rowsOf(`
    q=${run}                                      | all
    q=${run}-39                                   | begins with 39
    class=funds&merchant=${merchant}              | declined
    class=funds,technical&merchant=${merchant}    | declined
    reason=many rea&merchant=${merchant}          | reason
    recurring=none&merchant=${merchant}           | none
    recurring=none,later&q=${run}                 | none
    recurring=first&q=${run}                      | chain
    class=funds&reason=many&merchant=${merchant}  | declined reason
    reason=many&recurring=first&q=${run}          | reason chain
    class=funds&recurring=first&q=${run}          | nothing
    class=funds&recurring=none&merchant=${merchant} | declined
    protocol=checkout&class=funds&q=${run}        | declined
    method=blik&q=${run}                          | blik
    method=blik&merchant=${merchant}              | blik
    method=blik&recurring=first&merchant=${merchant} | blik chain
    method=blik&state=decline&merchant=${merchant} | declined blik
    method=blik&class=funds&merchant=${merchant}  | declined blik
    state=settled&class=funds&merchant=${merchant} | retried
    state=settled&class=funds&q=${run}            | retried
    state=settled,refund&class=funds&mid=${mid}   | retried
    state=settled&class=funds&method=blik&merchant=${merchant} | retried blik
    state=settled&class=funds&recurring=first&q=${run} | retried chain
    state=refund,chargeback&class=funds&merchant=${merchant} | nothing
    state=settled,decline&class=funds&q=${run}    | declined or retried
    recurring=first&state=decline&merchant=${merchant} | nothing
    amount_from=12.5&merchant=${merchant}         | from 12.50
    amount_from=12.5&amount_to=16&currency=EUR,JPY&merchant=${merchant} | from 12.50
    amount_from=12.5&currency=EUR&class=funds&merchant=${merchant} | declined from 12.50
    mid=${mid}                                    | all
    mid=${mid}&state=decline                      | declined
    mid=${mid}&method=blik                        | blik
  `);
  const inOrder = Array.from({ length: payments }, (_, number) => number).sort((one, other) => {
    const later = seconds(one) - seconds(other);
    return later !== 0 ? later : fixture.id(run, one) < fixture.id(run, other) ? 1 : -1;
  });
  for (const [query = '', condition = ''] of table) {
    const wanted = inOrder.filter(fits[condition] ?? fits.all ?? Boolean).map((number) => fixture.id(run, number));
    const sorted = sort === 'newest' ? wanted : wanted.toReversed();
    expect(await exportOf(manager, `${query}&sort=${sort}`), `${query}, ${sort} first`).toEqual(sorted);
    await besides(manager, query, wanted);
  }
  if (sort === 'oldest') return;
  const declined = inOrder.filter(fixture.isDeclined).map((number) => fixture.id(run, number));
  expect(await pagesOf(manager, `class=funds&q=${run}`)).toEqual(declined);
}

test('thousands of matches are returned completely by every search strategy', async ({ florin }) => {
  await everyStrategy(florin, 'newest', async (manager, query, wanted) => {
    const { body: page } = await manager.get(`/payments?${query}`);
    expect(
      page.rows.map(({ id }: { id: string }) => id),
      query,
    ).toEqual(wanted.slice(0, 50));
    const { body } = await manager.get(`/payments/count?${query}`);
    expect(body, query).toEqual({ count: Math.min(wanted.length, 1000), more: wanted.length > 1000 });
  });
});

test('thousands of matches are returned completely from the oldest on', async ({ florin }) => {
  await everyStrategy(florin, 'oldest', async () => {});
});

test('thousands of payments in one currency are found by amount, with any other filter', async ({ florin }) => {
  const run = `amounts-${randomUUID()}`;
  const manager = (await createUser(florin, 'account_manager')).visitor;
  const { merchant, mid } = await insertPayments(run);
  const table = rowsOf(`
    merchant=${merchant}                              | all
    state=decline&merchant=${merchant}                | declined
    state=decline&protocol=checkout&q=${run}          | declined
    state=chargeback,redirect&merchant=${merchant}    | nothing
    state=settled&class=funds&merchant=${merchant}    | retried
    state=settled&class=funds&q=${run}                | retried
    state=refund&class=funds&q=${run}                 | nothing
    state=settled,decline&class=funds&q=${run}        | declined or retried
    class=funds&mid=${mid}                            | declined
    method=blik&state=decline&merchant=${merchant}    | declined blik
    reason=many&recurring=first&merchant=${merchant}  | reason chain
    amount_from=12.5&state=decline&mid=${mid}         | declined from 12.50
    state=settled,decline&q=${run}-39                 | begins with 39
  `);
  const inOrder = Array.from({ length: payments }, (_, number) => number).sort((one, other) => {
    const larger = fixture.amount(other) - fixture.amount(one);
    return larger !== 0 ? larger : fixture.id(run, one) < fixture.id(run, other) ? 1 : -1;
  });
  for (const [query = '', condition = ''] of table) {
    const wanted = inOrder.filter(fits[condition] ?? fits.all ?? Boolean).map((number) => fixture.id(run, number));
    expect(await exportOf(manager, `currency=EUR&sort=largest&${query}`), query).toEqual(wanted);
    const smallest = await exportOf(manager, `currency=EUR&sort=smallest&${query}`);
    expect(smallest, `${query}, smallest first`).toEqual(wanted.toReversed());
  }
  const rare = `currency=EUR&sort=largest&q=${run}-39`;
  const wanted = inOrder.filter(fits['begins with 39'] ?? Boolean).map((number) => fixture.id(run, number));
  expect(await pagesOf(manager, rare)).toEqual(wanted);
  await sql(`update payments set state = 'redirect' where id = any($1::uuid[])`, [wanted]);
  expect(await pagesOf(manager, `currency=EUR&sort=largest&state=redirect&merchant=${merchant}`)).toEqual(wanted);
});

test('an export that has begun is cut when its user is deactivated, has another role, or is signed out', async ({
  florin,
}) => {
  const run = `many-${randomUUID()}`;
  const { merchant } = await insertPayments(run);
  const address = `${florin}/dashboard/api/payments/export?merchant=${merchant}`;
  const manager = (await createUser(florin, 'account_manager')).visitor;
  const whole = await (await fetch(address, { headers: { cookie: manager.cookie } })).text();
  expect(whole.trimEnd().split('\n')).toHaveLength(payments + 1);
  // More than connections buffer.
  await sql('update payments set description = repeat(md5(id::text), 100) where merchant_id = $1::uuid', [merchant]);
  const administrator = await reauthenticatedAs(florin, 'administrator');
  for (const [path, body] of [
    ['disable', {}],
    ['role', { role: 'viewer', merchantId: merchantIds.plain }],
    ['sessions', {}],
  ] as const) {
    const { id, visitor } = await createUser(florin, 'account_manager');
    const reader = (await fetch(address, { headers: { cookie: visitor.cookie } })).body?.getReader();
    expect((await reader?.read())?.value?.length, path).toBeGreaterThan(0);
    expect((await administrator.post(`/people/${id}/${path}`, body)).status, path).toBe(200);
    const rest = async () => {
      while (!(await reader?.read())?.done);
      return 'complete';
    };
    expect(await rest().catch(() => 'cut'), path).toBe('cut');
  }
});
