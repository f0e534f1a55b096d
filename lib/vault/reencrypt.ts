/**
 * Re-encrypts everything that used older data keys, row by row, and binds it to its row. Each update applies only if the row still has the bytes
 * that were read: a concurrent change has used the newer key, or the next pass finds the row.
 */
import { statement } from '../db/index.ts';
import {
  fingerprintOf,
  SealError,
  type SealedColumn,
  type SealedLabel,
  seal,
  sealedColumns,
  sealedVersion,
  unseal,
} from './seal.ts';

/** The counts of one pass. `broken` lists the rows that cannot be decrypted. */
export type ReencryptCounts = { read: number; renewed: number; broken: string[] };

type Row = { id: string; owner: string; member: string | null; value: Uint8Array | string };

const batchRows = 500;
const concurrency = 8;

const writeColumn = (label: SealedLabel) => {
  const { table, column } = sealedColumns[label];
  return statement<{ id: string; fresh: Uint8Array; old: Uint8Array }, { id: string }>(
    `vault-write-${label}`,
    `update ${table} set ${column} = :fresh where id = :id and ${column} = :old returning id`,
  );
};

const writeMember = (label: SealedLabel) => {
  const { table, column } = sealedColumns[label];
  return statement<{ id: string; member: string; fresh: string; old: string }, { id: string }>(
    `vault-write-${label}`,
    `update ${table} set ${column} = jsonb_set(${column}, array[:member::text], to_jsonb(:fresh::text))
      where id = :id and ${column} ->> :member::text = :old returning id`,
  );
};

/** Re-encrypts the values of this label whose key is older than `version`. */
export function reencryptColumn(
  label: SealedLabel,
  version: number,
  report: (line: string) => void,
): Promise<ReencryptCounts> {
  const reseal = async ({ id, owner, member, value }: Row) => {
    const old = typeof value === 'string' ? Buffer.from(value, 'base64') : value;
    if (sealedVersion(old) >= version) return false;
    const row = { id, owner, member: member ?? undefined };
    const fresh = await seal(await unseal(old, label, row), label, row);
    if (sealedVersion(fresh) < version) throw new Error(`version ${version} is not used yet`);
    const rows =
      member === null
        ? await writeColumn(label)({ id, fresh, old })
        : await writeMember(label)({ id, member, fresh: fresh.toString('base64'), old: String(value) });
    return rows.length > 0;
  };
  return eachRow(label, reseal, report);
}

type Card = { fingerprint: Uint8Array; exp_month: number; exp_year: number };
const cardById = statement<{ id: string }, Card>(
  'vault-card',
  'select fingerprint, exp_month, exp_year from cards where id = :id',
);
const setFingerprint = statement<{ id: string; fingerprint: Uint8Array; before: Uint8Array }, { id: string }>(
  'vault-card-move',
  'update cards set fingerprint = :fingerprint where id = :id and fingerprint = :before returning id',
);

/** Gives every stored card its fingerprint under `key`. Of two rows of one card, the second gets a distinct one. */
export function refingerprintCards(key: Buffer, report: (line: string) => void): Promise<ReencryptCounts> {
  const renew = async ({ id, owner, value }: Row) => {
    const [card] = await cardById({ id });
    if (!card) return false;
    const number = await unseal(value as Uint8Array, 'card', { id, owner });
    const dated = { number, expMonth: card.exp_month, expYear: card.exp_year };
    const [fresh, twin] = [fingerprintOf(dated, key), fingerprintOf(dated, key, id)];
    if (fresh.equals(card.fingerprint) || twin.equals(card.fingerprint)) return false;
    const moveTo = (fingerprint: Buffer) => setFingerprint({ id, fingerprint, before: card.fingerprint });
    const rows = await moveTo(fresh).catch((err: { code?: string }) => {
      if (err.code !== '23505') throw err;
      return moveTo(twin);
    });
    return rows.length > 0;
  };
  return eachRow('card', renew, report);
}

/** Processes a column in the order of ids, several rows at a time, and reports progress. */
async function eachRow(
  label: SealedLabel,
  renew: (row: Row) => Promise<boolean>,
  report: (line: string) => void,
): Promise<ReencryptCounts> {
  const counts: ReencryptCounts = { read: 0, renewed: 0, broken: [] };
  const work = async (row: Row) => {
    counts.read += 1;
    try {
      if (await renew(row)) counts.renewed += 1;
    } catch (err) {
      if (!(err instanceof SealError)) throw err;
      counts.broken.push(`${sealedColumns[label].table} ${row.id}: ${err.message}`);
    }
  };
  let saidAt = performance.now();
  for (let after: string | null = '00000000-0000-0000-0000-000000000000'; after !== null; ) {
    const { rows, last } = await readBatch(label, after);
    for (let from = 0; from < rows.length; from += concurrency)
      await Promise.all(rows.slice(from, from + concurrency).map(work));
    after = last;
    if (performance.now() - saidAt > 2000) {
      saidAt = performance.now();
      report(`  ${nameOf(label)}: ${counts.read} read, ${counts.renewed} re-encrypted, up to ${last}`);
    }
  }
  report(`  ${nameOf(label)}: ${counts.read} read, ${counts.renewed} re-encrypted`);
  return counts;
}

const nameOf = (label: SealedLabel) => `${sealedColumns[label].table}.${sealedColumns[label].column}`;

// `last` is the start of the next batch, also if no row of this one has sealed values; null at the end.
async function readBatch(label: SealedLabel, after: string): Promise<{ rows: Row[]; last: string | null }> {
  const { table, column, owner, members = [] }: SealedColumn = sealedColumns[label];
  const values =
    members.length > 0
      ? `select w.id, w.owner, m.key as member, m.value #>> '{}' as value from w, jsonb_each(w.value) m
          where w.value ?| :members::text[] and m.key = any(:members::text[]) and jsonb_typeof(m.value) = 'string'`
      : 'select w.id, w.owner, null as member, w.value from w where w.value is not null';
  type Read = { last: string | null; id: string | null } & Omit<Row, 'id'>;
  const readRows = statement<{ after: string; members: readonly string[] }, Read>(
    `vault-read-${label}`,
    `with w as (select id, ${owner} as owner, ${column} as value from ${table} where id > :after order by id limit ${batchRows})
     select (select id from w order by id desc limit 1) as last, v.* from (select 1) one left join (${values}) v on true`,
  );
  const rows = await readRows({ after, members });
  return { rows: rows.filter((row): row is Row & { last: string } => row.id !== null), last: rows[0]?.last ?? null };
}
