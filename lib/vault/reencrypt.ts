/**
 * Re-encrypts everything that used older data keys, row by row. Each update applies only if the row still has the bytes
 * that were read: a concurrent change has used the newer key, or the next pass finds the row.
 */
import { query } from '../db';
import { fingerprintOf, SealError, seal, sealedVersion, unseal } from './seal';
import { type SealedColumn, type SealedLabel, sealedColumns } from './sealed-columns';

/** The counts of one pass. `broken` lists the rows that cannot be decrypted. */
export type ReencryptCounts = { read: number; renewed: number; broken: string[] };

type Row = { id: string; member: string | null; value: Uint8Array | string };

const batchRows = 500;
const concurrency = 8;

/** Re-encrypts the values of this label whose key is older than `version`. */
export function reencryptColumn(
  label: SealedLabel,
  version: number,
  report: (line: string) => void,
): Promise<ReencryptCounts> {
  const place: SealedColumn = sealedColumns[label];
  const reseal = async ({ id, member, value }: Row) => {
    const old = typeof value === 'string' ? Buffer.from(value, 'base64') : value;
    if (sealedVersion(old) >= version) return false;
    const fresh = await seal(await unseal(old, label), label);
    if (sealedVersion(fresh) < version) throw new Error(`version ${version} is not used yet`);
    const { table, column } = place;
    const rows = await query(
      `vault-write-${label}`,
      member === null
        ? `update ${table} set ${column} = $2 where id = $1 and ${column} = $3 returning id`
        : `update ${table} set ${column} = jsonb_set(${column}, array[$4::text], to_jsonb($2::text))
            where id = $1 and ${column} ->> $4::text = $3 returning id`,
      member === null ? [id, fresh, old] : [id, fresh.toString('base64'), value, member],
    );
    return rows.length > 0;
  };
  return eachRow(label, reseal, report);
}

/** Gives every stored card its fingerprint under `key`. Of two rows of one card, the second gets a distinct one. */
export function refingerprintCards(key: Buffer, report: (line: string) => void): Promise<ReencryptCounts> {
  type Card = { merchant_id: string; fingerprint: Uint8Array; exp_month: number; exp_year: number };
  const move = 'update cards set fingerprint = $2 where id = $1 and fingerprint = $3 returning id';
  const renew = async ({ id, value }: Row) => {
    const [card] = await query<Card>(
      'vault-card',
      'select merchant_id, fingerprint, exp_month, exp_year from cards where id = $1',
      [id],
    );
    if (!card) return false;
    const number = await unseal(value as Uint8Array, 'card');
    const dated = { number, expMonth: card.exp_month, expYear: card.exp_year };
    const [fresh, twin] = [fingerprintOf(dated, key), fingerprintOf(dated, key, id)];
    if (fresh.equals(card.fingerprint) || twin.equals(card.fingerprint)) return false;
    const moveTo = (fingerprint: Buffer) => query('vault-card-move', move, [id, fingerprint, card.fingerprint]);
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
  const { table, column, memberEnding }: SealedColumn = sealedColumns[label];
  const values = memberEnding
    ? `select w.id, m.key as member, m.value from w, jsonb_each_text(w.value) m
        where w.value::text like '%${memberEnding}"%' and m.key like '%${memberEnding}' and m.value is not null`
    : 'select w.id, null as member, w.value from w where w.value is not null';
  const rows = await query<{ last: string | null; id: string | null } & Omit<Row, 'id'>>(
    `vault-read-${label}`,
    `with w as (select id, ${column} as value from ${table} where id > $1 order by id limit ${batchRows})
     select (select id from w order by id desc limit 1) as last, v.* from (select 1) one left join (${values}) v on true`,
    [after],
  );
  return { rows: rows.filter((row): row is Row & { last: string } => row.id !== null), last: rows[0]?.last ?? null };
}
