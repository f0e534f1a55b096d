/** Acknowledges that a closed day differs from its hash, such as after a restore to an earlier time. */
import { auditWith } from '../../auth/index.ts';
import { pool, statement } from '../../db/index.ts';
import { hashDay, readDays } from './days.ts';

const insert = statement<{ day: string; hash: Buffer; note: string; now: Date }, { day: string }>(
  'ledger-acknowledge',
  `insert into ledger_acknowledgements (day, hash, note, acknowledged_at)
   values (:day::date, :hash::bytea, :note::text, :now::timestamptz) on conflict do nothing returning day`,
);

/** `unaltered`: the day has the hash that it was closed with. `known`: it was acknowledged before as it is. */
export type Acknowledgement = 'acknowledged' | 'known' | 'unaltered' | 'not closed';

/**
 * Acknowledges the entries that the closed day `day` (`YYYY-MM-DD`) has now; a later change is a finding again. The audit log
 * has both hashes and the note.
 */
export async function acknowledgeDay(day: string, note: string, now: Date): Promise<Acknowledgement> {
  const found = await hashNow(day);
  if (!found) return 'not closed';
  const { closed, hash } = found;
  if (hash.equals(closed.hash)) return 'unaltered';
  const [before, after] = [closed.hash, hash].map((bytes) => ({ day, hash: bytes.toString('base64url') }));
  const entry = {
    actor: 'command',
    action: 'ledger.acknowledge',
    subject: 'ledger',
    before,
    after: { ...after, note },
    merchantId: null,
  } as const;
  const isNew = await auditWith(entry, now, async (run) => (await insert({ day, hash, note, now }, run)).length > 0);
  return isNew ? 'acknowledged' : 'known';
}

/** A closed day, and the hash of the entries that it has now; null if no row of ledger_days has this day. */
async function hashNow(day: string) {
  const client = await pool().connect();
  let failure: Error | undefined;
  try {
    await client.query('begin isolation level repeatable read read only');
    const days = await readDays(client);
    const place = days.findIndex((each) => each.day === day);
    const closed = days[place];
    const current = closed && (await hashDay(client, days[place - 1] ?? null, day));
    await client.query('commit');
    return closed && current ? { closed, hash: current.hash } : null;
  } catch (err) {
    failure = err as Error;
    throw err;
  } finally {
    client.release(failure);
  }
}
