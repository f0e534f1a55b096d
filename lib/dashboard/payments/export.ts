/** The export of payments as CSV: its columns, of which a user may choose some. */
import { exponentOf } from '../../core/currencies.ts';
import { formatAmount } from '../../core/money.ts';
import type { HttpResult } from '../../http/index.ts';
import { cardMask, checkoutStatus, fullName, paymentMethod } from '../../protocols/index.ts';
import { invalid } from '../errors.ts';
import type { DashboardRequest } from '../guard.ts';
import { methodLabel } from '../labels.ts';
import { type CsvColumn, csvPageSize, csvPages, exportCsv } from '../lists/csv.ts';
import { type PaymentFilter, readPaymentFilter } from './list-filter.ts';
import { type ListedPayment, listPayments } from './queries.ts';

/** Every column, in the order of the file. */
export const exportColumns: readonly CsvColumn<ListedPayment>[] = [
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
  ['refunded_at', ({ refundedAt }, zone) => refundedAt && zone.text(refundedAt)],
  ['charged_back', ({ payment }) => formatAmount(payment.chargedBackMinor, payment.currency)],
  ['provider_reference', ({ attempt }) => attempt?.providerRef],
  ['rrn', ({ attempt }) => attempt?.rrn],
  ['arn', ({ attempt }) => attempt?.arn],
  ['approval_code', ({ attempt }) => attempt?.approvalCode],
  ['decline_code', ({ attempt }) => attempt?.declineCode],
  ['decline_class', ({ attempt }) => attempt?.declineClass],
  ['card_brand', ({ payment }) => payment.card?.brand],
  ['bin', ({ payment }) => payment.card?.first6],
  ['eci', ({ attempt }) => attempt?.threeDS?.eci],
];

const names: ReadonlySet<string> = new Set(exportColumns.map(([name]) => name));

/** The names of all columns. */
export const exportColumnNames: readonly string[] = [...names];

/** The columns of these names in the order of the file; all without any. An unknown name is refused. */
export function columnsNamed(wanted: readonly string[]): readonly CsvColumn<ListedPayment>[] {
  const unknown = wanted.find((name) => !names.has(name));
  if (unknown !== undefined) throw invalid({ columns: 'There is no such column.' });
  return wanted.length === 0 ? exportColumns : exportColumns.filter(([name]) => wanted.includes(name));
}

/** Reads the payments of a filter page by page. */
const pagesOf = (filter: PaymentFilter) => (last: ListedPayment | undefined) =>
  listPayments(filter, { size: csvPageSize, ...(last && { after: last.payment }) });

/** All payments of a filter, or the selected ones, as CSV with the columns that the address names. */
export async function exportPayments(request: DashboardRequest): Promise<HttpResult> {
  const filter = readPaymentFilter(request);
  const columns = columnsNamed((request.query.get('columns') ?? '').split(',').filter(Boolean));
  return exportCsv(request, { subject: 'payments', merchantId: filter.merchantId }, columns, pagesOf(filter));
}

/** The text of the same file, page by page. */
export const exportText = (
  request: Parameters<typeof readPaymentFilter>[0],
  columns: readonly string[],
): AsyncGenerator<string, void> => csvPages(columnsNamed(columns), request.zone, pagesOf(readPaymentFilter(request)));
