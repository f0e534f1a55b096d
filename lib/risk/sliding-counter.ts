/**
 * Counts that all processes share without anybody waiting for it. What is counted is on the path of every sale, so a count
 * is an addition in the memory of this process and a look adds up what is there: no statement, no lock. About once a second,
 * and only while something here is near to mattering, one statement tells the table `tallies` the absolute counts of this
 * process and reads those of the others. Told twice or late, an absolute count is still right. What this costs is
 * precision: a limit of N a minute lets through at most what the other processes take in a second beyond N, and the share
 * below which a count is told to nobody. A database that is away leaves each process with its own counts.
 */
import { randomUUID } from 'node:crypto';
import type { SlidingWindow } from '../core/rate-limits';
import { query } from '../db';
import { log } from '../telemetry';

/** What is counted: how often, and how often with a bad end. */
export type Counts = { hits: number; bad: number };

/** From how many hits, or from how many bad ends on, other processes are told. */
export type ShareThreshold = { hits: number } | { bad: number };

type Entry = Counts & {
  tellFrom: ShareThreshold;
  told: number;
  others: Map<string, Counts> | null;
};

type Slot = { number: number; entries: Map<string, Entry> };

/** Counts of one kind, by key, in stretches of `seconds`. */
export type SlidingCounter = { name: string; seconds: number; current: Slot; previous: Slot };

/** As many as a hostile crowd may make this process remember in one stretch; the last part is kept for bad ends. */
const entriesMax = { good: 100_000, bad: 125_000 };
const exchangeMilliseconds = 1_000;
/** Exchanges of one process between two that remove what is over. */
const roundsBetweenCleaning = 60;

type Shared = {
  process: string;
  tallies: Map<string, SlidingCounter>;
  timer: NodeJS.Timeout | null;
  readAt: number | null;
  rounds: number;
  failing: boolean;
};

// Next bundles this module several times in one process; they count together.
const sharedKey = Symbol.for('florin.slidingCounters');
const holder = globalThis as { [sharedKey]?: Shared };
holder[sharedKey] ??= {
  process: randomUUID(),
  tallies: new Map(),
  timer: null,
  readAt: null,
  rounds: 0,
  failing: false,
};
const shared: Shared = holder[sharedKey];

const emptySlot = (number: number): Slot => ({ number, entries: new Map() });

/** The tally of this name; made at the first use. */
export function getSlidingCounter(name: string, seconds: number): SlidingCounter {
  const known = shared.tallies.get(name);
  if (known) return known;
  const opened = { name, seconds, current: emptySlot(0), previous: emptySlot(-1) };
  shared.tallies.set(name, opened);
  return opened;
}

function slotNumber({ seconds }: SlidingCounter, nowMs: number): number {
  return Math.floor(nowMs / 1000 / seconds);
}

// A clock that was set back counts into the present stretch, so that nothing is forgotten.
function rollOver(tally: SlidingCounter, nowMs: number): void {
  const number = slotNumber(tally, nowMs);
  if (number <= tally.current.number) return;
  tally.previous = number === tally.current.number + 1 ? tally.current : emptySlot(number - 1);
  tally.current = emptySlot(number);
}

function entryOf({ entries }: Slot, key: string, tellFrom: ShareThreshold, most = entriesMax.good): Entry | undefined {
  const known = entries.get(key);
  if (known || entries.size >= most) return known;
  const entry = { hits: 0, bad: 0, tellFrom, told: 0, others: null };
  entries.set(key, entry);
  return entry;
}

/** Adds to what is counted under `key`; other processes hear of it once it has reached `tellFrom`. */
export function addCounts(
  tally: SlidingCounter,
  key: string,
  { hits, bad }: Counts,
  tellFrom: ShareThreshold,
  nowMs: number,
): void {
  rollOver(tally, nowMs);
  const entry = entryOf(tally.current, key, tellFrom, bad > 0 ? entriesMax.bad : entriesMax.good);
  if (!entry) return;
  entry.hits += hits;
  entry.bad += bad;
  if (shouldShare(entry)) scheduleExchange();
}

/** The same for keys that are too many to be remembered before they come to a bad end. */
export function addCountsAfterBad(
  tally: SlidingCounter,
  key: string,
  counts: Counts,
  tellFrom: ShareThreshold,
  nowMs: number,
): void {
  rollOver(tally, nowMs);
  if (counts.bad > 0 || tally.current.entries.has(key)) addCounts(tally, key, counts, tellFrom, nowMs);
}

const shouldShare = ({ hits, bad, tellFrom, told }: Entry) =>
  ('hits' in tellFrom ? hits >= tellFrom.hits : bad >= tellFrom.bad) && hits + bad > told;

/** What is counted under `key` in all processes, as far as this one has heard. */
export function readCounts(
  tally: SlidingCounter,
  key: string,
  nowMs: number,
): { hits: SlidingWindow; bad: SlidingWindow } {
  rollOver(tally, nowMs);
  const passed = Math.min(1, Math.max(0, nowMs / 1000 / tally.seconds - tally.current.number));
  const current = sumOf(tally.current.entries.get(key));
  const previous = sumOf(tally.previous.entries.get(key));
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
  shared.timer = setTimeout(() => {
    exchange(Date.now())
      .then(
        () => {
          shared.failing = false;
        },
        (err: unknown) => {
          if (!shared.failing) log.warn({ err }, 'limits are counted by this process alone');
          shared.failing = true;
        },
      )
      .finally(() => {
        shared.timer = null;
      });
  }, exchangeMilliseconds);
  // A process that is about to end does not wait for it.
  shared.timer.unref();
}

const exchangeSql = `
with told as (
  insert into tallies (key, slot, process, hits, bad, changed_at, ends_at)
  select g.key, g.slot, $1::uuid, g.hits, g.bad, clock_timestamp(), clock_timestamp() + g.seconds * interval '1 second'
    from unnest($2::text[], $3::int[], $4::int[], $5::int[], $6::int[]) as g (key, slot, hits, bad, seconds)
  on conflict (key, slot, process) do update set
    hits = excluded.hits, bad = excluded.bad, changed_at = excluded.changed_at
)
select key, slot, process, hits, bad from tallies
 where process <> $1::uuid and ends_at > clock_timestamp()
   and ($7::int is null or changed_at > clock_timestamp() - $7::int * interval '1 second')`;

type Row = { key: string; slot: number; process: string; hits: number; bad: number };

/** Tells the others what has grown here, and takes in what has grown there. */
async function exchange(nowMs: number): Promise<void> {
  const telling = [...shared.tallies.values()].flatMap((tally) => {
    rollOver(tally, nowMs);
    return [tally.current, tally.previous].flatMap((slot) => countsToShare(tally, slot));
  });
  const column = <T>(of: (each: (typeof telling)[number]) => T) => telling.map(of);
  // Five seconds more than have passed: a row that was being written when this process last looked has come since.
  const since = shared.readAt === null ? null : Math.ceil((nowMs - shared.readAt) / 1000) + 5;
  const rows = await query<Row>('counters-exchange', exchangeSql, [
    shared.process,
    column(({ key }) => key),
    column(({ slot }) => slot),
    column(({ hits }) => hits),
    column(({ bad }) => bad),
    column(({ seconds }) => seconds),
    since,
  ]);
  for (const { entry, hits, bad } of telling) entry.told = Math.max(entry.told, hits + bad);
  shared.readAt = nowMs;
  for (const row of rows) mergeCounts(row);
  shared.rounds += 1;
  if (shared.rounds % roundsBetweenCleaning === 1) {
    await query('counters-expire', 'delete from tallies where ends_at < clock_timestamp()');
  }
}

function countsToShare({ name, seconds }: SlidingCounter, { number, entries }: Slot) {
  return [...entries].flatMap(([key, entry]) => {
    const { hits, bad } = entry;
    return shouldShare(entry) ? [{ entry, key: `${name} ${key}`, slot: number, hits, bad, seconds: seconds * 2 }] : [];
  });
}

function mergeCounts({ key: named, slot: number, process, hits, bad }: Row): void {
  const [name = ''] = named.split(' ', 1);
  const tally = shared.tallies.get(name);
  const slot = [tally?.current, tally?.previous].find((each) => each?.number === number);
  // What matters elsewhere is told from the first hit here.
  const entry = slot && entryOf(slot, named.slice(name.length + 1), { hits: 1 });
  if (!entry) return;
  entry.others ??= new Map();
  entry.others.set(process, { hits, bad });
}
