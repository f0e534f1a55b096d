// florin ledger verify: checks the ledger of DATABASE_URL, or of the embedded database of `npm start`.
import { verifyLedger } from '../../e2e/audit/verify.ts';
import { completeSettings, directDatabaseUrl } from '../project.ts';
import { defineCommand } from './command.ts';

export const ledgerVerify = defineCommand({
  usage: `florin ledger verify: checks the ledger against its invariants, while the service runs. Prints every invariant with the
number of rows that violate it and the first of them. Ends with 1 if there are any.`,
  run: async () => {
    const end = await completeSettings(1);
    try {
      const { lines, findings, payments, seconds } = await verifyLedger(directDatabaseUrl() ?? '');
      console.log([`${payments} payments, checked in ${seconds.toFixed(1)} s`, ...lines].join('\n'));
      return findings === 0 ? 0 : 1;
    } finally {
      await end();
    }
  },
});
