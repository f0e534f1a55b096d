/**
 * The keys of the audit log's hashes. They are derived from the vault's keys of links, which the database has encrypted only,
 * so that the owner of the database cannot compute a hash. A replaced key still verifies the entries that were written under
 * it; a replaced VAULT_KEY changes none.
 */
import { createHmac } from 'node:crypto';
import { linkHmac, linkHmacs, linkHmacUnder } from '../vault/index.ts';

/** A key and its public name, which each entry has. */
export type AuditKey = { id: string; key: Buffer };

const purpose = 'audit log';

/** The key of new entries. */
export async function auditKey(): Promise<AuditKey> {
  return named(await linkHmac(purpose));
}

/** The key of new entries that follows from a key of links. */
export const auditKeyUnder = (linkKey: Buffer): AuditKey => named(linkHmacUnder(linkKey, purpose));

/** The keys of all entries by their names, newest first. */
export async function auditKeys(): Promise<ReadonlyMap<string, Buffer>> {
  const keys = (await linkHmacs(purpose)).map(named);
  return new Map(keys.map(({ id, key }) => [id, key]));
}

/** A key with its name. */
export function named(key: Buffer): AuditKey {
  return { key, id: keyed(key, 'key id').subarray(0, 6).toString('base64url') };
}

/** HMAC-SHA256 of the parts. */
export function keyed(key: Uint8Array, ...parts: (string | Uint8Array)[]): Buffer {
  const mac = createHmac('sha256', key);
  for (const part of parts) mac.update(part);
  return mac.digest();
}
