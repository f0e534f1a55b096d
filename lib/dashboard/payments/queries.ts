/**
 * The payments list, newest first, or of one currency by amount. Keyset paging makes every page cost the same, and each
 * query is planned by its filter. A potentially rare value is looked up in an index first (filters.ts): a few payments
 * are fetched by id. Frequent values are met while walking the list's index if it covers the condition; others are
 * searched among the newest, and then collected from indexes.
 */
import type { DeclineClass } from '../../core/declines.ts';
import type { Payment } from '../../core/payment.ts';
import type { ProviderData } from '../../core/provider-data.ts';
import { states as everyState, type State } from '../../core/states.ts';
import {
  attemptKindsSql,
  type Cursor,
  newSqlBuilder,
  type Paged,
  type PageRequest,
  prisma,
  queryLarge,
  queryOnce,
  type SqlBuilder,
  statement,
  whereAll,
} from '../../db/index.ts';
import type { Mid } from '../../merchants/index.ts';
import { type PaymentRow, paymentColumns, toPayment } from '../../payments/index.ts';
import {
  byAmountOf,
  findCandidates,
  type KnownHits,
  listConditions,
  merchantConditions,
  type OrderedIndex,
  orderedBy,
  rangeOf,
} from './filters.ts';
import type { PaymentFilter } from './list-filter.ts';
import type { CommonCondition } from './search.ts';

/** What the provider of the latest attempt has reported of it. */
type AttemptFacts = Pick<ProviderData, 'providerRef' | 'rrn' | 'arn' | 'approvalCode' | 'threeDS'> & {
  declineCode: string | null;
  declineClass: DeclineClass | null;
};

/** A payment with its related names, and the MID of its latest attempt. */
export type ListedPayment = {
  payment: Payment;
  merchantName: string;
  mid: { name: string; refundSupport: Mid['refundSupport'] } | null;
  /** Null without an attempt. */
  attempt: AttemptFacts | null;
  /** When the last refund was done. */
  refundedAt: Date | null;
  /** Whether the provider is being asked to cancel that attempt. */
  isCancelling: boolean;
};

type Row = PaymentRow & Omit<ListedPayment, 'payment'>;

/** The first `size` payments of a filter in one direction, from a cursor on. */
type Selection = {
  filter: PaymentFilter;
  known: KnownHits;
  place: AmountCursor | undefined;
  ascending: boolean;
  size: number;
};

/** A cursor with the amount of its payment, from which a list by amount continues. */
type AmountCursor = Cursor & { amountMinor: bigint };

/** How many first payments are searched before all matches are collected; by amount a second search takes longer. */
const scanLimits = { byTime: [2000, 10_000], byAmount: [2000] };

/** A list is walked if at most this many rows are expected before enough matches are found. */
const walkMax = 50_000;

/** The matches of a decline class and a status are fetched by id up to this many payments. */
const intersectMax = 5000;

/** The most frequent status: all other statuses together have fewer payments. */
const commonestState: State = 'settled';

/** Lists `size` payments after a cursor (older), before it (newer), or the newest. */
export async function listPayments(requested: PaymentFilter, page: PageRequest): Promise<Paged<ListedPayment>> {
  const filter = await ofOneMerchant(requested);
  const known = await findCandidates(filter);
  if (!known) return { rows: [], more: false };
  const backwards = page.before !== undefined;
  const ascending = backwards !== (filter.byAmount === null ? filter.oldestFirst : filter.byAmount === 'smallest');
  const place = page.before ?? page.after;
  const start = place && (filter.byAmount === null ? { ...place, amountMinor: 0n } : await startAt(place, filter));
  // A cursor of a deleted payment starts no page.
  if (place && !start) return { rows: [], more: false };
  const wanted = { filter, known, place: start ?? undefined, ascending, size: page.size + 1 };
  const builder = newSqlBuilder();
  const sql = await selectFound(builder, wanted, 'p.*');
  const rows = await queryOnce<Row>(
    `select ${paymentColumns}, m.name as "merchantName", d.mid, d.attempt, r.at as "refundedAt",
            d.cancel_reason is not null as "isCancelling"
       from (${sql}) p
       join merchants m on m.id = p.merchant_id left join cards k on k.id = p.card_id
       left join lateral (
         select json_build_object('name', i.name, 'refundSupport', i.refund_support) as mid, t.cancel_reason,
                json_build_object('providerRef', t.facts -> 'providerRef', 'rrn', t.facts -> 'rrn', 'arn', t.facts -> 'arn',
                                  'approvalCode', t.facts -> 'approvalCode', 'threeDS', t.facts -> 'threeDS',
                                  'declineCode', t.decline_code, 'declineClass', t.decline_class) as attempt
           from transactions t join mids i on i.id = t.mid_id
          where t.payment_id = p.id and (t.id = p.attempt_id or t.attempt_id = p.attempt_id)
            and t.kind in ${attemptKindsSql()}
          order by t.created_at desc, t.number desc limit 1
       ) d on true
       left join lateral (
         select max(t.finished_at) as at from transactions t
          where p.refunded_minor > 0 and t.payment_id = p.id and t.kind in ('refund', 'reversal') and t.status = 'success'
       ) r on true
      ${orderOf(wanted)}`,
    builder.values,
  );
  const listed = rows.slice(0, page.size).map((row) => {
    const { merchantName, mid, attempt, refundedAt, isCancelling } = row;
    return { payment: toPayment(row), merchantName, mid, attempt, refundedAt, isCancelling };
  });
  return { rows: backwards ? listed.reverse() : listed, more: rows.length > page.size };
}

/** The number of payments that a filter finds, counted up to `most`; one more means that there are more. */
export async function countPayments(requested: PaymentFilter, most: number): Promise<number> {
  // The order does not affect the count.
  const filter = await ofOneMerchant({ ...requested, byAmount: null });
  const known = await findCandidates(filter);
  if (!known) return 0;
  const builder = newSqlBuilder();
  const wanted = { filter, known, place: undefined, ascending: false, size: most + 1 };
  const sql = await selectFound(builder, wanted, 'p.id');
  const [row] = await queryOnce<{ found: bigint }>(`select count(*) as found from (${sql}) f`, builder.values);
  return Number(row?.found ?? 0n);
}

/** A MID belongs to one merchant, so its payments are searched among that merchant's only. */
async function ofOneMerchant(filter: PaymentFilter): Promise<PaymentFilter> {
  if (filter.mids.length === 0 || filter.merchantId !== null) return filter;
  const where = { id: { in: filter.mids } };
  const owners = await prisma().mid.findMany({ where, select: { merchantId: true }, distinct: ['merchantId'] });
  return owners.length === 1 ? { ...filter, ...owners[0] } : filter;
}

// Only a payment of the list's merchant: the list would begin at the amount of another one's.
async function startAt(place: Cursor, { merchantId }: PaymentFilter): Promise<AmountCursor | null> {
  const where = { id: place.id, ...(merchantId !== null && { merchantId }) };
  const row = await prisma().payment.findUnique({ where, select: { amountMinor: true } });
  return row && { ...place, ...row };
}

function orderOf({ filter, ascending }: Selection): string {
  const direction = ascending ? 'asc' : 'desc';
  return `order by p.${orderColumn(filter)} ${direction}, p.id ${direction}`;
}

const orderColumn = ({ byAmount }: PaymentFilter) => (byAmount === null ? 'created_at' : 'amount_minor');

/** Conditions on `p` that keep an index in the list's order, including the cursor. */
function rangeFrom(wanted: Selection, { add }: SqlBuilder): string[] {
  const { filter, known, place, ascending } = wanted;
  const range = rangeOf(filter, known, add);
  if (!place) return range;
  const [column, from] =
    filter.byAmount === null
      ? ['created_at', `${add(place.createdAt)}::timestamptz`]
      : ['amount_minor', `${add(place.amountMinor)}::bigint`];
  return [...range, `(p.${column}, p.id) ${ascending ? '>' : '<'} (${from}, ${add(place.id)}::uuid)`];
}

async function selectFound(builder: SqlBuilder, wanted: Selection, columns: string): Promise<string> {
  const { known, size } = wanted;
  if (known.ids.length > 0) {
    return `select ${columns} from payments p ${whereAll(everything(wanted, builder))} ${orderOf(wanted)} limit ${size}`;
  }
  if (known.common.length === 0) return selectFirst(builder, wanted, columns);
  const isCovered = known.common.every(({ covered }) => covered) && wanted.filter.byAmount === null;
  const ids = isCovered ? await walkIndex(wanted) : await findIds(wanted);
  return `select ${columns} from payments p where p.id = any(${builder.add(ids)}::uuid[])`;
}

/** Conditions on `p` for merchant, cursor, status, protocol and operation. */
const plainOf = (wanted: Selection, builder: SqlBuilder) => [
  ...merchantConditions(wanted.filter, builder.add),
  ...rangeFrom(wanted, builder),
  ...(wanted.filter.byAmount === null ? listConditions(wanted.filter, builder.add) : []),
];

const commonOf = ({ known }: Selection, { add }: SqlBuilder) => known.common.map(({ conditionOf }) => conditionOf(add));

const everything = (wanted: Selection, builder: SqlBuilder) => [
  ...plainOf(wanted, builder),
  ...commonOf(wanted, builder),
];

/**
 * The first payments of a list without a frequent filter. By status, protocol or operation, each combination is read
 * from an index with the list's order and all are merged: a rare one costs no more than a frequent one.
 */
function selectFirst(builder: SqlBuilder, wanted: Selection, columns: string): string {
  const { filter, size } = wanted;
  const merged = filter.byAmount === null ? orderedBy(filter, builder.add) : byAmountOf(filter, builder.add);
  if (merged) return selectMerged(builder, wanted, merged, columns);
  return `select ${columns} from payments p ${whereAll(plainOf(wanted, builder))} ${orderOf(wanted)} limit ${size}`;
}

function selectMerged(builder: SqlBuilder, wanted: Selection, merged: OrderedIndex, columns: string) {
  const { size } = wanted;
  const order = orderOf(wanted);
  return `select ${columns} from ${merged.from} cross join lateral (
            select * from payments p ${whereAll([...merged.conditions, ...rangeFrom(wanted, builder)])} ${order} limit ${size}
          ) p ${order} limit ${size}`;
}

/** The first matches: near the beginning if they are there, otherwise among all, from indexes. */
async function findIds(wanted: Selection): Promise<string[]> {
  const looks = wanted.filter.byAmount === null ? scanLimits.byTime : scanLimits.byAmount;
  let listed = wanted.known.common.find(({ idsOf }) => idsOf !== null);
  let matches: string[] = [];
  let toWalk = Number.POSITIVE_INFINITY;
  for (const [turn, among] of looks.entries()) {
    // Listing ids is faster than another search, unless that search may well fill the page.
    const before = looks[turn - 1];
    if (listed && before && 2 * matches.length * (among / before) < wanted.size) {
      const ids = await findListed(wanted, listed, toWalk);
      if (ids) return ids;
      listed = undefined;
    }
    matches = await scanFirst(wanted, among);
    if (matches.length >= wanted.size) return matches;
    toWalk = (among * wanted.size) / matches.length;
  }
  return (listed && (await findListed(wanted, listed, toWalk))) ?? gatherAll(wanted);
}

/**
 * The first matches if an index can list the ids of one filter: those that also have the status are fetched by id, if
 * they are few; otherwise the list is walked if the density at its beginning (`toWalk`) is high enough. Null if
 * collecting is no slower.
 */
async function findListed(wanted: Selection, listed: CommonCondition, toWalk: number): Promise<string[] | null> {
  const { filter, known } = wanted;
  const others = known.common.filter((common) => common !== listed);
  const met = await intersect(wanted, listed);
  if (met?.length === 0) return [];
  if (met) {
    const builder = newSqlBuilder();
    const confined = { ...wanted, known: { ids: [...known.ids, met], common: others } };
    return readIds(await selectFound(builder, confined, 'p.id'), builder.values);
  }
  if (toWalk > walkMax || filter.byAmount !== null || !others.every(({ covered }) => covered)) return null;
  // `is true` stops the planner from inverting the query: the ids are listed once and the walk is filtered by them.
  const requested: CommonCondition = { ...listed, conditionOf: (add) => `(${listed.conditionOf(add)}) is true` };
  return walkIndex({ ...wanted, known: { ...known, common: [...others, requested] } });
}

/** The matches of the first `among` payments, without the frequent filters. */
async function scanFirst(wanted: Selection, among: number): Promise<string[]> {
  const builder = newSqlBuilder();
  const order = orderOf(wanted);
  const first =
    wanted.filter.byAmount === null
      ? `select * from payments p ${whereAll(plainOf(wanted, builder))} ${order} limit ${among}`
      : selectMerged(builder, { ...wanted, size: among }, byAmountOf(wanted.filter, builder.add), 'p.*');
  const matches = `${whereAll(commonOf(wanted, builder))} ${order} limit ${wanted.size}`;
  return readIds(`select p.id from (${first}) p ${matches}`, builder.values);
}

/** Those of a list of ids with the wanted status, from indexes only; null if they are very many. */
async function intersect({ filter }: Selection, { idsOf }: CommonCondition): Promise<string[] | null> {
  const { states, merchantId } = filter;
  if (!idsOf || states.length === 0 || states.includes('declined')) return null;
  const { add, values } = newSqlBuilder();
  const isUsual = states.includes(commonestState);
  const requested = isUsual ? everyState.filter((state) => !states.includes(state)) : states;
  const whose = merchantId === null ? '' : `and m.id = ${add(merchantId)}::uuid`;
  const ids = await readIds(
    `${idsOf(add)} ${isUsual ? 'except' : 'intersect'}
     select p.id from merchants m join payments p on p.merchant_id = m.id
      where p.state = any(${add(requested)}::"PaymentState"[]) ${whose} limit ${intersectMax + 1}`,
    values,
    queryLarge,
  );
  return ids.length > intersectMax ? null : ids;
}

/** The first matches by walking the list's covering index: a million rows take less than a tenth of a second. */
function walkIndex(wanted: Selection): Promise<string[]> {
  const builder = newSqlBuilder();
  const sql = `select p.id from payments p ${whereAll(everything(wanted, builder))} ${orderOf(wanted)} limit ${wanted.size}`;
  return readIds(sql, builder.values, queryLarge);
}

async function readIds(sql: string, values: object, run: typeof queryOnce = queryOnce): Promise<string[]> {
  return (await run<{ id: string }>(sql, values)).map(({ id }) => id);
}

/**
 * The first of all matches, which are found before they are sorted: with a limit the planner would walk the list
 * instead, which the estimate above ruled out. The conditions are covered by indexes, so a million payments are
 * filtered without reading the table.
 */
function gatherAll(wanted: Selection): Promise<string[]> {
  const builder = newSqlBuilder();
  const column = orderColumn(wanted.filter);
  return readIds(
    `with found as materialized (select p.id, p.${column} from payments p ${whereAll(everything(wanted, builder))})
     select p.id from found p ${orderOf(wanted)} limit ${wanted.size}`,
    builder.values,
    queryLarge,
  );
}

const readMerchant = statement<Pick<Payment, 'merchantId' | 'protocol'>, { name: string; url: string | null }>(
  'merchant-of-payment',
  `select m.name, pm.default_notification_url as url from merchants m
     left join protocol_mappings pm on pm.merchant_id = m.id and pm.protocol = :protocol::"Protocol"
    where m.id = :merchantId`,
);

/** A payment's merchant, also a disabled one: its name, and the default callback URL of the payment's protocol. */
export async function merchantOfPayment({ merchantId, protocol }: Pick<Payment, 'merchantId' | 'protocol'>) {
  const [row] = await readMerchant({ merchantId, protocol });
  if (!row) throw new Error(`merchant ${merchantId} not found`);
  return row;
}

/** A merchant's name; null if the id does not exist. */
export async function merchantName(id: string): Promise<string | null> {
  return (await prisma().merchant.findUnique({ where: { id }, select: { name: true } }))?.name ?? null;
}
