'use client';
// The payments list. Its state is in the URL, and the newest page refreshes itself. Selected rows stay selected across
// pages, and their actions are in a bar at the bottom.
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearchParams } from 'next/navigation';
import { useRef, useState } from 'react';
import type { PaymentCount, PaymentRow, SavedView } from '../../../lib/dashboard/contract.ts';
import { selectedMax } from '../../../lib/dashboard/lists/columns.ts';
import type { FilterDef, ListOf, ListView, View } from '../../../lib/dashboard/lists/contract.ts';
import { tableColumns } from '../lists/list-cells.tsx';
import {
  BarButton,
  type Column,
  IconButton,
  ListPage,
  type ListProps,
  Note,
  optionsOf,
  request,
  Select,
  SelectionBar,
  useSelection,
  withoutCard,
} from '../ui/index.ts';
import { changedQuery } from '../ui/list-filters.tsx';
import { actionVerbs, type BulkAction, BulkDialog } from './bulk.tsx';
import { ExportTools, useExportColumns, useNightlyExport, withColumns } from './export-tools.tsx';
import { sumsText } from './money.ts';
import { type ListOrder, orderLinkLabels, orderOf, orderParam } from './order.ts';
import { ColumnPicker, useColumns, ViewTools } from './view-tools.tsx';

type Props = ListProps<PaymentRow> & {
  savedViews: SavedView[];
  mayExport: boolean;
  /** The columns of an export, and whether there is a bucket for nightly ones. */
  exportColumns: readonly string[];
  hasBucket: boolean;
};

const countSeconds = 30;

const usualColumns = ['status', 'order', 'method', 'payer'];

export function Payments({ view, initial, query: initialQuery, savedViews, mayExport, ...exports }: Props) {
  const params = useSearchParams();
  const query = viewQuery(params.toString());
  const { views, changed } = useViews(savedViews);
  const own = views.find((each) => viewQuery(each.query) === query) ?? null;
  const ownTabs = views.map(({ id, name, query: of }) => ({ id, title: name, query: viewQuery(of) }));
  const tabs: View[] = [...(view.views ?? []), ...ownTabs];
  const choosable = view.columns.slice(1, -1);
  const usual = [...usualColumns, view.manyMerchants ? 'merchant' : 'mid'];
  const { columns, choose } = useColumns(own?.columns ?? [], usual, choosable);
  const counts = useCounts([...tabs.map((each) => each.query), query]);
  const exported = useExportColumns(exports.exportColumns);
  const nightly = useNightlyExport({ names: exports.exportColumns, hasBucket: exports.hasBucket, changed });
  const { selection, picked, see, list } = usePicked(initial);
  const [bulk, setBulk] = useState<BulkAction | null>(null);
  const { order, waits } = orderOf(params);
  const currencies = view.filters.find(({ name }) => name === 'currency')?.options?.map(({ value }) => value) ?? [];
  const change = (changes: Record<string, string | null>) =>
    history.pushState(null, '', `?${changedQuery(params, changes)}`);
  const sort = (next: ListOrder) => {
    const [only] = currencies.length === 1 ? currencies : [];
    const isByAmount = next === 'largest' || next === 'smallest';
    change({ sort: orderParam(next), ...(only !== undefined && isByAmount && { currency: only }) });
  };
  const named = tabs.some((each) => each.query === query);
  return (
    <>
      {waits ? <CurrencyNeeded currencies={currencies} choose={(currency) => change({ currency })} /> : null}
      <ListPage<PaymentRow>
        view={view}
        query={initialQuery}
        initial={initial}
        see={see}
        filters={[...view.filters, ...(params.has('card') ? [cardFilter(params)] : [])]}
        columns={shownColumns(view.columns, columns, order, sort)}
        ways={orderLinkLabels[order]}
        selection={selection}
        actions={RowActions}
        views={withCounts(tabs, counts)}
        tools={
          <>
            <ViewTools
              {...{ own, named, query, columns, changed }}
              nightly={mayExport ? nightly.askNightly : undefined}
            />
            <ColumnPicker choosable={choosable} columns={columns} choose={choose} />
            {mayExport ? (
              <ExportTools
                href={exportOf(query)}
                all={allText(counts.get(query))}
                names={exports.exportColumns}
                {...exported}
              />
            ) : null}
            {nightly.dialog}
          </>
        }
        over={
          <PickedBar
            picked={picked}
            onClear={selection.clear}
            act={setBulk}
            {...(mayExport && { columns: exported.columns })}
          />
        }
      />
      {bulk ? (
        <BulkDialog
          action={bulk}
          rows={picked.filter((row) => row[bulk] !== undefined)}
          done={list}
          onClose={() => {
            setBulk(null);
            selection.clear();
          }}
        />
      ) : null}
    </>
  );
}

/** The amount, the chosen columns and the time; the first and the last sort the list. */
function shownColumns(
  all: ListView['columns'],
  chosen: readonly string[],
  order: ListOrder,
  sort: (order: ListOrder) => void,
): Column<PaymentRow>[] {
  const ways: Record<string, readonly [falling: ListOrder, rising: ListOrder]> = {
    amount: ['largest', 'smallest'],
    created: ['newest', 'oldest'],
  };
  const shown = all.filter(({ id }) => ways[id] || chosen.includes(id));
  return tableColumns(shown).map((column) => {
    const [falling, rising] = ways[column.id] ?? [];
    if (!falling || !rising) return column;
    const sorted = order === falling ? 'descending' : order === rising ? 'ascending' : undefined;
    return { ...column, sorted, onSort: () => sort(order === falling ? rising : falling) };
  });
}

/** Why the list is not sorted as requested, with a button to fix it. */
function CurrencyNeeded({ currencies, choose }: { currencies: string[]; choose: (currency: string) => void }) {
  return (
    <div className="px-gutter pt-3">
      <Note>
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          Amounts of several currencies cannot be sorted, so the newest payments are first.
          <Select
            size="short"
            aria-label="Sort by amount within one currency"
            value=""
            onChange={({ target }) => choose(target.value)}
            options={[{ value: '', label: 'Currency', disabled: true }, ...optionsOf(...currencies)]}
          />
        </span>
      </Note>
    </div>
  );
}

/** The card filter is set from a payment's page only, so it can be removed but not added. */
const cardFilter = (params: URLSearchParams): FilterDef => ({
  name: 'card',
  label: 'Card',
  kind: 'choice',
  options: [{ value: params.get('card') ?? '', label: 'Card of a payment' }],
});

function useViews(input: SavedView[]) {
  const client = useQueryClient();
  const router = useRouter();
  const key = ['payment-views'];
  const { data = input } = useQuery({
    queryKey: key,
    queryFn: async () => (await request<{ views: SavedView[] }>('/payments/views')).views,
    initialData: input,
  });
  const changed = (to?: SavedView) => {
    void client.invalidateQueries({ queryKey: key });
    if (to === undefined) router.push('/dashboard/payments');
  };
  return { views: data, changed };
}

function useCounts(queries: string[]): Map<string, PaymentCount> {
  const different = [...new Set(queries)];
  const answers = useQueries({
    queries: different.map((query) => ({
      queryKey: ['payment-count', query],
      queryFn: () => request<PaymentCount>(`/payments/count?${withoutCard(query)}`),
      staleTime: countSeconds * 1000,
    })),
  });
  return new Map(different.flatMap((query, at) => (answers[at]?.data ? [[query, answers[at].data]] : [])));
}

/** `1,000+` if the count stopped early. */
function countText({ count, more }: PaymentCount): string {
  return `${count.toLocaleString('en-GB')}${more ? '+' : ''}`;
}

const exportOf = (query: string) => `/dashboard/api/payments/export?${withoutCard(query)}`;

const allText = (count: PaymentCount | undefined) => (count && !count.more ? countText(count) : 'all');

function withCounts(tabs: readonly View[], counts: Map<string, PaymentCount>): View[] {
  return tabs.map((view) => {
    const count = view.query === '' ? undefined : counts.get(view.query);
    return { ...view, ...(count && { count: countText(count) }) };
  });
}

/** The selected rows as last loaded: a row may be on another page now. */
function usePicked(initial: ListOf<PaymentRow>) {
  const client = useQueryClient();
  const selection = useSelection();
  const known = useRef(new Map<string, PaymentRow>());
  const see = (list: ListOf<PaymentRow>) => {
    for (const row of list.rows) known.current.set(row.id, row);
  };
  if (known.current.size === 0) see(initial);
  const picked = [...selection.ids].flatMap((id) => known.current.get(id) ?? []);
  const list = () => {
    void client.invalidateQueries({ queryKey: ['list', 'payments'] });
    void client.invalidateQueries({ queryKey: ['payment-count'] });
  };
  return { selection, picked, see, list };
}

type PickedProps = {
  picked: PaymentRow[];
  onClear: () => void;
  act: (action: BulkAction) => void;
  /** The columns of an export; absent for a user who may not export. */
  columns?: readonly string[];
};

function PickedBar({ picked, onClear, act, columns }: PickedProps) {
  const href = withColumns(exportOf(`ids=${picked.map(({ id }) => id)}`), columns ?? []);
  const offers = (['capture', 'refund'] as const)
    .map((action) => ({ action, count: picked.filter((row) => row[action] !== undefined).length }))
    .filter(({ count }) => count > 0);
  return (
    <SelectionBar count={picked.length} sum={sumsText(picked)} onClear={onClear}>
      {offers.map(({ action, count }) => (
        <BarButton key={action} icon={action} onClick={() => act(action)}>
          {actionVerbs[action]} {count}
        </BarButton>
      ))}
      {offers.length === 0 ? <span className="px-2 opacity-75">Nothing can be captured or refunded</span> : null}
      {columns && picked.length <= selectedMax ? (
        <BarButton icon="download" onClick={() => location.assign(href)}>
          Export {picked.length}
        </BarButton>
      ) : null}
    </SelectionBar>
  );
}

function RowActions({ id, orderNumber, capture, refund }: PaymentRow) {
  const router = useRouter();
  const action = refund !== undefined ? 'refund' : capture !== undefined ? 'capture' : null;
  if (action === null) return null;
  return (
    <IconButton
      framed
      icon={action}
      label={`${actionVerbs[action]} ${orderNumber}`}
      onClick={() => router.push(`/dashboard/payments/${id}?action=${action}`)}
    />
  );
}

/** A query without the page position, sorted, so that equal filters give equal texts. */
function viewQuery(text: string): string {
  const params = changedQuery(new URLSearchParams(text), {});
  params.sort();
  return params.toString();
}
