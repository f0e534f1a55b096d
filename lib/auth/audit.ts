/**
 * The audit log: who did what in the dashboard. Entries are appended one at a time and never changed; each carries the
 * hash of the one before, so that a removed or altered row breaks the chain at its place.
 */
import { createHash } from 'node:crypto';
import { query, transaction } from '../db';

/** JSON as it is stored. Amounts stand in it as text. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

export type Entry = {
  /** Who, as `user:0193...`. */
  actor: string;
  /** What, as `payment.refund`. */
  action: string;
  /** On what, as `payment:0193...`. */
  subject: string;
  before?: Json;
  after?: Json;
};

/** An entry as it stands in the log. */
type Logged = { at: Date; actor: string; action: string; subject: string; before: Json; after: Json };

// Held until the transaction ends: two processes that append at once would otherwise follow the same predecessor.
const lockSql = `select pg_advisory_xact_lock(hashtext('florin.audit'))`;

/** Appends an entry and waits until it is kept. What is to be logged is logged before it is done. */
export async function audit(entry: Entry, now: Date): Promise<void> {
  await transaction(async (run) => {
    await run('audit-lock', lockSql);
    const [last] = await run<{ hash: Uint8Array }>(
      'audit-last',
      'select hash from audit_entries order by id desc limit 1',
    );
    const previous = Buffer.from(last?.hash ?? Buffer.alloc(32));
    const logged: Logged = {
      at: now,
      actor: entry.actor,
      action: entry.action,
      subject: entry.subject,
      before: entry.before ?? null,
      after: entry.after ?? null,
    };
    await run(
      'audit-append',
      `insert into audit_entries (at, actor, action, subject, before, after, previous, hash)
       values ($1::timestamptz, $2, $3, $4, $5::jsonb, $6::jsonb, $7, $8)`,
      [
        logged.at,
        logged.actor,
        logged.action,
        logged.subject,
        logged.before === null ? null : JSON.stringify(logged.before),
        logged.after === null ? null : JSON.stringify(logged.after),
        previous,
        entryHash(logged, previous),
      ],
    );
  });
}

/** The hash of an entry that follows the one with the hash `previous`. */
export function entryHash(entry: Logged, previous: Uint8Array): Buffer {
  const { at, actor, action, subject, before, after } = entry;
  const text = canonical([at.toISOString(), actor, action, subject, before, after]);
  return createHash('sha256').update(previous).update(text).digest();
}

// The database keeps the members of an object in an order of its own, so the hash is made over a fixed one.
function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name] ?? null)}`).join(',')}}`;
}

/** An entry with the name of who did it; null where that is nobody who still has an account. */
export type Done = Logged & { actorName: string | null };

/** What was done to these subjects, oldest first. */
export async function auditOf(subjects: string[]): Promise<Done[]> {
  type Row = {
    at: Date;
    actor: string;
    action: string;
    subject: string;
    before: Json;
    after: Json;
    name: string | null;
  };
  const rows = await query<Row>(
    'audit-of',
    `select a.at, a.actor, a.action, a.subject, a.before, a.after, u.name from audit_entries a
       left join users u on u.id = case when a.actor like 'user:%' then substr(a.actor, 6)::uuid end
      where a.subject = any($1::text[]) order by a.id`,
    [subjects],
  );
  return rows.map(({ name, ...logged }) => ({ ...logged, actorName: name }));
}
