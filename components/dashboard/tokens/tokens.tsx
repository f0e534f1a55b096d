'use client';
import type { ListOf, TokenRow } from '../../../lib/dashboard/lists/contract';
import { createdColumn, merchantColumn, TextOrDash } from '../lists/cells';
import { samples } from '../lists/samples';
import { ObjectState, stateOptions } from '../lists/state';
// The list of card tokens. A token is a merchant's reference to a stored card; its page shows it in full.
import { Code, type Column, Empty, type FilterDef, ListPage, request } from '../ui';

type Props = {
  initial: ListOf<TokenRow>;
  query: string;
  manyMerchants: boolean;
  origin: string;
  brands: { value: string; label: string }[];
};

const views = [
  { id: 'all', title: 'All', query: '' },
  { id: 'active', title: 'Active', query: 'state=active' },
  { id: 'expired', title: 'Expired', query: 'state=expired' },
  { id: 'removed', title: 'Removed', query: 'state=removed' },
];

export function Tokens({ initial, query, manyMerchants, origin, brands }: Props) {
  const filters: FilterDef[] = [
    { name: 'state', label: 'State', kind: 'choices', options: stateOptions(['active', 'expired', 'removed']) },
    { name: 'brand', label: 'Brand', kind: 'choice', options: brands },
    { name: 'created', label: 'Created', kind: 'day', params: ['from', 'to'] },
  ];
  const columns: Column<TokenRow>[] = [
    {
      id: 'card',
      head: 'Card',
      width: '26%',
      cell: ({ brand, first6, last4 }) => (
        <>
          {brand}{' '}
          <span className="figures font-normal text-ink2">
            {/* A phone has space for one only: the last four digits are the usual way to identify a card. */}
            <span className="phone:hidden">{first6} </span>•••• {last4}
          </span>
        </>
      ),
    },
    { id: 'state', head: 'State', width: '14%', cell: ({ state }) => <ObjectState state={state} /> },
    { id: 'token', head: 'Token', mono: true, cell: ({ masked }) => masked },
    {
      id: 'expires',
      head: 'Expires',
      width: 90,
      cell: ({ expires }) => <span className="figures">{expires ?? '–'}</span>,
    },
    { id: 'holder', head: 'Holder', hideOnPhone: true, cell: ({ holder }) => <TextOrDash text={holder} /> },
    ...merchantColumn<TokenRow>(manyMerchants),
    createdColumn('Created'),
  ];
  return (
    <ListPage<TokenRow>
      title="Tokens"
      nouns={['token', 'tokens']}
      search="Full token, first six or last four"
      filters={filters}
      views={views}
      query={query}
      initial={initial}
      fetch={(search) => request<ListOf<TokenRow>>(`/tokens?${search}`)}
      columns={columns}
      rowHref={({ id }) => `/dashboard/tokens/${id}`}
      rowName={({ brand, last4 }) => `Token of ${brand} ending in ${last4}`}
      empty={
        <Empty
          title="No stored cards yet"
          steps={[
            { text: 'Your server requests a token with a payment', done: false },
            { text: 'The payer pays, and the card is stored', done: false },
            { text: 'Later payments use the token instead of the card', done: false },
          ]}
          aside={<Code title="Store a card" language="shell" text={samples.token(origin)} copy="command" tall />}
        >
          <p>
            A token represents a card that Florin stores for you. Request one with{' '}
            <code className="mono">req_token</code>.
          </p>
        </Empty>
      }
    />
  );
}
