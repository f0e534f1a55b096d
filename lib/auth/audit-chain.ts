/**
 * Verifies the hash chain of the audit log: every hash is computed again, and compared with anchors that were exported.
 * Only the service's key makes hashes; only anchors outside of the database reveal entries that are missing at the end.
 */
import { timingSafeEqual } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { statement } from '../db/index.ts';
import {
  type AuditOrigin,
  type AuditRecord,
  entryHash,
  type Json,
  keyedHash,
  restartAction,
  restartOf,
} from './audit.ts';
import { type AuditAnchor, exportedContent, isOwnAnchor } from './audit-anchors.ts';
import { auditKeys } from './audit-key.ts';

/**
 * Why an entry does not follow from the one before it. `without key`: after the first entry with a keyed hash; `older key`:
 * after the key was replaced.
 */
type BreakReason = 'altered' | 'missing before' | 'without key' | 'unknown key' | 'older key' | 'other than its anchor';

/** The result of the check. */
export type HashChainCheck = {
  entries: number;
  since: Date | null;
  /** The first entry with a keyed hash: everything before it is as old as that entry. */
  keyedSince: Date | null;
  /** The last entry and its hash, base64url. */
  last: { id: bigint; head: string } | null;
  /** The first broken entry. */
  brokenAt: { id: bigint; at: Date; why: BreakReason } | null;
  /** All broken entries. */
  broken: number;
  /** Entries whose key was lost, before the last one that continues the log: only an anchor verifies them. */
  lost: { entries: number; until: Date } | null;
  /** Entries are missing at the end: an anchor or a sink of events had this later one. */
  cutAt: { id: bigint; by: string } | null;
  /** Anchors that agree with the log. */
  anchors: number;
  /** Of them, those whose own HMAC cannot be verified, because its key was lost. */
  unverified: number;
};

/** An entry as it is stored. */
export type ChainRow = AuditRecord & AuditOrigin & { id: bigint; previous: Uint8Array; hash: Uint8Array };

/** `keys`, newest first. `newest`: the newest key of the entries so far, and its first entry. */
type Chain = {
  expected: Uint8Array;
  keys: ReadonlyMap<string, Uint8Array>;
  newest: { id: string; since: Date } | null;
};

/** Processes begin to use a new key at nearly the same time. */
const replacementMilliseconds = 60_000;

/** Why `row` does not follow from the chain so far; null if it does. Moves the chain on. */
export function breakOf(row: ChainRow, chain: Chain): BreakReason | null {
  const follows = isEqual(row.previous, chain.expected);
  const wasKeyed = chain.newest !== null;
  const isReplaced = usesReplacedKey(row, chain);
  chain.expected = row.hash;
  if (!follows) return 'missing before';
  if (row.keyId === null && wasKeyed) return 'without key';
  const key = row.keyId === null ? null : chain.keys.get(row.keyId);
  if (key === undefined) return 'unknown key';
  if (isReplaced) return 'older key';
  const hash = key === null ? entryHash(row, row.previous) : keyedHash(row, row.previous, key);
  return isEqual(hash, row.hash) ? null : 'altered';
}

/** Whether an entry is later than the replacement of its key. Notes the first entry of each newer key in the chain. */
function usesReplacedKey({ keyId, at }: ChainRow, chain: Chain): boolean {
  if (keyId === null) return false;
  const { newest, keys } = chain;
  const names = [...keys.keys()];
  // An unknown key is older than the others.
  const ageOf = (name: string) => (keys.has(name) ? names.indexOf(name) : names.length);
  if (!newest || ageOf(keyId) < ageOf(newest.id)) {
    chain.newest = { id: keyId, since: at };
    return false;
  }
  return keyId !== newest.id && at.getTime() > newest.since.getTime() + replacementMilliseconds;
}

/** The start of a chain. */
export const newChain = (keys: Chain['keys']): Chain => ({ expected: Buffer.alloc(32), keys, newest: null });

const isEqual = (one: Uint8Array, other: Uint8Array) => one.length === other.length && timingSafeEqual(one, other);

const batch = 2000;
const entriesAfter = statement<{ last: bigint }, ChainRow & { before: Json; after: Json }>(
  'audit-chain',
  `select id, at, actor, action, subject, before, after, previous, hash, result, source, user_agent as "userAgent",
          merchant_id as "merchantId", key_id as "keyId"
     from audit_entries where id > :last::bigint order by id limit ${batch}`,
);

const firstKeyOfLog = statement<object, { keyId: string }>(
  'audit-first-key',
  'select key_id as "keyId" from audit_entries where key_id is not null order by id limit 1',
);

const furthestSink = statement<object, { sink: string; lastId: bigint }>(
  'audit-sinks',
  'select sink, last_id as "lastId" from event_sinks order by last_id desc limit 1',
);

/** The check of entries under unknown keys: they are broken, unless a later entry states that their key was lost. */
class UnknownKeys {
  private entries = 0;
  private first: HashChainCheck['brokenAt'] = null;

  note({ id, at }: ChainRow) {
    this.entries += 1;
    this.first ??= { id, at, why: 'unknown key' };
  }

  accept({ at }: ChainRow, check: HashChainCheck) {
    check.lost = { entries: (check.lost?.entries ?? 0) + this.entries, until: at };
    this.entries = 0;
    this.first = null;
  }

  addTo(check: HashChainCheck) {
    check.broken += this.entries;
    if (this.first && !(check.brokenAt && check.brokenAt.id < this.first.id)) check.brokenAt = this.first;
  }
}

/** Whether an intact entry continues the log behind the one before it, whose key was lost. */
function isRestart({ action, after }: ChainRow, before: ChainRow | null): boolean {
  if (action !== restartAction || !before) return false;
  return isDeepStrictEqual(after, restartOf(before.id, before.hash));
}

/** The check takes about a second for 100,000 entries. */
const keptMilliseconds = 60_000;
let latest: Promise<HashChainCheck & { checkedAt: Date }> | undefined;

/** Computes every hash of the log again. The result is kept for a minute, and concurrent calls share one check. */
export function verifyHashChain(): Promise<HashChainCheck & { checkedAt: Date }> {
  if (latest) return latest;
  const forget = () => {
    latest = undefined;
  };
  latest = checkAuditLog([]).then((check) => ({ ...check, checkedAt: new Date() }));
  latest.then(() => setTimeout(forget, keptMilliseconds).unref(), forget);
  return latest;
}

/** Computes every hash again, and compares the log with exported anchors and with what the sinks have received. */
export async function checkAuditLog(anchors: readonly AuditAnchor[]): Promise<HashChainCheck> {
  const keys = await auditKeys();
  const chain = newChain(keys);
  // Read first: what a sink has then is in the log.
  const [sink] = await furthestSink({});
  const firstKey = (await firstKeyOfLog({}))[0]?.keyId ?? null;
  const check: HashChainCheck = {
    ...{
      entries: 0,
      since: null,
      keyedSince: null,
      last: null,
      brokenAt: null,
      broken: 0,
      lost: null,
      cutAt: null,
      anchors: 0,
      unverified: 0,
    },
  };
  const unknown = new UnknownKeys();
  let before: ChainRow | null = null;
  const wanted = Map.groupBy(anchors, ({ last }) => last);
  for (let last = 0n; ; ) {
    const rows = await entriesAfter({ last });
    for (const row of rows) {
      check.entries += 1;
      check.since ??= row.at;
      if (row.keyId !== null) check.keyedSince ??= row.at;
      const chained = breakOf(row, chain);
      const own = wanted.get(row.id) ?? [];
      wanted.delete(row.id);
      const compared = own.map((anchor) => compareAnchor(anchor, row, check.entries, { keys, firstKey }));
      const countOf = (result: AnchorResult) => compared.filter((each) => each === result).length;
      check.anchors += compared.length - countOf('differs');
      check.unverified += countOf('unverified');
      // An anchor outlives the key: a difference is no entry whose key was lost.
      const why = countOf('differs') > 0 ? 'other than its anchor' : chained;
      if (why === 'unknown key') unknown.note(row);
      else if (why) noteBreak(row, why, check);
      else if (isRestart(row, before)) unknown.accept(row, check);
      [last, before] = [row.id, row];
      check.last = { id: row.id, head: Buffer.from(row.hash).toString('base64url') };
    }
    if (rows.length < batch) break;
  }
  unknown.addTo(check);
  const end = check.last?.id ?? 0n;
  const ahead = [...wanted.keys()].filter((id) => id > end).sort((one, other) => (one < other ? 1 : -1))[0];
  if (ahead !== undefined) check.cutAt = { id: ahead, by: 'an anchor' };
  else if (sink && sink.lastId > end) check.cutAt = { id: sink.lastId, by: `the sink ${sink.sink}` };
  // An anchor of an entry between others that does not exist any more: the entry after it has another predecessor.
  return check;
}

function noteBreak({ id, at }: ChainRow, why: BreakReason, check: HashChainCheck) {
  check.broken += 1;
  check.brokenAt ??= { id, at, why };
}

type AnchorResult = 'agrees' | 'unverified' | 'differs';

/**
 * Compares an entry, the `entries`th of the log, with its anchor. The HMAC of the anchor is not compared where its key was
 * lost: that of the entry or, for an entry of a release without keys, `firstKey`, that of the first entry with one.
 */
export function compareAnchor(
  anchor: AuditAnchor,
  row: ChainRow,
  entries: number,
  { keys, firstKey }: { keys: ReadonlyMap<string, Uint8Array>; firstKey: string | null },
): AnchorResult {
  if (anchor.head !== Buffer.from(row.hash).toString('base64url')) return 'differs';
  const keyId = row.keyId ?? firstKey;
  const isLost = keyId !== null && !keys.has(keyId);
  if (isLost && anchor.content && !isDeepStrictEqual(anchor.content, exportedContent(row))) return 'differs';
  if (anchor.entries === undefined) return 'agrees';
  if (anchor.entries !== entries) return 'differs';
  if (isLost) return 'unverified';
  return isOwnAnchor(anchor, keys) ? 'agrees' : 'differs';
}
