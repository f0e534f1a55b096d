'use client';
import type { ChargebackRow, ListOf } from '../../../lib/dashboard/lists/contract';
// The list of chargebacks: what payers' banks have taken back. Each leads to the payment that it was taken from.
import { StatusShape } from '../../ui/status';
import { amountColumn, createdColumn, MethodText, merchantColumn, TextOrDash } from '../lists/cells';
import { type Column, Empty, type FilterDef, LinkButton, ListPage, request } from '../ui';

type Props = { initial: ListOf<ChargebackRow>; query: string; manyMerchants: boolean; sandbox: boolean };

const filters: FilterDef[] = [
  { name: 'taken', label: 'Taken back', kind: 'day', params: ['from', 'to'] },
  { name: 'reason', label: 'Reason code', kind: 'text' },
  { name: 'currency', label: 'Currency', kind: 'text' },
];

export function Chargebacks({ initial, query, manyMerchants, sandbox }: Props) {
  const columns: Column<ChargebackRow>[] = [
    amountColumn(),
    {
      id: 'reason',
      head: 'Reason',
      width: '26%',
      cell: ({ reasonCode, reason }) =>
        reasonCode === null ? (
          <span className="text-ink3">not told</span>
        ) : (
          <span className="flex items-center gap-2">
            <StatusShape status="chargeback" />
            <span className="truncate text-ink">{reason ?? 'Reason'}</span>
            <code className="font-mono text-xs text-ink3">{reasonCode}</code>
          </span>
        ),
    },
    { id: 'order', head: 'Order', mono: true, cell: ({ orderNumber }) => orderNumber },
    { id: 'method', head: 'Method', cell: ({ method }) => <MethodText means={method} /> },
    { id: 'payer', head: 'Payer', hideOnPhone: true, cell: ({ payer }) => <TextOrDash text={payer} /> },
    {
      id: 'of',
      head: 'Of',
      align: 'end',
      width: 140,
      hideOnPhone: true,
      hideBelow: 'lg',
      cell: ({ ofAmount }) => ofAmount ?? <span className="text-ink3">the whole</span>,
    },
    ...merchantColumn<ChargebackRow>(manyMerchants),
    createdColumn('Taken back'),
  ];
  return (
    <ListPage<ChargebackRow>
      title="Chargebacks"
      nouns={['chargeback', 'chargebacks']}
      search="Payment, order, e-mail, last four"
      filters={filters}
      query={query}
      initial={initial}
      fetch={(asked) => request<ListOf<ChargebackRow>>(`/chargebacks?${asked}`)}
      columns={columns}
      rowHref={({ paymentId }) => `/dashboard/payments/${paymentId}`}
      rowName={({ orderNumber }) => `Chargeback of ${orderNumber}`}
      empty={<NoChargeback sandbox={sandbox} />}
    />
  );
}

function NoChargeback({ sandbox }: { sandbox: boolean }) {
  return (
    <Empty
      title="No chargeback"
      steps={
        sandbox
          ? [
              { text: 'Pay for something by card', done: false },
              { text: "Open the payment's page at the sandbox provider and raise a chargeback", done: false },
              { text: 'It stands here, and its callback says CHARGEBACK', done: false },
            ]
          : undefined
      }
    >
      <p>
        When a payer's bank takes money back, it stands here with the bank's reason, and your server is told by a
        callback with the status <code className="mono">CHARGEBACK</code>.
      </p>
      {sandbox ? (
        <LinkButton href="/" icon="flask">
          Try the demo shop
        </LinkButton>
      ) : null}
    </Empty>
  );
}
