/**
 * Reads and changes merchants and their keys. A change applies to payments at once in this process and within two
 * seconds in every other (the cache of lib/merchants/merchants.ts).
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { env } from '../config/index.ts';
import { isUuid, newId } from '../core/ids.ts';
import { mappingProtocols } from '../core/mapping-options.ts';
import { prisma, statement } from '../db/index.ts';
import type { MerchantKey as KeyRow, Merchant as MerchantRow } from '../prisma/client.ts';
import { seal, unseal } from '../vault/index.ts';
import { clearSettingsCache, type MerchantKey } from './merchants.ts';

/** The settings of a merchant besides its keys and branding. */
export type MerchantSettings = Pick<
  MerchantRow,
  'name' | 'site' | 'supportEmail' | 'privacyUrl' | 'termsUrl' | 'frameAncestors' | 'appSchemes'
>;

/** A stored merchant; `version` grows with every change. */
type StoredMerchant = MerchantSettings & Pick<MerchantRow, 'id' | 'enabled' | 'version' | 'createdAt'>;

/** A merchant's settings; null for an unknown id, or if `merchantId` is set and is another. */
export async function findMerchant(id: string, merchantId: string | null): Promise<StoredMerchant | null> {
  if (!isUuid(id)) return null;
  const seen = merchantId === null ? {} : { AND: { id: merchantId } };
  return prisma().merchant.findFirst({ where: { id, ...seen } });
}

/** Whether another merchant has this name, in any letter case. */
export async function isMerchantNameTaken(name: string, exceptId?: string): Promise<boolean> {
  const where = { name: { equals: name, mode: 'insensitive' as const }, ...(exceptId && { id: { not: exceptId } }) };
  return (await prisma().merchant.count({ where })) > 0;
}

/** Generates a pair for this deployment's environment without storing it. 122 and 128 random bits. */
export function generateKeyPair(): MerchantKey {
  return { id: newId(), environment: env.appEnv, key: randomUUID(), password: randomBytes(16).toString('hex') };
}

/** Stores a merchant under `id` that is usable at once: with a first key, and all three protocols with defaults. */
export async function createMerchant(
  id: string,
  settings: MerchantSettings,
  { pair, signedRequests }: { pair: MerchantKey; signedRequests: boolean },
  now: Date,
): Promise<void> {
  const key = { ...(await sealedKey(pair, id)), createdAt: now };
  const mappings = mappingProtocols.map((protocol) => ({ id: newId(), protocol, signedRequests }));
  await prisma().merchant.create({
    data: { ...settings, id, createdAt: now, keys: { create: key }, mappings: { create: mappings } },
  });
  clearSettingsCache();
}

/** Stores a change of a version; false if the merchant has changed since. */
export async function updateMerchant(
  id: string,
  version: number,
  change: MerchantSettings | { enabled: boolean },
): Promise<boolean> {
  const data = { ...change, version: { increment: 1 } };
  const { count } = await prisma().merchant.updateMany({ where: { id, version }, data });
  clearSettingsCache();
  return count > 0;
}

export type ListedKey = Omit<KeyRow, 'password' | 'merchantId' | 'replacesId'>;

/** A merchant's keys, the newest first. */
export function listKeys(merchantId: string): Promise<ListedKey[]> {
  return prisma().merchantKey.findMany({
    where: { merchantId },
    omit: { password: true, merchantId: true, replacesId: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
}

/** Stores a pair for a merchant. `replacesId`: the merchant's key that a rotation replaces by it. */
export async function addKey(
  merchantId: string,
  pair: MerchantKey,
  now: Date,
  replacesId: string | null = null,
): Promise<void> {
  const key = await sealedKey(pair, merchantId);
  await prisma().merchantKey.create({ data: { ...key, merchantId, replacesId, createdAt: now } });
  clearSettingsCache();
}

/** Sets the end of a key to `until`, unless it ends earlier; false if it has ended or belongs to another merchant. */
export async function revokeKey(merchantId: string, id: string, until: Date, now: Date): Promise<boolean> {
  if (!isUuid(id)) return false;
  const valid = { OR: [{ validUntil: null }, { validUntil: { gt: now } }] };
  const later = { OR: [{ validUntil: null }, { validUntil: { gt: until } }] };
  const count = await prisma().merchantKey.count({ where: { id, merchantId, ...valid } });
  await prisma().merchantKey.updateMany({
    where: { id, merchantId, AND: [valid, later] },
    data: { validUntil: until },
  });
  clearSettingsCache();
  return count > 0;
}

/** The password of a key in clear; null if the merchant has no such key. */
export async function passwordOf(merchantId: string, id: string): Promise<string | null> {
  if (!isUuid(id)) return null;
  const row = await prisma().merchantKey.findFirst({ where: { id, merchantId }, select: { password: true } });
  return row && unseal(row.password, 'merchant-password', { id, owner: merchantId });
}

export type SigningKey = MerchantKey & Omit<KeyRow, 'password'>;

/** The merchant's keys of both environments, expired ones included, for explaining invalid signatures. */
export async function signingKeysOf(merchantId: string): Promise<SigningKey[]> {
  const rows = await prisma().merchantKey.findMany({
    where: { merchantId },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    take: 20,
  });
  return Promise.all(
    rows.map(async (row) => {
      const place = { id: row.id, owner: merchantId };
      return { ...row, password: await unseal(row.password, 'merchant-password', place) };
    }),
  );
}

const namesLike = statement<{ pattern: string; merchantId: string | null; most: number }, { id: string; name: string }>(
  'merchant-names',
  `select id, name from merchants where name ilike :pattern and (:merchantId::uuid is null or id = :merchantId)
    order by name, id limit :most::int`,
);

/** Merchants whose name contains `part`, by name; with `merchantId` at most that one. */
export function findMerchantNames(
  part: string,
  merchantId: string | null,
  most: number,
): Promise<{ id: string; name: string }[]> {
  const pattern = `%${part.replace(/\0|\p{Surrogate}/gu, '').replace(/[\\%_]/g, '\\$&')}%`;
  return namesLike({ pattern, merchantId, most });
}

async function sealedKey({ password, ...key }: MerchantKey, merchantId: string) {
  const sealed = await seal(password, 'merchant-password', { id: key.id, owner: merchantId });
  return { ...key, password: new Uint8Array(sealed) };
}
