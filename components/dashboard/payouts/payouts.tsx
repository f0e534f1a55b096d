'use client';
import type { ListOf, PayoutRow } from '../../../lib/dashboard/lists/contract';
import { statusLabels } from '../../../lib/dashboard/status-labels';
// The list of payouts: money to a card (credit) and from card to card (transfer).
import { Status } from '../../ui/status';
import { amountColumn, createdColumn, merchantColumn, TextOrDash, WithRemark } from '../lists/cells';
import { samples } from '../lists/samples';
import { Code, type Column, Empty, type FilterDef, ListPage, request } from '../ui';

type Props = { initial: ListOf<PayoutRow>; query: string; manyMerchants: boolean; origin: string };

const operationNames = { credit: 'Payout', transfer: 'Card to card' };

const filters: FilterDef[] = [
  {
    name: 'state',
    label: 'Status',
    kind: 'choices',
    options: ['prepare', 'pending', 'settled', 'decline'].map((value) => ({
      value,
      label: statusLabels[value] ?? value,
    })),
  },
  { name: 'created', label: 'Created', kind: 'day', params: ['from', 'to'] },
  {
    name: 'operation',
    label: 'Kind',
    kind: 'choice',
    options: Object.entries(operationNames).map(([value, label]) => ({ value, label })),
  },
  { name: 'currency', label: 'Currency', kind: 'text' },
];

const views = [
  { id: 'all', title: 'All', query: '' },
  { id: 'pending', title: 'In progress', query: 'state=pending,prepare' },
  { id: 'declined', title: 'Declined', query: 'state=decline' },
];

export function Payouts({ initial, query, manyMerchants, origin }: Props) {
  const columns: Column<PayoutRow>[] = [
    amountColumn(),
    {
      id: 'status',
      head: 'Status',
      width: '22%',
      cell: ({ status, reason }) => (
        <WithRemark>
          <Status status={status} />
          {reason}
        </WithRemark>
      ),
    },
    { id: 'order', head: 'Order', mono: true, cell: ({ orderNumber }) => orderNumber },
    { id: 'kind', head: 'Kind', hideOnPhone: true, cell: ({ operation }) => operationNames[operation] },
    { id: 'to', head: 'To', cell: ({ to }) => <TextOrDash text={to} /> },
    {
      id: 'payee',
      head: 'Payee',
      hideOnPhone: true,
      hideBelow: 'lg',
      cell: ({ payee }) => <TextOrDash text={payee} />,
    },
    ...merchantColumn<PayoutRow>(manyMerchants),
    createdColumn(),
  ];
  return (
    <ListPage<PayoutRow>
      title="Payouts"
      nouns={['payout', 'payouts']}
      search="Payment, order, last four"
      filters={filters}
      views={views}
      query={query}
      initial={initial}
      fetch={(search) => request<ListOf<PayoutRow>>(`/payouts?${search}`)}
      columns={columns}
      rowHref={({ id }) => `/dashboard/payments/${id}`}
      rowName={({ orderNumber }) => `Payout ${orderNumber}`}
      empty={
        <Empty
          title="No payouts yet"
          steps={[
            { text: 'A MID supports payouts', done: false },
            { text: 'Your server sends CREDIT2CARD', done: false },
            { text: 'The callback reports the settlement', done: false },
          ]}
          aside={<Code title="Pay out to a card" language="shell" text={samples.payout(origin)} copy="command" tall />}
        >
          <p>
            A payout sends money to a card: a refund of a deposit, winnings, a wage. A transfer moves money from card to
            card.
          </p>
        </Empty>
      }
    />
  );
}
