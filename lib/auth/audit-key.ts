/**
 * The key of the audit log's hashes. It is derived from VAULT_KEY and not stored, so that the owner of the database cannot
 * compute a hash. A replaced VAULT_KEY changes it: the table `audit_keys` has each earlier key encrypted under the later
 * ones, and the new key under the earlier one, because processes with both keys run during the replacement.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { env } from '../config/index.ts';
import { statement } from '../db/index.ts';

/** A key and its public name, which each entry has. */
export type AuditKey = { id: string; key: Buffer };

/** The key of this process's entries. */
export const auditKey = (vaultKey: Uint8Array = env.vaultKey): AuditKey => {
  const key = Buffer.from(hkdfSync('sha256', vaultKey, 'florin', 'audit', 32));
  return { key, id: keyed(key, 'key id').subarray(0, 6).toString('base64url') };
};

/** HMAC-SHA256 of the parts. */
export function keyed(key: Uint8Array, ...parts: (string | Uint8Array)[]): Buffer {
  const mac = createHmac('sha256', key);
  for (const part of parts) mac.update(part);
  return mac.digest();
}

const sealedKeys = statement<{ by: string }, { id: string; sealed: Uint8Array }>(
  'audit-keys',
  'select id, sealed from audit_keys where sealed_by = :by',
);

/** The key of this process and those that it decrypts, by id. */
export async function auditKeys(own: AuditKey = auditKey()): Promise<Map<string, Buffer>> {
  const keys = new Map([[own.id, own.key]]);
  for (const { id, sealed } of await sealedKeys({ by: own.id })) {
    const key = decrypt(own.key, Buffer.from(sealed), id);
    if (key) keys.set(id, key);
  }
  return keys;
}

const storeKey = statement<{ id: string; by: string; sealed: Uint8Array }>(
  'audit-key-store',
  'insert into audit_keys (id, sealed_by, sealed) values (:id, :by, :sealed) on conflict do nothing',
);

/** Lets processes with the old and the new VAULT_KEY verify the entries of each other, and all earlier ones. */
export async function exchangeAuditKey(oldVaultKey: Uint8Array): Promise<void> {
  const [old, fresh] = [auditKey(oldVaultKey), auditKey()];
  for (const [id, key] of await auditKeys(old)) {
    if (id !== fresh.id) await storeKey({ id, by: fresh.id, sealed: encrypt(fresh.key, key, id) });
  }
  await storeKey({ id: fresh.id, by: old.id, sealed: encrypt(old.key, fresh.key, fresh.id) });
}

function encrypt(by: Buffer, key: Buffer, id: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyed(by, 'seal'), nonce);
  cipher.setAAD(Buffer.from(id));
  const body = Buffer.concat([cipher.update(key), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

function decrypt(by: Buffer, sealed: Buffer, id: string): Buffer | null {
  try {
    const decipher = createDecipheriv('aes-256-gcm', keyed(by, 'seal'), sealed.subarray(0, 12), { authTagLength: 16 });
    decipher.setAAD(Buffer.from(id));
    decipher.setAuthTag(sealed.subarray(12, 28));
    return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]);
  } catch {
    return null;
  }
}
