/** Refuses a change of an object that another user changed since the form was opened, and says who changed what. */
import { type AuditRecordWithActor, audit, findAuditRecords } from '../auth';
import { fieldsOf } from './audit/labels';
import type { Conflict } from './contract';
import { DashboardError } from './errors';
import { conflictMessage } from './form-fields';
import type { DashboardRequest } from './guard';

type Asked = Pick<DashboardRequest, 'viewer' | 'now'>;

type Changed = {
  /** The object in a sentence: `The MID`. */
  what: string;
  /** Its subject in the audit log. */
  subject: string;
  /** The number of versions since the one that the user saw. */
  since: number;
};

/** The error of an outdated version. */
export async function conflictError(asked: Asked, { what, subject, since }: Changed): Promise<DashboardError> {
  const records = (await findAuditRecords([subject])).filter((record) => isChange(record) && !isOwn(record, asked));
  const latest = records.slice(-Math.max(1, since));
  return new DashboardError(409, conflictMessage(what), undefined, conflictOf(latest) ?? undefined);
}

/** Logs that a change was refused because of a concurrent one, and returns its error. */
export async function refusedChange(
  asked: Asked & { merchantId?: string | null },
  action: string,
  changed: Omit<Changed, 'since'>,
): Promise<DashboardError> {
  const { subject, what } = changed;
  const message = conflictMessage(what);
  const { merchantId, viewer } = asked;
  const entry = { actor: `user:${viewer.id}`, action: `${action}.refused`, subject, after: { message } };
  await audit({ ...entry, ...(merchantId !== undefined && { merchantId }) }, asked.now);
  return conflictError(asked, { ...changed, since: 1 });
}

const isChange = ({ action, before }: AuditRecordWithActor) => before !== null && !action.endsWith('.refused');

// A change is logged before it is made, also one that is refused.
const isOwn = ({ actor, at }: AuditRecordWithActor, { viewer, now }: Asked) =>
  actor === `user:${viewer.id}` && at.getTime() === now.getTime();

/** The changes as one: each field from its first value to its last. */
function conflictOf(records: AuditRecordWithActor[]): Conflict | null {
  const last = records.at(-1);
  if (!last) return null;
  const changes = new Map<string, Conflict['changes'][number]>();
  for (const { before, after } of records) {
    for (const field of fieldsOf(before, after).fields) {
      changes.set(field.name, { ...field, before: changes.get(field.name)?.before ?? field.before });
    }
  }
  return { by: last.actorName, at: last.at.toISOString(), changes: [...changes.values()] };
}
