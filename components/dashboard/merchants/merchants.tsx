'use client';
import type { MerchantRow } from '../../../lib/dashboard/merchants/contract';
// The list of merchants.
import { type Column, Empty, LinkButton, ListPage, type ListResponse, request, Tag } from '../ui';
import { Time } from '../zone';

const columns: Column<MerchantRow>[] = [
  { id: 'name', head: 'Merchant', width: '30%', cell: ({ name }) => name },
  {
    id: 'site',
    head: 'Website',
    hideOnPhone: true,
    cell: ({ site }) => site ?? <span className="text-ink3">not set</span>,
  },
  {
    id: 'state',
    head: 'Status',
    width: 130,
    cell: ({ enabled }) => (enabled ? <Tag tone="ok">Active</Tag> : <Tag tone="bad">Disabled</Tag>),
  },
  { id: 'mids', head: 'Active MIDs', align: 'end', width: 100, hideOnPhone: true, cell: ({ mids }) => countOf(mids) },
  { id: 'keys', head: 'Valid keys', align: 'end', width: 110, hideOnPhone: true, cell: ({ keys }) => countOf(keys) },
  {
    id: 'created',
    head: 'Created',
    align: 'end',
    width: 200,
    hideBelow: 'md',
    cell: ({ createdAt }) => <Time at={createdAt} as="date and time" />,
  },
];

// Without a MID nothing can be paid.
function countOf(count: number) {
  return count === 0 ? <span className="text-warn">none</span> : count;
}

const filters = [
  {
    name: 'state',
    label: 'Status',
    kind: 'choice',
    options: [
      { value: 'on', label: 'Active' },
      { value: 'off', label: 'Disabled' },
    ],
  },
] as const;

type Props = { initial: ListResponse<MerchantRow>; query: string; mayCreate: boolean };

export function Merchants({ initial, query, mayCreate }: Props) {
  const create = mayCreate ? (
    <LinkButton href="/dashboard/merchants/new" kind="primary" size="small" icon="plus">
      New merchant
    </LinkButton>
  ) : null;
  return (
    <ListPage
      title="Merchants"
      nouns={['merchant', 'merchants']}
      search="Name, website, ID or key"
      filters={filters}
      query={query}
      initial={initial}
      fetch={(wanted) => request<ListResponse<MerchantRow>>(`/merchants?${wanted}`)}
      columns={columns}
      rowHref={({ id }) => `/dashboard/merchants/${id}`}
      tools={create}
      empty={
        <Empty title="No merchants yet">
          <p>Each merchant has its own keys, MIDs and protocol settings.</p>
          {create}
        </Empty>
      }
    />
  );
}
