/**
 * Turnover limits of accounts and mappings: per UTC day, UTC week (from Monday) and UTC month, in the payment's
 * currency. The used amount is always the sum of the attempts, never a counter, so that declines, new limits and
 * restored backups cannot make it wrong. An attempt under a limit is summed and inserted under a lock of the limit's
 * scope, so that concurrent attempts cannot exceed it. Payments without a limit take no lock.
 */
import type { ErrorKey } from '../core/errors.ts';
import { attemptKindsSql, type Query, query, statement, transaction } from '../db/index.ts';
import type { KnownCaller, Mid } from '../merchants/index.ts';

/** The turnover of an attempt. `replaces`: the transaction whose turnover ends when this one is inserted. */
type TurnoverRequest = { currency: string; amountMinor: bigint; replaces?: string };

/** The exceeded limits: of the mapping, which applies to every account, and of single accounts by their ids. */
export type LimitCheck = { mapping: ErrorKey | null; accounts: ReadonlyMap<string, ErrorKey> };

type LimitScope = { midId: string } | { merchantId: string; protocol: string };

/** At most `maxMinor` since `since` over all attempts of its scope; `errorKey` is the error of a request above it. */
export type TurnoverLimit = { scope: LimitScope; maxMinor: bigint; since: Date; errorKey: ErrorKey };

/** Checks the limits without a lock: 204007 and 204014 for those of accounts, 204008 and 204015 for the mapping's. */
export async function midsWithinLimits(
  caller: KnownCaller,
  mids: Mid[],
  wanted: TurnoverRequest,
  now: Date,
): Promise<LimitCheck> {
  const mappingLimit = await firstExceeded(mappingLimits(caller, now), wanted, query);
  const accounts = new Map<string, ErrorKey>();
  if (mappingLimit) return { mapping: mappingLimit.errorKey, accounts };
  for (const mid of mids) {
    const exceeded = await firstExceeded(midLimits(mid, now), wanted, query);
    if (exceeded) accounts.set(mid.id, exceeded.errorKey);
  }
  return { mapping: null, accounts };
}

/** The accounts below their limits. */
export function midsBelowLimits(mids: readonly Mid[], { mapping, accounts }: LimitCheck): Mid[] {
  return mapping === null ? mids.filter(({ id }) => !accounts.has(id)) : [];
}

/** The error where no account is below its limits: the mapping's, else that of the first account at a limit. */
export function exceededLimit(mids: readonly Mid[], { mapping, accounts }: LimitCheck): ErrorKey | null {
  return mapping ?? mids.map(({ id }) => accounts.get(id)).find((key) => key !== undefined) ?? null;
}

/** Adds an exceeded limit of an account to a check. */
export function withExceeded(check: LimitCheck, mid: Mid, { scope, errorKey }: TurnoverLimit): LimitCheck {
  return 'midId' in scope
    ? { ...check, accounts: new Map([...check.accounts, [mid.id, errorKey]]) }
    : { ...check, mapping: errorKey };
}

/** All limits of an attempt at an account. */
export function limitsOf(caller: KnownCaller, mid: Mid, now: Date): TurnoverLimit[] {
  return [...mappingLimits(caller, now), ...midLimits(mid, now)];
}

const takeLock = statement<{ name: string }>('limit-lock', 'select pg_advisory_xact_lock(hashtextextended(:name, 0))');

/** The result of `work` under the lock, or the exceeded limit. */
type Locked<T> = { done: T | null } | { exceeded: TurnoverLimit };

/**
 * Runs `work`, which inserts an attempt, under the locks of its limits. A separate statement takes the lock, because a
 * statement sees only what was committed before it began, not while it waited. The lock is held until the commit, a few
 * milliseconds.
 */
export async function withLimitLock<T>(
  limits: TurnoverLimit[],
  wanted: TurnoverRequest,
  work: (run: Query) => Promise<T | null>,
): Promise<Locked<T>> {
  if (limits.length === 0) return { done: await work(query) };
  // The mapping's lock always precedes the account's, which prevents deadlocks.
  const names = [...new Set(limits.map(({ scope }) => `${Object.values(scope).join(' ')} ${wanted.currency}`))];
  return runInTurn(names, () =>
    transaction(async (run) => {
      for (const name of names) {
        await takeLock({ name: `turnover ${name}` }, run);
      }
      const exceeded = await firstExceeded(limits, wanted, run);
      return exceeded ? { exceeded } : { done: await work(run) };
    }),
  );
}

const lockQueues = new Map<string, Promise<unknown>>();

/** Serialises work on one lock within this process, so that only one waiter holds a connection of the pool. */
function runInTurn<T>([name, ...others]: string[], work: () => Promise<T>): Promise<T> {
  if (name === undefined) return work();
  const start = () => runInTurn(others, work);
  const result = (lockQueues.get(name) ?? Promise.resolve()).then(start);
  const ended = result
    .catch(() => {})
    .then(() => {
      if (lockQueues.get(name) === ended) lockQueues.delete(name);
    });
  lockQueues.set(name, ended);
  return result;
}

function mappingLimits({ merchant, mapping }: KnownCaller, now: Date): TurnoverLimit[] {
  const scope = { merchantId: merchant.id, protocol: mapping.protocol };
  return [
    ...limit(scope, mapping.dailyLimitMinor, startOfDay(now), 'mappingDailyLimit'),
    ...limit(scope, mapping.weeklyLimitMinor, startOfWeek(now), 'mappingWeeklyLimit'),
  ];
}

function midLimits(mid: Mid, now: Date): TurnoverLimit[] {
  return [
    ...limit({ midId: mid.id }, mid.dailyLimitMinor, startOfDay(now), 'midDailyLimit'),
    ...limit({ midId: mid.id }, mid.monthlyLimitMinor, startOfMonth(now), 'midMonthlyLimit'),
  ];
}

function limit(scope: LimitScope, maxMinor: bigint | null, since: Date, errorKey: ErrorKey): TurnoverLimit[] {
  return maxMinor === null ? [] : [{ scope, maxMinor, since, errorKey }];
}

async function firstExceeded(
  limits: TurnoverLimit[],
  wanted: TurnoverRequest,
  run: Query,
): Promise<TurnoverLimit | undefined> {
  for (const each of limits) {
    if ((await usedAmount(each, wanted, run)) + wanted.amountMinor > each.maxMinor) return each;
  }
  return undefined;
}

// Every attempt that has not failed, including failover attempts at their own accounts.
const countedSql = `t.currency = :currency and t.created_at >= :since::timestamptz and t.id is distinct from :replaces::uuid
  and t.status <> 'fail' and t.kind in ${attemptKindsSql()}`;

type CountParams = { currency: string; since: Date; replaces: string | null };

const usedByMid = statement<CountParams & { midId: string }, { taken: string }>(
  'limit-mid',
  `select coalesce(sum(t.amount_minor), 0)::text as taken from transactions t
    where t.mid_id = :midId and ${countedSql}`,
);

const usedByMapping = statement<CountParams & { merchantId: string; protocol: string }, { taken: string }>(
  'limit-mapping',
  `select coalesce(sum(t.amount_minor), 0)::text as taken from transactions t
      join payments p on p.id = t.payment_id
    where t.mid_id in (select id from mids where merchant_id = :merchantId) and p.protocol = :protocol::"Protocol"
      and ${countedSql}`,
);

async function usedAmount(
  { scope, since }: TurnoverLimit,
  { currency, replaces }: TurnoverRequest,
  run: Query,
): Promise<bigint> {
  const counted = { currency, since, replaces: replaces ?? null };
  const [row] =
    'midId' in scope
      ? await usedByMid({ ...counted, midId: scope.midId }, run)
      : await usedByMapping({ ...counted, merchantId: scope.merchantId, protocol: scope.protocol }, run);
  return BigInt(row?.taken ?? 0);
}

function startOfDay(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));
}

function startOfWeek(now: Date): Date {
  const day = startOfDay(now);
  return new Date(day.getTime() - ((day.getUTCDay() + 6) % 7) * 86_400_000);
}

function startOfMonth(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
}
