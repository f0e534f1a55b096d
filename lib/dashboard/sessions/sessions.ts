/** The list of sessions, the links that servers requested, and the page of one with its attempts. */
import { isAttempt, isNotFinal, type Payment, type Session, type Transaction } from '../../core/payment.ts';
import { pick } from '../../core/pick.ts';
import type { State } from '../../core/states.ts';
import {
  type AddParameter,
  fetchPage,
  keysetOrder,
  newSqlBuilder,
  type Paged,
  type PageRequest,
  queryLarge,
  whereAll,
} from '../../db/index.ts';
import { findMid } from '../../merchants/index.ts';
import { findMethod, methods } from '../../methods/catalog.ts';
import {
  historyMax,
  latestTransactionsOf,
  type PaymentRow,
  paymentColumns,
  type SessionRow,
  sessionColumns,
  toPayment,
  toSession,
} from '../../payments/index.ts';
import type { PageContext } from '../guard.ts';
import { kindNames, methodLabel } from '../labels.ts';
import { amount, created, merchant, order, payer } from '../lists/columns.ts';
import { choice, choices, days, namedOptions, optionsOf } from '../lists/filters.ts';
import { findListed, type ListFilter, resource } from '../lists/resource.ts';
import { factGroups, maskToken, payerName, paymentLine } from '../lists/rows.ts';
import { samples } from '../lists/samples.ts';
import { applySearch, type CommonCondition, findHits, scanLimit } from '../payments/search.ts';

/**
 * `open`: can be paid. `trying`: an attempt is in progress. `paid`: money was authorised or moved. `expired`: not paid
 * in time. `cancelled`: the payer returned to the shop.
 */
export const sessionStates = {
  open: 'Open',
  trying: 'Payment in progress',
  paid: 'Paid',
  expired: 'Expired',
  cancelled: 'Cancelled',
};
type SessionState = keyof typeof sessionStates;

export type ListedSession = { payment: Payment; session: Session; merchantName: string; state: SessionState };

type Row = PaymentRow & SessionRow & { merchantName: string; sessionState: SessionState };

type FilterValues = { state?: SessionState[]; method?: string[]; for?: string[] };

const unpaid: State[] = ['prepare', 'declined', 'threeds', 'redirect'];

/** The conditions of a session's state, in order of precedence, for the list's filter and for a single row. */
const steps = (now: string): [state: SessionState, condition: string][] => [
  ['paid', `p.state not in ('prepare', 'declined', 'threeds', 'redirect')`],
  ['cancelled', 's.cancelled_at is not null'],
  ['trying', 'p.in_flight_id is not null'],
  ['expired', `s.expires_at <= ${now}::timestamptz`],
  ['open', 'true'],
];

const stateSql = (now: string) =>
  `case ${steps(now)
    .map(([state, condition]) => `when ${condition} then '${state}'`)
    .join(' ')} end`;

/** The same as separate conditions, whose selectivity the planner can estimate; it cannot for an expression. */
function isSql(wanted: SessionState, now: string): string {
  const at = steps(now).findIndex(([state]) => state === wanted);
  const parts = steps(now).slice(0, at + 1);
  return `(${parts.map(([state, condition]) => (state === wanted ? condition : `not (${condition})`)).join(' and ')})`;
}

/** An index for states with few sessions; null for frequent states. */
function sourceSql(state: SessionState, now: string): string | null {
  if (state === 'open') return `select payment_id from sessions where expires_at > ${now}::timestamptz`;
  if (state === 'cancelled') return 'select payment_id from sessions where cancelled_at is not null';
  // Every attempt in flight has a due time.
  if (state === 'trying') {
    return `select payment_id from transactions where due_at is not null and status not in ('success', 'fail')`;
  }
  return null;
}

const from = `payments p join sessions s on s.payment_id = p.id join merchants m on m.id = p.merchant_id
  left join cards k on k.id = p.card_id`;

const columns = (now: string) =>
  `${paymentColumns}, ${sessionColumns}, m.name as "merchantName", ${stateSql(now)} as "sessionState"`;

const listed = { at: 'p.created_at', id: 'p.id', merchant: 'p.merchant_id' };

/** A page of the sessions, newest first. */
export async function listSessions(filter: ListFilter, page: PageRequest, now: Date): Promise<Paged<ListedSession>> {
  const builder = newSqlBuilder();
  const { add, where } = builder;
  const at = `'${now.toISOString()}'`;
  const hits = await findHits(filter);
  if (hits?.known === 'many' && hits.together) {
    where(`p.id = any(${add(await findTogether(filter, hits, page, at))}::uuid[])`);
  } else {
    const { ofPayments, ofSessions } = conditionsOf(filter, at, add);
    for (const condition of [...ofPayments, ...ofSessions]) where(condition);
    if (!(await applySearch(builder, filter, hits))) return { rows: [], more: false };
  }
  const { rows, more } = await fetchPage<Row>({ columns: columns(at), from, ...listed }, builder, page);
  return { rows: rows.map(toListed), more };
}

/** A filter's conditions without the search: those on payments, `p`, and those on sessions, `s`. */
function conditionsOf(filter: ListFilter, at: string, add: AddParameter) {
  const { state: states = [], method: [method] = [], for: [kind] = [] } = filter.values as FilterValues;
  const ofPayments: string[] = [];
  const ofSessions: string[] = [];
  if (filter.merchantId !== null) ofPayments.push(`p.merchant_id = ${add(filter.merchantId)}::uuid`);
  if (states.length > 0) {
    ofSessions.push(`(${states.map((state) => isSql(state, at)).join(' or ')})`);
    // An implied condition in the index's words, so that few sessions are not searched among all.
    if (!states.includes('paid')) ofPayments.push(`p.state = any(${add(unpaid)}::"PaymentState"[])`);
    const sources = states.map((state) => sourceSql(state, at));
    if (!sources.includes(null)) ofPayments.push(`p.id in (${sources.join(' union all ')})`);
  }
  if (method) ofSessions.push(`${add(method)}::text = any(s.methods)`);
  if (kind) ofSessions.push(`s.hosted_fields = ${add(kind === 'fields')}::bool`);
  if (filter.from) ofPayments.push(`p.created_at >= ${add(filter.from)}::timestamptz`);
  if (filter.until) ofPayments.push(`p.created_at < ${add(filter.until)}::timestamptz`);
  return { ofPayments, ofSessions };
}

/**
 * The ids of a page's sessions and one more, for a search with many adjacent hits in an index. They are searched among
 * the newest; if they are older, all hits are sorted, and sessions are looked up for the first of them until the page
 * is full.
 */
async function findTogether(filter: ListFilter, search: CommonCondition, page: PageRequest, at: string) {
  const size = page.size + 1;
  const run = async (
    statementOf: (parts: { inside: string[]; outside: string[]; order: string; hit: string }) => string,
  ) => {
    const { add, values } = newSqlBuilder();
    const { ofPayments, ofSessions } = conditionsOf(filter, at, add);
    const { order, behind } = keysetOrder(listed, page, add);
    const parts = { inside: [...ofPayments, ...behind], outside: ofSessions, order, hit: search.conditionOf(add) };
    const rows = await queryLarge<{ id: string }>(`${statementOf(parts)} ${order} limit ${size}`, values);
    return rows.map(({ id }) => id);
  };
  const near = await run(
    ({ inside, outside, order, hit }) =>
      `select p.id from (select * from payments p ${whereAll(inside)} ${order} limit ${scanLimit}) p
         join sessions s on s.payment_id = p.id ${whereAll([hit, ...outside])}`,
  );
  if (near.length === size) return near;
  // Sorted before the session lookup, so that only one page of sessions is read.
  return run(
    ({ inside, outside, order, hit }) =>
      `with p as materialized (
         select p.id, p.created_at, p.state, p.in_flight_id from payments p ${whereAll([...inside, hit])} ${order})
       select p.id from p join sessions s on s.payment_id = p.id ${whereAll(outside)}`,
  );
}

function toListed(row: Row): ListedSession {
  const { merchantName, sessionState: state } = row;
  return { payment: toPayment(row), session: toSession(row), merchantName, state };
}

/** A session in the list. */
export function sessionRow({ payment, session, merchantName, state }: ListedSession) {
  return {
    ...paymentLine(payment),
    ...pick(session, 'language', 'hostedFields', 'expiresAt'),
    state,
    merchantName,
    attempts: payment.attempts,
    payer: payerName(payment),
    methods: session.methods.map(nameOf),
  };
}

const nameOf = (method: string): string => findMethod(method)?.name ?? method;

/** The page of a session. */
export async function sessionPage(request: PageContext) {
  const found = await findListed<Row>('session', { columns, from, ...listed }, request);
  const row = toListed(found);
  const { payment, session } = row;
  const attempts = (await latestTransactionsOf(payment.id, historyMax)).filter(isAttempt);
  const named: [string, string | null][] = [
    ['success_url', session.successUrl],
    ['cancel_url', session.cancelUrl],
    ['error_url', session.errorUrl],
    ['expiry_url', session.expiryUrl],
    ['return_url', session.returnUrl],
    ['notification_url', payment.notificationUrl],
  ];
  return {
    ...sessionRow(row),
    description: payment.description,
    reason: payment.reason,
    cancelledAt: session.cancelledAt,
    offered: session.methods.map((each) => ({ id: each, name: nameOf(each) })),
    /** Where the payer is redirected afterwards, by the contract's names. A query may contain the merchant's secrets. */
    addresses: named.flatMap(([name, url]) => (url === null ? [] : [{ name, url: url.replace(/\?.*/s, '?…') }])),
    tries: await Promise.all(attempts.map((attempt) => tryOf(attempt, row))),
    groups: groupsOf(row),
  };
}

async function tryOf(attempt: Transaction, { payment }: ListedSession) {
  const mid = await findMid(attempt.midId);
  const isLatest = payment.attemptId === attempt.id;
  const name = nameOf(attempt.method);
  return {
    id: attempt.id,
    at: attempt.createdAt,
    what: kindNames[attempt.kind],
    method: (isLatest ? methodLabel(payment) : null) ?? { name, last4: null },
    midName: mid?.name ?? 'a removed MID',
    outcome: outcomeOf(attempt),
    detail: attempt.status === 'fail' ? attempt.declineReason : null,
  };
}

function outcomeOf(attempt: Transaction): { text: string; tone: 'ok' | 'bad' | 'warn' } {
  if (isNotFinal(attempt)) return { text: 'In progress', tone: 'warn' };
  return attempt.status === 'success' ? { text: 'Approved', tone: 'ok' } : { text: 'Declined', tone: 'bad' };
}

function groupsOf({ payment, session, merchantName }: ListedSession) {
  return factGroups({
    Payer: [
      ['Name', payment.payer.name],
      ['Email', payment.payer.email, { mail: true }],
      ['Country', payment.payer.country],
      ['IP address', payment.payer.ip],
    ],
    Link: [
      ['Used for', session.hostedFields ? 'Hosted fields' : 'Payment page'],
      ['Language', session.language ?? 'Browser language'],
      ['url_target', session.linkTarget, { code: true }],
      ['form_id', session.formId],
      ['Saved cards', session.cardTokens.map(maskToken).join(', ')],
    ],
    References: [
      ['payment_id', payment.id, { code: true }],
      ['Merchant', merchantName],
    ],
  });
}

/** The list of sessions, with the state that the payer would see now. */
export const sessions = resource({
  name: 'sessions',
  title: 'Checkout sessions',
  nouns: ['session', 'sessions'],
  search: 'Payment, order, email, last four',
  filters: [
    choices('state', 'State', optionsOf(sessionStates)),
    days('Created'),
    choice('method', 'Methods', namedOptions(methods)),
    choice('for', 'Used for', optionsOf({ page: 'Payment page', fields: 'Hosted fields' })),
  ],
  views: [
    ['Open', 'state=open,trying'],
    ['Expired unpaid', 'state=expired'],
    ['Cancelled', 'state=cancelled'],
  ],
  columns: [
    amount,
    { id: 'state', head: 'State', kind: 'session', width: '22%' },
    order,
    payer,
    { id: 'methods', head: 'Methods', kind: 'few', none: 'all methods', hideOnPhone: true, hideBelow: 'lg' },
    { id: 'attempts', head: 'Attempts', align: 'end', width: 64, hideOnPhone: true },
    ...[merchant, created()],
  ],
  href: '/dashboard/sessions/{id}',
  rowName: 'Session of {orderNumber}',
  empty: {
    title: 'No sessions yet',
    texts: ['A session is one link for one payment. All sessions of your servers are listed here.'],
    steps: ['Your server creates a session', 'The payer opens the link', 'The payment settles, or the link expires'],
    shop: true,
    sample: ['Create a session', samples.session],
  },
  source: (filter, page, { now }) => listSessions(filter, page, now),
  placeOf: ({ payment }) => payment,
  toRow: sessionRow,
});
