'use client';
// A list of objects: views, search and filters in the address bar, the table, and keyset paging. The server renders the
// first page; then the address determines the content, and the newest page refreshes itself.
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { usePathname, useSearchParams } from 'next/navigation';
import type { ReactNode } from 'react';
import { searchableCard } from '../../../lib/core/cards.ts';
import type { ArchivedLine, FilterDef, ListOf, ListView, View } from '../../../lib/dashboard/lists/contract.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ErrorIcon } from '../../ui/icons.tsx';
import { Archived } from '../lists/archived.tsx';
import { rowText, tableColumns } from '../lists/list-cells.tsx';
import { useRememberedList } from '../shell/top-bar.tsx';
import { zoneText } from '../times.ts';
import { useZone } from '../zone.tsx';
import { Button, buttonClass, KeyCap, LinkButton } from './button.tsx';
import { changedQuery, clearing, filterText, ListFilters } from './list-filters.tsx';
import type { OpenRow } from './panel.tsx';
import { Code, Empty, withCode } from './parts.tsx';
import { RequestFailed, request } from './request.ts';
import { type Column, ObjectTable, type ObjectTableProps } from './table.tsx';
import { tabClass } from './tabs.tsx';

type TableProps<Row extends { id: string }> = Pick<ObjectTableProps<Row>, 'selection' | 'actions'>;

/** A list as the server rendered it. */
export type ListProps<Row> = { view: ListView; initial: ListOf<Row>; query: string };

type Props<Row extends { id: string }> = ListProps<Row> &
  TableProps<Row> & {
    /** Is given every page that is loaded. */
    see?: (list: ListOf<Row>) => void;
    /** Instead of the description's: with counts, or chosen by the user. */
    views?: readonly View[];
    filters?: readonly FilterDef[];
    columns?: readonly Column<Row>[];
    /** To the right of the views: an export, a create button. */
    tools?: ReactNode;
    /** The button beside the first step of a list without rows. */
    firstStep?: ReactNode;
    /** The detail beside the list; `open` in the address bar. */
    panel?: (open: OpenRow<Row>) => ReactNode;
    /** Replaces the table, if rows expand in place; `open` in the address bar. */
    draw?: (rows: readonly Row[], open: string | null, toggle: (id: string) => void) => ReactNode;
    /** The selection bar and the like, above the footer. */
    over?: ReactNode;
    /** Labels of the links to the previous and next page; `['Newer', 'Older']`. */
    ways?: readonly [string, string];
  };

export function ListPage<Row extends { id: string }>(props: Props<Row>) {
  const { view, panel, draw, over } = props;
  const { title, nouns, search, href, rowName, create } = view;
  const { filters = view.filters, views = view.views } = props;
  const params = useSearchParams();
  useRememberedList(params.toString());
  const { list, error, stale, again } = useList(props, params);
  const zone = useZone();
  const change = (changed: Record<string, string | null>) => push(changedQuery(params, changed));
  const open = panel || draw ? params.get('open') : null;
  const rows = list?.rows;
  const paged = isPaged(params);
  const isFiltered = params.get('q') || filters.some((filter) => filterText(filter, params) !== '');
  const hasDays = filters.some(({ kind }) => kind === 'day');
  const isOldestFirst = view.sortable && params.get('sort') === 'oldest';
  const turn = view.sortable ? () => change({ sort: isOldestFirst ? null : 'oldest' }) : undefined;
  const columns = props.columns ?? withOrder(tableColumns(view.columns, open !== null), isOldestFirst, turn);
  const tools = create ? <CreateButton {...create} /> : props.tools;
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
            selection={props.selection}
            actions={props.actions}
            columns={columns}
            dense={view.dense}
            rowHref={href === undefined ? undefined : (row) => rowText(href, row)}
            rowName={rowName === undefined ? undefined : (row) => rowText(rowName, row, view.columns)}
            rows={rows}
            loading={rows === undefined}
            stale={stale}
            caption={title}
            selected={open}
            onRow={panel ? ({ id }) => push(withOpen(params, id)) : undefined}
            empty={
              isFiltered || paged ? (
                <NoResults {...{ nouns, filters, params, change }} archived={list?.archived} />
              ) : (
                <NoRows view={view} firstStep={props.firstStep} />
              )
            }
          />
        )}
        <div className="pointer-events-none sticky bottom-0 z-2 mt-auto grid gap-3 *:pointer-events-auto phone:bottom-14">
          {over}
          {list && (list.rows.length > 0 || paged) ? (
            <ListFooter
              {...{ list, nouns, params, ways: props.ways ?? (isOldestFirst ? ['Older', 'Newer'] : undefined) }}
              ticks={props.selection !== undefined}
            />
          ) : null}
        </div>
      </div>
      {opened && panel ? panel(opened) : null}
    </div>
  );
}

function withOrder<Row>(
  columns: Column<Row>[],
  isOldestFirst: boolean,
  onSort: (() => void) | undefined,
): Column<Row>[] {
  if (!onSort) return columns;
  const sorted = isOldestFirst ? 'ascending' : 'descending';
  return columns.map((column) => (column.sorted ? { ...column, sorted, onSort } : column));
}

/** Next follows the address without a server request, so that only the data is fetched. */
function push(query: URLSearchParams): void {
  const text = query.toString();
  history.pushState(null, '', text === '' ? location.pathname : `?${text}`);
}

const isPaged = (params: URLSearchParams) => params.has('after') || params.has('before');

function withOpen(params: URLSearchParams, id: string | null): URLSearchParams {
  const next = new URLSearchParams(params);
  if (id === null) next.delete('open');
  else next.set('open', id);
  return next;
}

function useList<Row extends { id: string }>(
  { view: { name, newsSeconds = 15 }, query, initial, see }: Props<Row>,
  params: URLSearchParams,
) {
  const wanted = withOpen(params, null).toString();
  const first = withOpen(new URLSearchParams(query), null).toString();
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: ['list', name, wanted],
    queryFn: async () => {
      const loaded = await request<ListOf<Row>>(`/${name}?${withoutCard(wanted)}`);
      see?.(loaded);
      return loaded;
    },
    initialData: wanted === first ? initial : undefined,
    placeholderData: keepPreviousData,
    refetchInterval: isPaged(params) ? false : newsSeconds * 1000,
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

function countText({ rows, older, total }: ListOf<unknown>, [one, many]: FootProps['nouns'], paged: boolean): string {
  if (total) return `${total} ${total === '1' ? one : many}`;
  const text = `${rows.length} ${rows.length === 1 ? one : many}`;
  return older || paged ? `${text} on this page` : text;
}

/** A card number never goes into a URL or a log: it is reduced to its last four digits. */
export function withoutCard(text: string): string {
  const params = new URLSearchParams(text);
  const last4 = searchableCard(params.get('q') ?? '');
  if (last4 !== null) params.set('q', last4);
  return params.toString();
}

const CreateButton = ({ href, label }: { href: string; label: string }) => (
  <LinkButton href={href} kind="primary" size="small" icon="plus">
    {label}
  </LinkButton>
);

function NoRows({ view, firstStep }: { view: ListView; firstStep?: ReactNode }) {
  const { title, texts, steps, sandboxSteps, shop, sample } = view.empty;
  const named = steps ?? (view.shopUrl ? sandboxSteps : undefined);
  return (
    <Empty
      title={title}
      steps={named?.map((text, at) => ({ text, done: false, aside: at === 0 ? firstStep : undefined }))}
      aside={sample ? <Code title={sample.title} language="shell" text={sample.text} copy="command" tall /> : null}
    >
      {texts.map((text) => (
        <p key={text}>{withCode(text)}</p>
      ))}
      {shop && view.shopUrl ? (
        <LinkButton href={view.shopUrl} icon="flask">
          Try the demo shop
        </LinkButton>
      ) : null}
      {view.create ? <CreateButton {...view.create} /> : null}
      {view.empty.link ? (
        <LinkButton href={view.empty.link.href} kind="primary">
          {view.empty.link.text}
        </LinkButton>
      ) : null}
    </Empty>
  );
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
    <div role="alert" className="flex gap-2.5 px-gutter py-8">
      <span className="mt-[7px] text-bad">
        <ErrorIcon />
      </span>
      <div className="grid min-w-0 justify-items-start gap-2">
        <h2 className="text-title font-semibold">{title} could not be loaded</h2>
        <div className="text-ink2">{error.message} Payments are not affected. Your filters are kept.</div>
        <div className="mt-2 flex flex-wrap gap-2">
          <Button kind="primary" icon="again" onClick={again}>
            Try again
          </Button>
        </div>
        {reference ? (
          <p className="mt-2 flex flex-wrap items-center gap-2 text-xs text-ink3">
            Report to your administrator <code className="mono text-ink2">{reference}</code>
            <CopyButton text={reference} what="error id" />
          </p>
        ) : null}
      </div>
    </div>
  );
}

type FitProps = Pick<FootProps, 'nouns' | 'params'> & {
  filters: readonly FilterDef[];
  change: (changed: Record<string, string | null>) => void;
  archived: readonly ArchivedLine[] | undefined;
};

/** A filtered list without rows: names the filters, each with a button to remove it. */
function NoResults({ nouns, filters, params, change, archived = [] }: FitProps) {
  if (archived.length > 0) return <Archived payments={archived} />;
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

type FootProps = {
  list: ListOf<unknown>;
  nouns: readonly [string, string];
  params: URLSearchParams;
  ways?: readonly [string, string];
  ticks: boolean;
};

function ListFooter({ list, nouns, params, ways: [back, on] = ['Newer', 'Older'], ticks }: FootProps) {
  const to = (name: 'after' | 'before', place: string | null) =>
    place === null ? null : `?${changedQuery(params, { [name]: place })}`;
  return (
    <div className="flex min-h-11 items-center gap-3 border-t border-line bg-bg px-gutter text-xs text-ink2">
      <span className="figures">{countText(list, nouns, isPaged(params))}</span>
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
