// The lists of sessions, callbacks and requests: each filter, alone and combined, returns the matching rows, newest
// first and page by page without gaps, with and without a suitable index.

import { createHash, randomUUID } from 'node:crypto';
import { type Visitor, visitor, visitorAs } from '../support/dashboard.ts';
import { isUnposted, sql } from '../support/database-rows.ts';
import { expect, test } from '../support/test.ts';
import { rowsOf } from '../support/text-table.ts';

const rows = 240;

const idOf = (run: string, kind: string, number: number) => {
  const digits = createHash('md5').update(`${kind}${run}${number}`).digest('hex');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};
const idSql = (kind: string) => `md5('${kind}' || $1::text || i)::uuid`;

/** The properties of the test's rows by number; the statements below repeat them in SQL. */
const is = {
  open: (i: number) => i % 6 === 0,
  trying: (i: number) => i % 6 === 1,
  paid: (i: number) => i % 6 === 2,
  expired: (i: number) => i % 6 === 3 || i % 6 === 5,
  cancelled: (i: number) => i % 6 === 4,
  ofFields: (i: number) => i % 4 === 0,
  waiting: (i: number) => i % 5 === 0,
  failed: (i: number) => i % 5 === 3,
  undelivered: (i: number) => i % 5 === 4,
  error: (i: number) => i % 5 === 2,
  success: (i: number) => i % 2 === 0,
  atOther: (i: number) => i % 3 === 0 && i % 5 !== 4,
  refused: (i: number) => i % 7 === 0,
  signature: (i: number) => i % 14 === 0,
  fault: (i: number) => i % 24 === 1 && i % 7 !== 0,
  byCard: (i: number) => i % 8 === 0,
};

const statements = [
  `insert into payments (id, merchant_id, key_id, protocol, operation, state, request_digest, order_number, order_amount,
       currency, amount_minor, description, in_flight_id, created_at, updated_at)
   select ${idSql('p')}, $2::uuid, $3::uuid, 'checkout', 'purchase',
          (array['prepare', 'redirect', 'settled', 'prepare', 'prepare', 'declined'])[i % 6 + 1]::"PaymentState",
          sha256(i::text::bytea), $1::text || '-' || i, '10.00', 'EUR', 1000, 'Lists',
          case when i % 6 = 1 then ${idSql('t')} end, at, at from numbers`,
  `insert into sessions (payment_id, methods, expires_at, cancelled_at, hosted_fields)
   select ${idSql('p')}, '{card}', now() + case when i % 6 in (0, 4) then 1 else -1 end * interval '1 day',
          case when i % 6 = 4 then at end, i % 4 = 0 from numbers`,
  `insert into transactions (id, payment_id, kind, status, amount_minor, currency, mid_id, method, due_at, created_at)
   select ${idSql('t')}, ${idSql('p')}, 'sale', (case when i % 6 = 1 then 'redirect' else 'success' end)::"TransactionStatus",
          1000, 'EUR', $4::uuid, 'card', case when i % 6 = 1 then now() + interval '1 year' end, at
     from numbers where i % 6 in (1, 2) and ${isUnposted}`,
  `insert into callbacks (id, payment_id, transaction_id, merchant_id, sequence, outcome, type, order_state, amount_minor,
       url, address, state, attempts, due_at, created_at)
   select ${idSql('c')}, ${idSql('p')}, ${idSql('t')}, $2::uuid, 1,
          (case when i % 2 = 0 then 'success' else 'fail' end)::"CallbackOutcome", 'sale', 'settled', 1000,
          case when i % 5 <> 4 then 'https://' || host || '/callbacks' end, case when i % 5 <> 4 then 'https://' || host end,
          (array['waiting', 'delivered', 'delivered', 'failed', 'undelivered'])[i % 5 + 1]::"CallbackState",
          case when i % 5 in (1, 2, 3) then 1 else 0 end, case when i % 5 = 0 then now() + interval '1 year' end, at
     from (select *, case when i % 3 = 0 then 'other' else 'one' end || '-' || $1::text || '.example' as host from numbers) n`,
  `insert into callback_attempts (id, callback_id, at, duration_ms, http_status, answer)
   select ${idSql('a')}, ${idSql('c')}, at, 5, case when i % 5 = 3 then 500 else 200 end,
          case when i % 5 = 2 then ' ERROR ' else 'OK' end from numbers where i % 5 in (1, 2, 3)`,
  `insert into api_requests (id, at, merchant_id, protocol, action, path, http_status, error_code, order_number,
       payment_id, duration_ms, address, request, response, refused_at)
   select ${idSql('r')}, at, $2::uuid, (case when i % 8 = 0 then 's2s_card' else 'checkout' end)::"Protocol",
          case when i % 8 = 0 then 'SALE' else '/api/v1/session' end, '/', case when i % 7 = 0 then 400 when i % 24 = 1 then 500 else 200 end,
          case when i % 14 = 0 then 100000 when i % 7 = 0 then 101000 end, $1::text || '-' || i,
          case when i % 7 <> 0 then ${idSql('p')} end, 3, '127.0.0.1', '', '',
          case when i % 14 = 0 then 'signature' when i % 7 = 0 then 'fields' when i % 24 = 1 then 'run' end from numbers`,
];

/** A merchant's rows, written by SQL: three rows share each moment. */
async function insertRows(run: string): Promise<{ merchant: string; remove: () => Promise<void> }> {
  const [merchant, key, mid] = [randomUUID(), randomUUID(), randomUUID()];
  await sql('insert into merchants (id, name) values ($1, $2)', [merchant, `Lists ${run}`]);
  await sql(
    `insert into merchant_keys (id, merchant_id, environment, key, password) values ($1, $2, 'sandbox', $3, '\\x00')`,
    [key, merchant, run],
  );
  await sql(
    `insert into mids (id, merchant_id, name, connector, settings, methods) values ($1, $2, 'Lists', 'http', '\\x00', '{card}')`,
    [mid, merchant],
  );
  // Every statement gets all four values; the first line declares their types.
  for (const statement of statements) {
    await sql(
      `with given as (select $1::text as run, $2::uuid as merchant, $3::uuid as key, $4::uuid as mid),
            numbers as (select i, now() - interval '1 second' * (${rows} - i / 3) as at from generate_series(0, ${rows - 1}) i)
       ${statement}`,
      [run, merchant, key, mid],
    );
  }
  const remove = async () => {
    const own = 'payment_id in (select id from payments where merchant_id = $1::uuid)';
    await sql(`delete from callback_attempts where callback_id in (select id from callbacks where ${own})`, [merchant]);
    for (const table of ['callbacks', 'transactions', 'sessions'])
      await sql(`delete from ${table} where ${own}`, [merchant]);
    for (const table of ['api_requests', 'payments', 'mids', 'merchant_keys']) {
      await sql(`delete from ${table} where merchant_id = $1::uuid`, [merchant]);
    }
    await sql('delete from merchants where id = $1::uuid', [merchant]);
  };
  return { merchant, remove };
}

/** The rows of a query, page by page until there is no older one. */
async function pagesOf(user: Visitor, list: string, query: string): Promise<string[]> {
  const ids: string[] = [];
  let cursor = '';
  do {
    const { status, body } = await user.get(`/${list}?${query}${cursor}`);
    expect(status, JSON.stringify(body)).toBe(200);
    ids.push(...body.rows.map(({ id }: { id: string }) => id));
    cursor = body.older === null ? '' : `&after=${body.older}`;
  } while (cursor !== '');
  return ids;
}

const kinds: Record<string, string> = { sessions: 'p', callbacks: 'c', requests: 'r' };

test('every filter of sessions, callbacks and requests returns the matching rows', async ({ florin }) => {
  const run = `lists-${randomUUID()}`;
  const { merchant, remove } = await insertRows(run);
  const { cookie } = await visitorAs(florin, 'manager');
  const manager = visitor(florin, `${cookie}; florin_merchant=${merchant}`);
  const table = rowsOf(`
    sessions  |                                      | all
    sessions  | state=open                           | open
    sessions  | state=trying                         | trying
    sessions  | state=open,trying                    | open or trying
    sessions  | state=paid                           | paid
    sessions  | state=expired                        | expired
    sessions  | state=cancelled                      | cancelled
    sessions  | state=cancelled,open                 | open or cancelled
    sessions  | state=expired,trying                 | expired or trying
    sessions  | state=open&for=fields                | open ofFields
    sessions  | for=fields                           | ofFields
    sessions  | for=page&state=paid                  | paid not ofFields
    sessions  | q=${run}&state=trying                | trying
    callbacks |                                      | all
    callbacks | state=waiting                        | waiting
    callbacks | state=failed                         | failed
    callbacks | state=waiting,failed                 | waiting or failed
    callbacks | state=undelivered                    | undelivered
    callbacks | outcome=success                      | success
    callbacks | outcome=success&state=failed         | success failed
    callbacks | outcome=undefined                    | nothing
    callbacks | answer=error                         | error
    callbacks | answer=error&outcome=fail            | error not success
    callbacks | host=other-${run}.example            | atOther
    callbacks | host=https://other-${run}.example&answer=error | atOther error
    callbacks | host=absent.example                  | nothing
    callbacks | q=${run}&state=waiting               | waiting
    requests  |                                      | all
    requests  | outcome=carried                      | not refused not fault
    requests  | outcome=refused                      | refused or fault
    requests  | outcome=signature                    | signature
    requests  | outcome=failed                       | fault
    requests  | code=101000                          | refused not signature
    requests  | code=999999                          | nothing
    requests  | protocol=s2s_card                    | byCard
    requests  | protocol=s2s_card&outcome=signature  | byCard signature
    requests  | action=SALE                          | byCard
    requests  | action=REFUND                        | nothing
    requests  | q=${run}                             | all
    requests  | q=${run}&action=SALE                 | byCard
    requests  | sort=oldest                          | all
    requests  | sort=oldest&outcome=signature        | signature
    requests  | sort=oldest&q=${run}&action=SALE     | byCard
  `);
  try {
    for (const [list = '', query = '', condition = ''] of table) {
      const wanted = Array.from({ length: rows }, (_, number) => ({ number, id: idOf(run, kinds[list] ?? '', number) }))
        .filter(({ number }) => fits(condition, number))
        .sort((one, other) => {
          const later = Math.floor(other.number / 3) - Math.floor(one.number / 3);
          return later !== 0 ? later : one.id < other.id ? 1 : -1;
        })
        .map(({ id }) => id);
      if (query.startsWith('sort=oldest')) wanted.reverse();
      expect(await pagesOf(manager, list, query), `${list}?${query}`).toEqual(wanted);
    }
    const [request] = await sql('select id from api_requests where merchant_id = $1::uuid and payment_id = $2::uuid', [
      merchant,
      idOf(run, 'p', 5),
    ]);
    expect(await pagesOf(manager, 'requests', `q=${idOf(run, 'p', 5)}`)).toEqual([request?.id]);
    expect(await pagesOf(manager, 'requests', `q=${request?.id}`)).toEqual([request?.id]);
  } finally {
    await remove();
  }
});

/** Whether a row matches a condition: all of `open ofFields`, with `not` before a word; either side of `or`. */
function fits(condition: string, number: number): boolean {
  if (condition === 'all') return true;
  if (condition === 'nothing') return false;
  return condition.split(' or ').some((side) => {
    const named = [...side.matchAll(/(not )?(\w+)/g)];
    return named.every(([, not, word]) => (is[word as keyof typeof is]?.(number) ?? false) !== Boolean(not));
  });
}
