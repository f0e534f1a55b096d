/** Statements of card tokens for lists and pages. A token is identified by its card's id, which may be in a URL. */

import { isUuid } from '../../core/ids';
import type { CardView, Payment } from '../../core/payment';
import { fetchPage, newSqlBuilder, type Paged, type PageRequest, query } from '../../db';
import { type PaymentRow, paymentColumns, toPayment } from '../../payments';

/** `active`: can be charged. `expired`: the card has expired. `removed`: cannot be charged any more. */
export const tokenStates = ['active', 'expired', 'removed'] as const;
export type TokenState = (typeof tokenStates)[number];

export type TokenFilter = {
  merchantId: string | null;
  /** The full token, the card's last four digits, or its first six; '' for none. */
  search: string;
  /** Empty means any. */
  states: TokenState[];
  brand: string | null;
  from: Date | null;
  until: Date | null;
};

export type ListedToken = {
  token: string;
  merchantId: string;
  merchantName: string;
  card: CardView;
  state: TokenState;
  createdAt: Date;
  removedAt: Date | null;
};

type Row = {
  token: string;
  merchant_id: string;
  merchant_name: string;
  card_id: string;
  first6: string;
  last4: string;
  brand: string | null;
  exp_month: number;
  exp_year: number;
  holder: string | null;
  state: TokenState;
  created_at: Date;
  removed_at: Date | null;
};

// A card is valid through the last day of its month.
const stateSql = (now: string) => `case when t.removed_at is not null then 'removed'
  when (c.exp_year, c.exp_month) < (extract(year from ${now}::timestamptz at time zone 'UTC')::int,
                                    extract(month from ${now}::timestamptz at time zone 'UTC')::int) then 'expired'
  else 'active' end`;

const from = 'card_tokens t join cards c on c.id = t.card_id join merchants m on m.id = t.merchant_id';

const columns = (
  now: string,
) => `t.token, t.merchant_id, m.name as merchant_name, t.card_id, c.first6, c.last4, c.brand,
  c.exp_month, c.exp_year, c.holder, ${stateSql(now)} as state, t.created_at, t.removed_at`;

/** A page of the tokens, newest first; the cursor uses the ids of their cards. */
export async function listCardTokens(filter: TokenFilter, page: PageRequest, now: Date): Promise<Paged<ListedToken>> {
  const builder = newSqlBuilder();
  const { add, where } = builder;
  const at = add(now);
  if (filter.merchantId !== null) where(`t.merchant_id = ${add(filter.merchantId)}::uuid`);
  if (filter.states.length > 0) where(`${stateSql(at)} = any(${add(filter.states)}::text[])`);
  if (filter.brand !== null) where(`c.brand = ${add(filter.brand)}::text`);
  if (filter.from) where(`t.created_at >= ${add(filter.from)}::timestamptz`);
  if (filter.until) where(`t.created_at < ${add(filter.until)}::timestamptz`);
  const search = filter.search.trim();
  if (/^\d{4}$/.test(search)) where(`c.last4 = ${add(search)}::text`);
  else if (/^\d{6}$/.test(search)) where(`c.first6 = ${add(search)}::text`);
  else if (search !== '') where(`t.token = ${add(search.toLowerCase())}::text`);
  const list = { columns: columns(at), from, at: 't.created_at', id: 't.card_id' };
  const { rows, more } = await fetchPage<Row>(list, builder, page);
  return { rows: rows.map(toListed), more };
}

/** The token of a card; with `merchantId` only that merchant's. */
export async function findTokenOfCard(
  cardId: string,
  merchantId: string | null,
  now: Date,
): Promise<ListedToken | null> {
  if (!isUuid(cardId)) return null;
  const [row] = await query<Row>(
    'token-listed',
    `select ${columns('$3')} from ${from} where t.card_id = $1 and ($2::uuid is null or t.merchant_id = $2::uuid)`,
    [cardId, merchantId, now],
  );
  return row ? toListed(row) : null;
}

function toListed(row: Row): ListedToken {
  const { card_id: id, first6, last4, brand, exp_month: expMonth, exp_year: expYear, holder } = row;
  return {
    token: row.token,
    merchantId: row.merchant_id,
    merchantName: row.merchant_name,
    card: { id, first6, last4, brand, expMonth, expYear, holder },
    state: row.state,
    createdAt: row.created_at,
    removedAt: row.removed_at,
  };
}

/** A page of the payments with an attempt on a card, newest first. */
export async function paymentsOfCard(cardId: string, page: PageRequest): Promise<Paged<Payment>> {
  const builder = newSqlBuilder();
  const { add, where } = builder;
  where(`p.id in (select t.payment_id from transactions t where t.card_id = ${add(cardId)}::uuid)`);
  const list = {
    columns: paymentColumns,
    from: 'payments p left join cards k on k.id = p.card_id',
    at: 'p.created_at',
    id: 'p.id',
  };
  const { rows, more } = await fetchPage<PaymentRow>(list, builder, page);
  return { rows: rows.map(toPayment), more };
}
