/** Lists with keyset pagination by a time and an id, newest first: page ten thousand costs as much as the first. */
import { queryLarge, queryOnce } from './reads.ts';

/** The start of a page: the row before it. */
export type Cursor = { createdAt: Date; id: string };

/** The requested page: `size` rows after a position, before it, or the first; the newest rows are first by default. */
export type PageRequest = { size: number; after?: Cursor; before?: Cursor; oldestFirst?: boolean };

/** A page's rows in the list's order, and whether more follow in the requested direction. */
export type Paged<Row> = { rows: Row[]; more: boolean };

/** Adds a value to a composed statement and returns its parameter, as `:v1`. */
export type AddParameter = (value: unknown) => string;

export type SqlBuilder = ReturnType<typeof newSqlBuilder>;

/** Collects conditions and their values. */
export function newSqlBuilder() {
  const values: Record<string, unknown> = {};
  const conditions: string[] = [];
  return {
    values,
    add: (value: unknown): string => {
      const name = `v${Object.keys(values).length + 1}`;
      values[name] = value;
      return `:${name}`;
    },
    where: (condition: string) => {
      conditions.push(condition);
    },
    conditions: () => whereAll(conditions),
  };
}

/** A where clause of all conditions. */
export const whereAll = (conditions: string[]) => (conditions.length > 0 ? `where ${conditions.join(' and ')}` : '');

/**
 * A keyset list in SQL: its columns, their source, and the two columns of its order. `keys`: the table with the
 * conditions, if one index covers all of them in list order; then only the rows of the page are read.
 */
type KeysetSql = { columns: string; from: string; at: string; id: string; keys?: string | undefined };

/** The list's order in the requested direction, and the condition for rows behind the position. */
export function keysetOrder(
  { at, id }: Pick<KeysetSql, 'at' | 'id'>,
  page: PageRequest,
  add: AddParameter,
): { order: string; behind: string[] } {
  const backwards = page.before !== undefined;
  const place = page.before ?? page.after;
  const key = place && `(${add(place.createdAt)}::timestamptz, ${add(place.id)}::uuid)`;
  const ascending = backwards !== (page.oldestFirst ?? false);
  const direction = ascending ? 'asc' : 'desc';
  return {
    order: `order by ${at} ${direction}, ${id} ${direction}`,
    behind: key ? [`(${at}, ${id}) ${ascending ? '>' : '<'} ${key}`] : [],
  };
}

/** Reads a page of a list with the conditions of the builder. */
export async function fetchPage<Row extends object>(
  list: KeysetSql,
  { add, where, conditions, values }: SqlBuilder,
  page: PageRequest,
): Promise<Paged<Row>> {
  const { columns, from, id, keys } = list;
  const { order, behind } = keysetOrder(list, page, add);
  for (const condition of behind) where(condition);
  // The limit is a literal: a plan without its value may sort the whole table.
  const first = `${conditions()} ${order} limit ${page.size + 1}`;
  // Planned for its values: an index scan for a small merchant, a scan in list order for a large one.
  const rows = keys
    ? await queryLarge<Row>(
        `select ${columns} from ${from} where ${id} = any(array(select ${id} from ${keys} ${first})) ${order}`,
        values,
      )
    : await queryOnce<Row>(`select ${columns} from ${from} ${first}`, values);
  const pageRows = rows.slice(0, page.size);
  return { rows: page.before !== undefined ? pageRows.reverse() : pageRows, more: rows.length > page.size };
}
