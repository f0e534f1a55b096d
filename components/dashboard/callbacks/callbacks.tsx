'use client';
// The log of callbacks: what merchants' servers were told and what they said to it. One is opened beside the list; all that
// a filter finds can be sent again, and an address can be held back.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'next/navigation';
import { useState } from 'react';
import type { CallbackRow, CallbackSummary } from '../../../lib/dashboard/developers/contract';
import { OutcomeLabel } from '../developers/outcome';
import {
  Button,
  type Column,
  Empty,
  type FilterDef,
  LinkButton,
  ListPage,
  type ListResponse,
  Note,
  request,
} from '../ui';
import { Time } from '../zone';
import { CallbackPanel } from './callback-panel';
import { ResendDialog } from './resend-dialog';

type Props = {
  initial: ListResponse<CallbackRow>;
  summary: CallbackSummary;
  query: string;
  manyMerchants: boolean;
  /** Today in the person's zone, `2026-11-20`. */
  today: string;
  mayResend: boolean;
  mayHold: boolean;
};

const filters: FilterDef[] = [
  {
    name: 'state',
    label: 'State',
    kind: 'choices',
    options: [
      { value: 'waiting', label: 'waiting' },
      { value: 'delivered', label: 'received' },
      { value: 'failed', label: 'given up' },
      { value: 'undelivered', label: 'without an address' },
    ],
  },
  {
    name: 'outcome',
    label: 'Status',
    kind: 'choices',
    options: ['success', 'fail', 'waiting', 'undefined'].map((value) => ({ value, label: value })),
  },
  { name: 'host', label: 'Address', kind: 'text' },
  { name: 'answer', label: 'Answer', kind: 'choice', options: [{ value: 'error', label: 'ERROR' }] },
  { name: 'at', label: 'Day', kind: 'day', params: ['from', 'to'] },
];

export function Callbacks({ initial, summary: first, query, manyMerchants, today, mayResend, mayHold }: Props) {
  const params = useSearchParams();
  const [asking, setAsking] = useState<string | null>(null);
  const { data: summary = first } = useQuery({
    queryKey: ['callback-summary'],
    queryFn: () => request<CallbackSummary>('/callbacks/summary'),
    initialData: first,
    refetchInterval: 15_000,
  });
  const views = [
    { id: 'all', title: 'All', query: '' },
    { id: 'today', title: 'Today', query: `from=${today}&to=${today}`, count: summary.today },
    { id: 'waiting', title: 'Waiting', query: 'state=waiting', count: summary.waiting },
    { id: 'failed', title: 'Given up', query: 'state=failed', count: summary.failed },
    { id: 'error', title: 'Acknowledged with ERROR', query: 'answer=error', count: summary.saidError },
  ];
  const filter = filterOf(params);
  return (
    <>
      <PausedHosts summary={summary} mayHold={mayHold} manyMerchants={manyMerchants} />
      <ListPage<CallbackRow>
        title="Callbacks"
        nouns={['callback', 'callbacks']}
        search="Order, payment, transaction"
        filters={filters}
        views={views}
        tools={
          <>
            <LinkButton icon="verify" href="/dashboard/callback-verifier">
              Verify a callback
            </LinkButton>
            {mayResend && filter !== '' ? (
              <Button icon="again" onClick={() => setAsking(filter)}>
                Resend all found
              </Button>
            ) : null}
          </>
        }
        query={query}
        initial={initial}
        fetch={(asked) => request<ListResponse<CallbackRow>>(`/callbacks?${asked}`)}
        columns={columnsOf(manyMerchants, params.has('open'))}
        rowName={(row) => `${row.answer}, ${row.orderNumber}, ${row.type} ${row.outcome}`}
        dense
        panel={(open) => <CallbackPanel key={open.id} open={open} />}
        empty={
          <Empty title="No callback yet">
            <p>
              Whenever a payment changes its state, your server is told. Each message stands here with every try to
              deliver it and what your server said to it.
            </p>
            <p>
              Name an address in <code className="mono">notification_url</code> or{' '}
              <code className="mono">callback_url</code>, or a default one in the protocol mapping.
            </p>
          </Empty>
        }
      />
      {asking === null ? null : <ResendDialog filter={asking} onClose={() => setAsking(null)} />}
    </>
  );
}

/** The filter of the address bar without what is opened and where the page begins. */
function filterOf(params: URLSearchParams): string {
  const filter = new URLSearchParams(params);
  for (const name of ['open', 'after', 'before']) filter.delete(name);
  return filter.toString();
}

const hostColumn: Column<CallbackRow> = {
  id: 'host',
  head: 'Address',
  hideOnPhone: true,
  hideBelow: 'xl',
  cell: ({ host }) => host ?? <Dash />,
};

/** Beside a panel there is room for what tells rows apart, and no more. */
function columnsOf(manyMerchants: boolean, beside: boolean): Column<CallbackRow>[] {
  return [
    {
      id: 'answer',
      head: 'Answer',
      width: beside ? 148 : 160,
      cell: ({ mark, answer, held, pausedUntil }) => (
        <OutcomeLabel kind={mark}>
          {answer}
          {held || pausedUntil ? <span className="font-normal text-ink3">{held ? ', held' : ', paused'}</span> : null}
        </OutcomeLabel>
      ),
    },
    { id: 'order', head: 'Order', mono: true, width: beside ? 112 : undefined, cell: ({ orderNumber }) => orderNumber },
    {
      id: 'what',
      head: 'Type, status, order status',
      cell: ({ type, outcome, orderStatus }) => (
        <>
          <span className="text-ink">
            {type}, {outcome},
          </span>{' '}
          {orderStatus}
        </>
      ),
    },
    ...(beside ? [] : [hostColumn]),
    ...(manyMerchants && !beside
      ? [
          {
            id: 'merchant',
            head: 'Merchant',
            hideOnPhone: true,
            hideBelow: 'lg',
            cell: ({ merchantName }: CallbackRow) => merchantName,
          } as const,
        ]
      : []),
    { id: 'tries', head: 'Tries', align: 'end', width: 72, hideOnPhone: true, cell: ({ tries }) => tries || <Dash /> },
    {
      id: 'next',
      head: 'Next try',
      align: 'end',
      width: 86,
      hideOnPhone: true,
      cell: ({ nextTry }) =>
        nextTry ? (
          <strong className="font-semibold text-ink">
            <Time at={nextTry} />
          </strong>
        ) : (
          <Dash />
        ),
    },
    {
      id: 'created',
      head: 'Created',
      align: 'end',
      width: beside ? 104 : 150,
      sorted: 'descending',
      cell: ({ createdAt }) => <Time at={createdAt} as={beside ? 'time' : 'day and time'} />,
    },
  ];
}

const Dash = () => <span className="text-ink3">–</span>;

/** Addresses that are held back, each with the way to let it go on. */
function PausedHosts({
  summary,
  mayHold,
  manyMerchants,
}: {
  summary: CallbackSummary;
  mayHold: boolean;
  manyMerchants: boolean;
}) {
  const client = useQueryClient();
  const [busy, setBusy] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const letGo = async (merchantId: string, address: string) => {
    setBusy(address);
    setFault(null);
    try {
      await request('/callbacks/hold', { body: { merchantId, address, held: false } });
    } catch (thrown) {
      setFault((thrown as Error).message);
    }
    await client.invalidateQueries();
    setBusy(null);
  };
  if (summary.held.length === 0) return null;
  return (
    <div className="grid gap-2 border-b border-line px-gutter py-3">
      {summary.held.map(({ merchantId, merchantName, address, since, waiting }) => (
        <Note key={merchantId + address} tone="warn" icon="pause">
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
            <span>
              Nothing is sent to <strong className="font-semibold">{address}</strong>
              {manyMerchants ? ` for ${merchantName}` : ''} since <Time at={since} as="date and time" />.{' '}
              {waiting === '1' ? '1 callback waits.' : `${waiting} callbacks wait.`}
            </span>
            {mayHold ? (
              <Button size="small" icon="play" busy={busy === address} onClick={() => letGo(merchantId, address)}>
                Let it go on
              </Button>
            ) : null}
          </span>
        </Note>
      ))}
      {fault ? (
        <p role="alert" className="text-xs text-bad">
          {fault}
        </p>
      ) : null}
    </div>
  );
}
