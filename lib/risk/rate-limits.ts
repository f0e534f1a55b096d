/**
 * Counters shared by all processes without waiting, and the request rate limits on them. Every sale is counted, so counting
 * is an addition in this process's memory and reading is a sum: no statement, no lock. About once a second, and only while
 * a count here is relevant, one statement writes this process's absolute counts to the table `tallies` and reads those of
 * the others; absolute counts remain correct if they are written twice or late. The cost is precision: a limit of N a
 * minute allows up to one second of the other processes' requests above N, and counts below the share threshold. Without
 * the database each process uses its own counts.
 */
import { randomUUID } from 'node:crypto';
import { env } from '../config/index.ts';
import { processWide } from '../core/process-wide.ts';
import { networkOf, type RateLimitName, type SlidingWindow, waitSeconds } from '../core/rate-limits.ts';
import { rowSet, statement } from '../db/index.ts';
import { log, metrics } from '../telemetry/index.ts';
import { fingerprintHmac } from '../vault/index.ts';

/** The counted events: all, and those with a bad outcome. */
export type Counts = { hits: number; bad: number };

/** The number of hits or of bad outcomes from which other processes receive the count. */
export type ShareThreshold = { hits: number } | { bad: number };

type Entry = Counts & { shareFrom: ShareThreshold; shared: number; others: Map<string, Counts> | null };

type Slot = { number: number; entries: Map<string, Entry> };

/** Counters of one kind, by key, in periods of `seconds`. */
export type SlidingCounter = { name: string; seconds: number; current: Slot; previous: Slot };

/** The maximum number of keys in memory per period; the last part is reserved for bad outcomes. */
const entriesMax = { good: 100_000, bad: 125_000 };
const exchangeMilliseconds = 1_000;
/** Exchanges between two deletions of expired rows. */
const roundsBetweenCleaning = 60;

type Shared = {
  process: string;
  tallies: Map<string, SlidingCounter>;
  timer: NodeJS.Timeout | null;
  readAt: number | null;
  rounds: number;
  failing: boolean;
};

const shared = processWide(
  'slidingCounters',
  (): Shared => ({ process: randomUUID(), tallies: new Map(), timer: null, readAt: null, rounds: 0, failing: false }),
);

const emptySlot = (number: number): Slot => ({ number, entries: new Map() });

/** The counter of this name; created at the first use. */
export function getSlidingCounter(name: string, seconds: number): SlidingCounter {
  const existing = shared.tallies.get(name);
  if (existing) return existing;
  const created = { name, seconds, current: emptySlot(0), previous: emptySlot(-1) };
  shared.tallies.set(name, created);
  return created;
}

function slotNumber({ seconds }: SlidingCounter, nowMs: number): number {
  return Math.floor(nowMs / 1000 / seconds);
}

// A clock that was set back counts into the current period, so that nothing is lost.
function rollOver(counter: SlidingCounter, nowMs: number): void {
  const number = slotNumber(counter, nowMs);
  if (number <= counter.current.number) return;
  counter.previous = number === counter.current.number + 1 ? counter.current : emptySlot(number - 1);
  counter.current = emptySlot(number);
}

function entryOf({ entries }: Slot, key: string, shareFrom: ShareThreshold, most = entriesMax.good): Entry | undefined {
  const existing = entries.get(key);
  if (existing || entries.size >= most) return existing;
  const entry = { hits: 0, bad: 0, shareFrom, shared: 0, others: null };
  entries.set(key, entry);
  return entry;
}

/** Adds to the counts of `key`; other processes receive them from `shareFrom` on. */
export function addCounts(
  counter: SlidingCounter,
  key: string,
  { hits, bad }: Counts,
  shareFrom: ShareThreshold,
  nowMs: number,
): void {
  rollOver(counter, nowMs);
  const entry = entryOf(counter.current, key, shareFrom, bad > 0 ? entriesMax.bad : entriesMax.good);
  if (!entry) return;
  entry.hits += hits;
  entry.bad += bad;
  if (shouldShare(entry)) scheduleExchange();
}

/** The same for keys that are too numerous to store before their first bad outcome. */
export function addCountsAfterBad(
  counter: SlidingCounter,
  key: string,
  counts: Counts,
  shareFrom: ShareThreshold,
  nowMs: number,
): void {
  rollOver(counter, nowMs);
  if (counts.bad > 0 || counter.current.entries.has(key)) addCounts(counter, key, counts, shareFrom, nowMs);
}

const shouldShare = ({ hits, bad, shareFrom, shared: sharedCount }: Entry) =>
  ('hits' in shareFrom ? hits >= shareFrom.hits : bad >= shareFrom.bad) && hits + bad > sharedCount;

/** The counts of `key` in all processes, as of the last exchange. */
export function readCounts(
  counter: SlidingCounter,
  key: string,
  nowMs: number,
): { hits: SlidingWindow; bad: SlidingWindow } {
  rollOver(counter, nowMs);
  const passed = Math.min(1, Math.max(0, nowMs / 1000 / counter.seconds - counter.current.number));
  const current = sumOf(counter.current.entries.get(key));
  const previous = sumOf(counter.previous.entries.get(key));
  return {
    hits: { current: current.hits, previous: previous.hits, passed },
    bad: { current: current.bad, previous: previous.bad, passed },
  };
}

const none: Counts = { hits: 0, bad: 0 };

function sumOf(entry: Entry | undefined): Counts {
  if (!entry?.others) return entry ?? none;
  let { hits, bad } = entry;
  for (const other of entry.others.values()) {
    hits += other.hits;
    bad += other.bad;
  }
  return { hits, bad };
}

function scheduleExchange(): void {
  if (shared.timer !== null) return;
  shared.timer = setTimeout(async () => {
    try {
      await exchange(Date.now());
      shared.failing = false;
    } catch (err) {
      if (!shared.failing) log.warn({ err }, 'counters are not shared with other processes');
      shared.failing = true;
    }
    shared.timer = null;
  }, exchangeMilliseconds);
  // The timer must not delay the end of the process.
  shared.timer.unref();
}

const counts = rowSet('counts', 'key text, slot int, hits int, bad int, seconds int');

type Row = { key: string; slot: number; process: string; hits: number; bad: number };

const writeAndRead = statement<{ process: string; counts: string; sinceSeconds: number | null }, Row>(
  'counters-exchange',
  `with shared as (
  insert into tallies (key, slot, process, hits, bad, changed_at, ends_at)
  select key, slot, :process::uuid, hits, bad, clock_timestamp(), clock_timestamp() + seconds * interval '1 second'
    from ${counts.from}
  on conflict (key, slot, process) do update set
    hits = excluded.hits, bad = excluded.bad, changed_at = excluded.changed_at
)
select key, slot, process, hits, bad from tallies
 where process <> :process::uuid and ends_at > clock_timestamp()
   and (:sinceSeconds::int is null or changed_at > clock_timestamp() - :sinceSeconds::int * interval '1 second')`,
);

const deleteEnded = statement('counters-expire', 'delete from tallies where ends_at < clock_timestamp()');

/** Writes this process's increased counts and reads those of the others. */
async function exchange(nowMs: number): Promise<void> {
  const toShare = [...shared.tallies.values()].flatMap((counter) => {
    rollOver(counter, nowMs);
    return [counter.current, counter.previous].flatMap((slot) => countsToShare(counter, slot));
  });
  // Five seconds of overlap: a row that was being written during the last exchange is visible now.
  const sinceSeconds = shared.readAt === null ? null : Math.ceil((nowMs - shared.readAt) / 1000) + 5;
  const rows = await writeAndRead({ process: shared.process, counts: counts.encode(toShare), sinceSeconds });
  for (const { entry, hits, bad } of toShare) entry.shared = Math.max(entry.shared, hits + bad);
  shared.readAt = nowMs;
  for (const row of rows) mergeCounts(row);
  shared.rounds += 1;
  if (shared.rounds % roundsBetweenCleaning === 1) {
    await deleteEnded({});
  }
}

function countsToShare({ name, seconds }: SlidingCounter, { number, entries }: Slot) {
  return [...entries].flatMap(([key, entry]) => {
    const { hits, bad } = entry;
    return shouldShare(entry) ? [{ entry, key: `${name} ${key}`, slot: number, hits, bad, seconds: seconds * 2 }] : [];
  });
}

function mergeCounts({ key: sharedKeyName, slot: number, process, hits, bad }: Row): void {
  const [name = ''] = sharedKeyName.split(' ', 1);
  const counter = shared.tallies.get(name);
  const slot = [counter?.current, counter?.previous].find((each) => each?.number === number);
  // Keys that matter elsewhere are shared from the first hit here.
  const entry = slot && entryOf(slot, sharedKeyName.slice(name.length + 1), { hits: 1 });
  if (!entry) return;
  entry.others ??= new Map();
  entry.others.set(process, { hits, bad });
}

// Request rate limits are checked per scope by the client's address, and after authentication by merchant, so that an
// address without a valid signature cannot use up a merchant's limit. Rejected requests are not counted: a client over the
// limit still gets the limit's rate.
const windowSeconds = 60;
const hourSeconds = 3600;
/** Other processes receive counts from this fraction of the limit on. */
const sharedFraction = 0.05;

type ScopeBy<Unit extends string> = RateLimitName extends infer Name
  ? Name extends `${infer Scope}.${Unit}`
    ? Scope
    : never
  : never;

/** The seconds until the next request of `address` in this scope; 0 if the request is accepted. */
export function retryAfterForAddress(scope: ScopeBy<'address'>, address: string): number {
  return retryAfter(`${scope}.address`, networkOf(address));
}

/** The same by merchant. */
export function retryAfterForMerchant(scope: ScopeBy<'merchant'>, merchantId: string): number {
  return retryAfter(`${scope}.merchant`, merchantId);
}

/** The same by payment. */
export function retryAfterForPayment(scope: ScopeBy<'payment'>, paymentId: string): number {
  return retryAfter(`${scope}.payment`, paymentId);
}

/** The same by a signed-in user. */
export function retryAfterForUser(scope: Exclude<ScopeBy<'user'>, 'invitation'>, userId: string): number {
  return retryAfter(`${scope}.user`, userId);
}

/** The same by the user who sends an invitation, or by its recipient, an email; the period is an hour. */
export function retryAfterForInvitation(by: 'user' | 'recipient', subject: string): number {
  return retryAfter(`invitation.${by}`, subject, getSlidingCounter('hourly', hourSeconds));
}

/** The same by the recipient of a message about a payment, an e-mail address or a phone number in any notation. */
export async function retryAfterForMessage(recipient: string): Promise<number> {
  const plain = recipient.includes('@')
    ? recipient.trim().toLowerCase()
    : recipient.replace(/[^0-9]/g, '').replace(/^00/, '');
  const hash = (await fingerprintHmac(`message ${plain}`)).toString('base64url');
  return retryAfter('message.recipient', hash, getSlidingCounter('hourly', hourSeconds));
}

// Addresses are numerous, and counters hold a limited number of keys: those of users, payments and merchants are apart.
const counterOf = (name: RateLimitName) =>
  getSlidingCounter(name.endsWith('.address') ? 'rate' : 'own-rate', windowSeconds);

function retryAfter(name: RateLimitName, subject: string, counter = counterOf(name)): number {
  const limit = env.rateLimits?.[name];
  if (limit === undefined) return 0;
  const nowMs = Date.now();
  const key = `${name} ${subject}`;
  const seconds = waitSeconds(readCounts(counter, key, nowMs).hits, limit, counter.seconds);
  if (seconds > 0) metrics.rateLimited.inc({ limit: name });
  else addCounts(counter, key, { hits: 1, bad: 0 }, { hits: Math.max(1, limit * sharedFraction) }, nowMs);
  return seconds;
}
