/**
 * Lists that are paged by key and not by number, so that the ten-thousandth page costs what the first does. A list is
 * kept in the order of two columns, a time and an id that tells rows of the same moment apart; newest first.
 */
import { createHash } from 'node:crypto';
import { query } from '../db';

/** Where a page begins: the row before it. */
export type Place = { createdAt: Date; id: string };

/** Which page: `size` rows after a place (older ones), before it (newer ones), or from the newest on. */
export type PageAsked = { size: number; after?: Place; before?: Place };

/** A page's rows, newest first, and whether there are more beyond its end in the direction that was asked for. */
export type Paged<Row> = { rows: Row[]; more: boolean };

/** Adds a value to a statement and gives its placeholder. */
export type Add = (value: unknown) => string;

export type SqlBuilder = ReturnType<typeof startSql>;

/** Collects conditions with their values. Its shape names the statement: one name, one text. */
export function startSql() {
  const values: unknown[] = [];
  const conditions: { name: string; condition: string }[] = [];
  const alternatives: { name: string; condition: string }[] = [];
  return {
    values,
    add: (value: unknown): string => {
      values.push(value);
      return `$${values.length}`;
    },
    where: (name: string, condition: string) => {
      conditions.push({ name, condition });
    },
    /** At least one of these has to hold. */
    orWhere: (name: string, condition: string) => {
      alternatives.push({ name, condition });
    },
    shape: () => [...conditions, ...alternatives].map(({ name }) => name).join(' '),
    conditions: () => {
      const all = conditions.map(({ condition }) => condition);
      if (alternatives.length > 0) all.push(`(${alternatives.map(({ condition }) => condition).join(' or ')})`);
      return all.length > 0 ? `where ${all.join(' and ')}` : '';
    },
  };
}

/** What a keyed list is called and made of, in SQL: its columns, where they come from, and the two that order it. */
export type KeyedSql = { name: string; columns: string; from: string; at: string; id: string };

/** Reads a page of a list under the conditions that the builder has collected. */
export async function pageOf<Row extends object>(
  { name, columns, from, at, id }: KeyedSql,
  { add, where, conditions, values }: SqlBuilder,
  page: PageAsked,
): Promise<Paged<Row>> {
  const backwards = page.before !== undefined;
  const place = page.before ?? page.after;
  if (place) {
    const key = `(${add(place.createdAt)}::timestamptz, ${add(place.id)}::uuid)`;
    where(backwards ? 'before' : 'after', `(${at}, ${id}) ${backwards ? '>' : '<'} ${key}`);
  }
  const direction = backwards ? 'asc' : 'desc';
  // The number stands in the text, because a plan that does not know it may sort the whole table.
  const text = `select ${columns} from ${from} ${conditions()}
    order by ${at} ${direction}, ${id} ${direction} limit ${page.size + 1}`;
  // Filters make more texts than there is room for in a name of 63 letters.
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const rows = await query<Row>(`${name} ${digest}`, text, values);
  const found = rows.slice(0, page.size);
  return { rows: backwards ? found.reverse() : found, more: rows.length > page.size };
}
