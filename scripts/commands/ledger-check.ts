// florin ledger check: checks the ledger of DATABASE_URL, or of the embedded database of `npm start`.
import { completeSettings, directDatabaseUrl } from '../project.ts';
import { defineCommand } from './command.ts';

export const ledgerCheck = defineCommand({
  usage: `florin ledger check [--json]: checks the ledger against its invariants and the hashes of its closed days, while the service
runs. Prints every invariant with the number of rows that violate it and the first of them, and the trial balance. Ends
with 1 if there are findings.`,
  options: { json: { type: 'boolean' } },
  run: async ({ json }) => {
    const end = await completeSettings(1);
    try {
      const { checkLedger, checkText } = await import('../../lib/operations/ledger/check-database.ts');
      const check = await checkLedger(directDatabaseUrl() ?? '');
      const balances = check.balances.map(({ minor, ...account }) => ({ ...account, minor: String(minor) }));
      console.log(json ? JSON.stringify({ ...check, balances }) : checkText(check).join('\n'));
      return check.findings === 0 ? 0 : 1;
    } finally {
      await end();
    }
  },
});
