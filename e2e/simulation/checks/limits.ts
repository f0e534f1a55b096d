// Turnover limits: no window holds more than its limit, and only what exceeds one is refused.
import { orderSql } from '../merchants.ts';
import { type Asked, isSale, orderedBy } from '../requests.ts';
import type { World } from '../world.ts';

/** The errors of the contract for the limits, by their windows. */
const limitErrors = new Map([
  [204007, 'day'],
  [204014, 'month'],
  [204008, 'day'],
  [204015, 'week'],
]);
/** Below the time in which a repeated request is the same payment (contract, Repeated requests). */
const surelyRepeated = 10_000;
/** How far the times of an attempt and of an answer may be apart, with faults and without them. */
const tolerance = { slow: 900_000, else: 5_000 };
const slow = /^(clock off|process paused|statement slow|answer slow|outage of days)#/;

type Limit = Record<'scope' | 'merchant' | 'span' | 'most', string>;
type Attempt = Record<'account' | 'mapping' | 'merchant' | 'order' | 'minor' | 'at' | 'status', string> & {
  finished: string | null;
};

/** The error of a limit in an answer of S2S or Checkout. */
function limitErrorOf({ answer }: Asked): number | null {
  const { error_code: code, errors } = answer?.body ?? {};
  const found = [code, ...(errors ?? []).map((each: { error_code?: number }) => each.error_code)];
  return found.map(Number).find((each) => limitErrors.has(each)) ?? null;
}

/** Whether a payment was refused for a limit. */
export const isAtLimit = (asked: Asked) => limitErrorOf(asked) !== null;

/** Compares the attempts with the limits, which do not change during a history. */
export async function checkLimits({ base, asked, chance, merchants, report }: World) {
  if (!chance.joins('limits')) return;
  const limits = await base.rows<Limit>(
    `select l.* from (
       select id::text as scope, merchant_id as merchant, 'day' as span, daily_limit_minor::text as most from mids
       union all select id::text, merchant_id, 'month', monthly_limit_minor::text from mids
       union all select merchant_id || protocol::text, merchant_id, 'day', daily_limit_minor::text from protocol_mappings
       union all select merchant_id || protocol::text, merchant_id, 'week', weekly_limit_minor::text from protocol_mappings
     ) l where most is not null`,
  );
  const attempts = await base.rows<Attempt>(
    `select t.mid_id as account, p.merchant_id || p.protocol::text as mapping, p.merchant_id as merchant, ${orderSql} as "order",
            t.amount_minor::text as minor, (extract(epoch from t.created_at) * 1000)::bigint::text as at, t.status::text,
            (extract(epoch from t.finished_at) * 1000)::bigint::text as finished
       from transactions t join payments p on p.id = t.payment_id
      where t.kind in ('sale', 'authorize', 'debit', 'credit', 'transfer', 'recurring')`,
  );
  for (const limit of limits) {
    const sums = new Map<number, bigint>();
    for (const { minor, at, status } of attempts.filter(isOf(limit))) {
      if (status === 'fail') continue;
      const window = windowOf(limit.span, Number(at));
      sums.set(window, (sums.get(window) ?? 0n) + BigInt(minor));
    }
    for (const [window, sum] of sums)
      if (sum > BigInt(limit.most))
        report(`the ${limit.span} of ${new Date(window).toISOString()} has ${sum}, its limit is ${limit.most}`);
  }
  const isSlow = chance.met.some((fault) => slow.test(fault));
  for (const each of asked) {
    if (!isAtLimit(each)) continue;
    const owner = merchants.find(({ orderOf, numberOf }) => orderOf(numberOf(each.order)) === each.order);
    const own = limits.filter(({ merchant }) => merchant === owner?.id);
    // A repeated attempt has the amount of its order.
    const wanted = { ...each, amount: each.amount ?? orderedBy(asked, each.order)?.amount };
    if (!own.some((limit) => isExceededBy(limit, wanted, attempts, isSlow ? tolerance.slow : tolerance.else)))
      report(`${each.action} of order ${each.order} was refused below every limit`);
    if (!isSlow) checkRepeated(each, attempts, report);
  }
}

const isOf = (limit: Limit) => (attempt: Attempt) => attempt.account === limit.scope || attempt.mapping === limit.scope;

/** Whether the payment and what was under way, or not declined, until its refusal may exceed the limit. */
function isExceededBy(limit: Limit, { amount = '0', at, answer }: Asked, attempts: Attempt[], skew: number): boolean {
  const from = windowOf(limit.span, at - skew);
  const until = (answer?.at ?? 0) + skew;
  const isCounted = (each: Attempt) =>
    Number(each.at) >= from &&
    Number(each.at) <= until &&
    (each.status !== 'fail' || Number(each.finished) > at - skew);
  const taken = attempts.filter(isOf(limit)).filter(isCounted);
  const sum = taken.reduce((total, { minor }) => total + BigInt(minor), 0n);
  return sum + BigInt(amount.replace('.', '')) > BigInt(limit.most);
}

/** A payment that was made is not refused when its request is repeated. */
function checkRepeated(asked: Asked, attempts: Attempt[], report: World['report']) {
  if (!isSale(asked)) return;
  const made = attempts.filter(({ order, at }) => order === asked.order && Number(at) < asked.triedAt);
  if (made.some(({ at }) => asked.triedAt - Number(at) < surelyRepeated))
    report(`${asked.action} of order ${asked.order} was refused for a limit, and is recorded`);
}

/** The beginning of the UTC day, week or month of a time. */
function windowOf(span: string, at: number): number {
  const date = new Date(at);
  date.setUTCHours(0, 0, 0, 0);
  if (span === 'week') date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  if (span === 'month') date.setUTCDate(1);
  return date.getTime();
}
