/**
 * The hosts that merchants register for Apple Pay, each with its verification file. If several merchants register one
 * host, the latest file is served: Apple reads it only during the registration.
 */
import { prisma } from '../db/index.ts';
import type { WalletDomain as Row } from '../prisma/client.ts';

/** `fault` is null if the file was found or not yet checked. */
export type WalletDomain = Omit<Row, 'walletId' | 'file'>;

/** The hosts of a wallet, by name. */
export function domainsOf(walletId: string): Promise<WalletDomain[]> {
  return prisma().walletDomain.findMany({
    where: { walletId },
    omit: { walletId: true, file: true },
    orderBy: { host: 'asc' },
  });
}

/** Stores the file of a host, replacing an earlier one. */
export async function saveDomain(walletId: string, host: string, file: string, now: Date): Promise<void> {
  await prisma().walletDomain.upsert({
    where: { walletId_host: { walletId, host } },
    create: { walletId, host, file, updatedAt: now },
    update: { file, updatedAt: now, checkedAt: null, fault: null },
  });
}

/** Removes a host. */
export async function removeDomain(walletId: string, host: string): Promise<void> {
  await prisma().walletDomain.deleteMany({ where: { walletId, host } });
}

/** Stores the result of fetching the file as Apple does. */
export async function saveDomainCheck(walletId: string, host: string, error: string | null, now: Date): Promise<void> {
  await prisma().walletDomain.updateMany({ where: { walletId, host }, data: { checkedAt: now, fault: error } });
}

/** The file of one host of a wallet. */
export async function domainFileOf(walletId: string, host: string): Promise<string | null> {
  const row = await prisma().walletDomain.findFirst({ where: { walletId, host } });
  return row?.file ?? null;
}

/** The file that is served at a host; null if none is registered. */
export async function findServedFile(host: string): Promise<string | null> {
  const row = await prisma().walletDomain.findFirst({ where: { host }, orderBy: { updatedAt: 'desc' } });
  return row?.file ?? null;
}
