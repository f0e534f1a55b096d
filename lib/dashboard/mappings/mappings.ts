/** Protocol mappings: their list and that of their routing rules, one with its settings, changing and adding one. */
import { z } from 'zod';
import { type Json, may } from '../../auth/index.ts';
import { configurableNames, mappingProtocols, mappingSettings, protocolNames } from '../../core/mapping-options.ts';
import { pick } from '../../core/pick.ts';
import { newSqlBuilder, type Paged, type PageRequest, queryOnce } from '../../db/index.ts';
import { guardedClient } from '../../http/index.ts';
import {
  createMapping,
  findMapping,
  type MappingSettings,
  mappingsOf,
  type StoredMapping,
  updateMapping,
} from '../../merchants/index.ts';
import type { ProtocolMapping } from '../../prisma/client.ts';
import { atVersion, logAction, requireProofOf, saveChange } from '../changes.ts';
import { DashboardError, existing, parseBody, versionField } from '../errors.ts';
import { idField } from '../fields.ts';
import type { DashboardRequest, PageContext } from '../guard.ts';
import type { ColumnDef } from '../lists/description.ts';
import { choice } from '../lists/filters.ts';
import { applyFilter, type ListFilter, resource } from '../lists/resource.ts';
import { changeSchema } from './schema.ts';

/** One mapping. */
export async function mappingPage({ params, viewer, scope }: PageContext) {
  const stored = existing(await findMapping(params.id ?? '', scope));
  return {
    ...pick(stored, 'id', 'merchant', 'protocol', 'version'),
    values: valuesOf(stored),
    siblings: (await mappingsOf(stored.merchant.id)) ?? [],
    editable: may(viewer.role, 'settings.change'),
  };
}

/** Settings as the form shows them. Old rows may contain fields that the protocol cannot return; these are left out. */
function valuesOf(stored: StoredMapping) {
  const { protocol } = stored;
  const offered = (place: 'required' | 'callback' | 'status', names: string[]) =>
    configurableNames(protocol, place).filter((name) => names.includes(name));
  return {
    ...pick(stored, ...mappingSettings),
    requiredPayerFields: offered('required', stored.requiredPayerFields),
    callbackFields: offered('callback', stored.callbackFields),
    statusFields: offered('status', stored.statusFields),
    dailyLimitMinor: stored.dailyLimitMinor?.toString() ?? null,
    weeklyLimitMinor: stored.weeklyLimitMinor?.toString() ?? null,
  };
}

/** The settings that protect a merchant's requests, and the address that gets its callbacks. */
const protections = ['digest', 'ipAllowlist', 'signedRequests', 'openPayouts', 'defaultNotificationUrl'];

const changeForm = z.object({ version: versionField, values: z.record(z.string(), z.unknown()) });

/** Changes the settings in the body, on the version that the user saw. A check returns warnings and saves nothing. */
export async function changeAction(request: DashboardRequest) {
  const found = existing(await findMapping(request.params.id ?? '', request.scope));
  const { version, values } = parseBody(changeForm, request.body);
  const change = parseBody(changeSchema(found.protocol), values, { message: 'Some settings are not valid.' });
  const stored = await atVersion(request, 'mapping', found, version);
  const difference = { before: membersOf(stored, change), after: membersOf({ ...stored, ...change }, change) };
  await requireProofOf(request, difference, protections);
  if (request.checks) return { warnings: await warningsOf(stored, change) };
  await saveChange(request, 'mapping.change', stored, difference, () => updateMapping(stored.id, version, change));
  return mappingPage(request);
}

/** A new callback URL is saved even if it cannot be reached yet: a shop often goes live later than its mapping. */
async function warningsOf(stored: StoredMapping, { defaultNotificationUrl: url }: Partial<MappingSettings>) {
  if (!url || url === stored.defaultNotificationUrl || (await guardedClient().reachable(url))) return [];
  return [
    `${new URL(url).host} cannot be reached now. Callbacks are retried, and fail if the host is not reachable in time.`,
  ];
}

function membersOf(stored: MappingSettings, change: object): Record<string, Json> {
  const members: Record<string, Json> = {};
  for (const name of Object.keys(change) as (keyof MappingSettings)[]) {
    const value = stored[name];
    members[name] = typeof value === 'bigint' ? value.toString() : value;
  }
  return members;
}

const unknownChoice = 'Choose one of the offered values.';
const newMapping = z.object({ merchantId: idField(unknownChoice), protocol: z.enum(mappingProtocols, unknownChoice) });

/** Adds a protocol to a merchant, with the default settings of a new mapping. */
export async function createAction(request: DashboardRequest) {
  const { scope } = request;
  const { merchantId, protocol } = parseBody(newMapping, request.body, { message: 'The mapping is not valid.' });
  const known = existing(scope === null || scope === merchantId ? await mappingsOf(merchantId) : null);
  if (known.some((each) => each.protocol === protocol)) {
    const fields = { protocol: `The merchant uses ${protocolNames[protocol]} already.` };
    throw new DashboardError(409, 'The mapping exists already.', fields);
  }
  await logAction(request, 'mapping.create', `merchant:${merchantId}`, { after: { protocol } });
  return mappingPage({ ...request, params: { id: existing(await createMapping(merchantId, protocol)) } });
}

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

/** The list of mappings with what their requests, callbacks and status responses contain. */
export const mappings = list('mappings', 'Mappings', [
  { id: 'digest', head: 'Hash algorithm', labels: { md5: 'MD5', sha256: 'SHA-256' } },
  { id: 'enabled', head: 'Status', kind: 'enabled' },
  { id: 'required', head: 'Required', none: 'none', align: 'end', hideOnPhone: true },
  { id: 'inCallbacks', head: 'In callbacks', none: 'none', align: 'end', hideOnPhone: true },
  { id: 'inStatus', head: 'In status', none: 'none', align: 'end', hideOnPhone: true, hideBelow: 'lg' },
  { id: 'addresses', head: 'Allowlist', none: 'any address', align: 'end', hideOnPhone: true },
]);

/** The list of mappings by their routing rules. */
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
  const { merchantName, routingVersion, hasDraft } = listed;
  return {
    ...pick(listed, 'id', 'protocol', 'enabled', 'digest', 'rules'),
    merchantName,
    routingVersion,
    hasDraft,
    merchant: { id: listed.merchantId, name: merchantName },
    required: listed.requiredPayerFields.length,
    inCallbacks: listed.callbackFields.length,
    inStatus: listed.statusFields.length,
    addresses: listed.ipAllowlist.length,
    draft: hasDraft ? `Draft ${routingVersion + 1}` : null,
    published: routingVersion === 0 ? null : `Version ${routingVersion}`,
  };
}
