/** The kinds of filters that the descriptions of lists are made of. */
import type { AddParameter } from '../../db/index.ts';
import type { Option } from './description.ts';
import type { Filter } from './resource.ts';

type Sql = Filter['sql'];

/** The labels of values as a filter's options, in their order. */
export function optionsOf(labels: Readonly<Record<string, string>>): Option[] {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}

/** Objects with a name as a filter's options. */
export const namedOptions = (objects: readonly { id: string; name: string }[]): Option[] =>
  objects.map(({ id, name }) => ({ value: id, label: name }));

/** Several of the options, separated by commas in the address. */
export function choices(name: string, label: string, options: Option[], sql?: Sql): Filter {
  const read = (query: URLSearchParams) => {
    const named = new Set((query.get(name) ?? '').split(','));
    return options.map(({ value }) => value).filter((value) => named.has(value));
  };
  return { name, label, kind: 'choices', options, read, sql };
}

/** The state of an object by its labels; `stateSql` is its SQL expression. */
export const states = (labels: Readonly<Record<string, string>>, stateSql: (now: string) => string) =>
  choices('state', 'State', optionsOf(labels), (values, add, now) => `${stateSql(now)} = any(${add(values)}::text[])`);

type OneSql = (value: string, add: AddParameter) => string | Promise<string>;

/** One of the options. */
export function choice(name: string, label: string, options: Option[], sql?: OneSql) {
  const read = (query: URLSearchParams) => {
    const input = query.get(name);
    return options.some(({ value }) => value === input) ? [input as string] : [];
  };
  return { name, label, kind: 'choice', options, read, sql: sql && one(sql) } satisfies Filter;
}

/** A short text that `pattern` allows: a code, a host. */
export function text(name: string, label: string, pattern: RegExp, sql?: OneSql) {
  const read = (query: URLSearchParams) => [query.get(name) ?? ''].filter((value) => pattern.test(value));
  return { name, label, kind: 'text', read, sql: sql && one(sql) } satisfies Filter;
}

/** One of `options`, or of those that the description adds for each request, if `pattern` allows it. */
export function chosen(name: string, label: string, pattern: RegExp, sql?: OneSql, options: Option[] = []): Filter {
  return { ...text(name, label, pattern, sql), kind: 'choice', options };
}

const one = (sql: OneSql) => (values: string[], add: AddParameter) => sql(values[0] ?? '', add);

/** The currency of `column`. */
export const currency = (column: string) =>
  text('currency', 'Currency', /^[\w.-]{1,32}$/, (value, add) => `${column} = ${add(value)}::text`);

/** The first and the last day in the user's time zone, of the list's order. */
export function days(label: string, name = 'created'): Filter {
  return { name, label, kind: 'day', params: ['from', 'to'], read: () => [] };
}

/** Enabled or disabled objects, by `column`. */
export const enabledFilter = (column: string) =>
  choice('state', 'Status', optionsOf({ on: 'Active', off: 'Disabled' }), (value) =>
    value === 'on' ? column : `not ${column}`,
  );
