/**
 * Refused requests of which many a second are possible: signatures, addresses, notifications, attempts at a locked
 * account or with an unknown passkey. They are counted in memory, added to the table `refused_requests` about once a
 * second, and become one entry of the audit log per minute, cause and address; of many addresses the others are together.
 */
import { processWide } from '../core/process-wide.ts';
import { networkOf } from '../core/rate-limits.ts';
import { now } from '../db/clock.ts';
import { rowSet, statement, transaction } from '../db/index.ts';
import { currentClient, log } from '../telemetry/index.ts';
import { appendEntry, lockAuditLog } from './audit.ts';

type RefusedAction = 'signature.refused' | 'address.refused' | 'notification.refused' | 'sign_in.refused';

/** A refused request. `protocol` and `reason` have few values and contain nothing that a client sent. */
export type RefusedRequest = { action: RefusedAction; subject: string; protocol: string; reason: string };

/** An attempt at a locked account. */
export const lockedRefusal = {
  action: 'sign_in.refused',
  protocol: 'Dashboard',
  reason: 'the account is locked',
} as const;
/** The subject of a sign-in for an email without an account: a password may have been typed into the field. */
export const unknownSubject = 'email:unknown';
const strangerRefusal = { action: 'sign_in.refused', subject: unknownSubject, protocol: 'Dashboard' } as const;
/** Attempts over the limit of an address. */
export const slowRefusal: RefusedRequest = { ...strangerRefusal, reason: 'too many attempts' };
/** Passwords for emails without an account. */
export const unknownAccountRefusal: RefusedRequest = { ...strangerRefusal, reason: 'the email has no account' };
/** Passkeys of no user: unlike a password, none of them takes a turn. */
export const unknownPasskeyRefusal: RefusedRequest = { ...strangerRefusal, reason: 'the passkey is unknown' };

type Counted = RefusedRequest & { minute: Date; address: string; count: number };

/** Different rows of a process between two statements; further addresses are counted together. */
const rowsMax = 100;
/**
 * Addresses of a cause that each process counts apart in a minute. Entries of the audit log are never deleted, and a network
 * of IPv6 has an address for each request.
 */
const addressesMax = 100;
/** Those of all causes together: a client without a key reaches a dozen causes, and each merchant adds its own. */
const apartMax = 200;
const otherAddresses = 'other addresses';
const pauseMilliseconds = 1000;
const minuteMilliseconds = 60_000;

const counted = processWide('refusedRequests', () => ({
  rows: new Map<string, Counted>(),
  timer: null as NodeJS.Timeout | null,
  /** The addresses that are counted apart in the minute, by cause, and their number. */
  apart: { minute: 0, count: 0, addresses: new Map<string, Set<string>>() },
}));

const causeOf = ({ action, subject, protocol, reason }: RefusedRequest) =>
  [action, subject, protocol, reason].join('\n');
const keyOf = (row: Counted) => [row.minute.toISOString(), causeOf(row), row.address].join('\n');

function add(row: Counted): void {
  const existing = counted.rows.get(keyOf(row));
  if (existing) existing.count += row.count;
  else counted.rows.set(keyOf(row), row);
}

function isApart(row: Counted): boolean {
  if (counted.rows.has(keyOf(row))) return true;
  const minute = row.minute.getTime();
  if (counted.apart.minute !== minute) counted.apart = { minute, count: 0, addresses: new Map() };
  const { addresses, count } = counted.apart;
  const own = addresses.get(causeOf(row)) ?? new Set();
  if (counted.rows.size >= rowsMax) return false;
  if (own.has(row.address)) return true;
  if (own.size >= addressesMax || count >= apartMax) return false;
  addresses.set(causeOf(row), own.add(row.address));
  counted.apart.count += 1;
  return true;
}

/** Counts a refused request of the current client. */
export function countRefusal(refusal: RefusedRequest): void {
  const minute = new Date(Math.floor(now().getTime() / minuteMilliseconds) * minuteMilliseconds);
  const row = { ...refusal, minute, address: networkOf(currentClient()?.address ?? ''), count: 1 };
  add(isApart(row) ? row : { ...row, address: otherAddresses });
  counted.timer ??= setTimeout(() => {
    counted.timer = null;
    flushRefusals().catch((err) => log.warn({ err }, 'refused requests were not counted'));
  }, pauseMilliseconds).unref();
}

const refusals = rowSet(
  'refusals',
  `minute timestamptz, action text, subject text, protocol text, reason text, address text, count int`,
);
const addCounts = statement<{ refusals: string }>(
  'refusals-add',
  `insert into refused_requests as r (minute, action, subject, protocol, reason, address, count)
   select minute, action, subject, protocol, reason, address, count from ${refusals.from}
   on conflict (minute, action, subject, protocol, reason, address) do update set count = r.count + excluded.count`,
);

/** Stores the counts of this process. Counts that cannot be stored are kept for the next time. */
export async function flushRefusals(): Promise<void> {
  const rows = [...counted.rows.values()];
  if (rows.length === 0) return;
  counted.rows = new Map();
  try {
    await addCounts({ refusals: refusals.encode(rows) });
  } catch (err) {
    // Rows above the limit are lost: the database is away for longer.
    for (const row of rows) if (counted.rows.size < rowsMax) add(row);
    throw err;
  }
}

/** A minute is complete this long after its end: processes store their counts about once a second. */
const lateMilliseconds = 5_000;
const entriesMax = 100;
const takeEnded = statement<{ until: Date }, Counted>(
  'refusals-take',
  `delete from refused_requests where ctid = any(array(
     select ctid from refused_requests where minute <= :until::timestamptz order by minute limit ${entriesMax}
        for update skip locked))
   returning minute, action, subject, protocol, reason, address, count`,
);
const anyEnded = statement<{ until: Date }, object>(
  'refusals-ended',
  'select 1 from refused_requests where minute <= :until::timestamptz limit 1',
);

/** Writes the counts of ended minutes to the audit log; returns the number of entries. */
export async function writeRefusals(at: Date): Promise<number> {
  const until = new Date(at.getTime() - minuteMilliseconds - lateMilliseconds);
  if ((await anyEnded({ until })).length === 0) return 0;
  return transaction(async (run) => {
    let previous = await lockAuditLog(run);
    const rows = await takeEnded({ until }, run);
    for (const { minute, action, subject, protocol, reason, address, count } of rows) {
      const after = { protocol, reason, count, minute: minute.toISOString() };
      const entry = { actor: 'unauthenticated', action, subject, after, source: address };
      previous = await appendEntry(entry, previous, at, run);
    }
    return rows.length;
  });
}
