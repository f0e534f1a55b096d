/**
 * Sums over a period by bucket (days or hours) with start instants from the caller, so that days follow the user's time
 * zone. Each statement is one pass over a time index; `width_bucket` finds the bucket by binary search, so that 30 days
 * of a million payments take well under half a second.
 */
import type { State } from '../../core/states.ts';
import { attemptKindsSql, unprepared } from '../../db/index.ts';

/** The rows: those of `merchantId` or, with null, of all merchants, from `starts[0]` on and before `until`. */
export type Span = { merchantId: string | null; starts: readonly Date[]; until: Date };

/** Payments created in a bucket, by currency, method (a wallet, a method, `card`, '' for none yet) and state. */
export type MoneyRow = {
  bucket: number;
  currency: string;
  method: string;
  state: State;
  payments: number;
  settledMinor: bigint;
  refundedMinor: bigint;
};

/** Attempts of a bucket with a known outcome. */
export type AttemptRow = { bucket: number; status: 'success' | 'fail'; declineClass: string | null; attempts: number };

/** Callbacks created in a bucket. */
export type CallbackRow = {
  bucket: number;
  written: number;
  /** Delivered at the first attempt. */
  first: number;
  /** With a failed first attempt, whatever the final state. */
  failedFirst: number;
};

type SpanValues = { merchantId: string | null; starts: readonly Date[]; from: Date | undefined; until: Date };

const valuesOf = (span: Span): SpanValues => ({ ...span, from: span.starts[0] });

/** The bucket of a time, and whether it is in the span. */
const bucketOf = (at: string) => `width_bucket(${at}, :starts::timestamptz[]) - 1 as bucket`;
const inSpan = (at: string) => `${at} >= :from::timestamptz and ${at} < :until::timestamptz`;
/** Whether `column` is the merchant of the values; with null it may be any. */
export const ofMerchant = (column: string) => `(:merchantId::uuid is null or ${column} = :merchantId::uuid)`;

// One text as the group's key, so that the planner expects few groups and hashes; with five columns it sorts every row.
const moneySums = unprepared<SpanValues, MoneyRow & { key: string }>(`
  select ${bucketOf('p.created_at')},
         concat_ws('|', p.currency, coalesce(p.digital_wallet, p.method, case when p.card_id is null then '' else 'card' end),
                   p.state) as key,
         count(*)::int as payments, sum(p.settled_minor)::bigint as "settledMinor",
         sum(p.refunded_minor)::bigint as "refundedMinor"
    from payments p where ${inSpan('p.created_at')} and ${ofMerchant('p.merchant_id')} group by 1, 2`);

/** Sums of the payments created in each bucket. */
export async function readMoney(span: Span): Promise<MoneyRow[]> {
  return (await moneySums(valuesOf(span))).map(({ key, ...sums }) => {
    const [currency = '', method = '', state = ''] = key.split('|');
    return { ...sums, currency, method, state: state as State };
  });
}

const attemptCounts = unprepared<SpanValues & { mid: string | null }, AttemptRow>(`
  select ${bucketOf('t.created_at')}, t.status, t.decline_class as "declineClass", count(*)::int as attempts
    from transactions t
   where t.mid_id in (select m.id from mids m
                       where ${ofMerchant('m.merchant_id')} and (:mid::uuid is null or m.id = :mid::uuid))
     and ${inSpan('t.created_at')} and t.kind in ${attemptKindsSql()} and t.status in ('success', 'fail')
   group by 1, 2, 3`);

/** The outcomes of each bucket's attempts; `mid` limits them to one MID. */
export const readAttempts = (span: Span, mid: string | null = null) => attemptCounts({ ...valuesOf(span), mid });

const callbackCounts = unprepared<SpanValues, CallbackRow>(`
  select ${bucketOf('c.created_at')}, count(*)::int as written,
         (count(*) filter (where c.state = 'delivered' and c.attempts = 1))::int as first,
         (count(*) filter (where c.attempts > 1 or (c.attempts = 1 and c.state in ('waiting', 'failed'))))::int
           as "failedFirst"
    from callbacks c where ${inSpan('c.created_at')} and ${ofMerchant('c.merchant_id')} group by 1`);

/** The deliveries of each bucket's callbacks. */
export const readCallbacks = (span: Span) => callbackCounts(valuesOf(span));

const chargebackCount = unprepared<SpanValues, { found: number }>(`
  select count(*)::int as found from transactions t join payments p on p.id = t.payment_id
   where t.kind = 'chargeback' and ${inSpan('t.created_at')} and ${ofMerchant('p.merchant_id')}`);

/** Chargebacks received in the span. */
export async function countChargebacks(span: Span): Promise<number> {
  return (await chargebackCount(valuesOf(span)))[0]?.found ?? 0;
}

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
