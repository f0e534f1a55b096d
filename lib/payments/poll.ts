/**
 * The transactions that are due: their providers are asked what became of them. The row is the job; any number of processes
 * claim rows side by side, and every account has a share of its own in each claim.
 */
import { query } from '../db';
import { newConcurrencyLimiter, roundMilliseconds } from '../jobs';
import { log } from '../telemetry';
import { processDueTransaction } from './sync';

/** Rows of one claim: of all accounts, and of one. */
const claimMax = 200;
const midMax = 50;
/**
 * What one process has under way. An account's share is well under the connections that one provider may hold open
 * (connectors/http.ts), so that new payments find room beside the questions of a provider that hangs.
 */
const limiter = newConcurrencyLimiter('a due transaction', 1000, { account: midMax, merchant: 200 });

/**
 * Seconds until a claimed row may be claimed again. It covers the question to the provider, 15 s at most, twice. What follows
 * on the answer and may take longer, a void within the account's timeout, pushes the due time forward itself.
 */
const leaseSeconds = 30;

// The first row of each account is found by the index, not by reading all that is due: as in the claim of callbacks. Accounts
// stand in any order, so that those with a long queue do not hide the rest from a claim that is full before it comes to them.
const claimSql = `
with recursive accounts(mid_id) as (
  (select mid_id from transactions where due_at is not null order by mid_id limit 1)
  union all
  select (select t.mid_id from transactions t where t.due_at is not null and t.mid_id > a.mid_id order by t.mid_id limit 1)
    from accounts a where a.mid_id is not null
), due as materialized (
  select d.id, a.merchant_id
    from (select m.id as mid_id, m.merchant_id from accounts a join mids m on m.id = a.mid_id
           where m.id <> all($3::uuid[]) and m.merchant_id <> all($4::uuid[]) order by random()) a
    cross join lateral (
      select t.id from transactions t
       where t.mid_id = a.mid_id and t.due_at <= (select $1::timestamptz)
       order by t.due_at limit ${midMax}
    ) d
   limit $2::int
), locked as (
  select t.id, due.merchant_id from transactions t join due on due.id = t.id
   where t.due_at <= (select $1::timestamptz) for update of t skip locked
)
update transactions t set due_at = $1::timestamptz + interval '${leaseSeconds} seconds', polls = t.polls + 1
  from locked where t.id = locked.id
returning t.id, t.mid_id as account, locked.merchant_id as merchant`;

/**
 * Claims transactions that are due and asks about them; returns how many there were. What takes longer than `patience`
 * milliseconds goes on in the background.
 */
export async function pollDue(now: Date, patience = roundMilliseconds): Promise<number> {
  const limit = Math.min(claimMax, limiter.free());
  if (limit === 0) return 0;
  const rows = await query<{ id: string; account: string; merchant: string }>('transactions-due', claimSql, [
    now,
    limit,
    limiter.busy('account'),
    limiter.busy('merchant'),
  ]);
  const pieces = rows.map(({ id, account, merchant }) => ({
    keys: { account, merchant },
    run: () =>
      processDueTransaction(id, now).catch((err) =>
        log.error({ err, transaction: id }, 'a due transaction could not be resolved'),
      ),
  }));
  await limiter.start(pieces, patience);
  return rows.length;
}
