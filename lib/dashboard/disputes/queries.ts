/** Statements of the chargebacks list, each chargeback with its payment. */

import type { Payment, Transaction } from '../../core/payment';
import { fetchPage, newSqlBuilder, type Paged, type PageRequest } from '../../db';
import {
  type PaymentRow,
  paymentColumns,
  type TransactionRow,
  toPayment,
  toTransaction,
  transactionColumns,
} from '../../payments';
import { applySearch } from '../payments/search';

export type ChargebackFilter = {
  merchantId: string | null;
  search: string;
  /** The bank's reason code, as `10.4`; null for any. */
  reasonCode: string | null;
  currency: string | null;
  from: Date | null;
  until: Date | null;
};

export type ListedChargeback = { payment: Payment; transaction: Transaction; merchantName: string };

/** A page of chargebacks, newest first. */
export async function listChargebacks(filter: ChargebackFilter, page: PageRequest): Promise<Paged<ListedChargeback>> {
  const builder = newSqlBuilder();
  const { add, where } = builder;
  // The same condition as the index, otherwise the planner does not use it.
  where(`t.kind = 'chargeback'::"TransactionKind"`);
  if (filter.merchantId !== null) where(`p.merchant_id = ${add(filter.merchantId)}::uuid`);
  if (filter.reasonCode !== null) {
    where(`t.facts #>> '{extended,reason_code}' = ${add(filter.reasonCode)}::text`);
  }
  if (filter.currency !== null) where(`t.currency = ${add(filter.currency)}::text`);
  if (filter.from) where(`t.created_at >= ${add(filter.from)}::timestamptz`);
  if (filter.until) where(`t.created_at < ${add(filter.until)}::timestamptz`);
  if (!(await applySearch(builder, filter))) return { rows: [], more: false };
  const list = {
    columns: `${paymentColumns}, ${transactionColumns}, m.name as "merchantName"`,
    from: `transactions t join payments p on p.id = t.payment_id join merchants m on m.id = p.merchant_id
      left join cards k on k.id = p.card_id`,
    at: 't.created_at',
    id: 't.id',
  };
  type Row = PaymentRow & TransactionRow & { merchantName: string };
  const { rows, more } = await fetchPage<Row>(list, builder, page);
  const listed = rows.map((row) => ({
    payment: toPayment(row),
    transaction: toTransaction(row),
    merchantName: row.merchantName,
  }));
  return { rows: listed, more };
}
