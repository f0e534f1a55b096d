/**
 * Turnover limits of merchant accounts and mappings: per UTC day, UTC week (from Monday) and UTC month, in the
 * payment's currency. What has been taken up is always the sum of the attempts themselves, never a counter beside them:
 * a decline, a limit that is set at noon or a restored backup cannot make it wrong. Who records an attempt under a limit
 * adds up behind a lock of the limit's scope, so that attempts at once cannot pass it together. Merchants without a limit
 * pay for none of this.
 */
import type { ErrorKey } from '../core/errors';
import { attemptKindsSql, type Query, query, transaction } from '../db';
import type { Caller, Mapping, Mid } from '../merchants';

/** What an attempt takes up. `replaces` is the transaction that gives its share back when this one is recorded. */
type TurnoverRequest = { currency: string; amountMinor: bigint; replaces?: string };

/**
 * What is known of the room that is left: `mapping` is the limit of the mapping that a payment would exceed, which holds for
 * every account; `accounts` has those of single accounts by their ids.
 */
export type LimitCheck = { mapping: ErrorKey | null; accounts: ReadonlyMap<string, ErrorKey> };

type LimitScope = { midId: string } | { merchantId: string; protocol: string };

/** At most `mostMinor` since `since`, over all that its scope takes; `refusal` is what a request beyond it is told. */
export type TurnoverLimit = { scope: LimitScope; maxMinor: bigint; since: Date; errorKey: ErrorKey };

/**
 * Which accounts of `mids` still have room, as far as can be said without a lock: 204007 and 204014 for the accounts' limits,
 * 204008 and 204015 for those of the mapping.
 */
export async function midsWithinLimits(
  caller: Caller & { mapping: Mapping },
  mids: Mid[],
  wanted: TurnoverRequest,
  now: Date,
): Promise<LimitCheck> {
  const shared = await firstExceeded(mappingLimits(caller, now), wanted, query);
  const accounts = new Map<string, ErrorKey>();
  if (shared) return { mapping: shared.errorKey, accounts };
  for (const mid of mids) {
    const exceeded = await firstExceeded(midLimits(mid, now), wanted, query);
    if (exceeded) accounts.set(mid.id, exceeded.errorKey);
  }
  return { mapping: null, accounts };
}

/** Those of some accounts that have room. */
export function midsBelowLimits(mids: readonly Mid[], { mapping, accounts }: LimitCheck): Mid[] {
  return mapping === null ? mids.filter(({ id }) => !accounts.has(id)) : [];
}

/** The limit to refuse with where no account has room: the mapping's, else that of the first account that is full. */
export function exceededLimit(mids: readonly Mid[], { mapping, accounts }: LimitCheck): ErrorKey | null {
  return mapping ?? mids.map(({ id }) => accounts.get(id)).find((key) => key !== undefined) ?? null;
}

/** What is known of the room after a limit was found exceeded at an account. */
export function withExceeded(room: LimitCheck, mid: Mid, { scope, errorKey }: TurnoverLimit): LimitCheck {
  return 'midId' in scope
    ? { ...room, accounts: new Map([...room.accounts, [mid.id, errorKey]]) }
    : { ...room, mapping: errorKey };
}

/** Every limit that an attempt at an account is under. */
export function limitsOf(caller: Caller & { mapping: Mapping }, mid: Mid, now: Date): TurnoverLimit[] {
  return [...mappingLimits(caller, now), ...midLimits(mid, now)];
}

/** What `work` has given under the lock, or the limit that left no room for it. */
export type Locked<T> = { done: T | null } | { exceeded: TurnoverLimit };

/**
 * Runs `work`, which records an attempt, while nobody else can take up the room that it needs.
 * The lock is taken by a statement of its own, because a statement sees what was committed when it began and not what
 * was committed while it waited for a lock. It is held until the attempt is committed, a few milliseconds.
 */
export async function withLimitLock<T>(
  limits: TurnoverLimit[],
  wanted: TurnoverRequest,
  work: (run: Query) => Promise<T | null>,
): Promise<Locked<T>> {
  if (limits.length === 0) return { done: await work(query) };
  // The mapping's lock before the account's, for everybody: two that wait for each other cannot be.
  const names = [...new Set(limits.map(({ scope }) => `${Object.values(scope).join(' ')} ${wanted.currency}`))];
  return runInTurn(names, () =>
    transaction(async (run) => {
      for (const name of names) {
        await run('limit-lock', 'select pg_advisory_xact_lock(hashtextextended($1, 0))', [`turnover ${name}`]);
      }
      const exceeded = await firstExceeded(limits, wanted, run);
      return exceeded ? { exceeded } : { done: await work(run) };
    }),
  );
}

const lockQueues = new Map<string, Promise<unknown>>();

/**
 * One after the other within this process: of many that wait for one lock, only one holds a connection, and the rest of
 * the pool is left to merchants who have no limit.
 */
function runInTurn<T>([name, ...others]: string[], work: () => Promise<T>): Promise<T> {
  if (name === undefined) return work();
  const begin = () => runInTurn(others, work);
  const mine = (lockQueues.get(name) ?? Promise.resolve()).then(begin);
  const ended = mine
    .catch(() => {})
    .then(() => {
      if (lockQueues.get(name) === ended) lockQueues.delete(name);
    });
  lockQueues.set(name, ended);
  return mine;
}

function mappingLimits({ merchant, mapping }: Caller & { mapping: Mapping }, now: Date): TurnoverLimit[] {
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

function limit(scope: LimitScope, mostMinor: bigint | null, since: Date, refusal: ErrorKey): TurnoverLimit[] {
  return mostMinor === null ? [] : [{ scope, maxMinor: mostMinor, since, errorKey: refusal }];
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

// Every attempt that may still become a payment or has: a cascade's later ones too, at the account where they are.
const countedSql = `t.currency = $2 and t.created_at >= $3::timestamptz and t.id is distinct from $4::uuid
  and t.status <> 'fail' and t.kind in ${attemptKindsSql()}`;

const usedByMidSql = `select coalesce(sum(t.amount_minor), 0)::text as taken from transactions t
  where t.mid_id = $1 and ${countedSql}`;

const usedByMappingSql = `select coalesce(sum(t.amount_minor), 0)::text as taken from transactions t
    join payments p on p.id = t.payment_id
  where t.mid_id in (select id from mids where merchant_id = $1) and p.protocol = $5::"Protocol" and ${countedSql}`;

async function usedAmount(
  { scope, since }: TurnoverLimit,
  { currency, replaces }: TurnoverRequest,
  run: Query,
): Promise<bigint> {
  type Sum = { taken: string };
  const values = [currency, since, replaces ?? null];
  const [row] =
    'midId' in scope
      ? await run<Sum>('limit-mid', usedByMidSql, [scope.midId, ...values])
      : await run<Sum>('limit-mapping', usedByMappingSql, [scope.merchantId, ...values, scope.protocol]);
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
