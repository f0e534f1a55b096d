'use client';
// A list of objects: views, search and filters in the address bar, the table, and keyset paging. The server renders the
// first page; then the address determines the content, and the newest page refreshes itself.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { usePathname, useSearchParams } from 'next/navigation';
import type { ReactNode } from 'react';
import { zoneText } from '../times';
import { useZone } from '../zone';
import { Button, buttonClass, KeyCap, LinkButton } from './button';
import { changedQuery, type FilterDef, filterText } from './filter-def';
import { clearing, ListFilters } from './list-filters';
import { Empty, ErrorState } from './parts';
import { RequestFailed } from './request';
import { ObjectTable, type ObjectTableProps } from './table';
import { tabClass } from './tabs';

export type ListResponse<Row> = {
  rows: Row[];
  /** Keys of the adjacent pages; null at either end. */
  newer: string | null;
  older: string | null;
  /** The total as text, if known. */
  total?: string | null;
};

export type View = {
  id: string;
  title: string /** Its query without the question mark. */;
  query: string;
  count?: string;
};

type TableProps<Row extends { id: string }> = Pick<
  ObjectTableProps<Row>,
  'columns' | 'rowHref' | 'rowName' | 'selection' | 'dense' | 'actions'
>;

type Props<Row extends { id: string }> = TableProps<Row> & {
  /** The title: `Payouts`. */
  title: string;
  /** Singular and plural: `['payout', 'payouts']`. */
  nouns: readonly [string, string];
  /** The label of the search field: `Payout, order, email`. Without it there is none. */
  search?: string;
  filters: readonly FilterDef[];
  /** The query of `initial`. */
  query: string;
  initial: ListResponse<Row>;
  /** Loads a page; the query is the address bar's, without the question mark. */
  fetch: (query: string) => Promise<ListResponse<Row>>;
  views?: readonly View[];
  /** To the right of the views: an export, a create button. */
  tools?: ReactNode;
  /** Shown while the list has no rows at all. */
  empty: ReactNode;
  /** The detail beside the list; `open` in the address bar. */
  panel?: (open: OpenRow<Row>) => ReactNode;
  /** Replaces the table, if rows expand in place; `open` in the address bar. */
  draw?: (rows: readonly Row[], open: string | null, toggle: (id: string) => void) => ReactNode;
  /** The selection bar and the like, above the footer. */
  over?: ReactNode;
  /** Labels of the links to the previous and next page; `['Newer', 'Older']`. */
  ways?: readonly [string, string];
  newsSeconds?: number;
};

/** A row that is open beside the list, with links to its neighbours. */
export type OpenRow<Row> = {
  id: string;
  row: Row | null;
  onClose: () => void;
  onPrevious?: () => void;
  onNext?: () => void;
};

export function ListPage<Row extends { id: string }>(props: Props<Row>) {
  const { title, nouns, search, filters, views, tools, empty, panel, draw, over } = props;
  const params = useSearchParams();
  const { list, error, stale, again } = useList(props, params);
  const zone = useZone();
  const change = (changed: Record<string, string | null>) => push(changedQuery(params, changed));
  const open = panel || draw ? params.get('open') : null;
  const rows = list?.rows;
  const paged = params.has('after') || params.has('before');
  const isFiltered = params.get('q') || filters.some((filter) => filterText(filter, params) !== '');
  const hasDays = filters.some(({ kind }) => kind === 'day');
  const opened = open === null ? null : openedOf(open, rows ?? [], params);
  return (
    <div className="flex min-w-0 flex-1 items-start">
      <div className="flex min-w-0 flex-1 flex-col self-stretch">
        {views || tools ? <ViewRow views={views} tools={tools} params={params} /> : null}
        <ListFilters search={search} filters={filters} query={params} change={change}>
          {hasDays ? <span title={zone}>{zoneText(new Date().toISOString(), zone)}</span> : null}
        </ListFilters>
        <p className="unseen" aria-live="polite">
          {list && !stale ? countText(list, nouns, paged) : ''}
        </p>
        {error ? <LoadError title={title} error={error} again={again} /> : null}
        {error && !rows ? null : draw && rows && rows.length > 0 ? (
          draw(rows, open, (id) => push(withOpen(params, id === open ? null : id)))
        ) : (
          <ObjectTable
            {...props}
            rows={rows}
            loading={rows === undefined}
            stale={stale}
            caption={title}
            selected={open}
            onRow={panel ? ({ id }) => push(withOpen(params, id)) : undefined}
            empty={isFiltered || paged ? <NoResults {...{ nouns, filters, params, change }} /> : empty}
          />
        )}
        <div className="pointer-events-none sticky bottom-0 z-2 mt-auto grid gap-3 *:pointer-events-auto phone:bottom-14">
          {over}
          {list && (list.rows.length > 0 || paged) ? (
            <ListFooter {...{ list, nouns, params, paged, ways: props.ways }} ticks={props.selection !== undefined} />
          ) : null}
        </div>
      </div>
      {opened && panel ? panel(opened) : null}
    </div>
  );
}

/** Next follows the address without a server request, so that only the data is fetched. */
function push(query: URLSearchParams): void {
  const text = query.toString();
  history.pushState(null, '', text === '' ? location.pathname : `?${text}`);
}

function withOpen(params: URLSearchParams, id: string | null): URLSearchParams {
  const next = new URLSearchParams(params);
  if (id === null) next.delete('open');
  else next.set('open', id);
  return next;
}

function useList<Row extends { id: string }>(
  { title, query, initial, fetch, newsSeconds = 15 }: Props<Row>,
  params: URLSearchParams,
) {
  const wanted = withOpen(params, null).toString();
  const first = withOpen(new URLSearchParams(query), null).toString();
  const paged = params.has('after') || params.has('before');
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ['list', title, wanted],
    queryFn: () => fetch(wanted),
    initialData: wanted === first ? initial : undefined,
    placeholderData: keepPreviousData,
    refetchInterval: paged ? false : newsSeconds * 1000,
  });
  return { list: data, error, stale: isPlaceholderData, again: () => void refetch() };
}

function openedOf<Row extends { id: string }>(id: string, rows: Row[], params: URLSearchParams): OpenRow<Row> {
  const at = rows.findIndex((row) => row.id === id);
  const to = (row: Row | undefined) => (row ? () => push(withOpen(params, row.id)) : undefined);
  return {
    id,
    row: rows[at] ?? null,
    onClose: () => push(withOpen(params, null)),
    onPrevious: at > 0 ? to(rows[at - 1]) : undefined,
    onNext: at >= 0 ? to(rows[at + 1]) : undefined,
  };
}

function countText(
  { rows, older, total }: ListResponse<unknown>,
  [one, many]: readonly [string, string],
  paged: boolean,
): string {
  if (total) return `${total} ${total === '1' ? one : many}`;
  const text = `${rows.length} ${rows.length === 1 ? one : many}`;
  return older || paged ? `${text} on this page` : text;
}

function ViewRow({ views, tools, params }: { views?: readonly View[]; tools?: ReactNode; params: URLSearchParams }) {
  const path = usePathname();
  const now = withOpen(changedQuery(params, {}), null);
  now.sort();
  return (
    <div className="flex min-h-11 items-stretch justify-between gap-4 border-b border-line px-gutter phone:flex-wrap">
      <nav aria-label="Views" className="-mb-px flex min-w-0 gap-5 overflow-x-auto">
        {views?.map(({ id, title, query, count }) => {
          const own = new URLSearchParams(query);
          own.sort();
          const here = own.toString() === now.toString();
          return (
            <Link
              key={id}
              href={query === '' ? path : `${path}?${query}`}
              prefetch={false}
              aria-current={here ? 'true' : undefined}
              className={`${tabClass(here)} min-h-11`}
            >
              {title}
              {count === undefined ? null : <span className="figures font-normal text-ink3">{count}</span>}
            </Link>
          );
        })}
      </nav>
      {tools ? <div className="flex shrink-0 items-center gap-2 phone:py-2">{tools}</div> : null}
    </div>
  );
}

function LoadError({ title, error, again }: { title: string; error: Error; again: () => void }) {
  const reference = error instanceof RequestFailed ? error.reference : null;
  return (
    <ErrorState
      title={`${title} could not be loaded`}
      reference={reference}
      actions={
        <Button kind="primary" icon="again" onClick={again}>
          Try again
        </Button>
      }
    >
      {error.message} Payments are not affected. Your filters are kept.
    </ErrorState>
  );
}

type FitProps = {
  nouns: readonly [string, string];
  filters: readonly FilterDef[];
  params: URLSearchParams;
  change: (changed: Record<string, string | null>) => void;
};

/** A filtered list without rows: names the filters, each with a button to remove it. */
function NoResults({ nouns, filters, params, change }: FitProps) {
  const set = filters.filter((filter) => filterText(filter, params) !== '');
  const q = params.get('q');
  return (
    <Empty title={`No matching ${nouns[0]}`}>
      <p>
        {q ? `Nothing was found for “${q}”. The search finds complete values only. ` : null}
        {set.length > 0
          ? `Active filters: ${set.map((filter) => `${filter.label} ${filterText(filter, params)}`).join(', ')}.`
          : null}
      </p>
      <Button onClick={() => change(clearing(filters))}>Remove all filters</Button>
    </Empty>
  );
}

type FootProps<Row> = {
  list: ListResponse<Row>;
  nouns: readonly [string, string];
  params: URLSearchParams;
  paged: boolean;
  ways?: readonly [string, string];
  ticks: boolean;
};

function ListFooter<Row>({ list, nouns, params, paged, ways: [back, on] = ['Newer', 'Older'], ticks }: FootProps<Row>) {
  const to = (name: 'after' | 'before', place: string | null) =>
    place === null ? null : `?${changedQuery(params, { [name]: place })}`;
  return (
    <div className="flex min-h-11 items-center gap-3 border-t border-line bg-bg px-gutter text-xs text-ink2">
      <span className="figures">{countText(list, nouns, paged)}</span>
      {list.newer || list.older ? (
        <nav aria-label="Pages" className="flex gap-1.5 phone:ml-auto">
          <PageLink href={to('before', list.newer)} icon="left" text={back} />
          <PageLink href={to('after', list.older)} icon="right" text={on} />
        </nav>
      ) : null}
      <span aria-hidden="true" className="ml-auto flex items-center gap-1.5 text-ink3 phone:hidden">
        <KeyCap text="J" />
        <KeyCap text="K" /> move
        {ticks ? (
          <>
            <KeyCap text="X" /> select
          </>
        ) : null}
        <KeyCap text="↵" /> open <KeyCap text="?" /> shortcuts
      </span>
    </div>
  );
}

function PageLink({ href, icon, text }: { href: string | null; icon: 'left' | 'right'; text: string }) {
  if (href === null) {
    return (
      <button type="button" disabled className={buttonClass('plain', 'small', 'text-off! shadow-none!')}>
        {text}
      </button>
    );
  }
  return (
    <LinkButton href={href} size="small" icon={icon}>
      {text}
    </LinkButton>
  );
}
