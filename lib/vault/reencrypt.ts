/**
 * Everything that the data keys have made, row by row, so that it can be made anew. A row is written by one statement
 * that holds only while the row still has the bytes that were read: whoever changed it in between has used the newer
 * key already, or the next pass finds it.
 */
import { query } from '../db';
import { fingerprintOf, SealError, seal, sealedVersion, unseal } from './seal';
import { type SealedColumn, type SealedLabel, sealedColumns } from './sealed-columns';

/** What one pass over a place has found. `broken` names the rows that cannot be opened. */
export type ReencryptCounts = { read: number; renewed: number; broken: string[] };

type Row = { id: string; member: string | null; value: Uint8Array | string };

const batchRows = 500;
const concurrency = 8;

/** Re-seals what an older version than `version` has sealed under this label. */
export function reencryptColumn(
  label: SealedLabel,
  version: number,
  say: (line: string) => void,
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
  return eachRow(label, reseal, say);
}

/** Gives every kept card its fingerprint under `key`. Of two rows of one card the second gets one of its own. */
export function refingerprintCards(key: Buffer, say: (line: string) => void): Promise<ReencryptCounts> {
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
    const rows = await moveTo(fresh).catch((fault: { code?: string }) => {
      if (fault.code !== '23505') throw fault;
      return moveTo(twin);
    });
    return rows.length > 0;
  };
  return eachRow('card', renew, say);
}

/** Goes through a place in the order of its ids, some rows at once, and says from time to time how far it is. */
async function eachRow(
  label: SealedLabel,
  renew: (row: Row) => Promise<boolean>,
  say: (line: string) => void,
): Promise<ReencryptCounts> {
  const tally: ReencryptCounts = { read: 0, renewed: 0, broken: [] };
  const work = async (row: Row) => {
    tally.read += 1;
    try {
      if (await renew(row)) tally.renewed += 1;
    } catch (fault) {
      if (!(fault instanceof SealError)) throw fault;
      tally.broken.push(`${sealedColumns[label].table} ${row.id}: ${fault.message}`);
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
      say(`  ${nameOf(label)}: ${tally.read} read, ${tally.renewed} made anew, up to ${last}`);
    }
  }
  say(`  ${nameOf(label)}: ${tally.read} read, ${tally.renewed} made anew`);
  return tally;
}

const nameOf = (label: SealedLabel) => `${sealedColumns[label].table}.${sealedColumns[label].column}`;

// `last` is where the next window begins, also where no row of this one holds anything sealed; null after the end.
async function readBatch(label: SealedLabel, after: string): Promise<{ rows: Row[]; last: string | null }> {
  const { table, column, memberEnding }: SealedColumn = sealedColumns[label];
  const values = memberEnding
    ? `select w.id, m.key as member, m.value from w, jsonb_each_text(w.value) m
        where w.value::text like '%${memberEnding}"%' and m.key like '%${memberEnding}' and m.value is not null`
    : 'select w.id, null as member, w.value from w where w.value is not null';
  const found = await query<{ last: string | null; id: string | null } & Omit<Row, 'id'>>(
    `vault-read-${label}`,
    `with w as (select id, ${column} as value from ${table} where id > $1 order by id limit ${batchRows})
     select (select id from w order by id desc limit 1) as last, v.* from (select 1) one left join (${values}) v on true`,
    [after],
  );
  return { rows: found.filter((row): row is Row & { last: string } => row.id !== null), last: found[0]?.last ?? null };
}
