/**
 * Streams all payments of a filter as CSV, page by page as the client reads, so that a million rows need no memory. An
 * aborted download leaves nothing open: no cursor is held between pages.
 */
import { stringify } from 'csv-stringify/sync';
import { Temporal } from 'temporal-polyfill';
import { exponentOf } from '../../core/currencies.ts';
import { formatAmount } from '../../core/money.ts';
import { type HttpResult, httpResult } from '../../http/index.ts';
import { cardMask, checkoutStatus, fullName, paymentMethod } from '../../protocols/index.ts';
import { logAction } from '../changes.ts';
import type { DashboardRequest } from '../guard.ts';
import { readPaymentListQuery } from '../lists/query.ts';
import type { PaymentFilter } from './filters.ts';
import { filterOf } from './payments.ts';
import { type ListedPayment, listPayments } from './queries.ts';

const rowsPerPage = 1000;

type Column = [head: string, cell: (listed: ListedPayment, zone: Zone) => string | number | null | undefined];

type Zone = { name: string; text: (at: Date) => string };

const columns: Column[] = [
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

/** The file, with the byte order mark that spreadsheets require. It is logged before the first line is sent. */
export async function exportPayments(request: DashboardRequest): Promise<HttpResult> {
  const { query, zone, scope, now } = request;
  const filter = filterOf(readPaymentListQuery(query, zone), scope);
  const after = { filter: query.toString(), time_zone: zone };
  await logAction(request, 'payments.export', 'payments', { after, merchantId: filter.merchantId });
  const day = now.toISOString().slice(0, 10);
  return httpResult(csvStream(filter, zone), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="payments-${day}.csv"`,
      'cache-control': 'no-store',
    },
  });
}

function csvStream(filter: PaymentFilter, zoneName: string): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const zone: Zone = { name: zoneName, text: localTimes(zoneName) };
  let after: { createdAt: Date; id: string } | undefined;
  let begun = false;
  return new ReadableStream({
    async pull(controller) {
      const { rows, more } = await listPayments(filter, { size: rowsPerPage, ...(after && { after }) });
      const head = begun ? '' : `\uFEFF${csvOf([columns.map(([name]) => name)])}`;
      begun = true;
      after = rows.at(-1)?.payment;
      const text = head + csvOf(rows.map((listed) => columns.map(([, cell]) => cell(listed, zone) ?? '')));
      if (text !== '') controller.enqueue(encoder.encode(text));
      if (!more) controller.close();
    },
  });
}

/** Rows as CSV (RFC 4180). Text that a spreadsheet would read as a formula gets a leading apostrophe. */
export function csvOf(rows: (string | number)[][]): string {
  if (rows.length === 0) return '';
  // Many readers treat a lone line feed as the end of a record, so it is quoted.
  return stringify(rows, { record_delimiter: 'windows', escape_formulas: true, quoted_match: /[\r\n]/ });
}

/** A formatter of times in `zone`, as `2026-11-20T13:51:08.123+01:00`. */
export const localTimes = (zone: string) => (at: Date) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(zone)
    .toString({ smallestUnit: 'millisecond', timeZoneName: 'never' });
