// The lists of sessions and callbacks with thousands of matches: they return the rows of a plain statement, in the same
// order and without gaps, page by page in both directions, for recent rows and for rows of a past season.

import { randomUUID } from 'node:crypto';
import { type Visitor, visitor, visitorAs } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import { expect, test } from '../support/test.ts';
import { rowsOf } from '../support/text-table.ts';

const payments = 5400;
/** Rows of the season have lower numbers; as many rows are newer. */
const season = payments / 2;

const statements = [
  // Three rows share each moment. One in ten was changed long after its creation, some of them after all other rows.
  `insert into payments (id, merchant_id, key_id, protocol, operation, state, request_digest, order_number, order_amount,
       currency, amount_minor, description, created_at, updated_at)
   select id, $2::uuid, $3::uuid, 'checkout', 'purchase', (case when i % 5 = 0 then 'declined' else 'settled' end)::"PaymentState",
          sha256(i::text::bytea), $1::text || case when i < ${season} then '-old-' else '-new-' end || i, '10.00', 'EUR', 1000,
          'Many', at, case when i % 10 = 0 then late else at + interval '2 seconds' end from numbers`,
  `insert into sessions (payment_id, methods, expires_at, hosted_fields)
   select id, case when i % 3 = 0 then '{card,blik}' else '{card}' end::text[], at + interval '1 hour', i % 700 = 5
     from numbers where i % 13 <> 0`,
  `insert into callbacks (id, payment_id, transaction_id, merchant_id, sequence, outcome, type, order_state, amount_minor,
       url, address, state, attempts, created_at)
   select md5('first' || id)::uuid, id, id, $2::uuid, 1,
          (case when i % 90 = 7 then 'waiting' when i % 2 = 0 then 'success' else 'fail' end)::"CallbackOutcome", 'sale',
          'settled', 1000, 'https://many.example/callbacks', 'https://many.example',
          (case when i % 90 = 1 then 'waiting' else 'delivered' end)::"CallbackState", 1, at + interval '1 second'
     from numbers where i % 11 <> 0`,
  `insert into callbacks (id, payment_id, transaction_id, merchant_id, sequence, outcome, type, order_state, amount_minor,
       url, address, state, attempts, created_at)
   select md5('second' || id)::uuid, id, id, $2::uuid, 2, 'success', 'refund', 'settled', 1000,
          'https://many.example/callbacks', 'https://many.example', 'delivered', 1, late
     from numbers where i % 10 = 0`,
];

/** A merchant's rows, written by SQL because so many sales would take minutes. */
async function insertRows(run: string): Promise<{ merchant: string; remove: () => Promise<void> }> {
  const [merchant, key] = [randomUUID(), randomUUID()];
  await sql('insert into merchants (id, name) values ($1, $2)', [merchant, `Many ${run}`]);
  await sql(
    `insert into merchant_keys (id, merchant_id, environment, key, password) values ($1, $2, 'sandbox', $3, '\\x00')`,
    [key, merchant, run],
  );
  // Every statement gets all three values; the first line declares their types.
  for (const statement of statements) {
    await sql(
      `with given as (select $1::text as run, $2::uuid as merchant, $3::uuid as key),
            moments as (select i, timestamptz '2026-02-01 12:00:00Z' - interval '1 second' * (${payments} - i / 3) as at
                          from generate_series(0, ${payments - 1}) i),
            numbers as (select *, md5($1::text || i)::uuid as id, at + interval '400 seconds' * (1 + i % 7) as late from moments)
       ${statement}`,
      [run, merchant, key],
    );
  }
  const remove = async () => {
    const own = 'payment_id in (select id from payments where merchant_id = $1::uuid)';
    for (const table of ['callbacks', 'sessions']) await sql(`delete from ${table} where ${own}`, [merchant]);
    for (const table of ['payments', 'merchant_keys']) {
      await sql(`delete from ${table} where merchant_id = $1::uuid`, [merchant]);
    }
    await sql('delete from merchants where id = $1::uuid', [merchant]);
  };
  return { merchant, remove };
}

/** The rows that a plain statement finds. */
async function plainly(list: string, merchant: string, prefix: string, condition: string): Promise<string[]> {
  const [id, at, from] =
    list === 'sessions'
      ? ['p.id', 'p.created_at', 'sessions s join payments p on p.id = s.payment_id']
      : ['c.id', 'c.created_at', 'callbacks c join payments p on p.id = c.payment_id'];
  const expected = await sql(
    `select ${id} as id from ${from} where p.merchant_id = $1::uuid and starts_with(p.order_number, $2) and ${condition}
      order by ${at} desc, ${id} desc`,
    [merchant, prefix],
  );
  return expected.map((row) => String(row.id));
}

type Page = { rows: { id: string }[]; older: string | null; newer: string | null };

/** The rows of a list, page by page to its end and back to its beginning. */
async function bothWays(user: Visitor, list: string, query: string): Promise<{ down: string[]; up: string[] }> {
  const read = async (cursor: string): Promise<Page> => {
    const { status, body } = await user.get(`/${list}?${query}${cursor}`);
    expect(status, JSON.stringify(body)).toBe(200);
    return body;
  };
  const idsOf = ({ rows }: Page) => rows.map(({ id }) => id);
  let page = await read('');
  const down = idsOf(page);
  while (page.older !== null) {
    page = await read(`&after=${page.older}`);
    down.push(...idsOf(page));
  }
  const up = idsOf(page);
  while (page.newer !== null) {
    page = await read(`&before=${page.newer}`);
    up.unshift(...idsOf(page));
  }
  return { down, up };
}

test('sessions and callbacks of a season are found as by a plain statement', async ({ florin }) => {
  const run = `season-${randomUUID()}`;
  const { merchant, remove } = await insertRows(run);
  const manager = await visitorAs(florin, 'manager');
  const ofMerchant = visitor(florin, `${manager.cookie}; florin_merchant=${merchant}`);
  const table = rowsOf(`
    all | sessions  | old |                         | true
    own | sessions  | new | &method=blik            | 'blik' = any(s.methods)
    all | sessions  | old | &for=fields             | s.hosted_fields
    own | sessions  | old | &for=fields             | s.hosted_fields
    own | sessions  | old | &method=blik&state=expired | 'blik' = any(s.methods) and p.state = 'declined'
    all | sessions  | old | &from=2026-02-02        | false
    all | sessions  |     | &method=blik&state=expired | 'blik' = any(s.methods) and p.state = 'declined'
    all | callbacks | old |                         | true
    own | callbacks | old | &outcome=success        | c.outcome = 'success'
    own | callbacks | old | &outcome=waiting        | c.outcome = 'waiting'
    all | callbacks | old | &outcome=waiting        | c.outcome = 'waiting'
    all | callbacks | old | &outcome=undefined      | false
    all | callbacks | old | &state=waiting          | c.state = 'waiting'
    own | callbacks | new | &host=many.example&state=waiting,delivered&outcome=fail | c.outcome = 'fail'
    own | callbacks | old | &from=2026-02-01&to=2026-02-01&outcome=waiting,success | c.outcome <> 'fail'
  `);
  try {
    for (const [whose, list = '', part = '', query = '', condition = ''] of table) {
      const prefix = part === '' ? run : `${run}-${part}`;
      const wanted = await plainly(list, merchant, prefix, condition);
      const { down, up } = await bothWays(whose === 'own' ? ofMerchant : manager, list, `q=${prefix}${query}`);
      expect(down, `${list}, ${prefix}${query}, ${whose}`).toEqual(wanted);
      expect(up, `${list}, ${prefix}${query}, ${whose}, back`).toEqual(wanted);
    }
  } finally {
    await remove();
  }
});
