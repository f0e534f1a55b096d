/** The list of unresolved items, each with its payment. */
import type { Money } from '../../core/money';
import type { Payment } from '../../core/payment';
import { fetchPage, newSqlBuilder, type Paged, type PageRequest } from '../../db';
import {
  type PaymentRow,
  paymentColumns,
  toPayment,
  toUnresolved,
  type Unresolved,
  type UnresolvedKind,
  type UnresolvedRow,
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
    columns: `${unresolvedColumns}, ${paymentColumns},
      m.name as merchant_name, (select w.name from users w where u.closed_by = 'user:' || w.id) as closed_by_name,
      t.status in ('sent', 'challenge', 'redirect', 'waiting', 'unknown') as undecided,
      t.amount_minor as requested_minor, t.currency as requested_currency`,
    from: `unresolved u join payments p on p.id = u.payment_id join transactions t on t.id = u.transaction_id
      join merchants m on m.id = p.merchant_id left join cards k on k.id = p.card_id`,
    at: 'u.created_at',
    id: 'u.id',
  };
  const { rows, more } = await fetchPage<Row>(list, builder, page);
  return { rows: rows.map(listedOf), more };
}

type Row = UnresolvedRow &
  PaymentRow & {
    merchant_name: string;
    requested_minor: bigint;
    requested_currency: string;
    undecided: boolean;
    closed_by_name: string | null;
  };

function listedOf(row: Row): ListedUnresolved {
  return {
    item: toUnresolved(row),
    payment: toPayment(row),
    merchantName: row.merchant_name,
    requested: { minor: row.requested_minor, currency: row.requested_currency },
    undecided: row.undecided,
    closedByName: row.closed_by_name,
  };
}
