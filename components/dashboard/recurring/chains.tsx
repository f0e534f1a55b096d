'use client';
import type { ChainRow, ListOf } from '../../../lib/dashboard/lists/contract';
import { amountColumn, createdColumn, MethodText, merchantColumn, TextOrDash } from '../lists/cells';
import { samples } from '../lists/samples';
import { ObjectState, stateOptions } from '../lists/state';
// The list of recurring agreements: initial payments whose cards can be charged again without the payer.
import { Code, type Column, Empty, type FilterDef, ListPage, request } from '../ui';
import { Time } from '../zone';

type Props = { initial: ListOf<ChainRow>; query: string; manyMerchants: boolean; origin: string };

const filters: FilterDef[] = [
  { name: 'state', label: 'State', kind: 'choices', options: stateOptions(['scheduled', 'open', 'stopped']) },
  { name: 'begun', label: 'Started', kind: 'day', params: ['from', 'to'] },
];

const views = [
  { id: 'all', title: 'All', query: '' },
  { id: 'scheduled', title: 'Scheduled', query: 'state=scheduled' },
  { id: 'open', title: 'Charged by merchant', query: 'state=open' },
];

export function Chains({ initial, query, manyMerchants, origin }: Props) {
  const columns: Column<ChainRow>[] = [
    amountColumn(),
    { id: 'state', head: 'State', cell: ({ state }) => <ObjectState state={state} /> },
    { id: 'order', head: 'Initial order', mono: true, cell: ({ orderNumber }) => orderNumber },
    { id: 'card', head: 'Card', cell: ({ card }) => <MethodText means={card} /> },
    { id: 'payer', head: 'Payer', hideOnPhone: true, cell: ({ payer }) => <TextOrDash text={payer} /> },
    {
      id: 'schedule',
      head: 'Schedule',
      hideOnPhone: true,
      hideBelow: 'lg',
      cell: ({ schedule }) => <TextOrDash text={schedule?.name ?? null} />,
    },
    { id: 'charges', head: 'Charges', align: 'end', width: 80, hideOnPhone: true, cell: ({ charges }) => charges },
    {
      id: 'last',
      head: 'Last charge',
      align: 'end',
      width: 140,
      hideOnPhone: true,
      hideBelow: 'xl',
      cell: ({ lastChargeAt }) =>
        lastChargeAt ? <Time at={lastChargeAt} as="day and time" /> : <TextOrDash text={null} />,
    },
    ...merchantColumn<ChainRow>(manyMerchants),
    createdColumn('Started'),
  ];
  return (
    <ListPage<ChainRow>
      title="Recurring payments"
      nouns={['recurring payment', 'recurring payments']}
      search="Order, email, recurring_token"
      filters={filters}
      views={views}
      query={query}
      initial={initial}
      fetch={(search) => request<ListOf<ChainRow>>(`/chains?${search}`)}
      columns={columns}
      rowHref={({ id }) => `/dashboard/chains/${id}`}
      rowName={({ orderNumber }) => `Recurring payment of ${orderNumber}`}
      empty={
        <Empty
          title="No recurring payments yet"
          steps={[
            { text: 'A payment requests recurring charges', done: false },
            { text: 'It settles, and its callback contains recurring_token', done: false },
            { text: 'Your server or a schedule charges the card again', done: false },
          ]}
          aside={
            <Code
              title="Create a recurring payment"
              language="shell"
              text={samples.chain(origin)}
              copy="command"
              tall
            />
          }
        >
          <p>
            A recurring payment is an initial payment with <code className="mono">recurring_init</code> and every
            subsequent charge of the same card.
          </p>
        </Empty>
      }
    />
  );
}
