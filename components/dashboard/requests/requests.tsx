'use client';
import Link from 'next/link';
import { useSearchParams } from 'next/navigation';
import { protocolNames } from '../../../lib/core/mapping-options';
import type { RequestPage, RequestRow } from '../../../lib/dashboard/developers/contract';
import { CopyButton } from '../../ui/copy-button';
import { OutcomeLabel } from '../developers/outcome';
import {
  Code,
  type Column,
  Empty,
  type FilterDef,
  LinkButton,
  ListPage,
  type ListResponse,
  type OpenRow,
  PanelPart,
  request,
} from '../ui';
import { Time } from '../zone';
import { LogPanel } from './log-panel';

type Props = {
  initial: ListResponse<RequestRow>;
  query: string;
  manyMerchants: boolean;
  actions: { protocol: string; action: string }[];
  days: number;
  firstRequest: string;
};

const names: { readonly [protocol: string]: string } = protocolNames;

const views = [
  { id: 'all', title: 'All', query: '' },
  { id: 'refused', title: 'Refused', query: 'outcome=refused' },
  { id: 'signature', title: 'Invalid hash', query: 'outcome=signature' },
];

export function Requests({ initial, query, manyMerchants, actions, days, firstRequest }: Props) {
  const beside = useSearchParams().has('open');
  const filters: FilterDef[] = [
    {
      name: 'outcome',
      label: 'Outcome',
      kind: 'choice',
      options: [
        { value: 'carried', label: 'processed' },
        { value: 'refused', label: 'refused' },
        { value: 'signature', label: 'invalid hash' },
        { value: 'failed', label: 'internal error' },
      ],
    },
    {
      name: 'protocol',
      label: 'Protocol',
      kind: 'choice',
      options: Object.entries(names).map(([value, label]) => ({ value, label })),
    },
    {
      name: 'action',
      label: 'Action',
      kind: 'choice',
      options: [...new Set(actions.map(({ action }) => action))].map((value) => ({ value, label: value })),
    },
    { name: 'code', label: 'Error code', kind: 'text' },
    { name: 'at', label: 'Day', kind: 'day', params: ['from', 'to'] },
  ];
  return (
    <ListPage<RequestRow>
      title="API logs"
      nouns={['request', 'requests']}
      search="Order, payment"
      filters={filters}
      views={views}
      query={query}
      initial={initial}
      fetch={(search) => request<ListResponse<RequestRow>>(`/requests?${search}`)}
      columns={columnsOf(manyMerchants, beside)}
      rowName={({ action, orderNumber, status }) => `${status}, ${action}${orderNumber ? `, ${orderNumber}` : ''}`}
      dense
      panel={(open) => <RequestPanel key={open.id} open={open} />}
      newsSeconds={10}
      empty={
        <Empty
          title="No requests yet"
          aside={<Code title="A first request" language="shell" text={firstRequest} copy="command" tall />}
        >
          <p>
            This log shows every request of your server for {days} days, with its response, duration and the reason of a
            refusal. Card numbers, security codes and passwords are never stored.
          </p>
        </Empty>
      }
    />
  );
}

/** The columns beside an open panel. */
function columnsOf(manyMerchants: boolean, beside: boolean): Column<RequestRow>[] {
  const all: Column<RequestRow>[] = [
    {
      id: 'status',
      head: 'Response',
      width: 150,
      cell: ({ outcome, status, errorCode }) => (
        <OutcomeLabel kind={outcome}>
          {status}
          {errorCode !== null && outcome === 'refused' ? (
            <span className="font-mono text-xs font-normal text-ink3"> {errorCode}</span>
          ) : null}
        </OutcomeLabel>
      ),
    },
    { id: 'action', head: 'Action', mono: true, cell: ({ action }) => action },
    {
      id: 'protocol',
      head: 'Protocol',
      width: 100,
      hideOnPhone: true,
      hideBelow: 'lg',
      cell: (row) => names[row.protocol],
    },
    {
      id: 'order',
      head: 'Order',
      mono: true,
      cell: ({ orderNumber }) => orderNumber ?? <span className="text-ink3">–</span>,
    },
    ...(manyMerchants
      ? [
          {
            id: 'merchant',
            head: 'Merchant',
            hideOnPhone: true,
            hideBelow: 'lg',
            cell: ({ merchantName }: RequestRow) => merchantName ?? <span className="text-ink3">unknown key</span>,
          } as const,
        ]
      : []),
    {
      id: 'duration',
      head: 'Duration',
      align: 'end',
      width: 88,
      hideOnPhone: true,
      cell: ({ durationMs }) => `${durationMs} ms`,
    },
    {
      id: 'at',
      head: 'Time',
      align: 'end',
      width: 150,
      sorted: 'descending',
      cell: ({ at }) => <Time at={at} as="day and time" />,
    },
  ];
  return beside ? all.filter(({ id }) => !/^(protocol|merchant|duration)$/.test(id)) : all;
}

function RequestPanel({ open }: { open: OpenRow<RequestRow> }) {
  return (
    <LogPanel<RequestRow, RequestPage>
      open={open}
      noun="Request"
      path="/requests"
      title={(data) => ({ mark: data.outcome, text: titleOf(data) })}
      fresh={{ staleTime: Number.POSITIVE_INFINITY }}
    >
      {(data) => <Details data={data} />}
    </LogPanel>
  );
}

const titleOf = ({ status, outcome, errorCode }: RequestPage) =>
  outcome === 'carried'
    ? `${status}, processed`
    : outcome === 'failed'
      ? `${status}, internal error`
      : `${status}, refused with ${errorCode}`;

function Details({ data }: { data: RequestPage }) {
  return (
    <>
      <PanelPart>
        <p className="font-mono text-xs break-all">POST {data.path}</p>
        {data.protocol === 'checkout' ? null : (
          <p className="mt-1 font-mono text-xs text-ink2">
            {names[data.protocol]} {data.action}
          </p>
        )}
        {data.refusedBy ? <p className="mt-2 text-ink2">Refused by {data.refusedBy}.</p> : null}
        <div className="mt-3 flex flex-wrap gap-2">
          {data.explainable ? (
            <LinkButton kind="primary" icon="hash" href={`/dashboard/hash-debugger?request=${data.id}`}>
              Explain hash
            </LinkButton>
          ) : null}
          {data.paymentId ? (
            <LinkButton icon="payments" href={`/dashboard/payments/${data.paymentId}`}>
              View payment
            </LinkButton>
          ) : null}
          {data.curl === '' ? null : <CopyButton text={data.curl} what="the request as curl" word="Copy as curl" />}
        </div>
      </PanelPart>
      <PanelPart>
        <dl className="grid grid-cols-[92px_minmax(0,1fr)] gap-x-3 gap-y-1 [&_dt]:text-ink3">
          <dt>Time</dt>
          <dd>
            <Time at={data.at} as="date and time" />
          </dd>
          <dt>Duration</dt>
          <dd className="figures">{data.durationMs} ms</dd>
          {data.orderNumber ? (
            <>
              <dt>Order</dt>
              <dd className="font-mono text-xs leading-5 break-all">
                {data.paymentId ? (
                  <Link href={`/dashboard/payments/${data.paymentId}`} prefetch={false}>
                    {data.orderNumber}
                  </Link>
                ) : (
                  data.orderNumber
                )}
              </dd>
            </>
          ) : null}
          <dt>Merchant</dt>
          <dd>{data.merchantName ?? 'No merchant has this key'}</dd>
          <dt>From</dt>
          <dd className="font-mono text-xs leading-5 break-all">{data.address}</dd>
          {data.userAgent ? (
            <>
              <dt>User agent</dt>
              <dd className="break-words">{data.userAgent}</dd>
            </>
          ) : null}
        </dl>
      </PanelPart>
      <PanelPart>
        <Code title="Request" text={data.request.text} language={data.request.language} copy="request body" />
        {data.mediaType ? <p className="mt-1.5 text-xs text-ink3">{data.mediaType}</p> : null}
      </PanelPart>
      <PanelPart>
        <Code title="Response" text={data.response.text} language={data.response.language} copy="answer" />
      </PanelPart>
    </>
  );
}
