/** The list of protocol mappings, and that of their routing rules. */
import { type MappingProtocol, mappingProtocols, protocolNames } from '../../core/mapping-options.ts';
import { type ListedMapping, listMappings } from '../../merchants/index.ts';
import type { ColumnDef } from '../lists/description.ts';
import { choice } from '../lists/filters.ts';
import { resource } from '../lists/resource.ts';

const named: ColumnDef[] = [
  { id: 'merchantName', head: 'Merchant', width: '26%' },
  { id: 'protocol', head: 'Protocol', labels: protocolNames },
];

const protocols = mappingProtocols.map((value) => ({ value, label: protocolNames[value] }));

const list = (name: 'mappings' | 'routing', title: string, columns: ColumnDef[]) =>
  resource({
    name,
    right: 'settings.read',
    title,
    nouns: ['mapping', 'mappings'],
    search: "Part of a merchant's name",
    searchMany: true,
    filters: [choice('protocol', 'Protocol', protocols)],
    columns: [...named, ...columns],
    href: `/dashboard/${name}/{id}`,
    rowName: '{merchantName}, {protocol}',
    empty: {
      title: 'No mapping yet',
      texts: ['A mapping defines how one protocol works for one merchant. Every new merchant gets all three.'],
      link: { href: '/dashboard/merchants', text: 'View merchants' },
    },
    source({ merchantId, search, values }, { size, after, before }) {
      const protocol = (values.protocol?.[0] ?? null) as MappingProtocol | null;
      const place = { ...(after && { after: after.id }), ...(before && { before: before.id }) };
      return listMappings({ merchantId, search, protocol }, { size, ...place });
    },
    // The list is by name: the id alone is the position.
    placeOf: ({ id }) => ({ createdAt: new Date(0), id }),
    toRow: mappingRow,
  });

export const mappings = list('mappings', 'Mappings', [
  { id: 'digest', head: 'Hash algorithm', labels: { md5: 'MD5', sha256: 'SHA-256' } },
  { id: 'enabled', head: 'Status', kind: 'enabled' },
  { id: 'required', head: 'Required', none: 'none', align: 'end', hideOnPhone: true },
  { id: 'inCallbacks', head: 'In callbacks', none: 'none', align: 'end', hideOnPhone: true },
  { id: 'inStatus', head: 'In status', none: 'none', align: 'end', hideOnPhone: true, hideBelow: 'lg' },
  { id: 'addresses', head: 'Allowlist', none: 'any address', align: 'end', hideOnPhone: true },
]);

export const routing = list('routing', 'Routing', [
  { id: 'rules', head: 'Active rules', none: 'by priority', align: 'end' },
  { id: 'draft', head: 'Draft', kind: 'tag', none: 'no draft' },
  { id: 'published', head: 'Published', none: 'as set up', align: 'end' },
]);

function mappingRow(listed: ListedMapping) {
  const { id, merchantId, merchantName, protocol, enabled, digest, rules, routingVersion, hasDraft } = listed;
  return {
    ...{ id, merchantName, protocol, enabled, digest, rules, routingVersion, hasDraft },
    merchant: { id: merchantId, name: merchantName },
    required: listed.requiredPayerFields.length,
    inCallbacks: listed.callbackFields.length,
    inStatus: listed.statusFields.length,
    addresses: listed.ipAllowlist.length,
    draft: hasDraft ? `Draft ${routingVersion + 1}` : null,
    published: routingVersion === 0 ? null : `Version ${routingVersion}`,
  };
}
