'use client';
import type { MidChoice, MidRow } from '../../../lib/dashboard/mids/contract';
// The list of MIDs.
import { type Column, Empty, type FilterDef, LinkButton, ListPage, type ListResponse, request, Tag } from '../ui';
import { modeNames, modeOptions } from './labels';

const merchant: Column<MidRow> = { id: 'merchant', head: 'Merchant', width: '17%', cell: (row) => row.merchantName };

const columnsOf = (manyMerchants: boolean): Column<MidRow>[] => [
  { id: 'name', head: 'MID', width: '20%', cell: ({ name }) => name },
  ...(manyMerchants ? [merchant] : []),
  {
    id: 'state',
    head: 'Status',
    width: 120,
    cell: ({ enabled }) => (enabled ? <Tag tone="ok">Active</Tag> : <Tag tone="bad">Disabled</Tag>),
  },
  {
    id: 'mode',
    head: 'Mode',
    width: 100,
    cell: ({ paymentMode }) => <Tag>{modeNames[paymentMode]}</Tag>,
  },
  { id: 'methods', head: 'Methods', hideOnPhone: true, cell: ({ methods }) => <Few list={methods} none="none" /> },
  {
    id: 'currencies',
    head: 'Currencies',
    hideOnPhone: true,
    hideBelow: 'lg',
    cell: ({ currencies }) => <Few list={currencies} none="every" />,
  },
  { id: 'priority', head: 'Priority', align: 'end', width: 80, hideOnPhone: true, cell: ({ priority }) => priority },
];

const shown = 3;

function Few({ list, none }: { list: readonly string[]; none: string }) {
  if (list.length === 0) return <span className="text-ink3">{none}</span>;
  const more = list.length - shown;
  return (
    <span title={list.slice(0, 40).join(', ')}>
      {list.slice(0, shown).join(', ')}
      {more > 0 ? <span className="text-ink3"> and {more} more</span> : null}
    </span>
  );
}

type Props = {
  initial: ListResponse<MidRow>;
  query: string;
  merchants: { id: string; name: string }[];
  methods: MidChoice[];
  manyMerchants: boolean;
  mayCreate: boolean;
};

export function Mids({ initial, query, merchants, methods, manyMerchants, mayCreate }: Props) {
  const ofMerchant: FilterDef = {
    name: 'merchant',
    label: 'Merchant',
    kind: 'choice',
    options: merchants.map(({ id, name }) => ({ value: id, label: name })),
  };
  const filters: FilterDef[] = [
    ...(manyMerchants ? [ofMerchant] : []),
    {
      name: 'state',
      label: 'Status',
      kind: 'choice',
      options: [
        { value: 'on', label: 'Active' },
        { value: 'off', label: 'Disabled' },
      ],
    },
    { name: 'mode', label: 'Mode', kind: 'choice', options: modeOptions.map(({ value, label }) => ({ value, label })) },
    {
      name: 'method',
      label: 'Method',
      kind: 'choice',
      options: methods.map(({ value, label }) => ({ value, label: value, help: label })),
    },
    { name: 'currency', label: 'Currency', kind: 'text' },
  ];
  const create = mayCreate ? (
    <LinkButton href="/dashboard/mids/new" kind="primary" size="small" icon="plus">
      New MID
    </LinkButton>
  ) : null;
  return (
    <ListPage
      title="MIDs"
      nouns={['MID', 'MIDs']}
      search="Name or ID"
      filters={filters}
      query={query}
      initial={initial}
      fetch={(wanted) => request<ListResponse<MidRow>>(`/mids?${wanted}`)}
      columns={columnsOf(manyMerchants)}
      rowHref={({ id }) => `/dashboard/mids/${id}`}
      tools={create}
      empty={
        <Empty title="No MIDs yet">
          <p>A MID is a merchant account at a provider, with its methods, currencies and credentials.</p>
          {create}
        </Empty>
      }
    />
  );
}
