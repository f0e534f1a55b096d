/** The hashes of the audit log, as far as the check can verify them. */
import type { ClientBase } from 'pg';
import { entryHash } from '../../auth/index.ts';
import { type Finding, shownMax } from './check.ts';

// The hash covers JSON in a fixed order, which SQL can't produce. Keyed hashes need VAULT_KEY: florin audit check.
type AuditEntry = Parameters<typeof entryHash>[0] & { id: string; previous: Buffer; hash: Buffer };

/** Verifies the hashes of the entries of the audit log that have no key. */
export async function checkAuditHashes(client: ClientBase): Promise<Finding> {
  const batch = 5000;
  const broken: object[] = [];
  let last = '0';
  for (;;) {
    const { rows } = await client.query<AuditEntry>(
      'select * from audit_entries where id > $1 and key_id is null order by id limit $2',
      [last, batch],
    );
    for (const entry of rows) {
      if (!entryHash(entry, entry.previous).equals(entry.hash)) {
        broken.push({ entry: entry.id, action: entry.action, subject: entry.subject });
      }
    }
    if (rows.length < batch) break;
    last = rows.at(-1)?.id ?? last;
  }
  return {
    name: 'audit entry is unaltered',
    rule: 'The hash of every audit entry without a key matches its content.',
    count: broken.length,
    rows: broken.slice(0, shownMax),
  };
}
