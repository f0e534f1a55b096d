/**
 * The hosts that merchants register for Apple Pay, each with its verification file. If several merchants register one
 * host, the latest file is served: Apple reads it only during the registration.
 */
import { query } from '../db';

/** `fault` is null if the file was found or not yet checked. */
export type WalletDomain = { host: string; updatedAt: Date; checkedAt: Date | null; fault: string | null };

const columns = 'host, updated_at as "updatedAt", checked_at as "checkedAt", fault';

/** The hosts of a wallet, by name. */
export function domainsOf(walletId: string): Promise<WalletDomain[]> {
  return query('wallet-domains-of', `select ${columns} from wallet_domains where wallet_id = $1 order by host`, [
    walletId,
  ]);
}

/** Stores the file of a host, replacing an earlier one. */
export async function saveDomain(walletId: string, host: string, file: string, now: Date): Promise<void> {
  await query(
    'wallet-domain-save',
    `insert into wallet_domains (wallet_id, host, file, updated_at) values ($1, $2, $3, $4::timestamptz)
     on conflict (wallet_id, host)
       do update set file = excluded.file, updated_at = excluded.updated_at, checked_at = null, fault = null`,
    [walletId, host, file, now],
  );
}

/** Removes a host. */
export async function removeDomain(walletId: string, host: string): Promise<void> {
  await query('wallet-domain-remove', 'delete from wallet_domains where wallet_id = $1 and host = $2', [
    walletId,
    host,
  ]);
}

/** Stores the result of fetching the file as Apple does. */
export async function saveDomainCheck(walletId: string, host: string, error: string | null, now: Date): Promise<void> {
  await query(
    'wallet-domain-check',
    'update wallet_domains set checked_at = $3::timestamptz, fault = $4 where wallet_id = $1 and host = $2',
    [walletId, host, now, error],
  );
}

/** The file of one host of a wallet. */
export async function domainFileOf(walletId: string, host: string): Promise<string | null> {
  const [row] = await query<{ file: string }>(
    'wallet-domain-file',
    'select file from wallet_domains where wallet_id = $1 and host = $2',
    [walletId, host],
  );
  return row?.file ?? null;
}

/** The file that is served at a host; null if none is registered. */
export async function findServedFile(host: string): Promise<string | null> {
  const [row] = await query<{ file: string }>(
    'wallet-domain-served',
    'select file from wallet_domains where host = $1 order by updated_at desc limit 1',
    [host],
  );
  return row?.file ?? null;
}
