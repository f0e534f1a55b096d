/** The list of protocol mappings, and that of their routing rules. */
import { mappingProtocols, protocolNames } from '../../core/mapping-options.ts';
import { newSqlBuilder, type Paged, type PageRequest, queryOnce } from '../../db/index.ts';
import type { ProtocolMapping } from '../../prisma/client.ts';
import type { ColumnDef } from '../lists/description.ts';
import { choice } from '../lists/filters.ts';
import { applyFilter, type ListFilter, resource } from '../lists/resource.ts';

const named: ColumnDef[] = [
  { id: 'merchantName', head: 'Merchant', width: '26%' },
  { id: 'protocol', head: 'Protocol', labels: protocolNames },
];

const protocols = mappingProtocols.map((value) => ({ value, label: protocolNames[value] }));
const filters = [choice('protocol', 'Protocol', protocols, (value, add) => `pm.protocol = ${add(value)}::"Protocol"`)];

const list = (name: 'mappings' | 'routing', title: string, columns: ColumnDef[]) =>
  resource({
    name,
    right: 'settings.read',
    title,
    nouns: ['mapping', 'mappings'],
    search: "Part of a merchant's name",
    searchMany: true,
    filters,
    columns: [...named, ...columns],
    href: `/dashboard/${name}/{id}`,
    rowName: '{merchantName}, {protocol}',
    empty: {
      title: 'No mapping yet',
      texts: ['A mapping defines how one protocol works for one merchant. Every new merchant gets all three.'],
      link: { href: '/dashboard/merchants', text: 'View merchants' },
    },
    source: listMappings,
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

type ListedMapping = Pick<
  ProtocolMapping,
  | ('id' | 'merchantId' | 'protocol' | 'enabled' | 'digest' | 'routingVersion')
  | ('requiredPayerFields' | 'callbackFields' | 'statusFields' | 'ipAllowlist')
> & { merchantName: string; rules: number; hasDraft: boolean };

/** A page of the mappings by merchant and protocol. */
async function listMappings(filter: ListFilter, { size, after, before }: PageRequest): Promise<Paged<ListedMapping>> {
  const builder = newSqlBuilder();
  const { add, where, conditions, values } = builder;
  await applyFilter(filters, { at: 'm.created_at', merchant: 'm.id' }, builder, filter);
  if (filter.search !== '') where(`position(lower(${add(filter.search)}::text) in lower(m.name)) > 0`);
  const place = before ?? after;
  const [sign, direction] = before ? ['<', 'desc'] : ['>', 'asc'];
  if (place) {
    where(`(m.name, m.id, pm.protocol) ${sign} (select m2.name, m2.id, pm2.protocol from protocol_mappings pm2
             join merchants m2 on m2.id = pm2.merchant_id where pm2.id = ${add(place.id)}::uuid)`);
  }
  const rows = await queryOnce<ListedMapping>(
    `select pm.id, m.id as "merchantId", m.name as "merchantName", pm.protocol::text, pm.enabled, pm.digest::text,
            pm.required_payer_fields as "requiredPayerFields", pm.callback_fields as "callbackFields",
            pm.status_fields as "statusFields", pm.ip_allowlist as "ipAllowlist",
            pm.routing_version as "routingVersion",
            (select count(*)::int from routing_rules r where r.mapping_id = pm.id and r.enabled) as rules,
            exists (select 1 from routing_drafts d where d.mapping_id = pm.id) as "hasDraft"
       from protocol_mappings pm join merchants m on m.id = pm.merchant_id ${conditions()}
      order by m.name ${direction}, m.id ${direction}, pm.protocol ${direction} limit ${size + 1}`,
    values,
  );
  const page = rows.slice(0, size);
  return { rows: before ? page.reverse() : page, more: rows.length > size };
}

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
