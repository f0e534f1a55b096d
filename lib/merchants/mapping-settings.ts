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
