/**
 * Caches the previous period for some minutes, because it rarely changes: this halves the cost of reloading the
 * overview.
 */
import { countChargebacks, readAttempts, readCallbacks, readMoney, type Span } from './volume-queries';

const cacheMilliseconds = 5 * 60_000;
const cacheMax = 200;
const cache = new Map<string, { until: number; value: ReturnType<typeof read> }>();

/** Reads the previous period, or returns the cached one. Failures are not cached. */
export function previousPeriod(span: Span, comparedUntil: Date) {
  // The cache is shorter than the time in which the compared part changes.
  const name = [span.merchantId, span.starts.length, span.starts[0]?.getTime(), span.until.getTime()].join(' ');
  const nowMs = performance.now();
  const known = cache.get(name);
  if (known && known.until > nowMs) return known.value;
  if (cache.size >= cacheMax) cache.clear();
  const value = read(span, comparedUntil).catch((thrown) => {
    cache.delete(name);
    throw thrown;
  });
  cache.set(name, { until: nowMs + cacheMilliseconds, value });
  return value;
}

/** Sums of the whole previous period, and of the part with the same elapsed time. */
async function read(span: Span, comparedUntil: Date) {
  // An extra bucket begins where the comparison ends; later values are only drawn.
  const { starts, owners } = split(span.starts, comparedUntil);
  const divided = { ...span, starts };
  const [money, attempts, callbacks, chargebacks] = await Promise.all([
    readMoney(divided),
    readAttempts(divided),
    readCallbacks(divided),
    countChargebacks({ ...span, until: comparedUntil }),
  ]);
  const isBefore = ({ bucket }: { bucket: number }) => (starts[bucket] ?? comparedUntil) < comparedUntil;
  const whole = <Row extends { bucket: number }>(rows: Row[]) =>
    rows.map((row) => ({ ...row, bucket: owners[row.bucket] ?? row.bucket }));
  return {
    money: whole(money),
    moneyUntilNow: money.filter(isBefore),
    attempts: whole(attempts),
    attemptsUntilNow: attempts.filter(isBefore),
    callbacksUntilNow: callbacks.filter(isBefore),
    chargebacks,
  };
}

/** The start instants with one more at `at`, and the former bucket of each. */
export function split(starts: readonly Date[], at: Date): { starts: Date[]; owners: number[] } {
  const next = [...starts];
  const inside = starts.findLastIndex((start) => start < at);
  const isBoundary = starts.some((start) => start.getTime() === at.getTime());
  if (inside >= 0 && !isBoundary) next.splice(inside + 1, 0, at);
  const owners = next.map((start) => starts.findLastIndex((own) => own <= start));
  return { starts: next, owners };
}
