/** Sessions as lists and pages tell of them: the link that a server has opened, and what became of it. */
import type { State } from '../core/states';
import { query } from '../db';
import { isUuid } from './ids';
import { type PageAsked, type Paged, pageOf, startSql } from './keyed';
import type { Payment, Session } from './payment';
import { paymentColumns, sessionColumns, toPayment, toSession } from './rows';
import { narrow } from './search';

/**
 * `open`: may still be paid. `trying`: the payer is at it, or the provider. `paid`: money was held or has moved.
 * `expired`: nobody paid in time. `cancelled`: the payer went back to the shop.
 */
export const sessionStates = ['open', 'trying', 'paid', 'expired', 'cancelled'] as const;
export type SessionState = (typeof sessionStates)[number];

export type SessionFilter = {
  merchantId: string | null;
  search: string;
  /** Empty means any. */
  states: SessionState[];
  /** A method that the session offers; null for any. */
  method: string | null;
  /** Opened for hosted fields rather than for the page; null for either. */
  hostedFields: boolean | null;
  from: Date | null;
  until: Date | null;
};

export type ListedSession = { payment: Payment; session: Session; merchantName: string; state: SessionState };

type Row = { [column: string]: unknown };

const unpaid: State[] = ['prepare', 'declined', 'threeds', 'redirect'];

/** What makes a session's state, the first that holds: of the list's filter and of a single row alike. */
const steps = (now: string): [state: SessionState, condition: string][] => [
  ['paid', `p.state not in ('prepare', 'declined', 'threeds', 'redirect')`],
  ['cancelled', 's.cancelled_at is not null'],
  ['trying', 'p.in_flight_id is not null'],
  ['expired', `s.expires_at <= ${now}::timestamptz`],
  ['open', 'true'],
];

// $now stands for the parameter of the time.
const stateSql = (now: string) =>
  `case ${steps(now)
    .map(([state, condition]) => `when ${condition} then '${state}'`)
    .join(' ')} end`;

/** The same as a condition, of whose parts the planner knows how many sessions fit: of an expression it knows nothing. */
function isSql(wanted: SessionState, now: string): string {
  const at = steps(now).findIndex(([state]) => state === wanted);
  const parts = steps(now).slice(0, at + 1);
  return `(${parts.map(([state, condition]) => (state === wanted ? condition : `not (${condition})`)).join(' and ')})`;
}

/** Where the few sessions of a state are found at once; null for a state that most sessions come to. */
function sourceSql(state: SessionState, now: string): string | null {
  if (state === 'open') return `select payment_id from sessions where expires_at > ${now}::timestamptz`;
  if (state === 'cancelled') return 'select payment_id from sessions where cancelled_at is not null';
  // Whatever is in flight is due.
  if (state === 'trying') {
    return `select payment_id from transactions where due_at is not null and status not in ('success', 'fail')`;
  }
  return null;
}

const from = `payments p join sessions s on s.payment_id = p.id join merchants m on m.id = p.merchant_id
  left join cards k on k.id = p.card_id`;

const columns = (now: string) =>
  `${paymentColumns}, ${sessionColumns}, m.name as merchant_name, ${stateSql(now)} as session_state`;

/** A page of the sessions, newest first. */
export async function listSessions(filter: SessionFilter, page: PageAsked, now: Date): Promise<Paged<ListedSession>> {
  const builder = startSql();
  const { add, where } = builder;
  const at = add(now);
  if (filter.merchantId !== null) where(`p.merchant_id = ${add(filter.merchantId)}::uuid`);
  if (filter.states.length > 0) {
    where(`(${filter.states.map((state) => isSql(state, at)).join(' or ')})`);
    // What follows from it, in words that the indexes know, so that few are not looked for among all.
    if (!filter.states.includes('paid')) where(`p.state = any(${add(unpaid)}::"PaymentState"[])`);
    const sources = filter.states.map((state) => sourceSql(state, at));
    if (!sources.includes(null)) where(`p.id in (${sources.join(' union all ')})`);
  }
  if (filter.method !== null) where(`${add(filter.method)}::text = any(s.methods)`);
  if (filter.hostedFields !== null) where(`s.hosted_fields = ${add(filter.hostedFields)}::bool`);
  if (filter.from) where(`p.created_at >= ${add(filter.from)}::timestamptz`);
  if (filter.until) where(`p.created_at < ${add(filter.until)}::timestamptz`);
  if (!(await narrow(builder, filter))) return { rows: [], more: false };
  const list = { columns: columns(at), from, at: 'p.created_at', id: 'p.id' };
  const { rows, more } = await pageOf<Row>(list, builder, page);
  return { rows: rows.map(toListed), more };
}

/** One session by its payment's id; with `merchantId` only that merchant's. */
export async function findListedSession(
  paymentId: string,
  merchantId: string | null,
  now: Date,
): Promise<ListedSession | null> {
  if (!isUuid(paymentId)) return null;
  const [row] = await query<Row>(
    'session-listed',
    `select ${columns('$3')} from ${from} where p.id = $1 and ($2::uuid is null or p.merchant_id = $2::uuid)`,
    [paymentId, merchantId, now],
  );
  return row ? toListed(row) : null;
}

function toListed(row: Row): ListedSession {
  return {
    payment: toPayment(row),
    session: toSession(row),
    merchantName: row.merchant_name as string,
    state: row.session_state as SessionState,
  };
}
