'use client';
import type { ChainRow, ListOf } from '../../../lib/dashboard/lists/contract';
import { amountColumn, createdColumn, MethodText, merchantColumn, TextOrDash } from '../lists/cells';
import { samples } from '../lists/samples';
import { ObjectState, stateOptions } from '../lists/state';
// The list of recurring chains: first payments whose cards may be charged again without the payer.
import { Code, type Column, Empty, type FilterDef, ListPage, request } from '../ui';
import { Time } from '../zone';

type Props = { initial: ListOf<ChainRow>; query: string; manyMerchants: boolean; origin: string };

const filters: FilterDef[] = [
  { name: 'state', label: 'State', kind: 'choices', options: stateOptions(['scheduled', 'open', 'stopped']) },
  { name: 'begun', label: 'Begun', kind: 'day', params: ['from', 'to'] },
];

const views = [
  { id: 'all', title: 'All', query: '' },
  { id: 'scheduled', title: 'On a schedule', query: 'state=scheduled' },
  { id: 'open', title: 'Charged by you', query: 'state=open' },
];

export function Chains({ initial, query, manyMerchants, origin }: Props) {
  const columns: Column<ChainRow>[] = [
    amountColumn(),
    { id: 'state', head: 'State', cell: ({ state }) => <ObjectState state={state} /> },
    { id: 'order', head: 'First order', mono: true, cell: ({ orderNumber }) => orderNumber },
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
    createdColumn('Begun'),
  ];
  return (
    <ListPage<ChainRow>
      title="Chains"
      nouns={['chain', 'chains']}
      search="Order, e-mail, recurring_token"
      filters={filters}
      views={views}
      query={query}
      initial={initial}
      fetch={(asked) => request<ListOf<ChainRow>>(`/chains?${asked}`)}
      columns={columns}
      rowHref={({ id }) => `/dashboard/chains/${id}`}
      rowName={({ orderNumber }) => `Chain of ${orderNumber}`}
      empty={
        <Empty
          title="No recurring chain yet"
          steps={[
            { text: 'A payment asks for a chain', done: false },
            { text: 'It settles, and its callback brings recurring_token', done: false },
            { text: 'Your server or a schedule charges the card again', done: false },
          ]}
          aside={<Code title="Begin a chain" language="shell" text={samples.chain(origin)} copy="command" tall />}
        >
          <p>
            A chain is a first payment with <code className="mono">recurring_init</code> and every later charge of the
            same card.
          </p>
        </Empty>
      }
    />
  );
}
