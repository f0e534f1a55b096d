/**
 * Reads and changes MIDs. Address and credentials of the provider are sealed as one text and decrypted here for
 * comparison and change. A change applies to payments at once in this process and within two seconds in every other.
 */
import { isDeepStrictEqual } from 'node:util';
import { type ConnectionCheck, findConnector, type HttpSettings } from '../connectors/index.ts';
import { isUuid, newId } from '../core/ids.ts';
import { attemptKindsSql, prisma, statement } from '../db/index.ts';
import type { CardSetId } from '../methods/card-sets.ts';
import type { LinkTarget, Mid as MidRow, Prisma } from '../prisma/client.ts';
import { seal } from '../vault/index.ts';
import { clearSettingsCache, decryptMid, type Mid, notificationUrl } from './merchants.ts';

/** Differences of a MID from its connector; absent members are the connector's. */
type MidCapabilities = { wallet?: 'decrypted' | 'token' | 'none'; cardSets?: CardSetId[]; payerTextMax?: number };

/** The MID's fees in the form that lib/core/commission reads. */
export type MidFees = { percent: string; fixed: string; payer_bears: boolean };

export { connectorNames, methodSettingsOf } from '../connectors/index.ts';

/** All settings of a MID except whether it is enabled. */
export type MidSettings = Omit<
  Mid,
  'id' | 'merchantId' | 'enabled' | 'capabilities' | 'feeOptions' | 'settingsVersion'
> & { capabilities: MidCapabilities; feeOptions: MidFees | Record<string, never> };

/** A stored MID with decrypted settings; `version` grows with every change. */
export type StoredMid = Mid & Pick<MidRow, 'merchantId' | 'version' | 'createdAt'> & { merchantName: string };

/** A MID with decrypted settings; null for an unknown id, or if it does not belong to `merchantId`. */
export async function findMidSettings(id: string, merchantId: string | null): Promise<StoredMid | null> {
  if (!isUuid(id)) return null;
  const row = await prisma().mid.findFirst({
    where: { id, ...(merchantId !== null && { merchantId }) },
    include: { merchant: { select: { name: true } } },
  });
  if (!row) return null;
  const { merchant, ...stored } = row;
  return { ...(await decryptMid(stored)), merchantName: merchant.name };
}

/** Whether another MID of the merchant has this name, in any letter case. */
export async function isMidNameTaken(merchantId: string, name: string, exceptId?: string): Promise<boolean> {
  const where = { merchantId, name: { equals: name, mode: 'insensitive' as const } };
  return (await prisma().mid.count({ where: { ...where, ...(exceptId && { id: { not: exceptId } }) } })) > 0;
}

/** Stores a new MID, enabled. */
export async function createMid(id: string, merchantId: string, settings: MidSettings, now: Date): Promise<void> {
  await prisma().mid.create({
    data: { ...(await columnsOf(settings, { id, merchantId })), id, merchantId, createdAt: now },
  });
  clearSettingsCache();
}

/** Stores a change of a version; false if the MID has changed since. Earlier credentials are kept for transactions. */
export async function updateMid(id: string, version: number, settings: MidSettings, now: Date): Promise<boolean> {
  const stored = await findMidSettings(id, null);
  if (!stored || stored.version !== version) return false;
  const columns = await columnsOf(settings, stored);
  if (isDeepStrictEqual([stored.connector, stored.settings], [settings.connector, settings.settings])) {
    const { settings: _same, ...others } = columns;
    return update(prisma(), id, version, others);
  }
  const earlier = { id: newId(), owner: id };
  const sealed = new Uint8Array(await seal(JSON.stringify(stored.settings), 'earlier-mid-settings', earlier));
  return prisma().$transaction(async (tx) => {
    const changed = await update(tx, id, version, { ...columns, settingsVersion: { increment: 1 } });
    const { settingsVersion, connector } = stored;
    const data = { id: earlier.id, midId: id, version: settingsVersion, connector, settings: sealed, replacedAt: now };
    // Settings without an address were lost with the vault's key: earlier transactions use the new ones.
    if (changed && stored.settings.url !== '') await tx.earlierMidSettings.create({ data });
    return changed;
  });
}

/** Enables or disables a MID; false if it has changed since. Started operations are completed. */
export function setMidEnabled(id: string, version: number, enabled: boolean): Promise<boolean> {
  return update(prisma(), id, version, { enabled });
}

type Client = Pick<ReturnType<typeof prisma>, 'mid'>;

async function update(client: Client, id: string, version: number, columns: Prisma.MidUpdateManyMutationInput) {
  const data = { ...columns, version: { increment: 1 } };
  const { count } = await client.mid.updateMany({ where: { id, version }, data });
  clearSettingsCache();
  return count > 0;
}

async function columnsOf(
  { settings, overrideLinkTarget, ...settled }: MidSettings,
  { id, merchantId }: Pick<MidRow, 'id' | 'merchantId'>,
) {
  const target = overrideLinkTarget?.slice(1) as LinkTarget | undefined;
  return {
    ...settled,
    overrideLinkTarget: target ?? null,
    settings: new Uint8Array(await seal(JSON.stringify(settings), 'mid-settings', { id, owner: merchantId })),
  };
}

/** The provider's reported capabilities for these settings; null for an unknown connector. Moves no money. */
export async function checkProvider(connector: string, settings: HttpSettings): Promise<ConnectionCheck | null> {
  return (await findConnector(connector)?.check({ settings })) ?? null;
}

/** The address to which the MID's provider sends notifications. */
export function notifyUrlOf(mid: Mid): string {
  return notificationUrl(mid);
}

/** The recent usage of a MID, counted up to ten thousand attempts. */
type MidUsage = { tries: number; sales: number; holds: number; lastAt: Date | null };

const usageOf = statement<{ midId: string; since: Date }, MidUsage>(
  'mid-usage',
  `select count(kind)::int as tries, count(*) filter (where kind = 'sale')::int as sales,
          count(*) filter (where kind = 'authorize')::int as holds,
          (select max(created_at) from transactions where mid_id = :midId) as "lastAt"
     from (select kind from transactions where mid_id = :midId and created_at >= :since::timestamptz
              and kind in ${attemptKindsSql()} limit 10000) t`,
);

/** The attempts at a MID since a moment, how many of them were sales or authorisations, and its last use. */
export async function midUsage(midId: string, since: Date): Promise<MidUsage> {
  const [row] = await usageOf({ midId, since });
  return row ?? { tries: 0, sales: 0, holds: 0, lastAt: null };
}
