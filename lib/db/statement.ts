/** Named statements with named parameters (named-parameters.ts), whose text is compiled once. */

import { attemptKinds, type Kind } from '../core/payment.ts';
import { type Query, query } from './db.ts';
import { compileSql, valuesOf } from './named-parameters.ts';
import { queryOnce } from './reads.ts';

/** Runs the statement and returns its rows. `run`: the query function of an enclosing database transaction. */
export type Statement<Params extends object, Row extends object> = (params: Params, run?: Query) => Promise<Row[]>;

const textsByName = new Map<string, string>();

/**
 * A statement under a name that is unique in the process (lib/db/prepared-statements.ts). A statement over sets
 * ({@link rowSet}) has another text for sets of one row: PostgreSQL expects 100 rows of `json_to_recordset` and would read
 * whole tables to join them, and one row of `json_to_record`, whose joins use the indexes.
 */
export function statement<Params extends object, Row extends object = object>(
  name: string,
  sql: string,
): Statement<Params, Row> {
  const { text, names } = compileSql(sql.replaceAll('json_to_recordset(:', 'json_to_record(:'));
  if ((textsByName.get(name) ?? text) !== text) throw new Error(`two statements have the name ${name}`);
  textsByName.set(name, text);
  const sets = [...sql.matchAll(/json_to_recordset\(:(\w+)/g)].map(([, set = '']) => names.indexOf(set));
  const textOfSets = compileSql(sql).text;
  return (params, run = query) => {
    const values = valuesOf(names, params);
    if (sets.every((at) => isOneRow(values[at]))) return run<Row>(name, text, values);
    for (const at of sets) if (isOneRow(values[at])) values[at] = `[${values[at]}]`;
    return run<Row>(`${name}-set`, textOfSets, values);
  };
}

const isOneRow = (encoded: unknown) => typeof encoded === 'string' && encoded.startsWith('{');

/** A read that is planned for its values (lib/db/reads.ts), and therefore not prepared. */
export function unprepared<Params extends object, Row extends object>(sql: string): (params: Params) => Promise<Row[]> {
  return (params) => queryOnce<Row>(sql, params);
}

/** The value of a member by its SQL type; every member may be null. */
type ValueOf<Type extends string> = Type extends 'int' | 'float8'
  ? number
  : Type extends 'bigint'
    ? bigint
    : Type extends 'bool'
      ? boolean
      : Type extends 'timestamptz'
        ? Date
        : Type extends 'bytea'
          ? Uint8Array
          : Type extends 'jsonb'
            ? unknown
            : Type extends 'int[]'
              ? readonly number[]
              : Type extends `${string}[]`
                ? readonly string[]
                : string;

type Trim<Text extends string> = Text extends `${' ' | '\n'}${infer Rest}` ? Trim<Rest> : Text;

/** The SQL types by member of a list such as `id uuid, dueAt timestamptz`. */
type TypesOf<List extends string, Types = unknown> = List extends `${infer First},${infer Rest}`
  ? TypesOf<Rest, Types & TypeOf<First>>
  : Types & TypeOf<List>;
type TypeOf<Item extends string> =
  Trim<Item> extends `${infer Member} ${infer Type}` ? { [Name in Member]: Type } : never;

/** The rows of a {@link RowSet}: every member must be named. */
export type RowOf<List extends string, Types = TypesOf<List>> = {
  [Member in keyof Types]: (Types[Member] extends string ? ValueOf<Types[Member]> : never) | null | undefined;
};

/** Rows as one parameter of a statement. */
export type RowSet<List extends string> = {
  /** The item of a FROM clause: its alias is the set's name, and its columns are the members in snake case. */
  from: string;
  /** The value of the parameter: an object for one row, else an array. */
  encode: (rows: readonly RowOf<List>[]) => string;
};

/** The items of a list for {@link rowSet}. A member of two joined lists has one column. */
const itemsOf = (list: string): [member: string, type: string][] => [
  ...new Map(
    list.split(',').map((item) => {
      const [, member = '', type = ''] = /^\s*(\w+) (.+?)\s*$/.exec(item) ?? [];
      return [member, type];
    }),
  ),
];

/** The members of a list for {@link rowSet}, each with its column. */
export const membersOf = (list: string): [member: string, column: string][] =>
  itemsOf(list).map(([member]) => [member, snakeCase(member)]);

/**
 * A set of rows as the parameter `:name`. `list`: each member with its SQL type, by commas. The set is sent as JSON, which PostgreSQL
 * reads faster than one array for each column when the set has a single row (docs/adr/0101-statements.md).
 */
export function rowSet<const List extends string>(name: string, list: List): RowSet<List> {
  const members = membersOf(list);
  const definitions = itemsOf(list).map(([member, type]) => `${snakeCase(member)} ${type}`);
  return {
    from: `json_to_recordset(:${name}::json) as ${name}(${definitions.join(', ')})`,
    encode: (rows) => {
      const encoded = (rows as readonly Record<string, unknown>[]).map((row) =>
        // A member that is not there is read as null.
        Object.fromEntries(
          members.flatMap(([member, column]) => (row[member] == null ? [] : [[column, jsonOf(row[member])]])),
        ),
      );
      return JSON.stringify(encoded.length === 1 ? encoded[0] : encoded);
    },
  };
}

/**
 * A guarded step over a set of rows `i`, each under the id of what it changes. `sql` returns the id of each row that it
 * has written. The answers have the order of the rows: null for one that was not written, or for a second one of an id.
 */
export function rowStep<const List extends string>(name: string, list: List, sql: (from: string) => string) {
  const { from, encode } = rowSet<string>('i', `id uuid, ${list}`);
  const write = statement<{ i: string }, { id: string }>(name, sql(from));
  const idOf = ({ id }: { id: string }) => id.toLowerCase();
  return async <Row extends object>(rows: readonly (RowOf<List> & { id: string })[]): Promise<(Row | null)[]> => {
    const ids = new Set<string>();
    const first = new Set(rows.filter((row) => !ids.has(idOf(row)) && ids.add(idOf(row))));
    const written = new Map((await write({ i: encode([...first] as never[]) })).map((row) => [idOf(row), row]));
    return rows.map((row) => ((first.has(row) && written.get(idOf(row))) || null) as Row | null);
  };
}

function jsonOf(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  // As pg sends texts: an unpaired surrogate, which JSON would keep, becomes U+FFFD.
  if (typeof value === 'string') return value.toWellFormed();
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value;
}

const snakeCase = (member: string) => member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The columns of an {@link Entity} in a row: one for each member, under the entity's alias. */
export type EntityRow<T, Alias extends string> = { [Member in keyof T & string as `${Alias}.${Member}`]: T[Member] };

/** An entity's columns in statements, and the entity of a row. */
export type Entity<T, Alias extends string> = {
  /** The select list, over the table of this alias. */
  columns: string;
  read: (row: EntityRow<T, Alias>) => T;
};

/** The members of a list by commas; a member may have a cast (`state::text`). */
type MembersOf<List extends string, Members = never> = List extends `${infer First},${infer Rest}`
  ? MembersOf<Rest, Members | MemberOf<First>>
  : Members | MemberOf<List>;
type MemberOf<Item extends string> = Trim<Item> extends `${infer Member}::${string}` ? Member : Trim<Item>;

/** The list, if it names every member of T and nothing else; otherwise an error that names the difference. */
type Complete<T, List extends string> = [
  Exclude<keyof T, MembersOf<List>> | Exclude<MembersOf<List>, keyof T>,
] extends [never]
  ? List
  : Exclude<keyof T, MembersOf<List>> | Exclude<MembersOf<List>, keyof T>;

/**
 * Describes how a table is read. `list`: the members, by commas, each in the column of its name in snake case; a cast may
 * follow. `columns`: the columns of other names, or SQL expressions.
 */
export const entity =
  <T extends object>() =>
  <const Alias extends string, const List extends string>(
    alias: Alias,
    list: Complete<T, List>,
    columns: { [Member in keyof T]?: string } = {},
  ): Entity<T, Alias> => {
    const members = String(list)
      .split(',')
      .map((item) => item.trim().split('::') as [member: keyof T & string, cast?: string]);
    const sources = members.map(([member]) => [member, `${alias}.${member}` as keyof EntityRow<T, Alias>] as const);
    const selected = members.map(([member, cast]) => {
      const column = columns[member] ?? snakeCase(member);
      const source = /^\w+$/.test(column) ? `${alias}.${column}` : column;
      return `${source}${cast ? `::${cast}` : ''} as "${alias}.${member}"`;
    });
    // A copy of an object with every member keeps one shape, which is read and written as JSON faster.
    const empty = Object.fromEntries(members.map(([member]) => [member, null])) as { [Member in keyof T]: T[Member] };
    return {
      columns: selected.join(', '),
      read: (row) => {
        const read = { ...empty };
        for (const [member, source] of sources) read[member] = row[source] as T[typeof member];
        return read as T;
      },
    };
  };

/** A list for `kind in ...`, in parentheses. `without`: kinds that a statement leaves out on purpose. */
export function attemptKindsSql(...without: Kind[]): string {
  const kinds = attemptKinds.filter((kind) => !without.includes(kind));
  return `(${kinds.map((kind) => `'${kind}'`).join(', ')})`;
}
