'use client';
// The payments list. Its state is in the URL, and the newest page refreshes itself. Selected rows stay selected across
// pages, and their actions are in a bar at the bottom.
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useRouter, useSearchParams } from 'next/navigation';
import { type ReactNode, useRef, useState } from 'react';
import { searchableCard } from '../../../lib/core/cards';
import type { PaymentChoices, PaymentCount, PaymentList, PaymentRow, SavedView } from '../../../lib/dashboard/contract';
import { Icon } from '../icons';
import {
  buttonClass,
  Empty,
  IconButton,
  ListPage,
  Note,
  request,
  Select,
  SelectionBar,
  useSelection,
  type View,
} from '../ui';
import { changedQuery } from '../ui/filter-def';
import { type BulkAction, BulkDialog } from './bulk';
import { ColumnPicker, useColumns } from './column-picker';
import { paymentColumns, usualColumns } from './columns';
import { cardFilter, paymentFilters } from './filters';
import { sumsText } from './money';
import { type ListOrder, orderLinkLabels, orderOf, orderParam } from './order';
import { ViewTools } from './view-tools';
import { builtIn, isView, ownView, viewQuery } from './views';

type Props = {
  initial: PaymentList;
  /** The query of `initial`. */
  initialQuery: string;
  choices: PaymentChoices;
  views: SavedView[];
  /** Whether the list can contain payments of several merchants. */
  manyMerchants: boolean;
  mayExport: boolean;
  sandbox: boolean;
};

const countSeconds = 30;

export function Payments({
  initial,
  initialQuery,
  choices,
  views: givenViews,
  manyMerchants,
  mayExport,
  sandbox,
}: Props) {
  const params = useSearchParams();
  const query = viewQuery(params.toString());
  const { views, changed } = useViews(givenViews);
  const own = ownView(views, query);
  const { columns, choose } = useColumns(own?.columns ?? [], usualColumns(manyMerchants));
  const counts = useCounts([
    ...builtIn.map((view) => view.query),
    ...views.map((view) => viewQuery(view.query)),
    query,
  ]);
  const { selection, picked, see, list } = usePicked();
  const [bulk, setBulk] = useState<BulkAction | null>(null);
  const seen = async (text: string) => see(await request<PaymentList>(`/payments?${withoutCard(text)}`));
  const { order, waits } = orderOf(params);
  const change = (changed: Record<string, string | null>) =>
    history.pushState(null, '', `?${changedQuery(params, changed)}`);
  const sort = (next: ListOrder) => {
    const [only] = choices.currencies.length === 1 ? choices.currencies : [];
    const isByAmount = next === 'largest' || next === 'smallest';
    change({ sort: orderParam(next), ...(only !== undefined && isByAmount && { currency: only }) });
  };
  const filters = [...paymentFilters(choices), ...(params.has('card') ? [cardNamed(params)] : [])];
  return (
    <>
      {waits ? <CurrencyNeeded currencies={choices.currencies} choose={(currency) => change({ currency })} /> : null}
      <ListPage<PaymentRow>
        title="Payments"
        nouns={['payment', 'payments']}
        search="Payment, order, email, card last four, token"
        filters={filters}
        query={initialQuery}
        initial={see(initial)}
        fetch={seen}
        columns={paymentColumns(columns, order, sort)}
        rowHref={({ id }) => `/dashboard/payments/${id}`}
        rowName={({ amount, currency, orderNumber }) => `${amount} ${currency}, order ${orderNumber}`}
        ways={orderLinkLabels[order]}
        selection={selection}
        actions={RowActions}
        views={viewTabs(views, counts)}
        tools={
          <>
            <ViewTools own={own} named={isView(views, query)} query={query} columns={columns} changed={changed} />
            <ColumnPicker columns={columns} choose={choose} />
            {mayExport ? <ExportLink query={query} count={counts.get(query)} /> : null}
          </>
        }
        over={<PickedBar picked={picked} onClear={selection.clear} act={setBulk} />}
        empty={<NoPayments sandbox={sandbox} />}
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

/** Why the list is not sorted as requested, with a button to fix it. */
function CurrencyNeeded({ currencies, choose }: { currencies: string[]; choose: (currency: string) => void }) {
  const options = currencies.map((code) => ({ value: code, label: code }));
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
            options={[{ value: '', label: 'Currency', disabled: true }, ...options]}
          />
        </span>
      </Note>
    </div>
  );
}

/** A card number never goes into a URL or a log: it is reduced to its last four digits. */
function withoutCard(text: string): string {
  const params = new URLSearchParams(text);
  const last4 = searchableCard(params.get('q') ?? '');
  if (last4 !== null) params.set('q', last4);
  return params.toString();
}

const cardNamed = (params: URLSearchParams) => ({
  ...cardFilter,
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

/** The number of payments of each filter, loaded after the list. */
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

function viewTabs(views: SavedView[], counts: Map<string, PaymentCount>): View[] {
  const all = [...builtIn, ...views.map(({ id, name, query }) => ({ id, name, query: viewQuery(query) }))];
  return all.map(({ id, name, query }) => {
    const count = query === '' ? undefined : counts.get(query);
    return { id, title: name, query, ...(count && { count: countText(count) }) };
  });
}

/** The selected rows as last loaded: a row may be on another page now. */
function usePicked() {
  const client = useQueryClient();
  const selection = useSelection();
  const known = useRef(new Map<string, PaymentRow>());
  const see = (list: PaymentList) => {
    for (const row of list.rows) known.current.set(row.id, row);
    return list;
  };
  const picked = [...selection.ids].flatMap((id) => known.current.get(id) ?? []);
  const list = () => {
    void client.invalidateQueries({ queryKey: ['list', 'Payments'] });
    void client.invalidateQueries({ queryKey: ['payment-count'] });
  };
  return { selection, picked, see, list };
}

function PickedBar({
  picked,
  onClear,
  act,
}: {
  picked: PaymentRow[];
  onClear: () => void;
  act: (action: BulkAction) => void;
}) {
  const captures = picked.filter(({ capture }) => capture !== undefined).length;
  const refunds = picked.filter(({ refund }) => refund !== undefined).length;
  return (
    <SelectionBar count={picked.length} sum={sumsText(picked)} onClear={onClear}>
      {captures > 0 ? (
        <BarButton icon="capture" onClick={() => act('capture')}>
          Capture {captures}
        </BarButton>
      ) : null}
      {refunds > 0 ? (
        <BarButton icon="refund" onClick={() => act('refund')}>
          Refund {refunds}
        </BarButton>
      ) : null}
      {captures + refunds === 0 ? <span className="px-2 opacity-75">Nothing can be captured or refunded</span> : null}
    </SelectionBar>
  );
}

function BarButton({
  icon,
  onClick,
  children,
}: {
  icon: 'capture' | 'refund';
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="inline-flex min-h-8 items-center gap-2 rounded-control border-0 bg-transparent px-2 text-dock-ink hover:bg-dock-ink/10 phone:min-h-11"
    >
      <Icon name={icon} />
      {children}
    </button>
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
      label={`${action === 'refund' ? 'Refund' : 'Capture'} ${orderNumber}`}
      onClick={() => router.push(`/dashboard/payments/${id}?action=${action}`)}
    />
  );
}

/** A link, so that the browser streams the file to disk. */
function ExportLink({ query, count }: { query: string; count: PaymentCount | undefined }) {
  return (
    <a href={`/dashboard/api/payments/export?${withoutCard(query)}`} download className={buttonClass('plain', 'small')}>
      <Icon name="download" size={14} />
      <span>
        Export {count && !count.more ? countText(count) : 'all'}
        <span className="phone:hidden"> as CSV</span>
      </span>
    </a>
  );
}

function NoPayments({ sandbox }: { sandbox: boolean }) {
  return (
    <Empty title="No payments yet">
      <p>A payment appears here seconds after your server creates a session.</p>
      {sandbox ? (
        <p>
          In the sandbox, <Link href="/">pay in the demo shop</Link> with a test card.
        </p>
      ) : null}
    </Empty>
  );
}
