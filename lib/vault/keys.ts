/**
 * The data keys of the vault: read from data_keys, unwrapped by the source of the key (key-source.ts) and cached in memory.
 * A version's key never changes, so a process unwraps each once and only queries for new versions: every few seconds before
 * it seals, and at once for an unknown version.
 */
import { randomBytes } from 'node:crypto';
import { processWide } from '../core/process-wide.ts';
import { statement } from '../db/index.ts';
import { log } from '../telemetry/index.ts';
import type { KeyEncryption } from './key-encryption.ts';
import { type KeySource, keySource } from './key-source.ts';

/** What a data key is for. `sessions` is the secret of the dashboard's sessions. */
export type Purpose = 'seal' | 'fingerprint' | 'link' | 'sessions';
export const purposes: readonly Purpose[] = ['seal', 'fingerprint', 'link', 'sessions'];

/**
 * An unwrapped key. With `bindsRows`, values are bound to their rows. The keys of earlier releases do not bind, so that
 * their processes read what this one seals; a rotation replaces them.
 */
export type UnwrappedKey = { key: Buffer; bindsRows: boolean };
/** A data key in use. `usableAt` is on the process's monotonic clock. */
export type DataKey = UnwrappedKey & { version: number; usableAt: number };

/** How long a process may seal without checking for a newer version, and how long after a failure it unwraps again. */
const cacheSeconds = 2;

type Version = { version: number; usableAt: number; unwrapped: Promise<UnwrappedKey>; failed: boolean };
type CachedKeys = { versions: Version[]; readAt: number; reading?: Promise<void> };

const cachedKeys = processWide('data-keys', () => new Map<Purpose, CachedKeys>());

function cacheOf(purpose: Purpose): CachedKeys {
  const cached = cachedKeys.get(purpose) ?? { versions: [], readAt: Number.NEGATIVE_INFINITY };
  cachedKeys.set(purpose, cached);
  return cached;
}

const isStale = ({ readAt }: CachedKeys) => performance.now() - readAt >= cacheSeconds * 1000;

/**
 * The keys of a purpose that are in use, newest first; at least one. Throws while the newest cannot be unwrapped: a value
 * under an older one could be stored after a rotation has removed it.
 */
export async function usableKeys(purpose: Purpose): Promise<[DataKey, ...DataKey[]]> {
  const cached = cacheOf(purpose);
  if (isStale(cached)) await read(purpose);
  // The first version is used from its creation on, independent of rounding.
  const [newest = cached.versions.at(-1), ...older] = cached.versions.filter(
    ({ usableAt }) => usableAt <= performance.now(),
  );
  if (!newest) throw new Error(`there is no data key for ${purpose}`);
  return [await dataKeyOf(newest), ...(await Promise.all(older.map(dataKeyOf)))];
}

const dataKeyOf = async ({ version, usableAt, unwrapped }: Version) => ({ version, usableAt, ...(await unwrapped) });

/** Every key of a purpose, newest first, with one that is announced: what was made under an older one is verified with it. */
export async function allKeys(purpose: Purpose): Promise<Buffer[]> {
  const cached = cacheOf(purpose);
  if (isStale(cached)) await read(purpose);
  return Promise.all(cached.versions.map(async ({ unwrapped }) => (await unwrapped).key));
}

/** The key of one version, to decrypt its data; null if the version does not exist. */
export async function keyOfVersion(purpose: Purpose, version: number): Promise<UnwrappedKey | null> {
  const cached = cacheOf(purpose);
  const find = () => cached.versions.find((each) => each.version === version);
  const isMissing = () => find()?.failed ?? true;
  // A read in progress may have started before the version was created; a second one has not.
  for (let round = 0; round < 2 && isMissing() && (!find() || isStale(cached)); round += 1) await read(purpose);
  return (await find()?.unwrapped) ?? null;
}

/** Unwraps all data keys, and creates missing ones. Throws where the source does not unwrap them. */
export async function loadDataKeys(): Promise<void> {
  await Promise.all(purposes.map(usableKeys));
}

function read(purpose: Purpose): Promise<void> {
  const cached = cacheOf(purpose);
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

// A new version is unwrapped in the background: it is announced before its use, and payments do not wait for it.
async function load(purpose: Purpose, cached: CachedKeys): Promise<void> {
  const readAt = performance.now();
  let rows = await keysByPurpose({ purpose });
  if (rows.length === 0) {
    await createFirstKey(purpose, keySource());
    rows = await keysByPurpose({ purpose });
  }
  const known = cached.versions.filter(({ failed }) => !failed);
  const versions = rows.map((row) => known.find(({ version }) => version === row.version) ?? newVersion(row, purpose));
  Object.assign(cached, { versions, readAt });
}

function newVersion(row: Row, purpose: Purpose): Version {
  const unwrapped = unwrapRow(row, purpose);
  const version = { version: row.version, usableAt: performance.now() + row.ms, unwrapped, failed: false };
  unwrapped.then(
    ({ bindsRows }) => {
      if (purpose !== 'seal' || bindsRows) return;
      log.warn('values are not bound to their rows yet: run npm run florin -- vault rotate when no older release runs');
    },
    (err: unknown) => {
      version.failed = true;
      log.error({ err, purpose, version: row.version }, 'a data key was not unwrapped');
    },
  );
  return version;
}

const insertFirstKey = statement<{ purpose: Purpose; wrapped: Uint8Array }>(
  'data-key-create',
  `insert into data_keys (purpose, version, wrapped)
   select :purpose::"KeyPurpose", 1, :wrapped
    where not exists (select 1 from data_keys where purpose = :purpose::"KeyPurpose")
   on conflict do nothing`,
);

/** Creates version 1 unless the purpose has a key: of several processes the first creates it, the others read it. */
export async function createFirstKey(purpose: Purpose, source: KeySource): Promise<void> {
  // Sessions and second factors of an earlier release stay valid.
  const earlier = purpose === 'sessions' ? source.earlierSessionSecret : null;
  const key = earlier ? { key: earlier, bindsRows: true } : newKey();
  await insertFirstKey({ purpose, wrapped: await wrapKey(key, purpose, source) });
}

async function unwrapRow({ wrapped, wrapped_next: next, version }: Row, purpose: Purpose): Promise<UnwrappedKey> {
  for (const bytes of next ? [wrapped, next] : [wrapped]) {
    const key = await unwrapKey(bytes, purpose, keySource());
    if (key) return key;
  }
  throw new Error(`${keySource().setting} does not decrypt version ${version} of the data key for ${purpose}`);
}

const contextOf = (purpose: Purpose) => `data-key-${purpose}`;

/** The first byte of a key whose values are bound to their rows; the keys of earlier releases are 32 bytes alone. */
const bindingFormat = 2;

/** A new key that binds the values to their rows. */
export const newKey = (): UnwrappedKey => ({ key: randomBytes(32), bindsRows: true });

/** A data key in the format of data_keys. */
export async function wrapKey(
  { key, bindsRows }: UnwrappedKey,
  purpose: Purpose,
  source: KeyEncryption,
): Promise<Buffer> {
  const bytes = bindsRows ? Buffer.concat([Buffer.of(bindingFormat), key]) : Buffer.from(key);
  const wrapped = await source.wrap(bytes, contextOf(purpose));
  bytes.fill(0);
  return wrapped;
}

/** The data key from the output of {@link wrapKey}; null for another source or key. */
export async function unwrapKey(
  wrapped: Uint8Array,
  purpose: Purpose,
  source: KeyEncryption,
): Promise<UnwrappedKey | null> {
  const bytes = await source.unwrap(Buffer.from(wrapped), contextOf(purpose));
  if (!bytes) return null;
  if (bytes.length === 32) return { key: bytes, bindsRows: false };
  if (bytes.length !== 33 || bytes[0] !== bindingFormat) throw new Error('the format of the data key is unknown');
  return { key: bytes.subarray(1), bindsRows: true };
}
