/** A list is one description: its route, its query and its page (app/dashboard/list-page.tsx) read it. */
import { may, type Right } from '../../auth/index.ts';
import { env, linkBase } from '../../config/index.ts';
import { isUuid } from '../../core/ids.ts';
import { pick } from '../../core/pick.ts';
import {
  type AddParameter,
  type Cursor,
  fetchPage,
  newSqlBuilder,
  type Paged,
  type PageRequest,
  type SqlBuilder,
  statement,
} from '../../db/index.ts';
import { existing, notFound } from '../errors.ts';
import type { PageContext } from '../guard.ts';
import { applySearch, type Search } from '../payments/search.ts';
import type { ArchivedLine, EmptyList, FilterDef, ListOf, ListView, Option, View } from './description.ts';
import { encodeCursor, readCursors, readPage, readSearch, startOfDay } from './query.ts';

/** A filter as the page offers it, with the condition for its valid values. */
export type Filter = FilterDef & {
  /** The valid values in the address; invalid ones are ignored, because addresses are typed and shared. */
  read: (query: URLSearchParams) => string[];
  /** A condition for one or more values, `now` being an SQL expression; absent if the list reads the values itself. */
  sql?: ((values: string[], add: AddParameter, now: string) => string | Promise<string>) | undefined;
};

/** The filters of a request: those with values, by name. */
export type ListFilter = {
  merchantId: string | null;
  search: string;
  from: Date | null;
  until: Date | null;
  values: Readonly<Record<string, string[]>>;
};

/** Where the rows are read: columns and tables in list order, as {@link fetchPage} takes them. */
type Source = {
  /** `now` is an SQL expression. */
  columns: string | ((now: string) => string);
  from: string;
  /** The columns of the list's order. */
  at: string;
  id: string;
  /** The column of the merchant, which limits every list. */
  merchant: string;
  /** A condition of the list itself, in the words of its partial index. */
  only?: string;
  keys?: string;
};

type Shown = Pick<
  ListView,
  'name' | 'title' | 'nouns' | 'search' | 'columns' | 'href' | 'rowName' | 'dense' | 'newsSeconds'
>;

export type Resource<Raw extends object, Row extends { id: string }> = Shown & {
  /** The default is `payments.read`. */
  right?: Right;
  /** The search field is only for users of several merchants. */
  searchMany?: true;
  /** The condition of a search; without it, or if it is null, payments `p` are searched. */
  find?: (text: string, add: AddParameter) => string | null;
  filters: readonly Filter[];
  /** The choices of filters that depend on the request, by the filter's name. */
  choices?: (request: PageContext) => Promise<Record<string, Option[]>>;
  /** Saved filters beside "All": title and query. */
  views?: readonly [title: string, query: string][];
  empty: Omit<EmptyList, 'sample' | 'texts'> & {
    texts: readonly string[] | (() => readonly string[]);
    sample?: readonly [title: string, text: (request: PageContext) => string];
  };
  /** A page that creates an object, for users with the right; `everywhere`: only while no merchant is selected. */
  create?: { href: string; label: string; right: Right; everywhere?: true };
  source?: Source | ((filter: ListFilter, page: PageRequest, request: PageContext) => Promise<Paged<Raw>>);
  /** The position of a row, if the source is a function; `createdAt` and `id` by default. */
  placeOf?: (raw: Raw) => Cursor;
  toRow?: (raw: Raw, request: PageContext) => Row;
  /** What a search without rows finds among the archived payments. */
  archived?: (search: Search) => Promise<ArchivedLine[]>;
  /** Reads a page by itself, instead of `source` and `toRow`. */
  read?: (request: PageContext) => Promise<ListOf<Row>>;
};

/** Keeps the description's types, and lets the lists be read as one kind. */
export function resource<Raw extends object, Row extends { id: string }>(given: Resource<Raw, Row>): AnyResource {
  return given as unknown as AnyResource;
}

/** A description whose rows are not known. */
// biome-ignore lint/suspicious/noExplicitAny: the rows of all lists differ; each description is checked by itself
export type AnyResource = Resource<any, any>;

/** The filters of an address. */
export function readFilter(
  { filters }: Pick<AnyResource, 'filters'>,
  { query, scope, zone }: Pick<PageContext, 'query' | 'scope' | 'zone'>,
): ListFilter {
  const offered = filters.filter(({ manyMerchants }) => scope === null || !manyMerchants);
  const values = offered.map(({ name, read }) => [name, read(query)] as const);
  const day = filters.find(({ kind }) => kind === 'day');
  // A list without a filter for days reads none: the page could not show it.
  const dayOf = (at: 0 | 1) => (day ? query.get(day.params?.[at] ?? (['from', 'to'] as const)[at]) : null);
  return {
    merchantId: scope,
    search: readSearch(query),
    from: startOfDay(dayOf(0), zone, 0),
    until: startOfDay(dayOf(1), zone, 1),
    values: Object.fromEntries(values.filter(([, each]) => each.length > 0)),
  };
}

/** The page of a list that a request finds. */
export async function readList(list: AnyResource, request: PageContext): Promise<ListOf<{ id: string }>> {
  if (list.read) return list.read(request);
  const filter = readFilter(list, request);
  const { source, toRow, placeOf = placeOfRow } = list;
  if (!source || !toRow) throw new Error(`the list ${list.name} has no source`);
  const read = (wanted: PageRequest) =>
    typeof source === 'function' ? source(filter, wanted, request) : select(list, source, filter, wanted, request.now);
  const cursors = { ...readCursors(request.query), oldestFirst: readOldestFirst(list, request.query) };
  const page = await readPage(cursors, read, (raw) => encodeCursor(placeOf(raw)));
  const rows = page.rows.map(({ placeAt: _at, placeId: _id, ...raw }) => toRow(raw, request));
  if (rows.length > 0 || filter.search === '' || !list.archived) return { ...page, rows };
  return { ...page, rows, archived: await list.archived(filter) };
}

/** A list that is read from one index can begin at either end. */
const oldestFirst: Filter = {
  name: 'sort',
  label: 'Order',
  kind: 'choice',
  options: [{ value: 'oldest', label: 'Oldest first' }],
  read: (query) => (query.get('sort') === 'oldest' ? ['oldest'] : []),
};
const isSortable = ({ source }: AnyResource) => typeof source === 'object';
const readOldestFirst = (list: AnyResource, query: URLSearchParams) =>
  isSortable(list) && oldestFirst.read(query).length > 0;

const placeOfRow = (row: Cursor | { placeAt: Date; placeId: string }): Cursor =>
  'placeAt' in row ? { createdAt: row.placeAt, id: row.placeId } : { createdAt: row.createdAt, id: row.id };

/** Adds the conditions of a filter on the rows of a source, without its search. */
export async function applyFilter(
  filters: readonly Filter[],
  { at, merchant }: Pick<Source, 'at' | 'merchant'>,
  { add, where }: SqlBuilder,
  filter: ListFilter,
  nowSql = '',
): Promise<void> {
  if (filter.merchantId !== null) where(`${merchant} = ${add(filter.merchantId)}::uuid`);
  for (const { name, sql } of filters) {
    const values = filter.values[name];
    if (values && sql) where(await sql(values, add, nowSql));
  }
  if (filter.from) where(`${at} >= ${add(filter.from)}::timestamptz`);
  if (filter.until) where(`${at} < ${add(filter.until)}::timestamptz`);
}

async function select(list: AnyResource, source: Source, filter: ListFilter, page: PageRequest, now: Date) {
  const builder = newSqlBuilder();
  const { columns, from, at, id, keys } = source;
  const nowSql = `'${now.toISOString()}'`;
  if (source.only) builder.where(source.only);
  await applyFilter(list.filters, source, builder, filter, nowSql);
  const text = filter.search.trim();
  const found = text === '' ? null : list.find?.(text, builder.add);
  if (found) builder.where(found);
  else if (!(await applySearch(builder, filter))) return { rows: [], more: false };
  const selected = typeof columns === 'string' ? columns : columns(nowSql);
  const sql = { columns: `${selected}, ${at} as "placeAt", ${id} as "placeId"`, from, at, id, keys };
  return fetchPage<{ placeAt: Date; placeId: string }>(sql, builder, page);
}

/** The row of a source with the id in the address. */
export async function findListed<Raw extends object>(
  name: string,
  { columns, from, id, merchant }: Source,
  { params, scope, now }: PageContext,
): Promise<Raw> {
  if (!isUuid(params.id ?? '')) throw notFound();
  const find = statement<{ id: string | undefined; scope: string | null; now: Date }, Raw>(
    `${name}-listed`,
    `select ${typeof columns === 'string' ? columns : columns(':now')} from ${from}
      where ${id} = :id::uuid and (:scope::uuid is null or ${merchant} = :scope::uuid)`,
  );
  const [row] = await find({ id: params.id, scope, now });
  return existing(row);
}

/** What the page of a list needs besides its rows. */
export async function listView(list: AnyResource, request: PageContext): Promise<ListView> {
  const { create } = list;
  const { sample, texts, ...empty } = list.empty;
  const many = request.scope === null;
  const mayCreate = create && may(request.viewer.role, create.right) && (many || !create.everywhere);
  const choices = await list.choices?.(request);
  const views = list.views?.map(([text, query]): View => ({ id: query, title: text, query }));
  return {
    ...pick(list, 'name', 'title', 'nouns', 'href', 'rowName', 'dense', 'newsSeconds'),
    search: list.searchMany && !many ? undefined : list.search,
    empty: {
      ...empty,
      texts: typeof texts === 'function' ? texts() : texts,
      sample: sample && { title: sample[0], text: sample[1](request) },
    },
    sortable: isSortable(list),
    filters: [...list.filters, ...(isSortable(list) ? [oldestFirst] : [])].flatMap(
      ({ read, sql, manyMerchants, ...filter }) => {
        if (manyMerchants && !many) return [];
        const options = choices?.[filter.name] ?? filter.options;
        return filter.kind.startsWith('choice') && options?.length === 0 ? [] : [{ ...filter, options }];
      },
    ),
    views: views && [{ id: 'all', title: 'All', query: '' }, ...views],
    columns: list.columns.filter(({ manyMerchants }) => many || !manyMerchants),
    create: mayCreate ? { href: create.href, label: create.label } : undefined,
    manyMerchants: many,
    shopUrl: env.appEnv === 'sandbox' ? `${linkBase('public')}/` : null,
  };
}
