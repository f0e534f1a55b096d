/**
 * Reads and changes the settings of protocol mappings. A change names the version that it is based on, so that of two
 * concurrent changes the second is rejected instead of overwriting the first.
 */

import { isUuid, newId } from '../core/ids.ts';
import type { Protocol } from '../core/payment.ts';
import { prisma, statement } from '../db/index.ts';
import type { ProtocolMapping } from '../prisma/client.ts';
import { clearSettingsCache, type Mapping } from './merchants.ts';

/** The changeable settings of a mapping; routing-settings.ts publishes its rules. */
export type MappingSettings = Omit<Mapping, 'protocol' | 'rules'>;

export type StoredMapping = Omit<ProtocolMapping, 'merchantId'> & { merchant: { id: string; name: string } };

/** A mapping by its id; with `merchantId` only that merchant's. */
export async function findMapping(id: string, merchantId: string | null): Promise<StoredMapping | null> {
  if (!isUuid(id)) return null;
  return prisma().protocolMapping.findFirst({
    where: { id, ...(merchantId !== null && { merchantId }) },
    omit: { merchantId: true },
    include: { merchant: { select: { id: true, name: true } } },
  });
}

/** The mappings of a merchant, in the order of the protocols; null for an unknown merchant. */
export async function mappingsOf(merchantId: string): Promise<{ id: string; protocol: Protocol }[] | null> {
  const mappings = { select: { id: true, protocol: true }, orderBy: { protocol: 'asc' } } as const;
  const result = await prisma().merchant.findUnique({ where: { id: merchantId }, select: { mappings } });
  return result?.mappings ?? null;
}

/** Changes settings if the mapping still has `version`; returns false without a change otherwise. */
export async function updateMapping(id: string, version: number, change: Partial<MappingSettings>): Promise<boolean> {
  const { count } = await prisma().protocolMapping.updateMany({
    where: { id, version },
    data: { ...change, version: { increment: 1 } },
  });
  clearSettingsCache();
  return count === 1;
}

const insertMapping = statement<{ id: string; merchantId: string; protocol: Protocol }, { id: string }>(
  'mapping-create',
  `insert into protocol_mappings (id, merchant_id, protocol)
   select :id::uuid, m.id, :protocol::"Protocol" from merchants m where m.id = :merchantId::uuid
       on conflict (merchant_id, protocol) do nothing returning id`,
);

/** Enables a protocol for a merchant. Returns the id of the mapping, or null if it exists or the merchant does not. */
export async function createMapping(merchantId: string, protocol: Protocol): Promise<string | null> {
  const rows = await insertMapping({ id: newId(), merchantId, protocol });
  clearSettingsCache();
  return rows[0]?.id ?? null;
}

export type MappingFilter = {
  /** Only this merchant's mappings; null for all merchants. */
  merchantId: string | null;
  /** A part of the merchant's name; '' for no filter. */
  search: string;
  /** Null means any. */
  protocol: Protocol | null;
};

export type ListedMapping = Pick<
  ProtocolMapping,
  | ('id' | 'merchantId' | 'protocol' | 'enabled' | 'digest' | 'routingVersion')
  | ('requiredPayerFields' | 'callbackFields' | 'statusFields' | 'ipAllowlist')
> & { merchantName: string; rules: number; hasDraft: boolean };

const mappingNameSql = `select m2.name, m2.id, pm2.protocol from protocol_mappings pm2
  join merchants m2 on m2.id = pm2.merchant_id where pm2.id = :place::uuid`;

type MappingListParams = MappingFilter & { limit: number; place: string | undefined };

/** Lists `size` mappings by merchant and protocol, after or before one of these ids; `more`: others follow. */
export async function listMappings(
  { merchantId, search, protocol }: MappingFilter,
  { size, after, before }: { size: number; after?: string; before?: string },
): Promise<{ rows: ListedMapping[]; more: boolean }> {
  const place = before ?? after;
  const [sign, direction] = before ? ['<', 'desc'] : ['>', 'asc'];
  const order = ['m.name', 'm.id', 'pm.protocol'].map((column) => `${column} ${direction}`).join(', ');
  const list = statement<MappingListParams, ListedMapping>(
    `mappings-list ${place ? sign : ''} ${direction}`,
    `select pm.id, m.id as "merchantId", m.name as "merchantName", pm.protocol::text, pm.enabled, pm.digest::text,
            pm.required_payer_fields as "requiredPayerFields", pm.callback_fields as "callbackFields",
            pm.status_fields as "statusFields", pm.ip_allowlist as "ipAllowlist",
            pm.routing_version as "routingVersion",
            (select count(*)::int from routing_rules r where r.mapping_id = pm.id and r.enabled) as rules,
            exists (select 1 from routing_drafts d where d.mapping_id = pm.id) as "hasDraft"
       from protocol_mappings pm join merchants m on m.id = pm.merchant_id
      where (:merchantId::uuid is null or m.id = :merchantId::uuid)
        and (:search = '' or position(lower(:search) in lower(m.name)) > 0)
        and (:protocol::"Protocol" is null or pm.protocol = :protocol::"Protocol")
        ${place ? `and (m.name, m.id, pm.protocol) ${sign} (${mappingNameSql})` : ''}
      order by ${order} limit :limit::int`,
  );
  const result = await list({ merchantId, search, protocol, limit: size + 1, place });
  const rows = result.slice(0, size);
  return { rows: before ? rows.reverse() : rows, more: result.length > size };
}
