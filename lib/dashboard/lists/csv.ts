/**
 * Lists as CSV files, streamed page by page as the client reads, so that a million rows need no memory. An aborted
 * download leaves nothing open: no cursor is held between pages.
 */
import { stringify } from 'csv-stringify/sync';
import { Temporal } from 'temporal-polyfill';
import { isSessionOf, merchantOf } from '../../auth/index.ts';
import { type HttpResult, httpResult } from '../../http/index.ts';
import { logAction } from '../changes.ts';
import { DashboardError } from '../errors.ts';
import type { DashboardRequest } from '../guard.ts';
import { takeExportPlace } from '../user-turns.ts';
import { storedQuery } from './query.ts';

/** The time zone of the written times. */
export type Zone = { name: string; text: (at: Date) => string };

export type CsvColumn<Row> = [head: string, cell: (row: Row, zone: Zone) => string | number | null | undefined];

/** The rows of a page behind `last`, or of the first, and whether more follow. */
type ReadPage<Row> = (last: Row | undefined) => Promise<{ rows: Row[]; more: boolean }>;

/** The rows of a page: 200 entries of the audit log with 16 KB each occupy the process for about 40 ms. */
export const csvPageSize = 200;

/**
 * A file of all pages. `subject` names it in the audit log, which
 * has the export before the first line is sent. The file is cut, as by a lost connection, if the user loses the access.
 */
export async function exportCsv<Row>(
  request: DashboardRequest,
  { subject, merchantId }: { subject: 'audit_log' | 'payments'; merchantId: string | null },
  columns: readonly CsvColumn<Row>[],
  read: ReadPage<Row>,
): Promise<HttpResult> {
  const { viewer, session, zone: zoneName, now, query } = request;
  const after = { filter: storedQuery(query), time_zone: zoneName };
  const leave = takeExportPlace({ id: viewer.id, merchantId: merchantOf(viewer) });
  if (!leave) {
    const message = 'Other exports are in progress. Try again when they have ended.';
    throw new DashboardError(429, message, undefined, { retryAfterSeconds: 30 });
  }
  try {
    await logAction(request, `${subject}.export`, subject, { after, merchantId });
  } catch (error) {
    leave();
    throw error;
  }
  const encoder = new TextEncoder();
  const pages = csvPages(columns, zoneName, async (last: Row | undefined) => {
    if (last !== undefined && !(await isSessionOf(viewer, session.id)))
      throw new Error(`the session of user ${viewer.id} ended during an export`);
    return read(last);
  });
  const source = {
    async pull(controller: ReadableStreamDefaultController<Uint8Array>) {
      try {
        const { value, done } = await pages.next();
        if (!done) return controller.enqueue(encoder.encode(value));
        controller.close();
        leave();
      } catch (error) {
        leave();
        throw error;
      }
    },
    cancel: leave,
  };
  // No page is read before the one before it was sent.
  const stream = new ReadableStream<Uint8Array>(source, { highWaterMark: 0 });
  return httpResult(stream, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${subject.replace('_', '-')}-${now.toISOString().slice(0, 10)}.csv"`,
      'cache-control': 'no-store',
    },
  });
}

/** The text of a file page by page, the first with the byte order mark that spreadsheets require, and the header. */
export async function* csvPages<Row>(
  columns: readonly CsvColumn<Row>[],
  zoneName: string,
  read: ReadPage<Row>,
): AsyncGenerator<string, void> {
  const zone: Zone = { name: zoneName, text: localTimes(zoneName) };
  let head = `\uFEFF${csvOf([columns.map(([title]) => title)])}`;
  let last: Row | undefined;
  do {
    const { rows, more } = await read(last);
    yield head + csvOf(rows.map((row) => columns.map(([, cell]) => cell(row, zone) ?? '')));
    head = '';
    last = more ? rows.at(-1) : undefined;
  } while (last !== undefined);
}

/**
 * The beginning of a formula: at the start of a text, and behind what a spreadsheet with other settings takes for the end
 * of a cell, also with quotes of the text before it. There the quotes of the file do not help, because they begin in
 * another of its cells.
 */
const formula = /^("*)(?=[=+\-@|%\t\r\uFF1D\uFF0B\uFF0D\uFF20])/;

const withoutFormula = (text: string) =>
  text
    .split(/(?<=[;\t\r\n])/)
    .map((part) => part.replace(formula, "$1'"))
    .join('');

/** Rows as CSV (RFC 4180). Text that a spreadsheet would read as a formula gets an apostrophe. */
export function csvOf(rows: (string | number)[][]): string {
  if (rows.length === 0) return '';
  const safe = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? withoutFormula(cell) : cell)));
  // Many readers treat a lone line feed as the end of a record, so it is quoted.
  return stringify(safe, { record_delimiter: 'windows', quoted_match: /[\r\n]/ });
}

/** A formatter of times in `zone`, as `2026-11-20T13:51:08.123+01:00`. */
export const localTimes = (zone: string) => (at: Date) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(zone)
    .toString({ smallestUnit: 'millisecond', timeZoneName: 'never' });
