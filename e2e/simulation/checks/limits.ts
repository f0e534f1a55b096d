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

/** A payment that was refused: its amount, and when it was asked for and answered. */
type Rejected = { about: string; merchant: string; minor: bigint; from: number; until: number };

/** Compares the attempts with the limits, which do not change during a history. */
export async function checkLimits(world: World) {
  const { base, asked, chance, report } = world;
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
            t.amount_minor::text as minor, ${milliseconds('t.created_at')} as at, t.status::text,
            ${milliseconds('t.finished_at')} as finished
       from transactions t join payments p on p.id = t.payment_id
      where t.kind in ('sale', 'authorize', 'debit', 'credit', 'transfer', 'recurring')`,
  );
  for (const limit of limits) checkSums(limit, attempts, report);
  const isSlow = chance.met.some((fault) => slow.test(fault));
  const refused = asked.filter(isAtLimit);
  for (const { about, ...rejected } of [...refused.map(rejectedOf(asked)), ...(await refusedCharges(world))]) {
    const own = limits.filter(({ merchant }) => merchant === rejected.merchant);
    if (!own.some((limit) => isExceededBy(limit, rejected, attempts, isSlow ? tolerance.slow : tolerance.else)))
      report(`${about} was refused below every limit`);
  }
  if (!isSlow) for (const each of refused) checkRepeated(each, attempts, report);
}

const milliseconds = (column: string) => `(extract(epoch from ${column}) * 1000)::bigint::text`;

function checkSums({ span, most, ...limit }: Limit, attempts: Attempt[], report: World['report']) {
  const sums = new Map<number, bigint>();
  for (const { minor, at, status } of attempts.filter(isOf(limit))) {
    if (status === 'fail') continue;
    const window = windowOf(span, Number(at));
    sums.set(window, (sums.get(window) ?? 0n) + BigInt(minor));
  }
  for (const [window, sum] of sums)
    if (sum > BigInt(most)) report(`the ${span} of ${new Date(window).toISOString()} has ${sum}, its limit is ${most}`);
}

/** A request that was refused. A repeated attempt has the amount of its order. */
const rejectedOf =
  (asked: Asked[]) =>
  (each: Asked): Rejected => ({
    about: `${each.action} of order ${each.order}`,
    merchant: each.merchant.id,
    minor: BigInt((each.amount ?? orderedBy(asked, each.order)?.amount ?? '0').replace('.', '')),
    from: each.at,
    until: each.answer?.at ?? 0,
  });

/** The charges of schedules that no account could take, in histories in which every account was enabled. */
async function refusedCharges({ base, disabled }: World): Promise<Rejected[]> {
  if (disabled.length > 0) return [];
  const rows = await base.rows<Record<'order' | 'merchant' | 'minor' | 'at', string>>(
    `select ${orderSql} as "order", p.merchant_id as merchant, p.amount_minor::text as minor, ${milliseconds('p.created_at')} as at
       from payments p
      where p.subscription_id is not null and not exists (select 1 from transactions t where t.payment_id = p.id)`,
  );
  return rows.map(({ order, merchant, minor, at }) => ({
    ...{ about: `the charge ${order}`, merchant, minor: BigInt(minor) },
    ...{ from: Number(at), until: Number(at) },
  }));
}

const isOf = (limit: Pick<Limit, 'scope'>) => (attempt: Attempt) =>
  attempt.account === limit.scope || attempt.mapping === limit.scope;

/** Whether the payment and what was under way, or not declined, until its rejected may exceed the limit. */
function isExceededBy(
  limit: Limit,
  { minor: wanted, from: asked, until }: Omit<Rejected, 'about'>,
  attempts: Attempt[],
  skew: number,
): boolean {
  const from = windowOf(limit.span, asked - skew);
  const isCounted = ({ at, status, finished }: Attempt) =>
    Number(at) >= from && Number(at) <= until + skew && (status !== 'fail' || Number(finished) > asked - skew);
  const taken = attempts.filter(isOf(limit)).filter(isCounted);
  return taken.reduce((sum, { minor }) => sum + BigInt(minor), wanted) > BigInt(limit.most);
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
