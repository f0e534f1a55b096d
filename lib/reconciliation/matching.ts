/** Matches the lines of a report, in ranges of lines, and those whose transaction was missing. */
import { isoDay } from '../core/dates.ts';
import { parseAmount } from '../core/money.ts';
import { type Query, statement } from '../db/index.ts';
import { bookOthers } from './booking.ts';
import type { Mapping } from './mapping.ts';
import { feeRules, foundSet, matchSql, pageOfMissingSql, searchSql } from './match-sql.ts';
import { unhurried } from './unhurried.ts';

type Common = { mid: string; merchant: string; now: Date; rules: string };
type Range = { report: string; after: number; until: number };
type Page = { mid: string; afterId: string; untilId: string; oldest: string };
type Progress = { done: number; read: number };
type Found = { lineId: string; paymentId: string; transactionId: string };
type Search = { mid: string; since: Date };

const matchReferences = statement<Common & Range, Progress>(
  'match-settlement-references',
  matchSql('references of a report'),
);
const matchFound = statement<Common & { i: string }, Progress>('match-settlement-found', matchSql('found of a report'));
const matchLeft = statement<Common & Range, Progress>('match-settlement-left', matchSql('left of a report'));
const rematchFound = statement<Common & { i: string }, Progress>(
  'rematch-settlement-found',
  matchSql('found of missing lines'),
);
const rematchReferences = statement<Common & Page, Progress>(
  'rematch-settlement-references',
  matchSql('missing references'),
);
const searchReport = statement<Search & Range, Found>('search-settlement-lines', searchSql.ofReport);
const searchMissing = statement<Search & Page, Found>('search-missing-lines', searchSql.missing);
const pageOfMissing = statement<Omit<Page, 'untilId'> & { most: number }, { last: string | null }>(
  'page-of-missing-lines',
  pageOfMissingSql,
);

/** Lines of one statement. The search reads the MID's transactions once for many lines. */
const setLines = 5_000;
const searchedLines = 100_000;
/** How long before a report its transactions are searched by the provider's references. */
const searchedDays = 120;
/** How old a line may be whose transaction is still searched. */
const missingDays = 180;
const dayMs = 86_400_000;
const noId = '00000000-0000-0000-0000-000000000000';

type Step = (run: Query) => Promise<Progress[]>;

export type Matched = {
  report: { id: string; midId: string; merchantId: string; periodFrom: string | null };
  mapping: Mapping;
  lastNumber: number;
  /** Called between the ranges of lines. */
  renew: () => Promise<unknown>;
};

/** The rules as the statements read them. */
export function encodeRules({ fees }: Mapping): string {
  const minorOf = (text: string, currency: string) => {
    const read = parseAmount(text, currency);
    return read.ok ? read.minor : 0n;
  };
  return feeRules.encode(
    fees.map(({ type, currency, percent, fixed, tolerance }) => {
      const [whole = '', decimals = ''] = percent.split('.');
      const ppm = BigInt(whole + decimals.padEnd(4, '0'));
      return {
        type,
        currency,
        ppm,
        fixedMinor: minorOf(fixed, currency),
        toleranceMinor: minorOf(tolerance, currency),
      };
    }),
  );
}

/** Matches all lines of a report that is read. A repeat goes on with the lines that have no result. */
export async function matchReport({ report, mapping, lastNumber, renew }: Matched, now: () => Date): Promise<void> {
  const { id, midId: mid, merchantId: merchant } = report;
  const rules = encodeRules(mapping);
  const common = () => ({ mid, merchant, now: now(), rules });
  await twoAtOnce(rangesOf(id, lastNumber, setLines), async (range) => {
    await renew();
    await bookOthers(mid, { ...range, merchant, now: now() });
    await untilDone((run) => matchReferences({ ...range, ...common() }, run));
  });
  const since = new Date(Date.parse(report.periodFrom ?? now().toISOString()) - searchedDays * dayMs);
  for (const range of rangesOf(id, lastNumber, searchedLines)) {
    await renew();
    const found = await unhurried('byHash', (run) => searchReport({ ...range, mid, since }, run));
    await twoAtOnce(setsOf(found).values(), (i) => untilDone((run) => matchFound({ ...common(), i }, run)));
  }
  await twoAtOnce(rangesOf(id, lastNumber, setLines), async (range) => {
    await renew();
    await untilDone((run) => matchLeft({ ...range, ...common() }, run));
  });
}

/**
 * Works through the items, two at a time, because a statement occupies one core of the database. Lines of two ranges that choose
 * one entry are matched again, as those of two reports are.
 */
async function twoAtOnce<Item>(items: IterableIterator<Item>, work: (item: Item) => Promise<unknown>): Promise<void> {
  const lane = async () => {
    for (let next = items.next(); !next.done; next = items.next()) await work(next.value);
  };
  const ended = await Promise.allSettled([lane(), lane()]);
  for (const end of ended) if (end.status === 'rejected') throw end.reason;
}

function* rangesOf(report: string, last: number, size: number): IterableIterator<Range> {
  for (let after = 0; after < last; after += size) yield { report, after, until: after + size };
}

/** The found payments in sets; those of one line remain together. */
function setsOf(found: Found[]): string[] {
  const sets: Found[][] = [[]];
  for (const [at, each] of found.entries()) {
    const last = sets.at(-1) as Found[];
    if (last.length >= setLines && each.lineId !== found[at - 1]?.lineId) sets.push([each]);
    else last.push(each);
  }
  return sets.filter((set) => set.length > 0).map((set) => foundSet.encode(set));
}

/** Matches the lines of a MID whose transaction was missing; returns how many were. */
export async function matchMissing(mid: string, merchant: string, mapping: Mapping, now: Date): Promise<number> {
  const common = { mid, merchant, now, rules: encodeRules(mapping) };
  const since = new Date(now.getTime() - searchedDays * dayMs);
  const oldest = isoDay(new Date(now.getTime() - missingDays * dayMs));
  let matched = 0;
  for (let afterId = noId; ; ) {
    const [{ last } = { last: null }] = await pageOfMissing({ mid, afterId, oldest, most: setLines });
    if (last === null) return matched;
    const page: Page = { mid, afterId, untilId: last, oldest };
    const found = await unhurried('byHash', (run) => searchMissing({ ...page, since }, run));
    for (const i of setsOf(found)) matched += await untilDone((run) => rematchFound({ ...common, i }, run));
    matched += await untilDone((run) => rematchReferences({ ...common, ...page }, run));
    afterId = last;
  }
}

// A report that is imported at the same time may confirm an entry first; the repeat sees it.
async function retried(step: Step): Promise<Progress> {
  for (let round = 1; ; round += 1) {
    try {
      const [progress] = await unhurried('byIndex', step);
      return progress ?? { done: 0, read: 0 };
    } catch (thrown) {
      if (round >= 5 || !isRaced(thrown)) throw thrown;
    }
  }
}

/** Whether another import has confirmed the same entry (unique_violation) or locked the same lines (deadlock_detected). */
function isRaced(thrown: unknown): boolean {
  const { code, constraint } = thrown as { code?: string; constraint?: string };
  return code === '40P01' || (code === '23505' && constraint === 'settlement_lines_entry');
}

/** Repeats a step: lines that lost their entry to another one of the set choose again. Returns how many were matched. */
async function untilDone(step: Step): Promise<number> {
  let round = await retried(step);
  let { done } = round;
  while (round.done > 0 && round.done < round.read) {
    round = await retried(step);
    done += round.done;
  }
  return done;
}
