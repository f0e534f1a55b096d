// florin archive and florin archive show: old payments in files instead of the database.
import { resolve } from 'node:path';
import { completeSettings, directDatabaseUrl } from '../project.ts';
import { defineCommand, UsageError } from './command.ts';

const text = { type: 'string' } as const;

function folderOf(typed: string | undefined): string {
  if (!typed) throw new UsageError('--folder is missing: the folder of the files.');
  return resolve(typed);
}

const sizeMax = 50_000;

/** The start of a day in UTC. */
function dateOf(typed: string | undefined): Date {
  const date = new Date(`${typed}T00:00:00Z`);
  if (
    !/^\d{4}-\d{2}-\d{2}$/.test(typed ?? '') ||
    Number.isNaN(date.getTime()) ||
    !date.toISOString().startsWith(typed ?? '')
  )
    throw new UsageError('--before is a date such as 2025-01-01.');
  return date;
}

function sizeOf(typed: string): number {
  const size = Number(typed);
  if (!Number.isInteger(size) || size < 1 || size > sizeMax) throw new UsageError(`--size is from 1 to ${sizeMax}.`);
  return size;
}

export const archive = defineCommand({
  usage: `florin archive --before DATE --folder DIR [--size N] [--dry on]: moves the payments created before DATE (UTC) that are at
rest for good into files, while the service runs. It can be interrupted and repeated.
    --before DATE    such as 2025-01-01, at least 550 days ago
    --folder DIR     of the files; back it up, because the database no longer has these rows
    --size N         payments of a file and of a transaction at most (5000)
    --dry on         counts only`,
  options: { before: text, folder: text, size: { ...text, default: '5000' }, dry: text },
  run: async ({ before: typed, folder: given, size: typedSize, dry }) => {
    const [before, size] = [dateOf(typed), sizeOf(typedSize)];
    if (dry !== undefined && dry !== 'on') throw new UsageError('--dry is on, or absent.');
    const folder = folderOf(given);
    const end = await completeSettings(2);
    const { archivePayments } = await import('../archive/run.ts');
    const { auditArchive, closeDatabase } = await import('../archive/audit.ts');
    try {
      const url = directDatabaseUrl() ?? '';
      const wanted = { url, folder, before, size, dry: dry === 'on', say: console.log };
      const { payments, files, stay, digest } = await archivePayments(wanted);
      if (digest !== null) await auditArchive({ before: before.toISOString(), payments, files, manifest: digest });
      console.log(
        dry ? `${payments} payments can be archived.` : `${payments} payments are archived in ${files} files.`,
      );
      for (const [reason, count] of stay) console.log(`${count} stay: ${reason}`);
    } finally {
      await closeDatabase();
      await end();
    }
  },
});

export const archiveShow = defineCommand({
  usage: `florin archive show <payment id or order number> --folder DIR: prints the rows of an archived payment, one JSON object a
line, after it has verified the SHA-256 of their file. Ends with 1 where no archived payment has the id or number.`,
  options: { folder: text },
  positionals: { least: 1, most: 1 },
  run: async ({ folder: given }, [wanted = '']) => {
    const folder = folderOf(given);
    const end = await completeSettings(1);
    const { showArchived } = await import('../archive/show.ts');
    try {
      const lines = await showArchived(directDatabaseUrl() ?? '', folder, wanted);
      for (const line of lines) console.log(line);
      if (lines.length === 0) console.error('No archived payment has this id or order number.');
      return lines.length > 0 ? 0 : 1;
    } finally {
      await end();
    }
  },
});
