/**
 * The key of the audit log's hashes. It is derived from the vault's key of links, which is never rotated and which the
 * database has encrypted only, so that the owner of the database cannot compute a hash. It outlives a replaced VAULT_KEY.
 */
import { createHmac } from 'node:crypto';
import { processWide } from '../core/process-wide.ts';
import { linkHmac } from '../vault/index.ts';

/** A key and its public name, which each entry has. */
export type AuditKey = { id: string; key: Buffer };

const cached = processWide('audit-key', () => ({ key: undefined as AuditKey | undefined }));

/** The key of the deployment's entries. */
export async function auditKey(): Promise<AuditKey> {
  cached.key ??= named(await linkHmac('audit log'));
  return cached.key;
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
