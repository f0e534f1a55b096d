/**
 * The hosts that merchants register for Apple Pay, each with its verification file. If several merchants register one
 * host, the latest file is served: Apple reads it only during the registration.
 */
import { statement } from '../db';

/** `fault` is null if the file was found or not yet checked. */
export type WalletDomain = { host: string; updatedAt: Date; checkedAt: Date | null; fault: string | null };

const columns = 'host, updated_at as "updatedAt", checked_at as "checkedAt", fault';

const domainsByWallet = statement<{ walletId: string }, WalletDomain>(
  'wallet-domains-of',
  `select ${columns} from wallet_domains where wallet_id = :walletId order by host`,
);

/** The hosts of a wallet, by name. */
export function domainsOf(walletId: string): Promise<WalletDomain[]> {
  return domainsByWallet({ walletId });
}

const insertDomain = statement<{ walletId: string; host: string; file: string; now: Date }>(
  'wallet-domain-save',
  `insert into wallet_domains (wallet_id, host, file, updated_at) values (:walletId, :host, :file, :now::timestamptz)
   on conflict (wallet_id, host)
     do update set file = excluded.file, updated_at = excluded.updated_at, checked_at = null, fault = null`,
);

/** Stores the file of a host, replacing an earlier one. */
export async function saveDomain(walletId: string, host: string, file: string, now: Date): Promise<void> {
  await insertDomain({ walletId, host, file, now });
}

const deleteDomain = statement<{ walletId: string; host: string }>(
  'wallet-domain-remove',
  'delete from wallet_domains where wallet_id = :walletId and host = :host',
);

/** Removes a host. */
export async function removeDomain(walletId: string, host: string): Promise<void> {
  await deleteDomain({ walletId, host });
}

const setDomainCheck = statement<{ walletId: string; host: string; now: Date; error: string | null }>(
  'wallet-domain-check',
  `update wallet_domains set checked_at = :now::timestamptz, fault = :error
    where wallet_id = :walletId and host = :host`,
);

/** Stores the result of fetching the file as Apple does. */
export async function saveDomainCheck(walletId: string, host: string, error: string | null, now: Date): Promise<void> {
  await setDomainCheck({ walletId, host, now, error });
}

const fileOf = statement<{ walletId: string; host: string }, { file: string }>(
  'wallet-domain-file',
  'select file from wallet_domains where wallet_id = :walletId and host = :host',
);

/** The file of one host of a wallet. */
export async function domainFileOf(walletId: string, host: string): Promise<string | null> {
  const [row] = await fileOf({ walletId, host });
  return row?.file ?? null;
}

const latestFile = statement<{ host: string }, { file: string }>(
  'wallet-domain-served',
  'select file from wallet_domains where host = :host order by updated_at desc limit 1',
);

/** The file that is served at a host; null if none is registered. */
export async function findServedFile(host: string): Promise<string | null> {
  const [row] = await latestFile({ host });
  return row?.file ?? null;
}
