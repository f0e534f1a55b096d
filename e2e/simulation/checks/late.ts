// What follows late approvals and authorisations: they are undone as the provider can, and in their time.
import type { JournalLine } from '../../chaos/consistency.ts';
import type { World } from '../world.ts';

/** Authorisations are voided, not refunded: a refund is sent only where money was taken. */
export function checkRefunds({ report }: World, journal: JournalLine[]) {
  const taken = new Set<string | undefined>();
  for (const { kind, key, original, status } of journal) {
    if (status !== 'approved') continue;
    if (kind === 'payment') taken.add(key);
    else if (kind === 'capture') taken.add(original);
  }
  const authorized = new Set(
    journal.filter(({ kind, status }) => kind === 'payment' && status === 'authorized').map(({ key }) => key),
  );
  for (const { kind, key, original } of journal)
    if (kind === 'refund' && original && authorized.has(original) && !taken.has(original))
      report(`refund ${key} was sent for the authorisation ${original}`);
}

/** No authorisation expires on its first day: an account keeps it for a day at least. */
export async function checkExpiries({ base, report }: World) {
  const early = await base.rows<{ id: string }>(
    `select id from transactions
      where kind = 'authorize' and decline_code = 'hold_expired' and finished_at < created_at + interval '23 hours'`,
  );
  for (const { id } of early) report(`the authorisation ${id} has expired on its first day`);
}

/** The merchant learns of the end of a late success only after the late success. */
export async function checkEnds({ base, report }: World) {
  const unexpected = await base.rows<{ id: string }>(
    `select c.id from callbacks c
      where c.outcome = 'fail' and c.reason in ('Voided at the provider', 'Refunded at the provider', 'Undone at the provider')
        and not exists (select 1 from callbacks e
                         where e.payment_id = c.payment_id and e.outcome = 'undefined' and e.sequence < c.sequence)`,
  );
  for (const { id } of unexpected) report(`callback ${id} reports the end of a late success that was not reported`);
}
