/**
 * The data keys of the vault: read from data_keys, decrypted with VAULT_KEY and cached in memory. A version's key never
 * changes, so a process decrypts each once and only queries for new versions: every few seconds before it seals, and at
 * once for an unknown version.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { env } from '../config/index.ts';
import { processWide } from '../core/process-wide.ts';
import { statement } from '../db/index.ts';

export type Purpose = 'seal' | 'fingerprint' | 'link';
export const purposes: readonly Purpose[] = ['seal', 'fingerprint', 'link'];

/** A decrypted data key. `usableAt` is on the process's monotonic clock. */
export type DataKey = { version: number; key: Buffer; usableAt: number };

/** How long a process may seal without checking for a newer version. */
const cacheSeconds = 2;

type CachedKeys = { keys: DataKey[]; readAt: number; reading?: Promise<DataKey[]> };

const cachedKeys = processWide('data-keys', () => new Map<Purpose, CachedKeys>());

/** The keys of a purpose that are in use, newest first; at least one. */
export async function usableKeys(purpose: Purpose): Promise<[DataKey, ...DataKey[]]> {
  const cached = cachedKeys.get(purpose);
  const recent = cached && cached.keys.length > 0 && performance.now() - cached.readAt < cacheSeconds * 1000;
  const keys = recent ? cached.keys : await read(purpose);
  // The first version is used from its creation on, independent of rounding.
  const [newest = keys.at(-1), ...older] = keys.filter(({ usableAt }) => usableAt <= performance.now());
  if (!newest) throw new Error(`there is no data key for ${purpose}`);
  return [newest, ...older];
}

/** The key of one version, to decrypt its data; null if the version does not exist. */
export async function keyOfVersion(purpose: Purpose, version: number): Promise<Buffer | null> {
  const find = () => cachedKeys.get(purpose)?.keys.find((each) => each.version === version)?.key;
  // A read in progress may have started before the version was created; a second one has not.
  for (let round = 0; round < 2 && !find(); round += 1) await read(purpose);
  return find() ?? null;
}

function read(purpose: Purpose): Promise<DataKey[]> {
  const cached: CachedKeys = cachedKeys.get(purpose) ?? { keys: [], readAt: 0 };
  cachedKeys.set(purpose, cached);
  cached.reading ??= load(purpose, cached).finally(() => {
    cached.reading = undefined;
  });
  return cached.reading;
}

type Row = { version: number; wrapped: Uint8Array; wrapped_next: Uint8Array | null; ms: number };

const keysByPurpose = statement<{ purpose: Purpose }, Row>(
  'data-key-load',
  `select version, wrapped, wrapped_next, (extract(epoch from used_from - now()) * 1000)::float8 as ms
     from data_keys where purpose = :purpose::"KeyPurpose" order by version desc`,
);

async function load(purpose: Purpose, cached: CachedKeys): Promise<DataKey[]> {
  const readAt = performance.now();
  if (cached.keys.length === 0) await createFirstKey(purpose, env.vaultKey);
  const rows = await keysByPurpose({ purpose });
  const keys = rows.map((row) => {
    const before = cached.keys.find(({ version }) => version === row.version);
    return before ?? { version: row.version, key: unwrapRow(row, purpose), usableAt: performance.now() + row.ms };
  });
  Object.assign(cached, { keys, readAt });
  return keys;
}

const insertFirstKey = statement<{ purpose: Purpose; wrapped: Uint8Array }>(
  'data-key-create',
  `insert into data_keys (purpose, version, wrapped)
   select :purpose::"KeyPurpose", 1, :wrapped
    where not exists (select 1 from data_keys where purpose = :purpose::"KeyPurpose")
   on conflict do nothing`,
);

/** Creates version 1 unless the purpose has a key: of several processes the first creates it, the others read it. */
export async function createFirstKey(purpose: Purpose, vaultKey: Uint8Array): Promise<void> {
  await insertFirstKey({ purpose, wrapped: wrapKey(randomBytes(32), purpose, vaultKey) });
}

function unwrapRow({ wrapped, wrapped_next: next, version }: Row, purpose: Purpose): Buffer {
  for (const bytes of next ? [wrapped, next] : [wrapped]) {
    const key = unwrapKey(bytes, purpose, env.vaultKey);
    if (key) return key;
  }
  throw new Error(`VAULT_KEY does not decrypt version ${version} of the data key for ${purpose}`);
}

/** A data key in the format of data_keys. */
export function wrapKey(key: Buffer, purpose: Purpose, vaultKey: Uint8Array): Buffer {
  return encrypt(Buffer.from(vaultKey), key, `data-key-${purpose}`);
}

/** The data key from the output of {@link wrapKey}; null for another VAULT_KEY. */
export function unwrapKey(bytes: Uint8Array, purpose: Purpose, vaultKey: Uint8Array): Buffer | null {
  try {
    return decrypt(Buffer.from(vaultKey), Buffer.from(bytes), `data-key-${purpose}`);
  } catch {
    return null;
  }
}

/** AES-256-GCM: 12 bytes nonce, 16 bytes tag, ciphertext. The label is authenticated. */
export function encrypt(key: Buffer, clear: Buffer, label: string): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(label));
  const body = Buffer.concat([cipher.update(clear), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

/** Decrypts the output of {@link encrypt}; throws for another key or label, or altered bytes. */
export function decrypt(key: Buffer, bytes: Buffer, label: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
  decipher.setAAD(Buffer.from(label));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]);
}
