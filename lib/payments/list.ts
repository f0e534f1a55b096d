/**
 * The list of payments, newest first. Paged by key and not by number, so that the ten-thousandth page costs what the
 * first does, and planned anew for every question: a status or an operation is read in the list's own order by an index,
 * whatever else may be rare is collected first (list-filters.ts), whatever is common is met on the way.
 */
import { query, queryOnce } from '../db';
import { type PageAsked, type Paged, type SqlBuilder, startSql } from './keyed';
import { confineTo, type ListFilter, type Ordered, orderedBy } from './list-filters';
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

/** Lists `size` payments after a place (older ones), before it (newer ones), or from the newest on. */
export async function listPayments(asked: ListFilter, page: PageAsked): Promise<Listed> {
  const filter = await ofOneMerchant(asked);
  const builder = startSql();
  const confined = await confineTo(builder, filter);
  if (confined === 'nothing') return { rows: [], more: false };
  const backwards = page.before !== undefined;
  const ascending = backwards !== filter.oldestFirst;
  const place = page.before ?? page.after;
  if (place) {
    const key = `(${builder.add(place.createdAt)}::timestamptz, ${builder.add(place.id)}::uuid)`;
    builder.where('place', `(p.created_at, p.id) ${ascending ? '>' : '<'} ${key}`);
  }
  const direction = ascending ? 'asc' : 'desc';
  const order = `order by p.created_at ${direction}, p.id ${direction}`;
  const found = selectFound(builder, confined === 'few' ? null : orderedBy(builder, filter), order, page.size + 1);
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
      ${order}`,
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
  const filter = await ofOneMerchant(asked);
  const builder = startSql();
  const confined = await confineTo(builder, filter);
  if (confined === 'nothing') return 0;
  const found = selectFound(builder, confined === 'few' ? null : orderedBy(builder, filter), '', most + 1, 'p.id');
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

/**
 * The payments under the builder's conditions, `size` at most. By `ordered`, each of its combinations is read by itself
 * from an index that has the list's order, and all are merged: a rare one costs no more than a common one.
 */
function selectFound(builder: SqlBuilder, ordered: Ordered, order: string, size: number, columns = 'p.*'): string {
  if (!ordered) return `select ${columns} from payments p ${builder.conditions()} ${order} limit ${size}`;
  for (const { name, condition } of ordered.conditions) builder.where(name, condition);
  return `select ${columns} from ${ordered.from} cross join lateral (
            select * from payments p ${builder.conditions()} ${order} limit ${size}
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
