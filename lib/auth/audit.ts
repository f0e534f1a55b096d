/**
 * The audit log: what users, commands and refused requests did. Entries are appended one at a time and never changed,
 * which a database trigger enforces; each contains the hash of the previous one, so that a removed or altered row breaks
 * the chain. The hash is keyed (audit-key.ts), so that only the service can write it.
 */
import { createHash } from 'node:crypto';
import { type Query, statement, transaction } from '../db/index.ts';
import { currentClient, scrubText } from '../telemetry/index.ts';
import { type AuditActionName, type AuditResult, auditActionOf } from './audit-actions.ts';
import { type AuditKey, auditKey, auditKeys, keyed } from './audit-key.ts';
import { commandOrigin } from './command-origin.ts';

export type AuditEntry = {
  /** The actor, as `user:0193...`; `unauthenticated` before a sign-in, `command` on the command line. */
  actor: string;
  /** The action, as `payment.refund`. */
  action: AuditActionName;
  /** The subject, as `payment:0193...`. */
  subject: string;
  before?: Json;
  after?: Json;
  /** The address that acted. Defaults to the one of the current request, or to the user and host of a command. */
  source?: string | null;
  /** The merchant whose owners may read the entry. Defaults to the merchant of the subject. */
  merchantId?: string | null;
};

export type AuditRecord = { at: Date; actor: string; action: string; subject: string; before: Json; after: Json };

/** The members that only the hash with a key covers; `keyId` is null in entries of earlier releases. */
export type AuditOrigin = {
  result: AuditResult;
  source: string | null;
  userAgent: string | null;
  merchantId: string | null;
  keyId: string | null;
};

// Locked until the transaction ends: two concurrent appends would otherwise follow the same predecessor.
const lockLog = statement('audit-lock', `select pg_advisory_xact_lock(hashtext('florin.audit'))`);

const lastHash = statement<object, { id: bigint; hash: Uint8Array; keyId: string | null }>(
  'audit-last',
  'select id, hash, key_id as "keyId" from audit_entries order by id desc limit 1',
);

type AppendParams = Omit<AuditRecord & AuditOrigin, 'before' | 'after'> & {
  before: string | null;
  after: string | null;
  previous: Uint8Array;
  hash: Uint8Array;
};
const append = statement<AppendParams, { id: bigint }>(
  'audit-append',
  `insert into audit_entries (at, actor, action, subject, before, after, previous, hash, merchant_id, result, source,
                              user_agent, key_id)
   values (:at::timestamptz, :actor, :action, :subject, :before::jsonb, :after::jsonb, :previous, :hash,
           :merchantId::uuid, :result, :source, :userAgent, :keyId)
   returning id`,
);

/** Appends an entry and waits for its commit. Callers log an action before they perform it. */
export async function audit(entry: AuditEntry, now: Date): Promise<void> {
  await auditWith(entry, now, async () => true);
}

/** Appends an entry in the transaction of `write`, unless that returns false: then it has written nothing. */
export async function auditWith(
  entry: AuditEntry,
  now: Date,
  write: (run: Query) => Promise<boolean>,
): Promise<boolean> {
  // Read before the transaction, which has a connection of its own.
  await auditKey();
  return transaction(async (run) => {
    const previous = await lockAuditLog(run);
    const isWritten = await write(run);
    if (isWritten) await appendEntry(entry, previous, now, run);
    return isWritten;
  });
}

/**
 * Locks the log until the transaction ends; returns the hash of the last entry. Throws if the last entry is under
 * a key that this service does not have: an entry behind it would hide that.
 */
export async function lockAuditLog(run: Query): Promise<Buffer> {
  await lockLog({}, run);
  const [last] = await lastHash({}, run);
  const { keyId = null, hash = Buffer.alloc(32) } = last ?? {};
  if (keyId !== null && !(await auditKeys()).has(keyId))
    throw new Error('the last entry of the audit log is under another key');
  return Buffer.from(hash);
}

export const restartAction = 'audit_log.restart';

/** The content of an entry that continues the log behind entry `id` with the hash `hash`, whose key was lost. */
export const restartOf = (id: bigint, hash: Uint8Array) => ({
  last: String(id),
  head: Buffer.from(hash).toString('base64url'),
});

/**
 * Continues the log behind entries whose key was lost: one entry names the last one, the next has what was discarded. `key`
 * is that of the new data keys, which the transaction stores: without a loss no log is continued.
 */
export async function restartAuditLog(discarded: Json, key: AuditKey, now: Date, run: Query): Promise<void> {
  await lockLog({}, run);
  const [{ id, hash } = { id: 0n, hash: Buffer.alloc(32) }] = await lastHash({}, run);
  const command = { actor: 'command', merchantId: null };
  const restart = { ...command, action: restartAction, subject: 'audit_log', after: restartOf(id, hash) } as const;
  const restarted = await appendEntry(restart, Buffer.from(hash), now, run, key);
  const replaced = { ...command, action: 'vault.replace_lost_key', subject: 'vault', after: discarded } as const;
  await appendEntry(replaced, restarted, now, run, key);
}

/** Appends an entry behind the one with the hash `previous` of the locked log; returns the new hash. */
export async function appendEntry(
  entry: AuditEntry,
  previous: Buffer,
  now: Date,
  run: Query,
  ownKey?: AuditKey,
): Promise<Buffer> {
  const named = entry.merchantId === undefined ? await merchantOfSubject(entry.subject, run) : entry.merchantId;
  // As the column gives it back, because the hash covers it.
  const merchantId = named?.toLowerCase() ?? null;
  const { actor, action, subject, before = null, after = null } = entry;
  const client = currentClient();
  const { id: keyId, key } = ownKey ?? (await auditKey());
  const logged = {
    ...{ at: now, actor, action, subject, before, after, merchantId, keyId },
    result: auditActionOf(action).result,
    source: (entry.source === undefined ? originOf(actor) : entry.source) || null,
    userAgent: client?.userAgent ? scrubText(client.userAgent).slice(0, userAgentMax) : null,
  };
  const json = (value: Json) => (value === null ? null : JSON.stringify(value));
  const hash = keyedHash(logged, previous, key);
  await append({ ...logged, before: json(before), after: json(after), previous, hash }, run);
  return hash;
}

const originOf = (actor: string) => (actor === 'command' ? commandOrigin() : currentClient()?.address);

const userAgentMax = 255;

/** Appends the changed fields and returns their names; without any it logs nothing. The caller masks secrets. */
export async function auditChange(entry: AuditEntry, before: Members, after: Members, now: Date): Promise<string[]> {
  const changed = diffMembers(before, after);
  const names = Object.keys(changed.after);
  if (names.length > 0) await audit({ ...entry, ...shortenedChange(changed) }, now);
  return names;
}

const changeBytesMax = 16_384;
const textLengthMax = 80;

/**
 * A change as its entry has it. Entries are kept for ever: of a long one, each text has its beginning, and the last fields
 * are counted only.
 */
export function shortenedChange(changed: Difference): Difference {
  if (bytesOf(changed) <= changeBytesMax) return changed;
  const short: Difference = { before: {}, after: {} };
  const names = Object.keys(changed.after);
  let bytes = 0;
  for (const [place, name] of names.entries()) {
    const values = [beginningOf(changed.before[name]), beginningOf(changed.after[name])] as const;
    bytes += 2 * bytesOf(name) + bytesOf(values);
    if (bytes > changeBytesMax) {
      short.after['more fields'] = names.length - place;
      break;
    }
    [short.before[name], short.after[name]] = values;
  }
  return short;
}

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

function beginningOf(value: Json = null): Json {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text.length <= textLengthMax) return value;
  const digest = createHash('sha256').update(text).digest('hex');
  return `${text.slice(0, textLengthMax).toWellFormed()}... (${text.length} characters, SHA-256 ${digest})`;
}

/** The tables that map a subject to its merchant. */
const subjectTables: Record<string, string> = {
  payment: 'payments',
  user: 'users',
  invitation: 'invitations',
  merchant: 'merchants',
  key: 'merchant_keys',
  mid: 'mids',
  mapping: 'protocol_mappings',
  wallet: 'wallets',
  schedule: 'schedules',
  callback: 'callbacks',
};

// Entries of other subjects belong to no merchant: only users who manage every merchant read them.
async function merchantOfSubject(subject: string, run: Query): Promise<string | null> {
  const [, kind = '', id = ''] = /^([a-z_]+):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(subject) ?? [];
  const table = subjectTables[kind];
  if (!table) return null;
  const owner = table === 'merchants' ? 'id' : 'merchant_id';
  const find = statement<{ id: string }, { owner: string | null }>(
    `audit-merchant-${kind}`,
    `select ${owner} as owner from ${table} where id = :id::uuid`,
  );
  const rows = await find({ id }, run);
  return rows[0]?.owner ?? null;
}

/** The hash of an entry under a key, after the entry with the hash `previous`. */
export function keyedHash(entry: AuditRecord & AuditOrigin, previous: Uint8Array, key: Uint8Array): Buffer {
  const { at, actor, action, subject, before, after, result, source, userAgent, merchantId, keyId } = entry;
  const origin = { keyId, merchantId, result, source, userAgent };
  return keyed(key, previous, canonicalJson([at.toISOString(), actor, action, subject, before, after, origin]));
}

/** The hash without a key, of entries of earlier releases. */
export function entryHash(entry: AuditRecord, previous: Uint8Array): Buffer {
  const { at, actor, action, subject, before, after } = entry;
  // jsonb does not keep the order of members, so the hash uses a fixed one.
  const text = canonicalJson([at.toISOString(), actor, action, subject, before, after]);
  return createHash('sha256').update(previous).update(text).digest();
}

/** An entry with the name of its actor; null if the actor is not an existing user. */
export type AuditRecordWithActor = AuditRecord & { actorName: string | null };

type RecordFilter = {
  /** The latest entries, at most so many. */
  most: number;
  /** Entries of this action only. */
  action?: AuditActionName;
  /** Entries of changes that were made, with the values before. */
  changes?: boolean;
};

const recordsBySubjects = statement<
  { subjects: string[]; most: number; action: string | null; changes: boolean },
  AuditRecordWithActor
>(
  'audit-of',
  `select a.at, a.actor, a.action, a.subject, a.before, a.after, u.name as "actorName"
     from (select * from audit_entries where subject = any(:subjects::text[])
              and (:action::text is null or action = :action::text)
              and (not :changes::boolean or (before is not null and action not like '%.refused'))
            order by id desc limit :most::int) a
     left join users u on u.id = case when a.actor like 'user:%' then substr(a.actor, 6)::uuid end
    order by a.id`,
);

/** Entries of these subjects, oldest first. */
export function findAuditRecords(
  subjects: string[],
  { most, action, changes = false }: RecordFilter,
): Promise<AuditRecordWithActor[]> {
  return recordsBySubjects({ subjects, most, action: action ?? null, changes });
}

/** JSON as it is stored, with amounts as text. */
export type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** An object as named fields. An absent field equals null. */
export type Members = { [name: string]: Json | undefined };

type Difference = Record<'before' | 'after', Record<string, Json>>;

/** The fields in which two states differ, by name; a nested member is named by its path, as `limits.most`. */
export function diffMembers(before: Members, after: Members): Difference {
  const [old, fresh] = [flatten(before), flatten(after)];
  const difference: Difference = { before: {}, after: {} };
  for (const name of [...new Set([...old.keys(), ...fresh.keys()])].sort()) {
    const [was, is] = [old.get(name) ?? null, fresh.get(name) ?? null];
    if (canonicalJson(was) === canonicalJson(is)) continue;
    difference.before[name] = was;
    difference.after[name] = is;
  }
  return difference;
}

/** JSON with the members of every object sorted by name: equal values give equal texts. */
function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name] ?? null)}`).join(',')}}`;
}

function flatten(value: Members, path = ''): Map<string, Json> {
  const matches = new Map<string, Json>();
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined || member === null) continue;
    if (typeof member !== 'object' || Array.isArray(member)) matches.set(path + name, member);
    else for (const [inner, leaf] of flatten(member, `${path}${name}.`)) matches.set(inner, leaf);
  }
  return matches;
}
