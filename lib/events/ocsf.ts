/**
 * Entries of the audit log as events of the Open Cybersecurity Schema Framework (OCSF 1.8). The class and the activity of
 * each action are in lib/auth/audit-actions.ts; what OCSF has no attribute for is in `unmapped`.
 */
import { isIP } from 'node:net';
import { auditActionOf, type ListedAuditRecord } from '../auth/index.ts';
import { actorNameOf, membersOf, sentenceOf } from '../dashboard/index.ts';
import { florinVersion } from '../docs/index.ts';
import { scrubValue } from '../telemetry/index.ts';

export type OcsfEvent = {
  metadata: { uid: string; [attribute: string]: unknown };
  time: number;
  severity_id: number;
  [attribute: string]: unknown;
};

const schemaVersion = '1.8.0';
const statuses = { success: [1, 'Success'], failure: [2, 'Failure'], refused: [2, 'Failure'] } as const;
const dashboard = { name: 'Florin dashboard' };

/** The event of an entry. Its `metadata.uid` is the entry's id, the same in every delivery. */
export function toOcsf(entry: ListedAuditRecord): OcsfEvent {
  const { ocsf, severity } = auditActionOf(entry.action);
  const [classUid, activityId] = ocsf;
  const { id, at, action, result, before, after } = entry;
  const [statusId, status] = statuses[result];
  return {
    class_uid: classUid,
    category_uid: Math.floor(classUid / 1000),
    activity_id: activityId,
    type_uid: classUid * 100 + activityId,
    severity_id: severity,
    time: at.getTime(),
    status_id: statusId,
    status,
    ...(result === 'refused' && { status_detail: 'Refused' }),
    message: String(scrubValue(sentenceOf(entry))),
    metadata: {
      version: schemaVersion,
      product: { name: 'Florin', vendor_name: 'Florin', version: florinVersion() },
      uid: String(id),
      // Numbers of entries grow, and may have gaps.
      sequence: Number(id),
      event_code: action,
      log_name: 'audit',
      ...(entry.merchantId && { tenant_uid: entry.merchantId }),
    },
    ...periodOf(entry),
    actor: actorOf(entry),
    ...sourceOf(entry, classUid),
    ...targetOf(entry, classUid),
    unmapped: {
      subject: entry.subject,
      before: scrubValue(before),
      after: scrubValue(after),
      // The entry's place in the chain. Base64, because a run of hexadecimal digits could be taken for a card number.
      previous: Buffer.from(entry.previous).toString('base64url'),
      hmac: Buffer.from(entry.hash).toString('base64url'),
    },
  };
}

/** An entry of several refused requests has their number, and the minute that they are from. */
function periodOf({ action, after }: ListedAuditRecord) {
  const { count, minute } = membersOf(after);
  if (!action.endsWith('.refused') || typeof count !== 'number' || typeof minute !== 'string') return {};
  const start = Date.parse(minute);
  return { count, start_time: start, end_time: start + 59_999 };
}

function actorOf(entry: ListedAuditRecord) {
  const { actor, source } = entry;
  const operator = actor === 'command' && source !== null && { user: { name: source } };
  if (!actor.startsWith('user:')) return { app_name: actorNameOf(entry), ...operator };
  return { user: { uid: actor.slice('user:'.length), name: actorNameOf(entry) } };
}

/** Where the action came from. API Activity requires it, also where there was no request. */
function sourceOf({ source, userAgent }: ListedAuditRecord, classUid: number) {
  const endpoint = source === null ? null : isIP(source) ? { ip: source } : { name: source };
  return {
    ...((endpoint || classUid === 6003) && { src_endpoint: endpoint ?? { svc_name: 'florin' } }),
    ...(userAgent && { http_request: { user_agent: userAgent } }),
  };
}

/** What the action was done to, in the attributes of the class. */
function targetOf(entry: ListedAuditRecord, classUid: number) {
  const { action, subject, subjectName } = entry;
  const [type = '', ...rest] = subject.split(':');
  const uid = rest.join(':');
  const name = subjectName && { name: subjectName };
  if (classUid === 6003) {
    const resource = { uid: uid || type, type, ...name };
    return { api: { operation: action, service: { name: 'Florin' } }, resources: [resource] };
  }
  if (classUid === 3004) return { entity: { uid: uid || type, type, ...name } };
  // An e-mail without an account is not recorded.
  const user = type === 'email' ? { name: uid, ...(uid.includes('@') && { email_addr: uid }) } : { uid, ...name };
  return { user, ...(classUid === 3002 && { service: dashboard, ...factorOf(entry) }) };
}

function factorOf({ action, after }: ListedAuditRecord) {
  const { proof } = membersOf(after);
  return action === 'sign_in' && typeof proof === 'string' ? { is_mfa: proof !== 'password' } : {};
}
