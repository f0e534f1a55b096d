/** The list of unresolved items, each with its payment. */
import type { Money } from '../../core/money';
import type { Payment } from '../../core/payment';
import { fetchPage, newSqlBuilder, type Paged, type PageRequest } from '../../db';
import {
  paymentColumns,
  toPayment,
  toUnresolved,
  type Unresolved,
  type UnresolvedKind,
  unresolvedColumns,
} from '../../payments';
import { applySearch } from '../payments/search';

export type UnresolvedFilter = {
  merchantId: string | null;
  search: string;
  /** Null for both. */
  open: boolean | null;
  kinds: UnresolvedKind[];
  currency: string | null;
  from: Date | null;
  until: Date | null;
};

export type ListedUnresolved = {
  item: Unresolved;
  payment: Payment;
  merchantName: string;
  /** The requested amount of the operation. */
  requested: Money;
  /** Whether the operation has no outcome yet: closing the item decides it. */
  undecided: boolean;
  /** The name of the user who closed it; null if Florin did, or the user was deleted. */
  closedByName: string | null;
};

/** A page of the items, newest first. */
export async function listUnresolved(filter: UnresolvedFilter, page: PageRequest): Promise<Paged<ListedUnresolved>> {
  const builder = newSqlBuilder();
  const { add, where } = builder;
  if (filter.merchantId !== null) where(`u.merchant_id = ${add(filter.merchantId)}::uuid`);
  if (filter.open !== null) where(`u.closed_at is ${filter.open ? '' : 'not '}null`);
  if (filter.kinds.length > 0) where(`u.kind = any(${add(filter.kinds)}::text[])`);
  if (filter.currency !== null) where(`u.currency = ${add(filter.currency)}::text`);
  if (filter.from) where(`u.created_at >= ${add(filter.from)}::timestamptz`);
  if (filter.until) where(`u.created_at < ${add(filter.until)}::timestamptz`);
  if (!(await applySearch(builder, filter))) return { rows: [], more: false };
  const list = {
    columns: `u.id as unresolved_id, u.currency as unresolved_currency, u.amount_minor as unresolved_minor,
      u.created_at as unresolved_at, u.reason as unresolved_reason, ${unresolvedColumns}, ${paymentColumns},
      m.name as merchant_name, (select w.name from users w where u.closed_by = 'user:' || w.id) as closed_by_name,
      t.status in ('sent', 'challenge', 'redirect', 'waiting', 'unknown') as undecided,
      t.amount_minor as requested_minor, t.currency as requested_currency`,
    from: `unresolved u join payments p on p.id = u.payment_id join transactions t on t.id = u.transaction_id
      join merchants m on m.id = p.merchant_id left join cards k on k.id = p.card_id`,
    at: 'u.created_at',
    id: 'u.id',
  };
  type Row = { [column: string]: unknown };
  const { rows, more } = await fetchPage<Row>(list, builder, page);
  return { rows: rows.map(listedOf), more };
}

// The two tables share column names: those of the payment come last in a row.
function listedOf(row: { [column: string]: unknown }): ListedUnresolved {
  const own = {
    ...row,
    id: row.unresolved_id,
    currency: row.unresolved_currency,
    amount_minor: row.unresolved_minor,
    created_at: row.unresolved_at,
    reason: row.unresolved_reason,
    payment_id: row.id,
  };
  return {
    item: toUnresolved(own),
    payment: toPayment(row),
    merchantName: row.merchant_name as string,
    requested: { minor: row.requested_minor as bigint, currency: row.requested_currency as string },
    undecided: row.undecided as boolean,
    closedByName: row.closed_by_name as string | null,
  };
}
