/** Stores used strong signatures of requests, so that a recorded request cannot be replayed. */
import { createHash } from 'node:crypto';
import { query } from '../db';

/** An upper bound of the clock differences between processes. */
const clockMarginSeconds = 60;

/** Marks a signature as used; false if it was used before. `goodUntil` is when its timestamp expires. */
export async function claimSignature(keyId: string, mac: Uint8Array, goodUntil: Date): Promise<boolean> {
  const digest = createHash('sha256').update(keyId).update(mac).digest();
  const rows = await query(
    'signature-take',
    `insert into used_signatures (digest, expires_at) values ($1, $2::timestamptz)
     on conflict (digest) do nothing returning digest`,
    [digest, new Date(goodUntil.getTime() + clockMarginSeconds * 1000)],
  );
  return rows.length === 1;
}

/** Deletes expired signatures and returns their number. Uses the system clock, as claims do. */
export async function deleteExpiredSignatures(): Promise<number> {
  const rows = await query(
    'signatures-forget',
    `delete from used_signatures where digest in (
       select digest from used_signatures where expires_at < $1::timestamptz limit 1000 for update skip locked
     ) returning digest`,
    [new Date()],
  );
  return rows.length;
}
