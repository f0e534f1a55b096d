/**
 * The list of payments, newest first. Paged by key and not by number, so that the ten-thousandth page costs what the
 * first does. What a search means is found out first: few hits are fetched by their ids, many are met on the way
 * through the newest.
 */
import type { State } from '../core/states';
import { query } from '../db';
import { isUuid } from './ids';
import type { Payment } from './payment';
import { paymentColumns, toPayment } from './rows';

/** Where a page begins: the payment before it. */
export type Place = { createdAt: Date; id: string };

export type ListFilter = {
  /** Only this merchant's payments; null for those of every merchant. */
  merchantId: string | null;
  /** A payment id, transaction id, order number, the payer's e-mail or a card's last four digits; '' for none. */
  search: string;
  /** Empty means any. */
  states: State[];
  /** From this instant on. */
  from: Date | null;
  /** Before this instant. */
  until: Date | null;
};

export type ListedPayment = { payment: Payment; merchantName: string };

/** A page's rows, newest first, and whether there are more beyond its end in the direction that was asked for. */
export type Listed = { rows: ListedPayment[]; more: boolean };

/** More hits than this are not collected but met on the way. */
const collectedMax = 5000;

/** Lists `size` payments after a place (older ones), before it (newer ones), or from the newest on. */
export async function listPayments(
  filter: ListFilter,
  page: { size: number; after?: Place; before?: Place },
): Promise<Listed> {
  const builder = startSql();
  const { add, where } = builder;
  if (filter.merchantId !== null) where('merchant', `p.merchant_id = ${add(filter.merchantId)}::uuid`);
  if (filter.states.length > 0) where('states', `p.state = any(${add(filter.states)}::"PaymentState"[])`);
  if (filter.from) where('from', `p.created_at >= ${add(filter.from)}::timestamptz`);
  if (filter.until) where('until', `p.created_at < ${add(filter.until)}::timestamptz`);
  const search = filter.search.trim();
  if (search !== '') {
    const hits = await collect(search, filter.merchantId);
    if (hits.length === 0) return { rows: [], more: false };
    if (hits.length <= collectedMax) where('ids', `p.id = any(${add(hits)}::uuid[])`);
    else for (const hit of matchers(search, add)) builder.orWhere(hit.name, hit.matches);
  }
  const backwards = page.before !== undefined;
  const place = page.before ?? page.after;
  if (place) {
    const key = `(${add(place.createdAt)}::timestamptz, ${add(place.id)}::uuid)`;
    where(backwards ? 'before' : 'after', `(p.created_at, p.id) ${backwards ? '>' : '<'} ${key}`);
  }
  const direction = backwards ? 'asc' : 'desc';
  const rows = await query<Row>(
    `payments-list ${builder.shape()}`,
    `select ${paymentColumns}, m.name as merchant_name
       from (select p.* from payments p ${builder.conditions()}
              order by p.created_at ${direction}, p.id ${direction} limit ${add(page.size + 1)}::int) p
       join merchants m on m.id = p.merchant_id left join cards k on k.id = p.card_id
      order by p.created_at ${direction}, p.id ${direction}`,
    builder.values,
  );
  const listed = rows
    .slice(0, page.size)
    .map((row) => ({ payment: toPayment(row), merchantName: row.merchant_name as string }));
  return { rows: backwards ? listed.reverse() : listed, more: rows.length > page.size };
}

type Row = { [column: string]: unknown };
type Add = (value: unknown) => string;

/** A text can mean several things; each is a condition on a payment, and a way to its hits by an index. */
type Matcher = { name: string; matches: string; hits: (ofMerchant: (alias: string) => string) => string };

function matchers(search: string, add: Add): Matcher[] {
  const text = `${add(search)}::text`;
  const found: Matcher[] = [
    {
      name: 'order',
      matches: `p.order_number = ${text}`,
      // Every index on order numbers begins with the merchant, of whom there are few.
      hits: (ofMerchant) =>
        `select p.id from merchants m join payments p on p.merchant_id = m.id
          where p.order_number = ${text} ${ofMerchant('p')}`,
    },
  ];
  if (isUuid(search)) {
    found.push(
      {
        name: 'id',
        matches: `p.id = ${text}::uuid`,
        hits: (ofMerchant) => `select p.id from payments p where p.id = ${text}::uuid ${ofMerchant('p')}`,
      },
      {
        name: 'transaction',
        matches: `p.id = (select payment_id from transactions where id = ${text}::uuid)`,
        hits: (ofMerchant) =>
          `select p.id from transactions t join payments p on p.id = t.payment_id
            where t.id = ${text}::uuid ${ofMerchant('p')}`,
      },
    );
  }
  if (search.includes('@')) {
    const email = `p.payer ? 'email' and lower(p.payer ->> 'email') = lower(${text})`;
    found.push({
      name: 'email',
      matches: `(${email})`,
      hits: (ofMerchant) => `select p.id from payments p where ${email} ${ofMerchant('p')}`,
    });
  }
  if (/^\d{4}$/.test(search)) {
    // Of every card that was tried, not only of the last.
    found.push({
      name: 'card',
      matches: `exists (select 1 from transactions t join cards k on k.id = t.card_id
                         where t.payment_id = p.id and k.last4 = ${text})`,
      hits: (ofMerchant) =>
        `select t.payment_id as id from cards k join transactions t on t.card_id = k.id
          where k.last4 = ${text} ${ofMerchant('k')}`,
    });
  }
  return found;
}

/** The ids of the payments that a text means: all of them, or one more than are collected. */
async function collect(search: string, merchantId: string | null): Promise<string[]> {
  const builder = startSql();
  const found = matchers(search, builder.add);
  const merchant = merchantId === null ? null : builder.add(merchantId);
  const ofMerchant = (alias: string) => (merchant === null ? '' : `and ${alias}.merchant_id = ${merchant}::uuid`);
  const parts = found.map(({ hits }) => `(${hits(ofMerchant)} limit ${collectedMax + 1})`);
  const rows = await query<{ id: string }>(
    `payments-search ${found.map(({ name }) => name).join(' ')} ${merchant === null ? '' : 'merchant'}`,
    `select distinct id from (${parts.join(' union all ')}) h limit ${collectedMax + 1}`,
    builder.values,
  );
  return rows.map(({ id }) => id);
}

/** Collects conditions with their values. Its shape names the statement: one name, one text. */
function startSql() {
  const values: unknown[] = [];
  const conditions: { name: string; condition: string }[] = [];
  const alternatives: { name: string; condition: string }[] = [];
  return {
    values,
    add: (value: unknown): string => {
      values.push(value);
      return `$${values.length}`;
    },
    where: (name: string, condition: string) => {
      conditions.push({ name, condition });
    },
    /** At least one of these has to hold. */
    orWhere: (name: string, condition: string) => {
      alternatives.push({ name, condition });
    },
    shape: () => [...conditions, ...alternatives].map(({ name }) => name).join(' '),
    conditions: () => {
      const all = conditions.map(({ condition }) => condition);
      if (alternatives.length > 0) all.push(`(${alternatives.map(({ condition }) => condition).join(' or ')})`);
      return all.length > 0 ? `where ${all.join(' and ')}` : '';
    },
  };
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
