/** The overview: figures and charts of a period compared with the previous one. */

import { exponentOf } from '../../core/currencies.ts';
import { isUuid } from '../../core/ids.ts';
import { formatAmount } from '../../core/money.ts';
import type { State } from '../../core/states.ts';
import { statement } from '../../db/index.ts';
import type { PageContext } from '../guard.ts';
import { merchantChoices } from '../merchants/choices.ts';
import { expiringCertificateItems } from '../wallets/view.ts';
import { findAttention } from './attention.ts';
import { type Cut, heatDays, readPeriod } from './period.ts';
import {
  type AttemptRow,
  type CallbackRow,
  countChargebacks,
  type MoneyRow,
  previousPeriod,
  readAttempts,
  readCallbacks,
  readMoney,
  type Span,
} from './volume-queries.ts';

const heatDaysMax = 7;

/** The overview of the user's merchant, or of every merchant. The query names the period, and a merchant or a MID. */
export async function overview({ query, scope, zone, now, viewer }: PageContext) {
  const cut = readPeriod(query, zone, now);
  const confined = confinedTo({ query, scope });
  const { merchantId, midId } = confined;
  const span: Span = { ...confined, starts: cut.starts, until: cut.until };
  const days = heatDays(cut, zone, heatDaysMax);
  const heatSpan = { ...span, starts: days.flatMap(({ hours }) => hours.map(({ at }) => at)) };
  // A week's hours add up to its days, so no callback is read twice.
  const hasHours = heatSpan.starts[0]?.getTime() === span.starts[0]?.getTime();
  const [money, attempts, heat, longer, chargebacks, before, attention, certificates, merchants, mids] =
    await Promise.all([
      readMoney(span),
      readAttempts(span),
      readCallbacks(heatSpan),
      hasHours ? null : readCallbacks(span),
      countChargebacks(span),
      previousPeriod({ ...confined, ...cut.before }, comparedUntil(cut, now)),
      findAttention(merchantId, now),
      expiringCertificateItems(viewer, merchantId, now),
      scope === null ? merchantChoices(null) : [],
      midChoices({ merchantId }),
    ]);
  const worst = attention.worst && midId === null ? await readAttempts({ ...span, midId: attention.worst.id }) : null;
  const size = cut.starts.length;
  const callbacks = longer ?? heat;
  return {
    period: cut.period,
    /** The filters and their choices; a user of one merchant has no choice of merchants. */
    filters: { merchant: merchantId, mid: midId, merchants, mids },
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

/** The merchant and the MID that limit the overview: of the address, unless the user sees one merchant. */
export function confinedTo({ query, scope }: Pick<PageContext, 'query' | 'scope'>) {
  const idIn = (name: string) => [query.get(name)].find((text) => text !== null && isUuid(text)) ?? null;
  return { merchantId: scope ?? idIn('merchant'), midId: idIn('mid') };
}

/** The most MIDs to choose from; those of many merchants are reached by their merchant. */
const midsMax = 500;

type MidChoice = { id: string; name: string; merchantId: string; merchantName: string };

/** The MIDs of a merchant, or of all, by name. */
export const midChoices = statement<{ merchantId: string | null }, MidChoice>(
  'overview-mids',
  `select i.id, i.name, m.id as "merchantId", m.name as "merchantName"
     from mids i join merchants m on m.id = i.merchant_id
    where :merchantId::uuid is null or i.merchant_id = :merchantId
    order by lower(m.name), lower(i.name), i.id limit ${midsMax}`,
);

/** The previous period is cut at the same elapsed time, so that a running day is not compared with a whole one. */
export function comparedUntil({ starts, until, before }: Cut, now: Date): Date {
  const first = starts[0];
  const firstBefore = before.starts[0];
  if (now >= until || !first || !firstBefore) return before.until;
  return new Date(Math.min(before.until.getTime(), firstBefore.getTime() + (now.getTime() - first.getTime())));
}

/** The sum of a column. */
export function sum<Name extends string>(rows: readonly Record<Name, number>[], name: Name): number {
  return rows.reduce((total, row) => total + row[name], 0);
}

const sumMinor = (rows: readonly MoneyRow[], name: 'settledMinor' | 'refundedMinor' = 'settledMinor') =>
  rows.reduce((total, row) => total + row[name], 0n);

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
  const byClass = (rows: readonly AttemptRow[]) =>
    Map.groupBy(
      rows.filter(({ status }) => status === 'fail'),
      ({ declineClass }) => declineClass ?? 'bank',
    );
  const [fresh, old] = [byClass(now), byClass(before)];
  return [...new Set([...fresh.keys(), ...old.keys()])]
    .map((name) => ({
      class: name,
      now: sum(fresh.get(name) ?? [], 'attempts'),
      before: sum(old.get(name) ?? [], 'attempts'),
    }))
    .sort((one, other) => other.now - one.now || one.class.localeCompare(other.class));
}

type HeatDays = ReturnType<typeof heatDays>;

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

const drawnMethods = 5;

/** Every currency with payments, the most frequent first. `before` is drawn, `compared` is compared. */
export function volumesOf(
  now: readonly MoneyRow[],
  before: readonly MoneyRow[],
  compared: readonly MoneyRow[],
  size: number,
) {
  const volumes = [...Map.groupBy(now, (row) => row.currency)].map(([currency, rows]) => {
    const drawn = (minor: bigint) => ({ text: formatAmount(minor, currency), value: majorOf(minor, currency) });
    const names = methodsByVolume(rows);
    const shown = names.length > drawnMethods ? [...names.slice(0, drawnMethods - 1), 'other'] : names;
    const nameOf = (method: string) => (shown.includes(method) ? method : 'other');
    const own = (all: readonly MoneyRow[]) => all.filter((row) => row.currency === currency);
    const buckets = Map.groupBy(rows, ({ bucket }) => bucket);
    const beforeBuckets = Map.groupBy(own(before), ({ bucket }) => bucket);
    const at = Array.from({ length: size }, (_, bucket) => bucket);
    const comparedSum = (name: 'settledMinor' | 'refundedMinor') =>
      comparedAmount(sumMinor(rows, name), sumMinor(own(compared), name), currency);
    return {
      currency,
      settled: comparedSum('settledMinor'),
      refunded: comparedSum('refundedMinor'),
      payments: sum(rows, 'payments'),
      /** By volume, at most six; the last one may be `other`. */
      methods: shown,
      /** By bucket and method: the settled volume, as text and as a number for drawing. */
      bars: at.map((bucket) => {
        const byName = Map.groupBy(buckets.get(bucket) ?? [], ({ method }) => nameOf(method));
        return shown.map((name) => drawn(sumMinor(byName.get(name) ?? [])));
      }),
      before: at.map((bucket) => drawn(sumMinor(beforeBuckets.get(bucket) ?? []))),
    };
  });
  return volumes.sort((one, other) => other.payments - one.payments || one.currency.localeCompare(other.currency));
}

function methodsByVolume(rows: readonly MoneyRow[]): string[] {
  return [...Map.groupBy(rows, ({ method }) => method)]
    .map(([method, own]) => [method, sumMinor(own)] as const)
    .filter(([, settledMinor]) => settledMinor > 0n)
    .sort(([one, first], [other, second]) => (first === second ? one.localeCompare(other) : first < second ? 1 : -1))
    .map(([method]) => method);
}

/** A number for drawing, in major units; never computed with. */
function majorOf(minor: bigint, currency: string): number {
  return Number(minor) / 10 ** (exponentOf(currency) ?? 0);
}

function comparedAmount(now: bigint, before: bigint, currency: string) {
  const change = before === 0n ? null : Number(((now - before) * 10_000n) / before) / 10_000;
  return { now: formatAmount(now, currency), before: formatAmount(before, currency), change };
}

const approvedStates: readonly State[] = ['settled', 'refund', 'reversal', 'void', 'chargeback'];

/** Methods by their share of attempted payments, the largest first. */
export function methodsOf(rows: readonly MoneyRow[]) {
  const tried = rows.filter(({ method }) => method !== '');
  const all = sum(tried, 'payments');
  return [...Map.groupBy(tried, ({ method }) => method)]
    .map(([method, own]) => {
      const countOf = (states: readonly State[]) =>
        sum(
          own.filter(({ state }) => states.includes(state)),
          'payments',
        );
      const approved = countOf(approvedStates);
      const ended = approved + countOf(['declined']);
      const payments = sum(own, 'payments');
      return { method, payments, share: payments / all, approved: ended === 0 ? null : approved / ended };
    })
    .sort((one, other) => other.payments - one.payments || one.method.localeCompare(other.method));
}
