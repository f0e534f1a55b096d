/** Statements of the callback log: the list, one callback, resending many, and pausing addresses. */

import {
  callbackOf,
  idleSql,
  type QueuedRow,
  queuedColumns,
  resendCallbacks,
  toQueuedCallback,
} from '../../callbacks/index.ts';
import {
  type AddParameter,
  fetchPage,
  keysetOrder,
  newSqlBuilder,
  type Paged,
  type PageRequest,
  prisma,
  queryLarge,
  queryOnce,
  type SqlBuilder,
  statement,
  unprepared,
  whereAll,
} from '../../db/index.ts';
import type { Callback, CallbackAttempt, CallbackHold } from '../../prisma/client.ts';
import { retryAfterForPayment } from '../../risk/index.ts';
import { existing } from '../errors.ts';
import type { PageContext } from '../guard.ts';
import { choice, choices, days, optionsOf, text } from '../lists/filters.ts';
import { applyFilter, findListed, type ListFilter } from '../lists/resource.ts';
import { applySearch, type CommonCondition, collectedMax, findHits, type Hits, scanLimit } from '../payments/search.ts';

export type ListedCallback = Pick<
  Callback,
  | ('id' | 'createdAt' | 'paymentId' | 'type' | 'outcome' | 'orderState' | 'amountMinor')
  | ('state' | 'url' | 'address' | 'attempts' | 'dueAt')
> & {
  orderNumber: string;
  merchantName: string;
  currency: string;
  held: boolean;
  /** Until when timeouts pause the merchant's deliveries to the address; may be in the past. */
  pausedUntil: Date | null;
  triedAt: Date | null;
} & Pick<CallbackAttempt, 'httpStatus' | 'error' | 'answer'>;

const columns = `c.id, c.created_at as "createdAt", c.payment_id as "paymentId", p.order_number as "orderNumber",
  m.name as "merchantName", c.type, c.outcome::text, c.order_state::text as "orderState",
  c.amount_minor as "amountMinor", p.currency, c.state::text, c.url, c.address, c.attempts, c.due_at as "dueAt",
  h.address is not null as held, z.paused_until as "pausedUntil", a.at as "triedAt",
  a.http_status as "httpStatus", a.error, a.answer`;
const base = 'callbacks c join payments p on p.id = c.payment_id';
const from = `${base} join merchants m on m.id = c.merchant_id
  left join callback_holds h on h.merchant_id = c.merchant_id and h.address = c.address
  left join callback_pauses z on z.merchant_id = c.merchant_id and z.address = c.address
  left join lateral (select at, http_status, error, answer from callback_attempts
                      where callback_id = c.id order by at desc limit 1) a on true`;

const states = { waiting: 'waiting', delivered: 'received', failed: 'failed', undelivered: 'no callback URL' };

/** The filters of the callback log. */
export const filters = [
  choices('state', 'State', optionsOf(states), statesSql),
  choices(
    'outcome',
    'Status',
    ['success', 'fail', 'waiting', 'undefined'].map((value) => ({ value, label: value })),
    (values, add) => `c.outcome = any(${add(values)}::"CallbackOutcome"[])`,
  ),
  text('host', 'Address', /^[\w.:/[\]-]{1,255}$/, (host, add) => {
    const origins = host.includes('://') ? [host] : [`https://${host}`, `http://${host}`];
    return `c.address = any(${add(origins)}::text[])`;
  }),
  choice('answer', 'Response', optionsOf({ error: 'ERROR' }), (_, add) => errorsSql(add)),
  days('Day', 'at'),
];

/** Adds a filter's conditions; false if no row can match. The caller may pass the payments of a search. */
async function confine(builder: SqlBuilder, filter: ListFilter, hits?: Hits | null): Promise<boolean> {
  await applyFilter(filters, listed, builder, filter);
  return applySearch(builder, filter, hits);
}

const errors = `select callback_id from callback_attempts where btrim(answer) = 'ERROR'`;

/**
 * Callbacks whose receiver answered ERROR, in the words of the index. A few are fetched by id, because the planner does
 * not know how rare they are.
 */
async function errorsSql(add: AddParameter): Promise<string> {
  const rows = await queryOnce<{ callback_id: string }>(`${errors} limit ${collectedMax + 1}`);
  if (rows.length > collectedMax) return `c.id in (${errors})`;
  return `c.id = any(${add(rows.map((row) => row.callback_id))}::uuid[])`;
}

const areOpen = (named: string[]) => named.every((state) => state === 'waiting' || state === 'failed');

// The planner uses the partial index of open callbacks only for the same condition.
const openSql = `c.state = any (array['waiting'::"CallbackState", 'failed'::"CallbackState"])`;

function statesSql(named: string[], add: AddParameter): string {
  const input = `c.state = any(${add(named)}::"CallbackState"[])`;
  return areOpen(named) ? `${openSql} and ${input}` : input;
}

const listed = { at: 'c.created_at', id: 'c.id', merchant: 'c.merchant_id' };

/** A page of callbacks, newest first. */
export async function listCallbacks(filter: ListFilter, page: PageRequest): Promise<Paged<ListedCallback>> {
  const builder = newSqlBuilder();
  const hits = await findHits(filter);
  // Rows with a partial index are few.
  const { state, answer } = filter.values;
  const isRare = answer !== undefined || (state !== undefined && areOpen(state));
  if (hits?.known === 'many' && hits.together && !isRare) {
    const ids = (await findNear(filter, hits, page)) ?? (await findFar(filter, hits, page));
    builder.where(`c.id = any(${builder.add(ids)}::uuid[])`);
  } else if (!(await confine(builder, filter, hits))) return { rows: [], more: false };
  // A search is for payments, which the callbacks' index does not contain.
  const keys = hits === null ? 'callbacks c' : undefined;
  return fetchPage<ListedCallback>({ columns, from, ...listed, keys }, builder, page);
}

/** The ids of a page's callbacks and one more, if they are near its beginning; otherwise null. */
async function findNear(filter: ListFilter, search: CommonCondition, page: PageRequest): Promise<string[] | null> {
  const builder = newSqlBuilder();
  await applyFilter(filters, listed, builder, filter);
  const { order, behind } = keysetOrder(listed, page, builder.add);
  for (const condition of behind) builder.where(condition);
  const size = page.size + 1;
  const hit = search.conditionOf(builder.add);
  // `offset 0` keeps the inner parts apart, so that each is looked up by id and limited to one page.
  const [row] = await queryLarge<{ seen: number; ids: string[] }>(
    `with seen as materialized (
       select c.id, c.created_at from callbacks c ${builder.conditions()} ${order} limit ${scanLimit})
     select (select count(*)::int from seen) as seen,
            array(select c.id from seen c
                   cross join lateral (select payment_id from callbacks where id = c.id offset 0) o
                   cross join lateral (select 1 from payments p where p.id = o.payment_id and ${hit} offset 0) p
                   ${order} limit ${size}) as ids`,
    builder.values,
  );
  return row && (row.ids.length === size || row.seen < scanLimit) ? row.ids : null;
}

/** The assumed maximum clock difference between two processes. */
const skew = `interval '5 minutes'`;

/** The number of found payments from which the end of a page is estimated. */
const probed = 500;

/**
 * The ids of a page's callbacks and one more, for payments that one index returns together. A callback is written with
 * the change that it reports, so it lies between its payment's creation and last change. The callbacks of a few
 * payments near the page's beginning bound the page; then only payments that overlap it are read. If those few do not
 * fill a page, the callbacks of all are read.
 */
async function findFar(filter: ListFilter, search: CommonCondition, page: PageRequest): Promise<string[]> {
  const builder = newSqlBuilder();
  const { add, values } = builder;
  await applyFilter(filters, listed, builder, filter);
  const { order, behind } = keysetOrder(listed, page, add);
  for (const condition of behind) builder.where(condition);
  const [first, reached] =
    page.before === undefined
      ? [
          `${page.after ? `where k.updated_at <= ${add(page.after.createdAt)}::timestamptz` : ''} order by k.updated_at desc`,
          `k.updated_at >= (select created_at from edge) - ${skew}`,
        ]
      : [
          `where k.created_at >= ${add(page.before.createdAt)}::timestamptz order by k.created_at`,
          `k.created_at <= (select created_at from edge) + ${skew}`,
        ];
  const size = page.size + 1;
  // `offset 0` keeps the inner parts apart, so that each payment's callbacks are looked up by its id.
  const callbacksOfPayment = 'cross join lateral (select * from callbacks c where c.payment_id = k.id offset 0) c';
  const rows = await queryLarge<{ id: string }>(
    `with k as materialized (
       select p.id, p.created_at, p.updated_at from payments p ${whereAll(paymentsOf(filter, search, page, add))}),
     edge as materialized (
       select c.created_at from (select * from k ${first} limit ${probed}) k ${callbacksOfPayment} ${builder.conditions()}
        ${order} offset ${size - 1} limit 1),
     reached as materialized (select id from k where ${reached})
     select c.id from (
       select c.* from reached k ${callbacksOfPayment}
       union all
       select c.* from callbacks c where c.payment_id in (select id from k) and not exists (select from edge)
     ) c ${builder.conditions()} ${order} limit ${size}`,
    values,
  );
  return rows.map(({ id }) => id);
}

/** Conditions on `p` for the payments of a search whose callbacks can belong to a page. */
function paymentsOf(filter: ListFilter, search: CommonCondition, { after, before }: PageRequest, add: AddParameter) {
  const ends = [filter.until, after?.createdAt].map(
    (end) => end && `p.created_at <= ${add(end)}::timestamptz + ${skew}`,
  );
  const starts = [filter.from, before?.createdAt].map(
    (start) => start && `p.updated_at >= ${add(start)}::timestamptz - ${skew}`,
  );
  const whose = filter.merchantId === null ? null : `p.merchant_id = ${add(filter.merchantId)}::uuid`;
  return [search.conditionOf(add), whose, ...ends, ...starts].filter((condition) => condition != null);
}

/** Numbers above this are shown as "more than". */
export const countMax = 9_999;

const count = (condition: string) =>
  `(select count(*)::int from (select 1 from callbacks c
     where (:merchantId::uuid is null or c.merchant_id = :merchantId::uuid) and ${condition} limit ${countMax + 1}) n)`;

const readCounts = unprepared<
  { merchantId: string | null; today: Date; recently: Date },
  Record<'today' | 'waiting' | 'failed' | 'saidError', number>
>(
  `select ${count('c.created_at >= :today::timestamptz')} as today,
          ${count(`c.state = 'waiting' and c.attempts > 0`)} as waiting,
          ${count(`${openSql} and c.state = 'failed'`)} as failed,
          ${count(`c.created_at >= :recently::timestamptz and c.id in (${errors})`)} as "saidError"`,
);

/** The number of callbacks of each kind that needs attention, each at most {@link countMax} + 1. */
export async function countCallbacks(merchantId: string | null, today: Date, recently: Date) {
  const [row] = await readCounts({ merchantId, today, recently });
  return row ?? { today: 0, waiting: 0, failed: 0, saidError: 0 };
}

/** The callback in the address with the delivery's input and the attempts. */
export async function findCallback(request: PageContext) {
  const source = { columns: `${queuedColumns}, ${columns}`, from, ...listed };
  const row = await findListed<ListedCallback & QueuedRow>('callback', source, request);
  const history = existing(row && (await callbackOf(row.paymentId, row.id)));
  const due = { ...toQueuedCallback(row), url: row.url ?? '', address: row.address ?? '' };
  return { listed: row as ListedCallback, merchantId: due.merchantId, due, history };
}

/** The maximum number of callbacks resent at once. */
export const resendMax = 1_000;

/** The number of callbacks that a filter finds and that can be resent, and how many of them would be. */
export async function countResendable(filter: ListFilter): Promise<number> {
  const builder = newSqlBuilder();
  if (!(await confine(builder, filter))) return 0;
  builder.where('c.url is not null');
  const [row] = await queryOnce<{ count: number }>(
    `select count(*)::int as count from (select 1 from ${base} ${builder.conditions()} limit ${countMax + 1}) n`,
    builder.values,
  );
  return row?.count ?? 0;
}

/**
 * Makes every found callback due now, the oldest {@link resendMax} of them; returns their number. Callbacks in delivery
 * are left to that attempt, and the callbacks of each payment are sent in order, as before. Callbacks over the limit of
 * their payment are left out.
 */
export async function resendFound(filter: ListFilter, now: Date): Promise<number> {
  const builder = newSqlBuilder();
  const { add, where } = builder;
  if (!(await confine(builder, filter))) return 0;
  where('c.url is not null');
  where(idleSql('c', add(now)));
  const found = await queryOnce<{ id: string; paymentId: string }>(
    `select c.id, c.payment_id as "paymentId" from ${base} ${builder.conditions()} order by c.created_at, c.id limit ${resendMax}`,
    builder.values,
  );
  // A delivery may have claimed one meanwhile.
  return resendCallbacks(
    found.filter(({ paymentId }) => retryAfterForPayment('resend', paymentId) === 0).map(({ id }) => id),
    now,
  );
}

type PausedAddress = Omit<CallbackHold, 'heldBy'> & { merchantName: string; waiting: number };

/** Paused addresses, and the number of callbacks waiting for each. */
export const pausedAddresses = statement<{ scope: string | null }, PausedAddress>(
  'holds',
  `select h.merchant_id as "merchantId", m.name as "merchantName", h.address, h.held_since as "heldSince",
          (select count(*)::int from (select 1 from callbacks c where c.address = h.address and c.state = 'waiting'
              and c.merchant_id = h.merchant_id limit ${countMax + 1}) n) as waiting
     from callback_holds h join merchants m on m.id = h.merchant_id
    where (:scope::uuid is null or h.merchant_id = :scope::uuid) order by h.held_since desc limit 100`,
);

/** Whether a merchant has ever had a callback for an address. */
export async function isKnownAddress(merchantId: string, address: string): Promise<boolean> {
  const where = { merchantId, address };
  return (
    (await prisma().callback.findFirst({ where })) !== null ||
    (await prisma().callbackHold.findFirst({ where })) !== null
  );
}

/** Pauses deliveries to a merchant's address. */
export async function pauseAddress(merchantId: string, address: string, heldBy: string, now: Date): Promise<void> {
  await prisma().callbackHold.createMany({
    data: { merchantId, address, heldBy, heldSince: now },
    skipDuplicates: true,
  });
}

/** Resumes deliveries to an address; waiting callbacks keep their due times. */
export async function resumeAddress(merchantId: string, address: string): Promise<void> {
  await prisma().callbackHold.deleteMany({ where: { merchantId, address } });
}
