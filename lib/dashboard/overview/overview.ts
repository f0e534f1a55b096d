/** The overview: figures and charts of a period compared with the previous one. */

import type { PageContext } from '../guard';
import { expiringCertificateItems } from '../wallets/expiry';
import { findAttention } from './attention';
import { type Cut, heatDays, readPeriod } from './period';
import {
  type AttemptRow,
  type CallbackRow,
  countChargebacks,
  previousPeriod,
  readAttempts,
  readCallbacks,
  readMoney,
  type Span,
} from './volume-queries';
import { methodsOf, volumesOf } from './volumes';

const heatDaysMax = 7;

/** The overview of the user's merchant, or of every merchant. The query names the period. */
export async function overview({ query, scope, zone, now, viewer }: PageContext) {
  const cut = readPeriod(query, zone, now);
  const span: Span = { merchantId: scope, starts: cut.starts, until: cut.until };
  const days = heatDays(cut, zone, heatDaysMax);
  const heatSpan = heatSpanOf(scope, days, cut);
  // A week's hours add up to its days, so no callback is read twice.
  const hasHours = heatSpan.starts[0]?.getTime() === span.starts[0]?.getTime();
  const [money, attempts, heat, longer, chargebacks, before, attention, certificates] = await Promise.all([
    readMoney(span),
    readAttempts(span),
    readCallbacks(heatSpan),
    hasHours ? null : readCallbacks(span),
    countChargebacks(span),
    previousPeriod({ merchantId: scope, ...cut.before }, comparedUntil(cut, now)),
    findAttention(scope, now),
    expiringCertificateItems(viewer, scope, now),
  ]);
  const worst = attention.worst ? await readAttempts(span, attention.worst.id) : null;
  const size = cut.starts.length;
  const callbacks = longer ?? heat;
  return {
    period: cut.period,
    attention: [...attention.items, ...certificates],
    volumes: volumesOf(money, before.money, before.moneyUntilNow, size),
    payments: { now: sum(money, 'payments'), before: sum(before.moneyUntilNow, 'payments') },
    /** Approved shares of the completed attempts, also by bucket; null if there are none. */
    approval: { now: rateOf(attempts), before: rateOf(before.attemptsUntilNow) },
    approvals: rates(attempts, size),
    approvalsBefore: rates(before.attempts, size),
    attempts: sum(attempts, 'attempts'),
    /** The MID with the largest increase in declines, by bucket. */
    worst: attention.worst && worst ? { name: attention.worst.name, rates: rates(worst, size) } : null,
    chargebacks: { now: chargebacks, before: before.chargebacks },
    declines: declinesOf(attempts, before.attemptsUntilNow),
    methods: methodsOf(money),
    callbacks: {
      written: sum(callbacks, 'written'),
      firstTry: firstTryRate(callbacks),
      firstTryBefore: firstTryRate(before.callbacksUntilNow),
      ...attention.callbacks,
    },
    heat: heatOf(days, heat, heatSpan.starts, now),
  };
}

/** The previous period is cut at the same elapsed time, so that a running day is not compared with a whole one. */
function comparedUntil({ starts, until, before }: Cut, now: Date): Date {
  const first = starts[0];
  const firstBefore = before.starts[0];
  if (now >= until || !first || !firstBefore) return before.until;
  return new Date(Math.min(before.until.getTime(), firstBefore.getTime() + (now.getTime() - first.getTime())));
}

function sum<Name extends string>(rows: readonly Record<Name, number>[], name: Name): number {
  return rows.reduce((total, row) => total + row[name], 0);
}

/** The approved share of the completed attempts; null if there are none. */
export function rateOf(rows: readonly AttemptRow[]): number | null {
  const all = sum(rows, 'attempts');
  const approved = rows.filter(({ status }) => status === 'success');
  return all === 0 ? null : sum(approved, 'attempts') / all;
}

function rates(rows: readonly AttemptRow[], size: number): (number | null)[] {
  const byBucket = Map.groupBy(rows, ({ bucket }) => bucket);
  return Array.from({ length: size }, (_, at) => rateOf(byBucket.get(at) ?? []));
}

function firstTryRate(rows: readonly CallbackRow[]): number | null {
  const tried = sum(rows, 'first') + sum(rows, 'failedFirst');
  return tried === 0 ? null : sum(rows, 'first') / tried;
}

/** Declines by class, the most frequent first. Declines without a class count as the issuer's. */
export function declinesOf(now: readonly AttemptRow[], before: readonly AttemptRow[]) {
  const count = (rows: readonly AttemptRow[]) => {
    const matches = new Map<string, number>();
    for (const { status, declineClass, attempts } of rows) {
      const name = declineClass ?? 'bank';
      if (status === 'fail') matches.set(name, (matches.get(name) ?? 0) + attempts);
    }
    return matches;
  };
  const fresh = count(now);
  const old = count(before);
  return [...new Set([...fresh.keys(), ...old.keys()])]
    .map((name) => ({ class: name, now: fresh.get(name) ?? 0, before: old.get(name) ?? 0 }))
    .sort((one, other) => other.now - one.now || one.class.localeCompare(other.class));
}

type HeatDays = ReturnType<typeof heatDays>;

function heatSpanOf(merchantId: string | null, days: HeatDays, { until }: Cut): Span {
  return { merchantId, starts: days.flatMap(({ hours }) => hours.map(({ at }) => at)), until };
}

/** One cell for each hour of the day; a repeated hour is one cell, a skipped hour stays empty. */
export function heatOf(days: HeatDays, rows: readonly CallbackRow[], starts: readonly Date[], now: Date) {
  const cells = new Map(rows.map((row) => [starts[row.bucket]?.getTime(), row]));
  return days.map(({ day, hours }) => {
    const line: ({ written: number; failed: number } | null)[] = Array.from({ length: 24 }, () => null);
    for (const { at, hour } of hours.filter(({ at }) => at <= now)) {
      const row = cells.get(at.getTime());
      const known = line[hour] ?? { written: 0, failed: 0 };
      line[hour] = { written: known.written + (row?.written ?? 0), failed: known.failed + (row?.failedFirst ?? 0) };
    }
    return { day, hours: line };
  });
}
