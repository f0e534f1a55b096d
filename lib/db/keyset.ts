/**
 * Lists that are paged by key and not by number, so that the ten-thousandth page costs what the first does. A list is
 * kept in the order of two columns, a time and an id that tells rows of the same moment apart; newest first.
 */
import { queryLarge, queryOnce } from './db';

/** Where a page begins: the row before it. */
export type Cursor = { createdAt: Date; id: string };

/** Which page: `size` rows after a place (older ones), before it (newer ones), or from the newest on. */
export type PageRequest = { size: number; after?: Cursor; before?: Cursor };

/** A page's rows, newest first, and whether there are more beyond its end in the direction that was asked for. */
export type Paged<Row> = { rows: Row[]; more: boolean };

/** Adds a value to a statement and gives its placeholder. */
export type AddParameter = (value: unknown) => string;

export type SqlBuilder = ReturnType<typeof newSqlBuilder>;

/** Collects conditions with their values. */
export function newSqlBuilder() {
  const values: unknown[] = [];
  const conditions: string[] = [];
  return {
    values,
    add: (value: unknown): string => {
      values.push(value);
      return `$${values.length}`;
    },
    where: (condition: string) => {
      conditions.push(condition);
    },
    conditions: () => whereAll(conditions),
  };
}

/** Conditions, all of which hold, as they follow a statement's tables. */
export const whereAll = (conditions: string[]) => (conditions.length > 0 ? `where ${conditions.join(' and ')}` : '');

/**
 * What a keyed list is made of, in SQL: its columns, where they come from, and the two that order it. `keys`: the table
 * with the conditions, if one index has all of them in the list's order: then only the rows of the page are read.
 */
export type KeysetSql = { columns: string; from: string; at: string; id: string; keys?: string | undefined };

/** A list's order in the direction that a page is asked for in, and the condition that is behind a place. */
export function keysetOrder(
  { at, id }: Pick<KeysetSql, 'at' | 'id'>,
  page: PageRequest,
  add: AddParameter,
): { order: string; behind: string[] } {
  const backwards = page.before !== undefined;
  const place = page.before ?? page.after;
  const key = place && `(${add(place.createdAt)}::timestamptz, ${add(place.id)}::uuid)`;
  const direction = backwards ? 'asc' : 'desc';
  return {
    order: `order by ${at} ${direction}, ${id} ${direction}`,
    behind: key ? [`(${at}, ${id}) ${backwards ? '>' : '<'} ${key}`] : [],
  };
}

/** Reads a page of a list under the conditions that the builder has collected. */
export async function fetchPage<Row extends object>(
  list: KeysetSql,
  { add, where, conditions, values }: SqlBuilder,
  page: PageRequest,
): Promise<Paged<Row>> {
  const { columns, from, id, keys } = list;
  const { order, behind } = keysetOrder(list, page, add);
  for (const condition of behind) where(condition);
  // The number stands in the text, because a plan that does not know it may sort the whole table.
  const first = `${conditions()} ${order} limit ${page.size + 1}`;
  // Planned for its values: those of a small merchant are found by an index, those of a large one are met on the way.
  const rows = keys
    ? await queryLarge<Row>(
        `select ${columns} from ${from} where ${id} = any(array(select ${id} from ${keys} ${first})) ${order}`,
        values,
      )
    : await queryOnce<Row>(`select ${columns} from ${from} ${first}`, values);
  const found = rows.slice(0, page.size);
  return { rows: page.before !== undefined ? found.reverse() : found, more: rows.length > page.size };
}
