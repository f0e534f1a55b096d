/**
 * Anchors: once a day an entry of the audit log names the last entry with its hash and the number of entries. It leaves
 * the service with the security events, so a log that is rewritten or cut later differs from an anchor elsewhere.
 */
import { type Query, statement, transaction } from '../db/index.ts';
import { scrubValue } from '../telemetry/index.ts';
import { type AuditRecord, appendEntry, lockAuditLog } from './audit.ts';
import { auditKey, keyed } from './audit-key.ts';

/** An exported anchor, or only an entry with its hash, as every event has them. */
export type AuditAnchor = {
  /** The entry. */
  last: bigint;
  /** Its hash, base64url. Not hexadecimal: a run of its digits could be taken for a card number. */
  head: string;
  /** The number of entries up to it; absent where only an entry is known. */
  entries?: number;
  date?: string;
  /** HMAC-SHA256 of the other members under the key of the audit log. */
  mac?: string;
  /** What an exported event says of its entry: it verifies an entry whose key was lost. */
  content?: ExportedContent;
};

type ExportedContent = {
  time: unknown;
  action: unknown;
  subject: unknown;
  user: unknown;
  before: unknown;
  after: unknown;
};

/** What the event of an entry has of its content. */
export function exportedContent({ at, action, subject, actor, before, after }: AuditRecord): ExportedContent {
  const user = actor.startsWith('user:') ? actor.slice('user:'.length) : undefined;
  return { time: at.getTime(), action, subject, user, before: scrubValue(before), after: scrubValue(after) };
}

const action = 'audit_log.anchor';

const macOf = (key: Uint8Array, { date = '', last, head, entries = 0 }: AuditAnchor) =>
  keyed(key, `anchor\n${date}\n${last}\n${head}\n${entries}`).toString('base64url');

/** Whether this service made the anchor. */
export function isOwnAnchor(anchor: AuditAnchor, keys: ReadonlyMap<string, Uint8Array>): boolean {
  return [...keys.values()].some((key) => macOf(key, anchor) === anchor.mac);
}

type State = { last: bigint | null; hash: Uint8Array | null; entries: bigint; anchored: boolean };

const stateOfLog = statement<{ since: Date }, State>(
  'audit-anchor-state',
  `select (select max(id) from audit_entries) as last,
          (select hash from audit_entries order by id desc limit 1) as hash,
          (select count(*) from audit_entries) as entries,
          exists (select 1 from audit_entries where action = '${action}' and at >= :since::timestamptz) as anchored`,
);

const dayOf = (at: Date) => at.toISOString().slice(0, 10);
let anchoredDay: string | null = null;

/** Writes the anchor of this day (UTC) unless there is one; returns the number of written anchors. */
export async function writeAnchor(now: Date): Promise<number> {
  const date = dayOf(now);
  if (anchoredDay === date) return 0;
  const written = await transaction((run) => appendAnchor(date, now, run));
  anchoredDay = date;
  return written;
}

async function appendAnchor(date: string, now: Date, run: Query): Promise<number> {
  const previous = await lockAuditLog(run);
  const [state] = await stateOfLog({ since: new Date(`${date}T00:00:00Z`) }, run);
  if (!state || state.anchored) return 0;
  const head = Buffer.from(state.hash ?? Buffer.alloc(32)).toString('base64url');
  const anchor = { date, last: state.last ?? 0n, head, entries: Number(state.entries) };
  const after = { ...anchor, last: String(anchor.last), mac: macOf((await auditKey()).key, anchor) };
  await appendEntry({ actor: 'florin', action, subject: 'audit_log', after, merchantId: null }, previous, now, run);
  return 1;
}

/** The anchors in exported lines: events, log lines with an event, or anchors, one JSON object a line. */
export function readAnchors(lines: string): AuditAnchor[] {
  return lines.split('\n').flatMap((line) => {
    const anchor = anchorIn(line);
    return anchor ? [anchor] : [];
  });
}

type Exported = Record<string, unknown> & {
  event?: Exported;
  actor?: { user?: { uid?: unknown } };
  unmapped?: Exported;
  after?: Exported;
  metadata?: Exported;
};

function anchorIn(line: string): AuditAnchor | null {
  // A message of syslog has the event behind its header.
  const start = line.indexOf('{');
  if (start < 0) return null;
  let parsed: Exported;
  try {
    parsed = JSON.parse(line.slice(start)) as Exported;
  } catch {
    return null;
  }
  const event = parsed.event ?? parsed;
  const { unmapped, metadata } = event;
  const anchor = unmapped?.after ?? event;
  if (isAnchor(anchor)) {
    const { last, head, entries, date, mac } = anchor;
    return { last: BigInt(last), head, entries, date, mac };
  }
  const [last, head] = [metadata?.uid, unmapped?.hmac];
  if (typeof last !== 'string' || typeof head !== 'string' || !isId(last)) return null;
  const { subject, before, after } = unmapped ?? {};
  const [time, action, user] = [event.time, metadata?.event_code, event.actor?.user?.uid];
  return { last: BigInt(last), head, content: { time, action, subject, user, before, after } };
}

type WrittenAnchor = { last: string; head: string; entries: number; date: string; mac: string };

const isId = (text: string) => /^\d{1,18}$/.test(text);

function isAnchor(given: Record<string, unknown>): given is WrittenAnchor {
  const texts = [given.last, given.head, given.date, given.mac].every((each) => typeof each === 'string');
  return texts && isId(String(given.last)) && typeof given.entries === 'number';
}
