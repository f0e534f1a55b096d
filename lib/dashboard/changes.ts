/** Changes by users: each is logged before it is made, and refused if another user changed the object meanwhile. */
import { type AuditRecordWithActor, audit, auditChange, findAuditRecords, type Members } from '../auth/index.ts';
import { fieldsOf } from './audit/labels.ts';
import { type Conflict, DashboardError } from './errors.ts';
import type { DashboardRequest } from './guard.ts';

type Asked = Pick<DashboardRequest, 'viewer' | 'now'>;
type Entry = Parameters<typeof audit>[0];

/** What is changed: `subject` is its name in the audit log, and `what` its name in a sentence, as `The MID`. */
export type Changeable = { subject: string; what: string; version: number; merchantId?: string | null };

/** Writes an action of the user to the audit log. */
export function logAction(
  { viewer, now }: Asked,
  action: string,
  subject: string,
  more: Omit<Entry, 'actor' | 'action' | 'subject'> = {},
): Promise<void> {
  return audit({ actor: `user:${viewer.id}`, action, subject, ...more }, now);
}

/** Refuses a change of another version than the one that the user saw. */
export async function requireVersion(asked: Asked, changed: Changeable, seen: number): Promise<void> {
  if (changed.version !== seen) throw await conflictError(asked, changed, changed.version - seen);
}

/** Logs and saves a change that changes anything, or `always`. Throws if another user was faster, which is logged. */
export async function saveChange(
  asked: Asked,
  action: string,
  changed: Changeable,
  { before, after }: { before: Members; after: Members },
  save: () => Promise<boolean>,
  always = false,
): Promise<void> {
  const { subject, merchantId } = changed;
  const entry = { actor: `user:${asked.viewer.id}`, action, subject, ...(merchantId !== undefined && { merchantId }) };
  const names = await auditChange(entry, before, after, asked.now);
  if ((names.length === 0 && !always) || (await save())) return;
  await audit({ ...entry, action: `${action}.refused`, after: { message: conflictMessage(changed) } }, asked.now);
  throw await conflictError(asked, changed, 1);
}

const conflictMessage = ({ what }: Changeable) =>
  `${what} was changed by someone else. Reload the page, review it and try again.`;

/** The error of an outdated version, with the changes since then; `since` is their number. */
async function conflictError(asked: Asked, changed: Changeable, since: number): Promise<DashboardError> {
  const records = (await findAuditRecords([changed.subject])).filter(
    ({ action, before, actor, at }) =>
      before !== null &&
      !action.endsWith('.refused') &&
      // A change is logged before it is made, also one that is refused.
      (actor !== `user:${asked.viewer.id}` || at.getTime() !== asked.now.getTime()),
  );
  const conflict = conflictOf(records.slice(-Math.max(1, since)));
  return new DashboardError(409, conflictMessage(changed), undefined, { conflict });
}

/** The changes as one: each field from its first value to its last. */
function conflictOf(records: AuditRecordWithActor[]): Conflict | undefined {
  const last = records.at(-1);
  if (!last) return undefined;
  const changes = new Map<string, Conflict['changes'][number]>();
  for (const field of records.flatMap(({ before, after }) => fieldsOf(before, after).fields)) {
    changes.set(field.name, { ...field, before: changes.get(field.name)?.before ?? field.before });
  }
  return { by: last.actorName, at: last.at.toISOString(), changes: [...changes.values()] };
}
