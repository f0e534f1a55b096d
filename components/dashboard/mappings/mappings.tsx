'use client';
// The list of protocol mappings, also used as the list of routing rules, which belong to mappings.
import { mappingProtocols, protocolNames } from '../../../lib/core/mapping-options';
import type { MappingList, MappingRow } from '../../../lib/dashboard/mappings/contract';
import { type Column, Empty, LinkButton, ListPage, request, Tag } from '../ui';

type Props = { initial: MappingList; query: string; way: 'mappings' | 'routing'; manyMerchants: boolean };

const counted = (count: number, none: string) => (count === 0 ? <span className="text-ink3">{none}</span> : count);

const merchant: Column<MappingRow> = {
  id: 'merchant',
  head: 'Merchant',
  width: '26%',
  cell: (row) => row.merchant.name,
};
const protocol: Column<MappingRow> = { id: 'protocol', head: 'Protocol', cell: (row) => protocolNames[row.protocol] };

const ofMappings: Column<MappingRow>[] = [
  merchant,
  protocol,
  { id: 'digest', head: 'Hash algorithm', cell: ({ digest }) => (digest === 'sha256' ? 'SHA-256' : 'MD5') },
  {
    id: 'enabled',
    head: 'Status',
    cell: ({ enabled }) => (enabled ? <Tag tone="ok">Active</Tag> : <Tag tone="bad">Disabled</Tag>),
  },
  {
    id: 'required',
    head: 'Required',
    align: 'end',
    hideOnPhone: true,
    cell: ({ required }) => counted(required, 'none'),
  },
  {
    id: 'callbacks',
    head: 'In callbacks',
    align: 'end',
    hideOnPhone: true,
    cell: ({ inCallbacks }) => counted(inCallbacks, 'none'),
  },
  {
    id: 'status',
    head: 'In status',
    align: 'end',
    hideOnPhone: true,
    hideBelow: 'lg',
    cell: ({ inStatus }) => counted(inStatus, 'none'),
  },
  {
    id: 'addresses',
    head: 'Allowlist',
    align: 'end',
    hideOnPhone: true,
    cell: ({ addresses }) => counted(addresses, 'everybody'),
  },
];

const ofRouting: Column<MappingRow>[] = [
  merchant,
  protocol,
  { id: 'rules', head: 'Active rules', align: 'end', cell: ({ rules }) => counted(rules, 'by priority') },
  {
    id: 'draft',
    head: 'Draft',
    cell: ({ hasDraft, routingVersion }) =>
      hasDraft ? <Tag tone="warn">Draft {routingVersion + 1}</Tag> : <span className="text-ink3">no draft</span>,
  },
  {
    id: 'version',
    head: 'Published',
    align: 'end',
    cell: ({ routingVersion }) =>
      routingVersion === 0 ? <span className="text-ink3">as set up</span> : `Version ${routingVersion}`,
  },
];

export function Mappings({ initial, query, way, manyMerchants }: Props) {
  const columns = way === 'mappings' ? ofMappings : ofRouting;
  return (
    <ListPage<MappingRow>
      title={way === 'mappings' ? 'Mappings' : 'Routing'}
      nouns={['mapping', 'mappings']}
      search={manyMerchants ? "Part of a merchant's name" : undefined}
      filters={[
        {
          name: 'protocol',
          label: 'Protocol',
          kind: 'choice',
          options: mappingProtocols.map((each) => ({ value: each, label: protocolNames[each] })),
        },
      ]}
      query={query}
      initial={initial}
      fetch={(search) => request<MappingList>(`/mappings?${search}`)}
      columns={columns}
      rowHref={({ id }) => `/dashboard/${way}/${id}`}
      rowName={(row) => `${row.merchant.name}, ${protocolNames[row.protocol]}`}
      empty={
        <Empty title="No mapping yet">
          <p>A mapping defines how one protocol works for one merchant. Every new merchant gets all three.</p>
          <LinkButton href="/dashboard/merchants" kind="primary" icon="merchants">
            View merchants
          </LinkButton>
        </Empty>
      }
    />
  );
}
