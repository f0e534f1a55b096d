/** Strong signatures of requests are taken once: who has listened in cannot send the same request again. */
import { createHash } from 'node:crypto';
import { query } from '../db';

/** Clocks of several processes may differ by far less. */
const clockMarginSeconds = 60;

/** Takes a signature; false for one that was taken before. `goodUntil` is when nobody takes it any more by its time. */
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

/** Forgets signatures that are too old; gives how many. By the machine's clock, as they were taken. */
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
