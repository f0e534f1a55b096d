/** Polls providers about due transactions, claimed by any number of processes and shared among the accounts. */
import { statement } from '../db/index.ts';
import { newConcurrencyLimiter, roundMilliseconds } from '../jobs/index.ts';
import { log } from '../telemetry/index.ts';
import { processDueTransaction } from './provider-sync.ts';

/** Rows of one claim: of all accounts, and of one account. */
const claimMax = 200;
const midMax = 50;
/**
 * Concurrent polls of one process. The limit of an account is well below the connections that one provider may hold
 * open (connectors/http.ts), so that polls of a provider that hangs leave connections for new payments.
 */
const limiter = newConcurrencyLimiter('a due transaction', 1000, { account: midMax, merchant: 200 });

/** Seconds until a claimed row may be claimed again: two status requests of 15 s. A void extends the lease itself. */
const leaseSeconds = 30;

// The index finds the first row of each account without a scan of all due rows, as in the claim of callbacks. Accounts
// are in random order, so that those with long queues do not starve the rest when a claim is full.
type ClaimParams = { now: Date; limit: number; busyMids: string[]; busyMerchants: string[] };
const claimDueTransactions = statement<ClaimParams, { id: string; account: string; merchant: string }>(
  'transactions-due',
  `with recursive accounts(mid_id) as (
  (select mid_id from transactions where due_at is not null order by mid_id limit 1)
  union all
  select (select t.mid_id from transactions t where t.due_at is not null and t.mid_id > a.mid_id order by t.mid_id limit 1)
    from accounts a where a.mid_id is not null
), due as materialized (
  select d.id, a.merchant_id
    from (select m.id as mid_id, m.merchant_id from accounts a join mids m on m.id = a.mid_id
           where m.id <> all(:busyMids::uuid[]) and m.merchant_id <> all(:busyMerchants::uuid[]) order by random()) a
    cross join lateral (
      select t.id from transactions t
       where t.mid_id = a.mid_id and t.due_at <= (select :now::timestamptz)
       order by t.due_at limit ${midMax}
    ) d
   limit :limit::int
), locked as (
  select t.id, due.merchant_id from transactions t join due on due.id = t.id
   where t.due_at <= (select :now::timestamptz) for update of t skip locked
)
update transactions t set due_at = :now::timestamptz + interval '${leaseSeconds} seconds', polls = t.polls + 1
  from locked where t.id = locked.id
returning t.id, t.mid_id as account, locked.merchant_id as merchant`,
);

/** Claims and polls due transactions; returns how many. Work over `waitMilliseconds` continues in the background. */
export function pollDue(now: Date, waitMilliseconds = roundMilliseconds): Promise<number> {
  const busy = { busyMids: limiter.busy('account'), busyMerchants: limiter.busy('merchant') };
  const leasedUntil = new Date(now.getTime() + leaseSeconds * 1000);
  const process = (id: string) =>
    processDueTransaction(id, now, leasedUntil).catch((err) =>
      log.error({ err, transaction: id }, 'a due transaction could not be resolved'),
    );
  return limiter.claim(
    claimMax,
    (limit) => claimDueTransactions({ now, limit, ...busy }),
    ({ id, ...keys }) => ({ keys, run: () => process(id) }),
    waitMilliseconds,
  );
}
