/** The list's filters in the address. Invalid values are ignored, because addresses are typed, shortened and shared. */
import { Temporal } from 'temporal-polyfill';
import { searchableCard } from '../../core/cards.ts';
import { exponentOf } from '../../core/currencies.ts';
import { declineClasses } from '../../core/declines.ts';
import { isUuid } from '../../core/ids.ts';
import { mappingProtocols } from '../../core/mapping-options.ts';
import type { Operation } from '../../core/payment.ts';
import { type State, states } from '../../core/states.ts';
import type { Cursor, Paged } from '../../db/index.ts';
import { checkoutStatus } from '../../protocols/index.ts';
import { selectedMax } from './columns.ts';
import type { ListOf } from './description.ts';

const searchMax = 255;

export type PaymentListQuery = ReturnType<typeof readPaymentListQuery>;

/**
 * Reads the list's address: `q`; comma-separated `state` (statuses), `protocol`, `operation`, `method`, `currency`,
 * `mid`, `class`, `recurring`, `ids`; `amount_from` and `amount_to`; `reason`; `card`; `attention=yes`; `merchant`; `from`
 * and `to` (days in `zone`); `sort` (`oldest`; for one currency `largest` or `smallest`); `after` and `before` (cursors).
 */
export function readPaymentListQuery(params: URLSearchParams, zone: string) {
  const named = new Set(listOf(params, 'state'));
  const currencies = listOf(params, 'currency').filter((code) => exponentOf(code) !== null);
  return {
    /** An empty list or text means any. */
    filter: {
      search: readSearch(params),
      states: states.filter((state: State) => named.has(checkoutStatus[state])),
      protocols: among(mappingProtocols, listOf(params, 'protocol')),
      operations: among(operations, listOf(params, 'operation')),
      methods: listOf(params, 'method').filter((id) => /^[\w.-]{1,64}$/.test(id)),
      currencies,
      /** Decimal texts in each payment's own currency; null for no bound. Both bounds are inclusive. */
      amountFrom: readAmount(params.get('amount_from')),
      amountTo: readAmount(params.get('amount_to')),
      mids: listOf(params, 'mid').filter(isUuid),
      /** Of declined attempts; without a state filter also of declined payments. */
      declineClasses: among(declineClasses, listOf(params, 'class')),
      /** The beginning of the reason, ignoring case. */
      reason: storable(params.get('reason') ?? ''),
      recurring: among(recurringKinds, listOf(params, 'recurring')),
      cardId: idOf(params.get('card')),
      /** Selected payments. */
      ids: listOf(params, 'ids', selectedMax * 37).filter(isUuid),
      attention: params.get('attention') === 'yes',
      from: startOfDay(params.get('from'), zone, 0),
      until: startOfDay(params.get('to'), zone, 1),
      oldestFirst: params.get('sort') === 'oldest',
      /** Only with exactly one currency, because amounts of different currencies cannot be compared. */
      byAmount: currencies.length === 1 ? (among(amountOrders, [params.get('sort') ?? ''])[0] ?? null) : null,
    },
    /** The merchant filter of a user who sees several merchants. */
    merchantId: idOf(params.get('merchant')),
    ...readCursors(params),
  };
}

export const operations = ['purchase', 'debit', 'credit', 'transfer', 'recurring'] as const satisfies Operation[];
const amountOrders = ['largest', 'smallest'] as const;

const recurringKinds = ['first', 'later', 'none'] as const;
export type RecurringKind = (typeof recurringKinds)[number];

function listOf(params: URLSearchParams, name: string, most = 2000): string[] {
  const text = params.get(name) ?? '';
  return text === '' ? [] : text.slice(0, most).split(',');
}

function among<Word extends string>(known: readonly Word[], named: string[]): Word[] {
  return known.filter((word) => named.includes(word));
}

const idOf = (text: string | null): string | null => (text !== null && isUuid(text) ? text : null);

/** The search text; '' for none. A card number is reduced to its last four digits and stored nowhere. */
export function readSearch(params: URLSearchParams): string {
  const wanted = storable(params.get('q') ?? '');
  return searchableCard(wanted) ?? wanted;
}

// PostgreSQL cannot store NUL or half a surrogate pair.
function storable(text: string): string {
  return text
    .slice(0, searchMax)
    .replace(/\0|\p{Surrogate}/gu, '')
    .trim();
}

function readAmount(text: string | null): string | null {
  return text !== null && /^\d{1,15}(?:\.\d{1,18})?$/.test(text) ? text : null;
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
