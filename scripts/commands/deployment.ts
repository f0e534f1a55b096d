// The commands that a deployment runs, in the image too, which has neither sources nor build tools.
import type { Command } from './command.ts';

/** A row of the table; its name has one word, or two where the first names a group. */
export type Row = { name: string; summary: string } & ({ load: () => Promise<Command> } | { file: string });

/** The module of a command exports it under its name in camel case: `migrate new` is `migrateNew`. */
export function command(name: string, summary: string, load: () => Promise<object>): Row {
  const exported = name.replace(/[ -](\w)/g, (_, letter: string) => letter.toUpperCase());
  return { name, summary, load: async () => ((await load()) as Record<string, Command>)[exported] as Command };
}

export const deployment: Row[] = [
  command('migrate', 'Applies the pending migrations to DATABASE_URL', () => import('./migrate.ts')),
  command('config check', 'Checks the settings and names what is wrong', () => import('./config.ts')),
  command('config print', 'Prints the settings in effect, without secrets', () => import('./config.ts')),
  command('user invite', 'Invites a user of the dashboard and prints the link', () => import('./user-invite.ts')),
  command(
    'audit check',
    'Verifies the audit log, and compares it with exported anchors',
    () => import('./audit-check.ts'),
  ),
  command(
    'vault rotate',
    'Rotates the keys of the vault, or moves them to another key service',
    () => import('./vault.ts'),
  ),
  command(
    'vault replace-lost-key',
    'Replaces the data keys after VAULT_KEY was lost, and what they sealed',
    () => import('./vault.ts'),
  ),
  command('vault find', 'Lists the vault rows of a card number from standard input', () => import('./vault.ts')),
  command('backup', 'Writes a backup into a new folder while the service runs', () => import('./backup.ts')),
  command('restore', 'Restores a backup into an empty database', () => import('./backup.ts')),
  command('archive', 'Moves old payments out of the database into files', () => import('./archive.ts')),
  command('archive show', 'Prints the rows of an archived payment', () => import('./archive.ts')),
  command(
    'ledger check',
    'Checks the ledger of the database against its invariants',
    () => import('./ledger-check.ts'),
  ),
  command(
    'ledger acknowledge',
    'Acknowledges that a closed day of the ledger was changed',
    () => import('./ledger-acknowledge.ts'),
  ),
  command('reconcile import', 'Imports a settlement report of a provider', () => import('./reconcile.ts')),
  command('reconcile mapping', 'Prints or sets how the reports of a MID are read', () => import('./reconcile.ts')),
];
