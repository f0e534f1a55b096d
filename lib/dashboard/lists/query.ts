/**
 * What the addresses of lists name: a search, days, a page. Invalid values are ignored, because addresses are typed,
 * shortened and shared.
 */
import { Temporal } from 'temporal-polyfill';
import { maskCardNumbers } from '../../core/card-text.ts';
import { searchableCard } from '../../core/cards.ts';
import { isUuid } from '../../core/ids.ts';
import { storable } from '../../core/storable.ts';
import type { Cursor, Paged } from '../../db/index.ts';
import type { ListOf } from './description.ts';

const searchMax = 255;

/** The search text; '' for none. A card number is reduced to its last four digits and stored nowhere. */
export function readSearch(params: URLSearchParams): string {
  const wanted = searched(params.get('q') ?? '');
  return searchableCard(wanted) ?? wanted;
}

/** The beginning of a text that is searched for, as PostgreSQL can compare it. */
export const searched = (text: string): string => storable(text.slice(0, searchMax)).trim();

/** More than any list reads, which are names and texts, and several of a column's values. */
const [storedPairsMax, storedMax] = [40, 1000];

/** The query of a list as the audit log and saved views have it: shortened, and card numbers in it are masked. */
export function storedQuery(query: URLSearchParams): string {
  const pairs = [...query].slice(0, storedPairsMax);
  return new URLSearchParams(
    pairs.map((pair) => pair.map((text) => maskCardNumbers(text).slice(0, storedMax))),
  ).toString();
}

/** A cursor for the address bar: milliseconds since 1970, a dot and the id. */
export function encodeCursor({ createdAt, id }: Cursor): string {
  return `${createdAt.getTime()}.${id}`;
}

/** The cursor that {@link encodeCursor} wrote; undefined for any other text. */
export function decodeCursor(text: string | null): Cursor | undefined {
  const [, milliseconds = '', id = ''] = /^(\d{1,15})\.(.+)$/.exec(text ?? '') ?? [];
  if (!isUuid(id) || Number(milliseconds) > 8.64e15) return undefined;
  return { createdAt: new Date(Number(milliseconds)), id };
}

/** A day such as `2026-11-20`; null for any other text. */
export function readDay(text: string | null): Temporal.PlainDate | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text ?? '')) return null;
  try {
    return Temporal.PlainDate.from(text as string, { overflow: 'reject' });
  } catch {
    return null;
  }
}

/** The first instant of a day, or of a later one: `to` includes its day. */
export function startOfDay(text: string | null, zone: string, daysLater: number): Date | null {
  const day = readDay(text)?.add({ days: daysLater });
  return day ? new Date(day.toZonedDateTime(zone).epochMilliseconds) : null;
}

/** The time zone that the browser names in its cookie; UTC without one or if it does not exist. */
export function readZone(name: string | undefined): string {
  if (name === undefined || name === '' || name.length > 64) return 'UTC';
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return 'UTC';
  }
}

/** Rows of one page of a list. */
export const pageSize = 50;

/** The page that an address requests; the first without a cursor. */
type PageCursors<Place> = { after?: Place | undefined; before?: Place | undefined; oldestFirst?: boolean | undefined };

/** Reads a page with `list`; `keyOf` is the key of a row in the address. */
export async function readPage<Row, Place = Cursor>(
  { after, before, oldestFirst = false }: PageCursors<Place>,
  list: (page: PageCursors<Place> & { size: number }) => Promise<Paged<Row>>,
  keyOf: (row: Row) => string,
): Promise<ListOf<Row>> {
  let listed = await list({ size: pageSize, after, before, oldestFirst });
  // Paging back to the beginning shows a full first page, not only the rows before the second.
  const atStart = before !== undefined && !listed.more;
  if (atStart) listed = await list({ size: pageSize, oldestFirst });
  const backwards = before !== undefined && !atStart;
  const first = listed.rows[0];
  const last = listed.rows.at(-1);
  const hasNewer = backwards ? listed.more : after !== undefined;
  const hasOlder = backwards || listed.more;
  return {
    rows: listed.rows,
    newer: hasNewer && first ? keyOf(first) : null,
    older: hasOlder && last ? keyOf(last) : null,
  };
}

/** Reads `after` and `before` of an address; `after` takes precedence. */
export function readCursors<Place = Cursor>(
  params: URLSearchParams,
  decode = decodeCursor as (text: string | null) => Place | undefined,
): PageCursors<Place> {
  const after = decode(params.get('after'));
  const before = after === undefined ? decode(params.get('before')) : undefined;
  return { ...(after !== undefined && { after }), ...(before !== undefined && { before }) };
}
