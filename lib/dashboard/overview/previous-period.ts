/**
 * The period before, which hardly changes any more: it is read once and kept for some minutes, so that looking at the
 * overview again costs half.
 */
import {
  type AttemptRow,
  type CallbackRow,
  countChargebacks,
  type MoneyRow,
  readAttempts,
  readCallbacks,
  readMoney,
  type Span,
} from './volume-queries';

/** Sums of the whole period before, and those of its part that is as long as what this one has had. */
export type PreviousPeriod = {
  money: MoneyRow[];
  moneyUntilNow: MoneyRow[];
  attempts: AttemptRow[];
  attemptsUntilNow: AttemptRow[];
  callbacksUntilNow: CallbackRow[];
  chargebacks: number;
};

const cacheMilliseconds = 5 * 60_000;
const cacheMax = 200;
const cache = new Map<string, { until: number; value: Promise<PreviousPeriod> }>();

/** Reads the period before, or gives what was read some minutes ago. A failure is not kept. */
export function previousPeriod(span: Span, comparedUntil: Date): Promise<PreviousPeriod> {
  // Minutes pass faster than what is compared with changes.
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

async function read(span: Span, comparedUntil: Date): Promise<PreviousPeriod> {
  // One more bucket begins where the comparison ends; what lies behind it counts for the drawn line only.
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

/** The beginnings with one more at `at`, and which of the former buckets each of them belongs to. */
export function split(starts: readonly Date[], at: Date): { starts: Date[]; owners: number[] } {
  const next = [...starts];
  const inside = starts.findLastIndex((start) => start < at);
  const isBoundary = starts.some((start) => start.getTime() === at.getTime());
  if (inside >= 0 && !isBoundary) next.splice(inside + 1, 0, at);
  const owners = next.map((start) => starts.findLastIndex((own) => own <= start));
  return { starts: next, owners };
}
