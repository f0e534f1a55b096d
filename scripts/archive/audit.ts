// The entry of the audit log about a run of florin archive, on the process's settings.
import { audit } from '../../lib/auth/index.ts';
import { now } from '../../lib/db/clock.ts';
import { closeDatabase } from '../../lib/db/index.ts';

export { closeDatabase };

type Run = { before: string; payments: number; files: number; manifest: string };

/** Writes the entry: with the digest of the manifest, a changed file of the archive is detected. */
export const auditArchive = (run: Run): Promise<void> =>
  audit({ actor: 'command', action: 'payments.archive', subject: 'archive', after: run }, now());
