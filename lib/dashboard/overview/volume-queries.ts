/**
 * Sums over a period by bucket (days or hours) with start instants from the caller, so that days follow the user's time
 * zone. Each statement is one pass over a time index; `width_bucket` finds the bucket by binary search, so that 30 days
 * of a million payments take well under half a second.
 */
import type { State } from '../../core/states.ts';
import { attemptKindsSql, queryOnce } from '../../db/index.ts';

/** The rows of a merchant and a MID, or of all with null, from `starts[0]` on and before `until`. */
export type Span = { merchantId: string | null; midId: string | null; starts: readonly Date[]; until: Date };

/** Conditions on the merchant and the MID of a span, with the parameters of {@link paramsOf}. */
export function scopeSql({ merchantId, midId }: Span, merchantColumn: string, midCondition: string): string {
  const merchant = merchantId === null ? '' : ` and ${merchantColumn} = :merchantId::uuid`;
  return midId === null ? merchant : `${merchant} and ${midCondition}`;
}

/** The condition for rows of a span by their time. */
export const within = (column: string) => `${column} >= :from::timestamptz and ${column} < :until::timestamptz`;

/** The parameters of a statement over a span. */
export const paramsOf = (span: Span) => ({ ...span, from: span.starts[0] });

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

/** Payments whose latest attempt used the MID, which is the one that the list of payments shows. */
const lastAttempted = `p.id in (
  select t.payment_id from transactions t
   where t.mid_id = :midId::uuid and t.created_at >= :from::timestamptz and t.kind in ${attemptKindsSql()}
     and not exists (select from transactions n where n.payment_id = t.payment_id and n.created_at > t.created_at
                        and n.kind in ${attemptKindsSql()}))`;

/** Sums of the payments created in each bucket. */
export async function readMoney(span: Span): Promise<MoneyRow[]> {
  // One text as the group's key, so that the planner expects few groups and hashes; with five columns it sorts every row.
  const rows = await queryOnce<MoneyRow & { key: string }>(
    `select width_bucket(p.created_at, :starts::timestamptz[]) - 1 as bucket,
            concat_ws('|', p.currency,
                      coalesce(p.digital_wallet, p.method, case when p.card_id is null then '' else 'card' end),
                      p.state) as key,
            count(*)::int as payments, sum(p.settled_minor)::bigint as "settledMinor",
            sum(p.refunded_minor)::bigint as "refundedMinor"
       from payments p
      where ${within('p.created_at')} ${scopeSql(span, 'p.merchant_id', lastAttempted)}
      group by 1, 2`,
    paramsOf(span),
  );
  return rows.map(({ key, ...sums }) => {
    const [currency = '', method = '', state = ''] = key.split('|');
    return { ...sums, currency, method, state: state as State };
  });
}

/** The MIDs of a span. */
export const midsOf = (span: Span) =>
  `select m.id from mids m where true${scopeSql(span, 'm.merchant_id', 'm.id = :midId::uuid')}`;

/** The outcomes of each bucket's attempts. */
export function readAttempts(span: Span): Promise<AttemptRow[]> {
  return queryOnce(
    `select width_bucket(t.created_at, :starts::timestamptz[]) - 1 as bucket, t.status,
            t.decline_class as "declineClass", count(*)::int as attempts
       from transactions t
      where t.mid_id in (${midsOf(span)}) and ${within('t.created_at')}
        and t.kind in ${attemptKindsSql()} and t.status in ('success', 'fail')
      group by 1, 2, 3`,
    paramsOf(span),
  );
}

/** The deliveries of each bucket's callbacks. */
export function readCallbacks(span: Span): Promise<CallbackRow[]> {
  const atMid = 'exists (select from transactions t where t.payment_id = c.payment_id and t.mid_id = :midId::uuid)';
  return queryOnce(
    `select width_bucket(c.created_at, :starts::timestamptz[]) - 1 as bucket, count(*)::int as written,
            (count(*) filter (where c.state = 'delivered' and c.attempts = 1))::int as first,
            (count(*) filter (where c.attempts > 1 or (c.attempts = 1 and c.state in ('waiting', 'failed'))))::int
              as "failedFirst"
       from callbacks c
      where ${within('c.created_at')} ${scopeSql(span, 'c.merchant_id', atMid)}
      group by 1`,
    paramsOf(span),
  );
}

/** Chargebacks received in the span. */
export async function countChargebacks(span: Span): Promise<number> {
  const [row] = await queryOnce<{ found: number }>(
    `select count(*)::int as found from transactions t join payments p on p.id = t.payment_id
      where t.kind = 'chargeback' and ${within('t.created_at')}
        and (:merchantId::uuid is null or p.merchant_id = :merchantId) and (:midId::uuid is null or t.mid_id = :midId)`,
    paramsOf(span),
  );
  return row?.found ?? 0;
}

const cacheMilliseconds = 5 * 60_000;
const cacheMax = 200;
const cache = new Map<string, { until: number; value: ReturnType<typeof read> }>();

/** Reads the previous period, or returns the cached one. Failures are not cached. */
export function previousPeriod(span: Span, comparedUntil: Date) {
  // The cache is shorter than the time in which the compared part changes.
  const name = [span.merchantId, span.midId, span.starts.length, span.starts[0]?.getTime(), span.until.getTime()].join(
    ' ',
  );
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
