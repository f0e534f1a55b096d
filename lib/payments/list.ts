/**
 * The list of payments, newest first, or of one currency by amount. Paged by key and not by number, so that the ten-thousandth page costs what the
 * first does, and planned anew for every question. Whatever may be rare is asked of an index first (list-filters.ts): a
 * few payments are fetched by their ids. What many fit is met on the way through the newest, as far as that is short;
 * how far it will be, the first of them tell.
 */
import { query, queryOnce } from '../db';
import { type PageAsked, type Paged, type Place, type SqlBuilder, startSql } from './keyed';
import { explore, type Known, type ListFilter, listsOf, orderedBy, rangeOf, whoseOf } from './list-filters';
import type { Mid } from './merchants';
import type { Payment } from './payment';
import { paymentColumns, toPayment } from './rows';

/** A payment with the names around it, and the account that it was last tried at. */
export type ListedPayment = {
  payment: Payment;
  merchantName: string;
  mid: { name: string; refundSupport: Mid['refundSupport'] } | null;
};

/** A page of the list. */
export type Listed = Paged<ListedPayment>;

type Row = { [column: string]: unknown };

/** The first so many payments of a filter, in one of the two directions, from a place on. */
type Wanted = { filter: ListFilter; known: Known; place: Start | undefined; ascending: boolean; size: number };

/** A place with the amount of its payment, which is what a list by amount goes on from. */
type Start = Place & { amountMinor: bigint };

/** So many payments are looked through for a page: some milliseconds, and if those tell too little, some more. */
const lookedThrough = [2000, 20_000];

/** Through so many payments a list is walked to fill a page: beyond, the planner may know a shorter way. */
const walkedMost = 40_000;

/** Lists `size` payments after a place (older ones), before it (newer ones), or from the newest on. */
export async function listPayments(asked: ListFilter, page: PageAsked): Promise<Listed> {
  const filter = await ofOneMerchant(asked);
  const known = await explore(filter);
  if (!known) return { rows: [], more: false };
  const backwards = page.before !== undefined;
  const ascending = backwards !== (filter.byAmount === null ? filter.oldestFirst : filter.byAmount === 'smallest');
  const place = page.before ?? page.after;
  const start = place && (filter.byAmount === null ? { ...place, amountMinor: 0n } : await startAt(place));
  // A payment that is gone begins nothing.
  if (place && !start) return { rows: [], more: false };
  const wanted = { filter, known, place: start ?? undefined, ascending, size: page.size + 1 };
  const builder = startSql();
  const found = await selectFound(builder, wanted, 'p.*');
  const rows = await queryOnce<Row>(
    `select ${paymentColumns}, m.name as merchant_name, d.name as mid_name, d.refund_support
       from (${found}) p
       join merchants m on m.id = p.merchant_id left join cards k on k.id = p.card_id
       left join lateral (
         select i.name, i.refund_support::text from transactions t join mids i on i.id = t.mid_id
          where t.payment_id = p.id and (t.id = p.attempt_id or t.attempt_id = p.attempt_id)
            and t.kind in ('sale', 'authorize', 'debit', 'credit', 'transfer', 'recurring')
          order by t.created_at desc, t.id desc limit 1
       ) d on true
      ${orderOf(wanted)}`,
    builder.values,
  );
  const listed = rows.slice(0, page.size).map((row) => ({
    payment: toPayment(row),
    merchantName: row.merchant_name as string,
    mid:
      row.mid_name === null
        ? null
        : { name: row.mid_name as string, refundSupport: row.refund_support as Mid['refundSupport'] },
  }));
  return { rows: backwards ? listed.reverse() : listed, more: rows.length > page.size };
}

/** How many payments a filter finds, counted up to `most`; one more than that means that there are more. */
export async function countPayments(asked: ListFilter, most: number): Promise<number> {
  // Counting is no matter of the order.
  const filter = await ofOneMerchant({ ...asked, byAmount: null });
  const known = await explore(filter);
  if (!known) return 0;
  const builder = startSql();
  const wanted = { filter, known, place: undefined, ascending: false, size: most + 1 };
  const found = await selectFound(builder, wanted, 'p.id');
  const [row] = await queryOnce<{ found: bigint }>(`select count(*) as found from (${found}) f`, builder.values);
  return Number(row?.found ?? 0n);
}

/** An account is one merchant's: whoever asks for its payments need not walk through everybody's. */
async function ofOneMerchant(filter: ListFilter): Promise<ListFilter> {
  if (filter.mids.length === 0 || filter.merchantId !== null) return filter;
  const owners = await query<{ id: string }>(
    'merchants-of-mids',
    'select distinct merchant_id as id from mids where id = any($1::uuid[])',
    [filter.mids],
  );
  return owners.length === 1 ? { ...filter, merchantId: owners[0]?.id ?? null } : filter;
}

async function startAt(place: Place): Promise<Start | null> {
  const [row] = await query<{ amount_minor: bigint }>(
    'amount-of-place',
    'select amount_minor from payments where id = $1::uuid',
    [place.id],
  );
  return row ? { ...place, amountMinor: row.amount_minor } : null;
}

function orderOf({ filter, ascending }: Wanted): string {
  const direction = ascending ? 'asc' : 'desc';
  return `order by p.${filter.byAmount === null ? 'created_at' : 'amount_minor'} ${direction}, p.id ${direction}`;
}

/** Conditions on `p` that leave an index in the list's order, with the place from which on they do. */
function rangeFrom(wanted: Wanted, { add }: SqlBuilder): string[] {
  const { filter, known, place, ascending } = wanted;
  const range = rangeOf(filter, known, add);
  if (!place) return range;
  const [column, from] =
    filter.byAmount === null
      ? ['created_at', `${add(place.createdAt)}::timestamptz`]
      : ['amount_minor', `${add(place.amountMinor)}::bigint`];
  return [...range, `(p.${column}, p.id) ${ascending ? '>' : '<'} (${from}, ${add(place.id)}::uuid)`];
}

const whereAll = (conditions: string[]) => (conditions.length > 0 ? `where ${conditions.join(' and ')}` : '');

/** Selects what is wanted, in the way that promises to be the shortest. */
async function selectFound(builder: SqlBuilder, wanted: Wanted, columns: string): Promise<string> {
  const { filter, known, size } = wanted;
  if (known.ids.length > 0) {
    const conditions = [...wholeRange(wanted, builder), ...further(wanted, builder)];
    return `select ${columns} from payments p ${whereAll(conditions)} ${orderOf(wanted)} limit ${size}`;
  }
  // By amount a status or a protocol may be rare on the way; by time each has an index of its own.
  const meets = known.common.length > 0 || (filter.byAmount !== null && listsOf(filter, () => '').length > 0);
  if (!meets) return selectWalked(builder, wanted, columns);
  const selectThese = (ids: string[]) =>
    `select ${columns} from payments p where p.id = any(${builder.add(ids)}::uuid[])`;
  for (const among of lookedThrough) {
    const ids = await lookThrough(wanted, among);
    if (ids.length >= size) return selectThese(ids);
    if ((size * among) / Math.max(ids.length, 1) <= walkedMost) return selectWalked(builder, wanted, columns);
  }
  return selectThese(await gather(wanted));
}

const wholeRange = (wanted: Wanted, builder: SqlBuilder) => [
  ...whoseOf(wanted.filter, builder.add),
  ...rangeFrom(wanted, builder),
];

const further = ({ filter, known }: Wanted, { add }: SqlBuilder) => [
  ...listsOf(filter, add),
  ...known.common.map((conditionOf) => conditionOf(add)),
];

/** Those of the first payments of the whole list that are wanted; where they are as many as were wanted, they are it. */
async function lookThrough(wanted: Wanted, among: number): Promise<string[]> {
  const builder = startSql();
  const order = orderOf(wanted);
  const first = selectFirst(builder, wanted, [], among);
  const rows = await queryOnce<{ id: string }>(
    `select p.id from (${first}) p ${whereAll(further(wanted, builder))} ${order} limit ${wanted.size}`,
    builder.values,
  );
  return rows.map(({ id }) => id);
}

/** The first payments of the whole list, those of `more` conditions alone. By amount each merchant has an index of its own. */
function selectFirst(builder: SqlBuilder, wanted: Wanted, more: string[], size: number): string {
  const { filter } = wanted;
  const order = orderOf(wanted);
  if (filter.byAmount === null) {
    return `select * from payments p ${whereAll([...wholeRange(wanted, builder), ...more])} ${order} limit ${size}`;
  }
  const { add } = builder;
  const whose = filter.merchantId === null ? '' : `where m.id = ${add(filter.merchantId)}::uuid`;
  const conditions = [
    'p.merchant_id = m.id',
    `p.currency = ${add(filter.currencies[0])}`,
    ...rangeFrom(wanted, builder),
    ...more,
  ];
  return `select p.* from (select m.id from merchants m ${whose}) m cross join lateral (
            select * from payments p ${whereAll(conditions)} ${order} limit ${size}
          ) p ${order} limit ${size}`;
}

/**
 * The first of all that fit, who are found before they are put in order: the planner, if it knew that only the first are
 * wanted, would walk through the list to them, which was just seen to be long.
 */
async function gather(wanted: Wanted): Promise<string[]> {
  const builder = startSql();
  const conditions = [...wholeRange(wanted, builder), ...further(wanted, builder)];
  const rows = await queryOnce<{ id: string }>(
    `with found as materialized (select p.id, p.created_at, p.amount_minor from payments p ${whereAll(conditions)})
     select p.id from found p ${orderOf(wanted)} limit ${wanted.size}`,
    builder.values,
  );
  return rows.map(({ id }) => id);
}

/**
 * Walks through the list until the page is full. By status, protocol or operation, each combination is read by itself
 * from an index that has the list's order, and all are merged: a rare one costs no more than a common one. The other
 * conditions are tried on payment after payment: inside of CASE no index and no join is made of them.
 */
function selectWalked(builder: SqlBuilder, wanted: Wanted, columns: string): string {
  const { filter, known, size } = wanted;
  const { add } = builder;
  const order = orderOf(wanted);
  const met = known.common.map((conditionOf) => `case when ${conditionOf(add)} then true end`);
  const ordered = filter.byAmount === null ? orderedBy(filter, add) : null;
  if (!ordered) {
    // By amount no index has a status in the list's order: it is met like the other conditions.
    const lists = filter.byAmount === null ? [] : listsOf(filter, add).map((list) => `case when ${list} then true end`);
    return `select ${columns} from (${selectFirst(builder, wanted, [...met, ...lists], size)}) p ${order} limit ${size}`;
  }
  const conditions = [...ordered.conditions, ...rangeFrom(wanted, builder), ...met];
  return `select ${columns} from ${ordered.from} cross join lateral (
            select * from payments p ${whereAll(conditions)} ${order} limit ${size}
          ) p ${order} limit ${size}`;
}

/** What the pages tell of a payment's merchant, whether the merchant still takes payments or not. */
export async function merchantOfPayment(
  payment: Pick<Payment, 'merchantId' | 'protocol'>,
): Promise<{ name: string; defaultNotificationUrl: string | null }> {
  const [row] = await query<{ name: string; url: string | null }>(
    'merchant-of-payment',
    `select m.name, pm.default_notification_url as url from merchants m
       left join protocol_mappings pm on pm.merchant_id = m.id and pm.protocol = $2::"Protocol" where m.id = $1`,
    [payment.merchantId, payment.protocol],
  );
  if (!row) throw new Error(`merchant ${payment.merchantId} is gone`);
  return { name: row.name, defaultNotificationUrl: row.url };
}

/** A merchant's name; null when there is none with this id. */
export async function merchantName(id: string): Promise<string | null> {
  const [row] = await query<{ name: string }>('merchant-name', 'select name from merchants where id = $1', [id]);
  return row?.name ?? null;
}
