/** Changes by users: each is logged before it is made, and refused if another user changed the object meanwhile. */
import { z } from 'zod';
import {
  type AuditAction,
  type AuditActionName,
  type AuditRecordWithActor,
  audit,
  auditChange,
  diffMembers,
  findAuditRecords,
  type Members,
} from '../auth/index.ts';
import { requireRecentProof } from './account/identity.ts';
import { fieldsOf } from './audit/labels.ts';
import { type Conflict, DashboardError, existing, parseBody, refusal, versionField } from './errors.ts';
import type { DashboardRequest } from './guard.ts';

type Asked = Pick<DashboardRequest, 'viewer' | 'now'>;
type Entry = Parameters<typeof audit>[0];

const names = {
  mapping: 'The mapping',
  merchant: 'The merchant',
  mid: 'The MID',
  theme: 'The theme',
  wallet: 'The wallet',
} as const;
type Noun = keyof typeof names;
type Versioned = { id: string; version: number; merchantId?: string | null };

/** An object that a user changes; its noun and id are its subject in the audit log. */
type Changed = Versioned & { noun: Noun };

const subjectOf = ({ noun, id }: Changed) => `${noun}:${id}`;

/** Writes an action of the user to the audit log. */
export function logAction(
  { viewer, now }: Asked,
  action: AuditActionName,
  subject: string,
  more: Omit<Entry, 'actor' | 'action' | 'subject'> = {},
): Promise<void> {
  return audit({ actor: `user:${viewer.id}`, action, subject, ...more }, now);
}

/** Logs that an action was refused after its entry was written, and returns the error. */
export async function loggedRefusal(
  asked: Asked,
  action: AuditAction,
  subject: string,
  message: string,
  more: Pick<Entry, 'merchantId'> = {},
): Promise<DashboardError> {
  await logAction(asked, `${action}.refused`, subject, { ...more, after: { message } });
  return refusal(message);
}

/** The object of a change. Throws if it does not exist for the user, or has another version than the user saw. */
export async function atVersion<Stored extends Versioned>(
  asked: Asked,
  noun: Noun,
  found: Stored | null,
  seen: number,
): Promise<Stored & Changed> {
  const changed = { ...existing(found), noun };
  if (changed.version !== seen) throw await conflictError(asked, changed, changed.version - seen);
  return changed;
}

/**
 * Requires a recent proof of identity for a difference in one of the `guarded` members, also where the page only asks
 * whether a change is valid: it asks for the proof before the user reviews the change.
 */
export async function requireProofOf(
  asked: Pick<DashboardRequest, 'viewer' | 'session'>,
  { before, after }: { before: Members; after: Members },
  guarded: readonly string[],
): Promise<void> {
  const changed = Object.keys(diffMembers(before, after).after);
  if (changed.some((name) => guarded.includes(name.split('.')[0] ?? ''))) await requireRecentProof(asked);
}

const switchForm = z.object({ version: versionField, enabled: z.boolean('Choose on or off.') });

/** Enables or disables the object in the address; returns its page. */
export const switchActionOf =
  <Stored extends Versioned & { enabled: boolean }, Page>(
    noun: 'merchant' | 'mid',
    find: (id: string, scope: string | null) => Promise<Stored | null>,
    save: (id: string, version: number, enabled: boolean) => Promise<boolean>,
    page: (request: DashboardRequest) => Promise<Page>,
  ) =>
  async (request: DashboardRequest): Promise<Page> => {
    const { version, enabled } = parseBody(switchForm, request.body);
    const stored = await atVersion(request, noun, await find(request.params.id ?? '', request.scope), version);
    const action = `${noun}.switch_${enabled ? 'on' : 'off'}` as const;
    const difference = { before: { enabled: stored.enabled }, after: { enabled } };
    await saveChange(request, action, stored, difference, () => save(stored.id, version, enabled));
    return page(request);
  };

/** Logs and saves a change that changes anything, or `always`. Throws if another user was faster, which is logged. */
export async function saveChange(
  asked: Asked,
  action: AuditAction,
  changed: Changed,
  { before, after }: { before: Members; after: Members },
  save: () => Promise<boolean>,
  always = false,
): Promise<void> {
  const { merchantId } = changed;
  const subject = subjectOf(changed);
  const entry = { actor: `user:${asked.viewer.id}`, action, subject, ...(merchantId !== undefined && { merchantId }) };
  const fields = await auditChange(entry, before, after, asked.now);
  if ((fields.length === 0 && !always) || (await save())) return;
  await audit({ ...entry, action: `${action}.refused`, after: { message: conflictMessage(changed) } }, asked.now);
  throw await conflictError(asked, changed, 1);
}

const conflictMessage = ({ noun }: Changed) =>
  `${names[noun]} was changed by someone else. Reload the page, review it and try again.`;

/** The error of an outdated version reports the latest changes only. */
const conflictChangesMost = 20;

/** The error of an outdated version, with the changes since then; `since` is their number. */
async function conflictError(asked: Asked, changed: Changed, since: number): Promise<DashboardError> {
  const changes = Math.min(Math.max(1, since), conflictChangesMost);
  // A change is logged before it is made, also one that is refused.
  const isOwn = ({ actor, at }: AuditRecordWithActor) =>
    actor === `user:${asked.viewer.id}` && at.getTime() === asked.now.getTime();
  const records = await findAuditRecords([subjectOf(changed)], { most: changes + 1, changes: true });
  const conflict = conflictOf(records.filter((record) => !isOwn(record)).slice(-changes));
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
