/** Payouts to a payee (credit) and transfers from card to card, found by a partial index. */

import type { Payment } from '../../core/payment';
import type { State } from '../../core/states';
import { fetchPage, newSqlBuilder, type Paged, type PageRequest } from '../../db';
import { type PaymentRow, paymentColumns, toPayment } from '../../payments';
import { applySearch } from '../payments/search';

export type PayoutFilter = {
  merchantId: string | null;
  search: string;
  /** Empty means any. */
  states: State[];
  operation: 'credit' | 'transfer' | null;
  currency: string | null;
  from: Date | null;
  until: Date | null;
};

export type ListedPayout = { payment: Payment; merchantName: string };

/** A page of the payouts, newest first. */
export async function listPayouts(filter: PayoutFilter, page: PageRequest): Promise<Paged<ListedPayout>> {
  const builder = newSqlBuilder();
  const { add, where } = builder;
  // The same condition as the index, otherwise the planner does not use it.
  where(`p.operation = any (array['credit'::"Operation", 'transfer'::"Operation"])`);
  if (filter.merchantId !== null) where(`p.merchant_id = ${add(filter.merchantId)}::uuid`);
  if (filter.states.length > 0) where(`p.state = any(${add(filter.states)}::"PaymentState"[])`);
  if (filter.operation !== null) where(`p.operation = ${add(filter.operation)}::"Operation"`);
  if (filter.currency !== null) where(`p.currency = ${add(filter.currency)}::text`);
  if (filter.from) where(`p.created_at >= ${add(filter.from)}::timestamptz`);
  if (filter.until) where(`p.created_at < ${add(filter.until)}::timestamptz`);
  if (!(await applySearch(builder, filter))) return { rows: [], more: false };
  const list = {
    columns: `${paymentColumns}, m.name as merchant_name`,
    from: 'payments p join merchants m on m.id = p.merchant_id left join cards k on k.id = p.card_id',
    at: 'p.created_at',
    id: 'p.id',
  };
  const { rows, more } = await fetchPage<PaymentRow & { merchant_name: string }>(list, builder, page);
  return { rows: rows.map((row) => ({ payment: toPayment(row), merchantName: row.merchant_name })), more };
}
