/**
 * All payments that a filter finds, as CSV. Written page by page as fast as it is read away, so that a million rows take
 * no memory, and a download that is broken off leaves nothing behind: between two pages nothing is held.
 */
import { stringify } from 'csv-stringify/sync';
import { exponentOf } from '../../core/currencies';
import { formatAmount } from '../../core/money';
import { cardMask, checkoutStatus, fullName, paymentMethod } from '../../protocols';
import type { PaymentFilter } from './filters';
import { localTimes } from './local-times';
import { type ListedPayment, listPayments } from './queries';

const rowsPerPage = 1000;

type Column = [head: string, cell: (listed: ListedPayment, zone: Zone) => string | number | null | undefined];

/** The zone that times are written in. */
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

/** The answer that is read as a file: UTF-8 with its mark, because spreadsheets ask for it. */
export function exportPayments(filter: PaymentFilter, zoneName: string, now: Date): Response {
  const day = now.toISOString().slice(0, 10);
  return new Response(csvStream(filter, zoneName), {
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

/** Rows as CSV (RFC 4180). Text that a spreadsheet would take for a formula gets an apostrophe in front. */
export function csvOf(rows: (string | number)[][]): string {
  if (rows.length === 0) return '';
  // A lone line feed is no end of a record here, but it is to many readers.
  return stringify(rows, { record_delimiter: 'windows', escape_formulas: true, quoted_match: /[\r\n]/ });
}
