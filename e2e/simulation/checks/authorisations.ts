// What is done with authorisations: they are voided, not refunded, and not before their time.
import type { World } from '../world.ts';

/** A refund is sent only where money was taken: an authorisation is voided. */
export function checkRefunds({ providers, report }: World) {
  for (const { journal } of providers) {
    const taken = new Set(
      journal
        .filter(({ kind, status }) => (kind === 'payment' || kind === 'capture') && status === 'approved')
        .map(({ kind, key, original }) => (kind === 'capture' ? original : key)),
    );
    const authorized = new Set(journal.filter(({ status }) => status === 'authorized').map(({ key }) => key));
    for (const { kind, key, original } of journal)
      if (kind === 'refund' && original !== null && authorized.has(original) && !taken.has(original))
        report(`refund ${key} was sent for the authorisation ${original}`);
  }
}

/** No authorisation expires on its first day: an account keeps it for a day at least. */
export async function checkExpiries({ base, report }: World) {
  const early = await base.rows<{ id: string }>(
    `select id from transactions
      where kind = 'authorize' and decline_code = 'hold_expired' and finished_at < created_at + interval '23 hours'`,
  );
  for (const { id } of early) report(`the authorisation ${id} has expired on its first day`);
}
