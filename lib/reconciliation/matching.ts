/** Matches the lines of a report, in ranges of lines, and those whose transaction was missing. */
import { parseAmount } from '../core/money.ts';
import { type Query, statement } from '../db/index.ts';
import type { Mapping } from './mapping.ts';
import { feeRules, foundSet, leftSql, matchSql, searchSql } from './match-sql.ts';
import { unhurried } from './unhurried.ts';

type Common = { mid: string; merchant: string; now: Date; rules: string };
type Range = { report: string; after: number; until: number };
type Missing = { afterId: string; most: number };
type Progress = { done: number; read: number; last: string | null };
type Found = { lineId: string; paymentId: string; transactionId: string };
type Search = { mid: string; since: Date };

const matchReferences = statement<Common & Range, Progress>(
  'match-settlement-references',
  matchSql('references of a report'),
);
const matchFound = statement<Common & { i: string }, Progress>('match-settlement-found', matchSql('found of a report'));
const rematchReferences = statement<Common & Missing, Progress>(
  'rematch-settlement-references',
  matchSql('missing references'),
);
const rematchFound = statement<Common & { i: string }, Progress>('rematch-settlement-found', matchSql('missing found'));
const searchReport = statement<Search & Range, Found>('search-settlement-lines', searchSql.ofReport);
const searchMissing = statement<Search & Missing, Found>('search-missing-lines', searchSql.missing);
const markLeft = statement<Pick<Common, 'merchant' | 'now'> & Range>('missing-settlement-lines', leftSql);

/** Fees and payouts to the bank are booked as they are reported; they are of no transaction. */
const bookOthers = statement<Pick<Common, 'merchant'> & Range>(
  'book-settlement-lines',
  `with done as (
     update settlement_lines l set result = 'booked'
      where l.report_id = :report::uuid and l.number > :after::int and l.number <= :until::int and l.result is null
        and l.type in ('fee', 'fee_return', 'payout')
     returning l.*)
   insert into ledger_entries (movement, debit, credit, amount_minor, currency, merchant_id, mid_id, transaction_id)
   select case d.type when 'payout' then 'bank_payout' else d.type end::"LedgerMovement",
          case d.type when 'payout' then 'bank' when 'fee' then 'fees' else 'provider_receivable' end::"LedgerAccount",
          case d.type when 'fee_return' then 'fees' else 'provider_receivable' end::"LedgerAccount",
          d.gross_minor, d.currency, :merchant::uuid, d.mid_id, d.id
     from done d where d.gross_minor > 0
       on conflict do nothing`,
);

/** Lines of one statement. The search reads the MID's transactions once for many lines. */
const setLines = 5_000;
const searchedLines = 100_000;
/** How long before a report its transactions are searched by the provider's references. */
const searchedDays = 120;
const dayMs = 86_400_000;
const noId = '00000000-0000-0000-0000-000000000000';

type Step = (run: Query) => Promise<Progress[]>;

export type Matched = {
  report: { id: string; midId: string; merchantId: string; periodFrom: string | null };
  mapping: Mapping;
  lastNumber: number;
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
export async function matchReport({ report, mapping, lastNumber }: Matched, now: () => Date): Promise<void> {
  const { id, midId: mid, merchantId: merchant } = report;
  const common = () => ({ mid, merchant, now: now(), rules: encodeRules(mapping) });
  for (let after = 0; after < lastNumber; after += setLines) {
    const range = { report: id, after, until: after + setLines };
    await bookOthers({ ...range, merchant });
    await untilDone((run) => matchReferences({ ...range, ...common() }, run));
  }
  const since = new Date(Date.parse(report.periodFrom ?? now().toISOString()) - searchedDays * dayMs);
  for (let after = 0; after < lastNumber; after += searchedLines) {
    const range = { report: id, after, until: after + searchedLines };
    const found = await unhurried('byHash', (run) => searchReport({ ...range, mid, since }, run));
    for (const i of setsOf(found)) await untilDone((run) => matchFound({ ...common(), i }, run));
    await markLeft({ ...range, merchant, now: now() });
  }
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
  let matched = 0;
  for (let afterId: string | null = noId; afterId !== null; ) {
    const range: Missing = { afterId, most: setLines };
    const found = await unhurried('byHash', (run) => searchMissing({ mid, since, ...range }, run));
    const { done, last } = await untilDone((run) => rematchReferences({ ...common, ...range }, run));
    matched += done;
    for (const i of setsOf(found)) matched += (await untilDone((run) => rematchFound({ ...common, i }, run))).done;
    afterId = last;
  }
  return matched;
}

// A report that is imported at the same time may confirm an entry first; the repeat sees it.
async function retried(step: Step): Promise<Progress> {
  for (let round = 1; ; round += 1) {
    try {
      const [progress] = await unhurried('byIndex', step);
      return progress ?? { done: 0, read: 0, last: null };
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

/** Repeats a step: lines that lost their entry to another one of the set choose again. */
async function untilDone(step: Step): Promise<Pick<Progress, 'done' | 'last'>> {
  const first = await retried(step);
  let { done } = first;
  for (let round = first; round.done > 0 && round.done < round.read; ) {
    round = await retried(step);
    done += round.done;
  }
  return { done, last: first.last };
}
