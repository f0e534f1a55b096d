// florin ledger acknowledge: a closed day that differs from its hash is known to do so.
import { completeSettings } from '../project.ts';
import { defineCommand, UsageError } from './command.ts';

const messages = {
  acknowledged: 'The day is acknowledged as it is. A later change of its entries is a finding again.',
  known: 'The day was acknowledged before as it is.',
  unaltered: 'The day is unaltered: it has the hash that it was closed with.',
  'not closed': 'The day is not in the list of closed days (ledger_days).',
} as const;

export const ledgerAcknowledge = defineCommand({
  usage: `florin ledger acknowledge DAY --note TEXT: acknowledges that the entries of a closed day (YYYY-MM-DD) differ from its hash, such as
after a restore, so that they are no finding of the ledger check any more. The audit log has both hashes and the note. Ends
with 1 if the day does not differ or is not closed.`,
  options: { note: { type: 'string' } },
  positionals: { least: 1, most: 1 },
  run: async ({ note = '' }, [day = '']) => {
    if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw new UsageError('The day is missing: YYYY-MM-DD.');
    if (note.trim().length < 3) throw new UsageError('--note is missing: why the day differs.');
    const end = await completeSettings(2);
    const { acknowledgeDay, closeDatabase, now } = await import('../ledger/acknowledge.ts');
    try {
      const result = await acknowledgeDay(day, note.trim().slice(0, 500), now());
      console.log(messages[result]);
      return result === 'unaltered' || result === 'not closed' ? 1 : 0;
    } finally {
      await closeDatabase();
      await end();
    }
  },
});
