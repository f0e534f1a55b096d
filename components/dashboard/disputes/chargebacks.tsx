'use client';
import type { ChargebackRow, ListOf } from '../../../lib/dashboard/lists/contract';
// The chargebacks list. Each row links to its payment.
import { StatusShape } from '../../ui/status';
import { amountColumn, createdColumn, MethodText, merchantColumn, TextOrDash } from '../lists/cells';
import { type Column, Empty, type FilterDef, LinkButton, ListPage, request } from '../ui';

type Props = { initial: ListOf<ChargebackRow>; query: string; manyMerchants: boolean; sandbox: boolean };

const filters: FilterDef[] = [
  { name: 'taken', label: 'Chargeback date', kind: 'day', params: ['from', 'to'] },
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
          <span className="text-ink3">not provided</span>
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
      head: 'Payment amount',
      align: 'end',
      width: 140,
      hideOnPhone: true,
      hideBelow: 'lg',
      cell: ({ ofAmount }) => ofAmount ?? <span className="text-ink3">full amount</span>,
    },
    ...merchantColumn<ChargebackRow>(manyMerchants),
    createdColumn('Chargeback date'),
  ];
  return (
    <ListPage<ChargebackRow>
      title="Chargebacks"
      nouns={['chargeback', 'chargebacks']}
      search="Payment, order, email, last four"
      filters={filters}
      query={query}
      initial={initial}
      fetch={(search) => request<ListOf<ChargebackRow>>(`/chargebacks?${search}`)}
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
      title="No chargebacks"
      steps={
        sandbox
          ? [
              { text: 'Pay for something by card', done: false },
              { text: "Open the payment's page at the sandbox provider and raise a chargeback", done: false },
              { text: 'It appears here, and its callback has the status CHARGEBACK', done: false },
            ]
          : undefined
      }
    >
      <p>
        If a payer's bank takes money back, the chargeback appears here with the bank's reason, and your server gets a
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
