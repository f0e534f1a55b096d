/** The settled volume by currency (sums never mix them), and the share of each method. */

import { exponentOf } from '../../core/currencies';
import { formatAmount } from '../../core/money';
import type { State } from '../../core/states';
import type { MoneyRow } from './volume-queries';

const drawnMethods = 5;

/** Every currency with payments, the most frequent first. `before` is drawn, `compared` is compared. */
export function volumesOf(
  now: readonly MoneyRow[],
  before: readonly MoneyRow[],
  compared: readonly MoneyRow[],
  size: number,
) {
  const byCurrency = Map.groupBy(now, ({ currency }) => currency);
  return [...byCurrency]
    .map(([currency, rows]) => {
      const own = (all: readonly MoneyRow[]) => all.filter((row) => row.currency === currency);
      return volumeOf(currency, rows, own(before), own(compared), size);
    })
    .sort((one, other) => other.payments - one.payments || one.currency.localeCompare(other.currency));
}

function volumeOf(
  currency: string,
  now: readonly MoneyRow[],
  before: readonly MoneyRow[],
  compared: readonly MoneyRow[],
  size: number,
) {
  const total = (rows: readonly MoneyRow[], name: 'settledMinor' | 'refundedMinor' = 'settledMinor') =>
    rows.reduce((sum, row) => sum + row[name], 0n);
  const drawn = (minor: bigint) => ({ text: formatAmount(minor, currency), value: majorOf(minor, currency) });
  const names = methodsByVolume(now);
  const shown = names.length > drawnMethods ? [...names.slice(0, drawnMethods - 1), 'other'] : names;
  const nameOf = (method: string) => (shown.includes(method) ? method : 'other');
  const buckets = Map.groupBy(now, ({ bucket }) => bucket);
  const beforeBuckets = Map.groupBy(before, ({ bucket }) => bucket);
  const at = Array.from({ length: size }, (_, bucket) => bucket);
  return {
    currency,
    settled: comparedAmount(total(now), total(compared), currency),
    refunded: comparedAmount(total(now, 'refundedMinor'), total(compared, 'refundedMinor'), currency),
    payments: now.reduce((sum, { payments }) => sum + payments, 0),
    /** By volume, at most six; the last one may be `other`. */
    methods: shown,
    /** By bucket and method: the settled volume, as text and as a number for drawing. */
    bars: at.map((bucket) =>
      shown.map((method) => drawn(total((buckets.get(bucket) ?? []).filter((row) => nameOf(row.method) === method)))),
    ),
    before: at.map((bucket) => drawn(total(beforeBuckets.get(bucket) ?? []))),
  };
}

function methodsByVolume(rows: readonly MoneyRow[]): string[] {
  const sums = new Map<string, bigint>();
  for (const { method, settledMinor } of rows) {
    if (settledMinor > 0n) sums.set(method, (sums.get(method) ?? 0n) + settledMinor);
  }
  return [...sums]
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
  const count = (some: readonly MoneyRow[]) => some.reduce((sum, { payments }) => sum + payments, 0);
  const all = count(tried);
  return [...Map.groupBy(tried, ({ method }) => method)]
    .map(([method, own]) => {
      const approved = count(own.filter(({ state }) => approvedStates.includes(state)));
      const ended = approved + count(own.filter(({ state }) => state === 'declined'));
      const payments = count(own);
      return { method, payments, share: payments / all, approved: ended === 0 ? null : approved / ended };
    })
    .sort((one, other) => other.payments - one.payments || one.method.localeCompare(other.method));
}
