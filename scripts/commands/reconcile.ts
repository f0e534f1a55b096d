// florin reconcile import and florin reconcile mapping: settlement reports of providers.
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { completeSettings } from '../project.ts';
import { defineCommand, UsageError } from './command.ts';

const text = { type: 'string' } as const;

function accountOf(account: string | undefined): string {
  if (!account) throw new UsageError('--account is missing: the id of the MID.');
  return account;
}

export const reconcileImport = defineCommand({
  usage: `florin reconcile import FILE --account MID [--json]: imports a settlement report of the MID, while the service runs, and matches
its lines with the ledger. Where lines cannot be read, prints each with its number and field, imports nothing and ends with
1. It can be interrupted and repeated: the same file is never imported twice.`,
  options: { account: text, json: { type: 'boolean' } },
  positionals: { least: 1, most: 1 },
  run: async ({ account, json }, [file = '']) => {
    const midId = accountOf(account);
    // Before the settings are completed, which changes the working directory.
    const path = resolve(file);
    if (!existsSync(path)) throw new UsageError('There is no such file.');
    const end = await completeSettings(4);
    const { closeDatabase, importFile, importText } = await import('../reconcile/import.ts');
    try {
      const open = () => createReadStream(path, { highWaterMark: 256 * 1024 });
      const imported = await importFile({ midId, name: basename(path), open, by: 'command' });
      console.log(json ? JSON.stringify(imported) : importText(imported).join('\n'));
      return imported.kind === 'refused' ? 1 : 0;
    } finally {
      await closeDatabase();
      await end();
    }
  },
});

export const reconcileMapping = defineCommand({
  usage: `florin reconcile mapping --account MID [--set FILE]: prints the mapping of the MID's settlement reports as JSON, or sets it from
a file. Its members are in docs/operations/reconciliation.md.`,
  options: { account: text, set: text },
  run: async ({ account, set }) => {
    const midId = accountOf(account);
    const json = set === undefined ? null : readFileSync(set, 'utf8');
    const end = await completeSettings(2);
    const { closeDatabase, printMapping, setMapping } = await import('../reconcile/import.ts');
    try {
      if (json !== null) await setMapping(midId, json);
      console.log(await printMapping(midId));
    } finally {
      await closeDatabase();
      await end();
    }
  },
});
