/**
 * Turnover limits of merchant accounts and mappings: per UTC day, UTC week (from Monday) and UTC month, in the
 * payment's currency. Read only where a limit is set, so that nobody else pays for it.
 */
import type { ErrorKey } from '../core/errors';
import { query } from '../db';
import type { Caller, Mapping, Mid } from './merchants';

type Wanted = { currency: string; amountMinor: bigint };

/** The accounts that still have room for a payment, and the limit that is in the way of the others. */
export type Room = { mids: Mid[]; exceeded: ErrorKey | null };

/**
 * Which accounts of `mids` still have room. `exceeded` names the row to refuse with when none has: 204007 and 204014
 * for the accounts' limits, 204008 and 204015 for those of the mapping.
 */
export async function withinLimits(
  caller: Caller & { mapping: Mapping },
  mids: Mid[],
  wanted: Wanted,
  now: Date,
): Promise<Room> {
  const { mapping, merchant } = caller;
  const scope = { merchantId: merchant.id, protocol: mapping.protocol };
  if (await above(mapping.dailyLimitMinor, startOfDay(now), scope, wanted)) {
    return { mids: [], exceeded: 'mappingDailyLimit' };
  }
  if (await above(mapping.weeklyLimitMinor, startOfWeek(now), scope, wanted)) {
    return { mids: [], exceeded: 'mappingWeeklyLimit' };
  }
  const room: Room = { mids: [], exceeded: null };
  for (const mid of mids) {
    const exceeded = await exceededOf(mid, wanted, now);
    if (exceeded) room.exceeded ??= exceeded;
    else room.mids.push(mid);
  }
  return room;
}

async function exceededOf(mid: Mid, wanted: Wanted, now: Date): Promise<ErrorKey | null> {
  const ofMid = { midId: mid.id };
  if (await above(mid.dailyLimitMinor, startOfDay(now), ofMid, wanted)) return 'midDailyLimit';
  return (await above(mid.monthlyLimitMinor, startOfMonth(now), ofMid, wanted)) ? 'midMonthlyLimit' : null;
}

type Scope = { midId: string } | { merchantId: string; protocol: string };

async function above(limit: bigint | null, since: Date, scope: Scope, wanted: Wanted): Promise<boolean> {
  if (limit === null) return false;
  const taken = 'midId' in scope ? await takenByMid(scope.midId, since, wanted) : await takenBy(scope, since, wanted);
  return taken + wanted.amountMinor > limit;
}

async function takenByMid(midId: string, since: Date, wanted: Wanted): Promise<bigint> {
  const [row] = await query<{ taken: string }>(
    'limit-mid',
    `select coalesce(sum(amount_minor), 0)::text as taken from transactions
      where mid_id = $1 and currency = $2 and created_at >= $3::timestamptz and attempt_id is null and status <> 'fail'`,
    [midId, wanted.currency, since],
  );
  return BigInt(row?.taken ?? 0);
}

async function takenBy(scope: { merchantId: string; protocol: string }, since: Date, wanted: Wanted): Promise<bigint> {
  const [row] = await query<{ taken: string }>(
    'limit-mapping',
    `select coalesce(sum(t.amount_minor), 0)::text as taken from transactions t join payments p on p.id = t.payment_id
      where p.merchant_id = $1 and p.protocol = $2::"Protocol" and p.currency = $3 and t.created_at >= $4::timestamptz
        and t.attempt_id is null and t.status <> 'fail'`,
    [scope.merchantId, scope.protocol, wanted.currency, since],
  );
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
