// When attempts end: authorisations do not expire before their time, and approved attempts do not fail.
import type { World } from '../world.ts';

/** No authorisation expires on its first day: an account keeps it for a day at least. */
export async function checkExpiries({ base, report }: World) {
  const early = await base.rows<{ id: string }>(
    `select id from transactions
      where kind = 'authorize' and decline_code = 'hold_expired' and finished_at < created_at + interval '23 hours'`,
  );
  for (const { id } of early) report(`the authorisation ${id} has expired on its first day`);
}

/** Faults after which a call may end so much later than its job has begun. */
const slow = /^(clock off|process paused|statement slow|answer slow)#/;
const minute = 60_000;

/** An attempt fails because the provider has declined, voided or refunded it, or has not received it. */
export async function checkDeclines({ base, providers, chance, report }: World) {
  const isExact = !chance.met.some((fault) => fault.startsWith('clock off'));
  const journal = providers.flatMap((each) => each.journal);
  const rows = await base.rows<{ id: string; kind: string; at: string }>(
    `select id, kind::text, (extract(epoch from finished_at) * 1000)::bigint as at from transactions
      where status = 'fail' and kind not in ('capture', 'refund', 'reversal', 'void', 'chargeback')`,
  );
  for (const { id, kind, at } of rows) {
    // The time of the end is the one at which its job has begun.
    const begun = Number(at);
    const ended = begun + (chance.met.some((fault) => slow.test(fault)) ? 15 : 1.5) * minute;
    const isTaken = journal.some(
      (line) =>
        line.key === id && /^(approved|authorized)$/.test(line.status) && line.at < begun - (isExact ? 0 : 5 * minute),
    );
    const isOver = journal.some(
      (line) =>
        line.at < ended &&
        ((line.key === id && line.status === 'declined') ||
          (line.original === id && /void|refund/.test(line.kind) && line.status === 'approved')),
    );
    if (isTaken && !isOver) report(`${kind} ${id} failed while the provider had it as approved`);
  }
}
