'use client';
// The callback log: messages to merchants' servers and their responses. One callback opens beside the list; all that a
// filter finds can be resent, and deliveries to an address can be paused.
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
  /** Today in the user's time zone, `2026-11-20`. */
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
      { value: 'failed', label: 'failed' },
      { value: 'undelivered', label: 'no callback URL' },
    ],
  },
  {
    name: 'outcome',
    label: 'Status',
    kind: 'choices',
    options: ['success', 'fail', 'waiting', 'undefined'].map((value) => ({ value, label: value })),
  },
  { name: 'host', label: 'Address', kind: 'text' },
  { name: 'answer', label: 'Response', kind: 'choice', options: [{ value: 'error', label: 'ERROR' }] },
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
    { id: 'failed', title: 'Failed', query: 'state=failed', count: summary.failed },
    { id: 'error', title: 'Answered ERROR', query: 'answer=error', count: summary.saidError },
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
        fetch={(search) => request<ListResponse<CallbackRow>>(`/callbacks?${search}`)}
        columns={columnsOf(manyMerchants, params.has('open'))}
        rowName={(row) => `${row.answer}, ${row.orderNumber}, ${row.type} ${row.outcome}`}
        dense
        panel={(open) => <CallbackPanel key={open.id} open={open} />}
        empty={
          <Empty title="No callback yet">
            <p>
              Your server gets a callback whenever the status of a payment changes. This log shows each callback with
              its attempts and responses.
            </p>
            <p>
              Set a URL in <code className="mono">notification_url</code> or <code className="mono">callback_url</code>,
              or a default URL in the protocol mapping.
            </p>
          </Empty>
        }
      />
      {asking === null ? null : <ResendDialog filter={asking} onClose={() => setAsking(null)} />}
    </>
  );
}

/** The filter without the opened callback and the page position. */
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

/** The columns beside an open panel. */
function columnsOf(manyMerchants: boolean, beside: boolean): Column<CallbackRow>[] {
  return [
    {
      id: 'answer',
      head: 'Response',
      width: beside ? 148 : 160,
      cell: ({ mark, answer, held, pausedUntil }) => (
        <OutcomeLabel kind={mark}>
          {answer}
          {held || pausedUntil ? <span className="font-normal text-ink3">, paused</span> : null}
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
    {
      id: 'tries',
      head: 'Attempts',
      align: 'end',
      width: 72,
      hideOnPhone: true,
      cell: ({ tries }) => tries || <Dash />,
    },
    {
      id: 'next',
      head: 'Next attempt',
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

/** Paused addresses, each with a button to resume. */
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
  const [error, setError] = useState<string | null>(null);
  const letGo = async (merchantId: string, address: string) => {
    setBusy(address);
    setError(null);
    try {
      await request('/callbacks/hold', { body: { merchantId, address, held: false } });
    } catch (thrown) {
      setError((thrown as Error).message);
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
              Deliveries to <strong className="font-semibold">{address}</strong>
              {manyMerchants ? ` for ${merchantName}` : ''} have been paused since{' '}
              <Time at={since} as="date and time" />.{' '}
              {waiting === '1' ? '1 callback is waiting.' : `${waiting} callbacks are waiting.`}
            </span>
            {mayHold ? (
              <Button size="small" icon="play" busy={busy === address} onClick={() => letGo(merchantId, address)}>
                Resume
              </Button>
            ) : null}
          </span>
        </Note>
      ))}
      {error ? (
        <p role="alert" className="text-xs text-bad">
          {error}
        </p>
      ) : null}
    </div>
  );
}
