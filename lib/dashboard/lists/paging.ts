/** A page of any dashboard list, with the keys of the adjacent pages for the address bar. */
import type { Cursor, Paged, PageRequest } from '../../db';
import { decodeCursor, encodeCursor } from './query';

/** Rows of one page of a list. */
export const pageSize = 50;

/** The page that an address requests; the newest without either. */
export type PageCursors = { after?: Cursor; before?: Cursor };

/** Rows in order, and the keys of the newer and older pages; null at either end. */
export type Page<Row> = { rows: Row[]; newer: string | null; older: string | null };

/** Reads a page with `list`; `placeOf` returns a row's paging key. */
export async function readPage<Row>(
  { after, before }: PageCursors,
  list: (page: PageRequest) => Promise<Paged<Row>>,
  placeOf: (row: Row) => Cursor,
): Promise<Page<Row>> {
  let listed = await list({ size: pageSize, after, before });
  // Paging back to the beginning shows a full first page, not only the rows before the second.
  const atStart = before !== undefined && !listed.more;
  if (atStart) listed = await list({ size: pageSize });
  const backwards = before !== undefined && !atStart;
  const first = listed.rows[0];
  const last = listed.rows.at(-1);
  const hasNewer = backwards ? listed.more : after !== undefined;
  const hasOlder = backwards || listed.more;
  return {
    rows: listed.rows,
    newer: hasNewer && first ? encodeCursor(placeOf(first)) : null,
    older: hasOlder && last ? encodeCursor(placeOf(last)) : null,
  };
}

/** Reads `after` and `before` of an address; `after` takes precedence. */
export function readCursors(params: URLSearchParams): PageCursors {
  const after = decodeCursor(params.get('after'));
  const before = after ? undefined : decodeCursor(params.get('before'));
  return { ...(after && { after }), ...(before && { before }) };
}
