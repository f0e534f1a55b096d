/** A page of any list of the dashboard, with the keys of its neighbours for the address bar. */
import type { Cursor, Paged, PageRequest } from '../../db';
import { encodeCursor } from './query';

/** Rows of one page of a list. */
export const pageSize = 50;

/** Which page an address asks for; neither is the newest. */
export type PageCursors = { after?: Cursor; before?: Cursor };

/** Rows as they came, and where the newer and the older ones begin; null at either end. */
export type Page<Row> = { rows: Row[]; newer: string | null; older: string | null };

/** Reads a page by `list`; `placeOf` is what a row is paged by. */
export async function readPage<Row>(
  { after, before }: PageCursors,
  list: (page: PageRequest) => Promise<Paged<Row>>,
  placeOf: (row: Row) => Cursor,
): Promise<Page<Row>> {
  let listed = await list({ size: pageSize, after, before });
  // Whoever has paged back to the beginning wants a whole first page, not what is left before the second.
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
