/** Stores used strong signatures of requests, so that a recorded request cannot be replayed. */
import { createHash } from 'node:crypto';
import { statement } from '../db/index.ts';

/** An upper bound of the clock differences between processes. */
const clockMarginSeconds = 60;

const insertUsed = statement<{ digest: Uint8Array; expiresAt: Date }, { digest: Uint8Array }>(
  'signature-take',
  `insert into used_signatures (digest, expires_at) values (:digest, :expiresAt::timestamptz)
   on conflict (digest) do nothing returning digest`,
);

/** Marks a signature as used; false if it was used before. `goodUntil` is when its timestamp expires. */
export async function claimSignature(keyId: string, mac: Uint8Array, goodUntil: Date): Promise<boolean> {
  const digest = createHash('sha256').update(keyId).update(mac).digest();
  const expiresAt = new Date(goodUntil.getTime() + clockMarginSeconds * 1000);
  return (await insertUsed({ digest, expiresAt })).length === 1;
}

const deleteExpired = statement<{ at: Date }, { digest: Uint8Array }>(
  'signatures-forget',
  `delete from used_signatures where digest in (
     select digest from used_signatures where expires_at < :at::timestamptz limit 1000 for update skip locked
   ) returning digest`,
);

/** Deletes expired signatures and returns their number. Uses the system clock, as claims do. */
export async function deleteExpiredSignatures(): Promise<number> {
  return (await deleteExpired({ at: new Date() })).length;
}
