/** All payments of a filter, or the selected ones, as CSV. */
import { exponentOf } from '../../core/currencies.ts';
import { formatAmount } from '../../core/money.ts';
import type { HttpResult } from '../../http/index.ts';
import { cardMask, checkoutStatus, fullName, paymentMethod } from '../../protocols/index.ts';
import type { DashboardRequest } from '../guard.ts';
import { methodLabel } from '../labels.ts';
import { type CsvColumn, csvPageSize, exportCsv } from '../lists/csv.ts';
import { readPaymentListQuery } from '../lists/query.ts';
import { filterOf } from './payments.ts';
import { type ListedPayment, listPayments } from './queries.ts';

const columns: CsvColumn<ListedPayment>[] = [
  ['created_at', ({ payment }, zone) => zone.text(payment.createdAt)],
  ['time_zone', (_, zone) => zone.name],
  ['payment_id', ({ payment }) => payment.id],
  ['order_number', ({ payment }) => payment.orderNumber],
  ['status', ({ payment }) => checkoutStatus[payment.state]],
  ['reason', ({ payment }) => payment.reason],
  ['amount', ({ payment }) => formatAmount(payment.amountMinor, payment.currency)],
  ['captured', ({ payment }) => formatAmount(payment.settledMinor, payment.currency)],
  ['refunded', ({ payment }) => formatAmount(payment.refundedMinor, payment.currency)],
  ['currency', ({ payment }) => payment.currency],
  ['currency_exponent', ({ payment }) => exponentOf(payment.currency)],
  ['protocol', ({ payment }) => payment.protocol],
  ['operation', ({ payment }) => payment.operation],
  ['method', ({ payment }) => paymentMethod(payment)],
  ['method_name', ({ payment }) => methodLabel(payment)?.name],
  ['card', ({ payment }) => payment.card && cardMask(payment.card)],
  ['payer_name', ({ payment }) => fullName(payment.payer)],
  ['payer_email', ({ payment }) => payment.payer.email],
  ['payer_country', ({ payment }) => payment.payer.country],
  ['description', ({ payment }) => payment.description],
  ['merchant', ({ merchantName }) => merchantName],
  ['mid', ({ mid }) => mid?.name],
  ['trans_id', ({ payment }) => payment.attemptId],
  ['recurring_token', ({ payment }) => payment.recurringToken],
  ['settled_at', ({ payment }, zone) => payment.settledAt && zone.text(payment.settledAt)],
];

/** The file. */
export async function exportPayments(request: DashboardRequest): Promise<HttpResult> {
  const filter = filterOf(readPaymentListQuery(request.query, request.zone), request.scope);
  return exportCsv(request, { subject: 'payments', merchantId: filter.merchantId }, columns, (last) =>
    listPayments(filter, { size: csvPageSize, ...(last && { after: last.payment }) }),
  );
}
