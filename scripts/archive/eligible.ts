// Which payments may be archived: those at rest for good. Every other payment stays, for the first reason of the table
// that applies.
import type pg from 'pg';

/** The least age of a payment in days: card schemes allow chargebacks for 18 months. */
export const leastDays = 550;

const finalStates = ['settled', 'declined', 'refund', 'reversal', 'void', 'chargeback'];
const exists = (from: string, condition: string) => `exists (select 1 from ${from} where ${condition})`;
const ofTransaction = 'transactions t where t.payment_id = p.id';

/** The reasons to stay, as conditions on a payment `p`; $1 is the date. */
const reasons: [reason: string, condition: string][] = [
  [
    'not in a final state',
    // A session that was never paid keeps its state when it expires.
    `not (p.state in (${finalStates.map((state) => `'${state}'`).join(', ')})
          or (p.state = 'prepare' and p.attempts = 0 and ${exists('sessions s', 's.payment_id = p.id and s.expires_at < $1')}))`,
  ],
  [
    'an operation in progress',
    `p.in_flight_id is not null or p.refunding_minor <> 0
     or ${exists('transactions t', `t.payment_id = p.id and (t.due_at is not null or t.status not in ('success', 'fail'))`)}
     or exists (select 1 from provider_notifications n where n.transaction_id in (select t.id from ${ofTransaction}))`,
  ],
  ['changed since the date', 'p.updated_at >= $1'],
  [
    'an unresolved item',
    exists('unresolved u', 'u.payment_id = p.id and (u.closed_at is null or u.due_at is not null)'),
  ],
  [
    'a dispute that was not won',
    // Providers report no lost dispute: an open one may still be won.
    exists(
      'transactions t',
      `t.payment_id = p.id and t.kind = 'chargeback'
         and t.facts #>> '{extended,chargeback_status}' is distinct from 'won'`,
    ),
  ],
  [
    'a callback or message to send',
    `${exists('callbacks c', 'c.payment_id = p.id and c.due_at is not null')}
     or ${exists('messages m', "m.payment_id = p.id and m.state = 'waiting'")}`,
  ],
  [
    'the first payment of a recurring chain',
    // A chain can be charged again at any time.
    `${exists('recurring_chains r', 'r.payment_id = p.id')}
     or p.id in (select u.payment_id from subscriptions u where u.payment_id is not null)`,
  ],
];

const reasonSql = `case ${reasons.map(([reason, condition]) => `when ${condition} then '${reason}'`).join('\n')} end`;

/** A payment with the reason why it stays; null for one that may be archived. */
export type Candidate = { id: string; createdAt: string; reason: string | null };

const columns = `p.id, to_char(p.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt", ${reasonSql} as reason`;

/** The next payments before the date, oldest first, after the last one read. */
export async function readCandidates(
  client: pg.ClientBase,
  before: Date,
  last: Candidate | undefined,
  size: number,
): Promise<Candidate[]> {
  const after = last ? 'and (p.created_at, p.id) > ($3::timestamptz, $4::uuid)' : '';
  const { rows } = await client.query<Candidate>(
    `select ${columns} from payments p where p.created_at < $1::timestamptz ${after}
      order by p.created_at, p.id limit $2`,
    [before, size, ...(last ? [last.createdAt, last.id] : [])],
  );
  return rows;
}

/** Those of the payments that may be archived, locked until the transaction ends; one that is locked already is left out. */
export async function lockEligible(client: pg.ClientBase, before: Date, ids: string[]): Promise<string[]> {
  const { rows: locked } = await client.query<{ id: string }>(
    'select id from payments where id = any($1::uuid[]) order by id for update skip locked',
    [ids],
  );
  const { rows } = await client.query<Candidate>(
    `select ${columns} from payments p where p.created_at < $1::timestamptz and p.id = any($2::uuid[])`,
    [before, locked.map(({ id }) => id)],
  );
  return rows.filter(({ reason }) => reason === null).map(({ id }) => id);
}
