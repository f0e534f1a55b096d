/**
 * Rotates data keys without downtime. A new version is announced and is used once every process knows it; then
 * everything under older versions is re-encrypted, and only when none is left are they deleted. All progress is in the
 * tables, so the next run continues an interrupted one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { pool, statement } from '../db/index.ts';
import { type KeySource, keySource } from './key-source.ts';
import {
  createFirstKey,
  type DataKey,
  newKey,
  type Purpose,
  purposes,
  unwrapKey,
  usableKeys,
  wrapKey,
} from './keys.ts';
import { type ReencryptCounts, reencryptColumn, refingerprintCards } from './reencrypt.ts';
import { type SealedLabel, sealedColumns } from './seal.ts';

export type RotationOptions = {
  /** How long a new version is announced before its use: longer than any process caches its list of versions. */
  leadSeconds: number;
  /** How long older versions remain after that: longer than the time between sealing and storing a value. */
  settleSeconds: number;
  report: (line: string) => void;
};

/** Why a rotation did not start or finish; the message is for the operator. */
export class RotationError extends Error {}

/** Rotates the key that seals cards, passwords, settings and parameters. */
export function rotateSealKey(options: RotationOptions): Promise<void> {
  return rotate('seal', options, async ({ version }) => {
    const counts: ReencryptCounts[] = [];
    for (const label of Object.keys(sealedColumns) as SealedLabel[]) {
      counts.push(await reencryptColumn(label, version, options.report));
    }
    return counts;
  });
}

/** Rotates the key of the card fingerprints. */
export function rotateFingerprintKey(options: RotationOptions): Promise<void> {
  return rotate('fingerprint', options, async ({ key }) => [await refingerprintCards(key, options.report)]);
}

const deleteOlder = statement<{ purpose: Purpose; version: number }, { version: number }>(
  'data-key-retire',
  'delete from data_keys where purpose = :purpose::"KeyPurpose" and version < :version returning version',
);

async function rotate(
  purpose: Purpose,
  options: RotationOptions,
  pass: (newest: DataKey) => Promise<ReencryptCounts[]>,
): Promise<void> {
  const { settleSeconds, report } = options;
  await withRotationLock(async () => {
    await usableKeys(purpose);
    const { version, fresh } = await announceVersion(purpose, options.leadSeconds);
    report(
      `The ${purpose} key: version ${version} ${fresh ? 'is announced.' : 'was announced before; the rotation continues.'}`,
    );
    const newest = await waitUntilUsed(purpose, version);
    const settledAt = newest.usableAt + settleSeconds * 1000;
    for (;;) {
      const settled = performance.now() >= settledAt;
      const counts = await pass(newest);
      const broken = counts.flatMap((each) => each.broken);
      if (broken.length > 0) {
        const named = broken.slice(0, 20).join('\n');
        throw new RotationError(`No key was removed: ${broken.length} rows cannot be decrypted, such as\n${named}`);
      }
      if (settled && counts.every(({ renewed }) => renewed === 0)) break;
      const restMs = settledAt - performance.now();
      if (restMs <= 0) continue;
      report(`Waiting ${Math.ceil(restMs / 1000)} s for writes in progress.`);
      await sleep(restMs);
    }
    const removed = await deleteOlder({ purpose, version });
    report(`Version ${version} is the only one in use; ${removed.length} older deleted.`);
  });
}

type KeyRow = { purpose: Purpose; version: number; wrapped: Uint8Array; wrapped_next: Uint8Array | null };

const readAllKeys = statement<object, KeyRow>(
  'data-key-all',
  'select purpose::text, version, wrapped, wrapped_next from data_keys order by version',
);
const readKeys = () => readAllKeys({});

const insertVersion = statement<{ purpose: Purpose; version: number; wrapped: Uint8Array; leadSeconds: number }>(
  'data-key-announce',
  `insert into data_keys (purpose, version, wrapped, used_from)
   values (:purpose::"KeyPurpose", :version, :wrapped, now() + :leadSeconds * interval '1 second')`,
);

// More than one version: a rotation was started and is not finished.
async function announceVersion(purpose: Purpose, leadSeconds: number): Promise<{ version: number; fresh: boolean }> {
  const all = await readKeys();
  if (all.some(({ wrapped_next: next }) => next !== null)) {
    throw new RotationError(
      `${keySource().setting} is being exchanged; finish that first (npm run florin -- vault rotate --forget-old-key).`,
    );
  }
  const versions = all.filter((row) => row.purpose === purpose).map(({ version }) => version);
  const newest = Math.max(...versions);
  // Replaced keys of links are kept.
  if (versions.length > 1 && purpose !== 'link') return { version: newest, fresh: false };
  await insertVersion({
    purpose,
    version: newest + 1,
    wrapped: await wrapKey(newKey(), purpose, keySource()),
    leadSeconds,
  });
  return { version: newest + 1, fresh: true };
}

async function waitUntilUsed(purpose: Purpose, version: number): Promise<DataKey> {
  for (;;) {
    const [newest] = await usableKeys(purpose);
    if (newest.version === version) return newest;
    await sleep(200);
  }
}

const setWrappedNext = statement<{ purpose: Purpose; version: number; next: Uint8Array; wrapped: Uint8Array }>(
  'data-key-wrap',
  `update data_keys set wrapped_next = :next
    where purpose = :purpose::"KeyPurpose" and version = :version and wrapped = :wrapped
   returning version`,
);

/**
 * Encrypts every data key by the source of the settings in addition to `old`: processes with either can run until {@link
 * forgetOldKey}. The data keys and everything sealed with them do not change. Fails before the first write if neither
 * source decrypts a data key.
 */
export async function exchangeVaultKey(old: KeySource, report: (line: string) => void): Promise<void> {
  const { setting } = keySource();
  await withRotationLock(async () => {
    const keyRows = await readKeys();
    for (const row of keyRows) await unwrapWith(row, old);
    if (keyRows.length === 0) return report(`There is no data key yet: restart every process with the new ${setting}.`);
    // Otherwise a process that knows only one of the two keys would create the first key of an unused purpose.
    for (const purpose of purposes) await createFirstKey(purpose, old);
    for (const row of await readKeys()) {
      const { purpose, version, wrapped } = row;
      const { key, done } = await unwrapWith(row, old);
      if (!key || done) continue;
      const rows = await setWrappedNext({ purpose, version, next: await wrapKey(key, purpose, keySource()), wrapped });
      if (rows.length === 0) throw new RotationError('The data keys have changed since: run this again.');
      report(`The ${purpose} key, version ${version}, is encrypted with both keys.`);
    }
    report(`Now restart every process with the new ${setting}; then: npm run florin -- vault rotate --forget-old-key`);
  });
}

/** A data key decrypted by the old source, and whether the new one already decrypts it. Throws if neither does. */
async function unwrapWith({ purpose, version, wrapped, wrapped_next: next }: KeyRow, old: KeySource) {
  const key = await unwrapKey(wrapped, purpose, old);
  const done = (await unwrapKey(next ?? wrapped, purpose, keySource())) !== null;
  if (!key && !done) throw new RotationError(`${old.setting}_OLD does not decrypt version ${version} of ${purpose}.`);
  return { key, done };
}

const forgetOld = statement(
  'data-key-forget',
  'update data_keys set wrapped = wrapped_next, wrapped_next = null where wrapped_next is not null returning version',
);

/** Ends an exchange: from now on only the source of the settings decrypts the data keys. */
export async function forgetOldKey(report: (line: string) => void): Promise<void> {
  const { setting } = keySource();
  await withRotationLock(async () => {
    for (const { purpose, version, wrapped, wrapped_next: next } of await readKeys()) {
      if (!(await unwrapKey(next ?? wrapped, purpose, keySource()))) {
        throw new RotationError(`${setting} does not decrypt version ${version} of ${purpose}: nothing was changed.`);
      }
    }
    const rows = await forgetOld({});
    report(
      rows.length > 0
        ? `${rows.length} data keys are encrypted with ${setting} only.`
        : 'There is no old key to remove.',
    );
  });
}

/**
 * Replaces the secret of the dashboard's sessions by a random one: all users sign in again, and second factors that were
 * set up under the old one cannot be used. For a secret that is known to others.
 */
export async function replaceSessionsKey(report: (line: string) => void): Promise<void> {
  await withRotationLock(async () => {
    await usableKeys('sessions');
    const { version } = await announceVersion('sessions', 0);
    await deleteOlder({ purpose: 'sessions', version });
    report('The secret of sessions is new. Now restart every process.');
  });
}

/**
 * Replaces the key of links: no link, form or token of the old one is accepted. The old one is kept, because the audit log's
 * entries are verified with it. For a key that is known to others.
 */
export async function replaceLinkKey({ leadSeconds, report }: RotationOptions): Promise<void> {
  await withRotationLock(async () => {
    await usableKeys('link');
    const { version } = await announceVersion('link', leadSeconds);
    await waitUntilUsed('link', version);
    report(`Version ${version} of the key of links is in use: links that payers have do not open any more.`);
  });
}

// Uses its own connection, so that a killed run releases the lock.
async function withRotationLock(work: () => Promise<void>): Promise<void> {
  const connection = await pool().connect();
  const lock = `hashtextextended('florin vault rotation', 0)`;
  try {
    const { rows } = await connection.query(`select pg_try_advisory_lock(${lock}) as free`);
    if (!rows[0].free) throw new RotationError('Another rotation is running.');
    await work().finally(() => connection.query(`select pg_advisory_unlock(${lock})`));
  } finally {
    connection.release();
  }
}
