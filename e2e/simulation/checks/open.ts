// What must not stay open, by virtual time.
import type { World } from '../world.ts';

const minute = 60_000;
/**
 * Due rows are claimed within this time, with all processes up and no faults: a round that found nothing for the same row
 * is repeated after 38 seconds at most. The claim of a process that was lost ends with its lease of 150 seconds.
 */
const overdueMost = 4 * minute;
/** Late requests, leases and paused receivers of callbacks end within this time after the last fault. */
export const settledWithin = 25 * minute;
/**
 * How long a transaction may have a status, by kind of wait. A call lasts 60 seconds at most, and an outcome that is
 * unknown is asked for every 45 seconds at first and later after 2 % of its age; a void that was not
 * answered is repeated.
 * A payer has 15 minutes for a challenge and 60 on a bank's page before the attempt is cancelled.
 */
const openMost = { provider: 25 * minute, challenge: 25 * minute, redirect: 75 * minute };
/** A notification waits while its payment has an operation in flight, which may be a payer's; it is tried every
 * minute at first, until a user has decided, where the transaction or the operation in flight is listed as unresolved. */
const notificationMost = openMost.redirect;

const listed = 'exists (select 1 from unresolved u where u.transaction_id = t.id)';
/** Milliseconds since a time, or since the end of the faults. */
const since = (time: string) => `extract(epoch from to_timestamp($1) - greatest(${time}, to_timestamp($2))) * 1000`;

/** Polls are further apart the longer a row has waited. */
const interval = (since: string) => `least(extract(epoch from to_timestamp($1) - ${since}) * 20, ${360 * minute})`;

/** One statement: the rows that are open for longer than they may be. */
const findOpen = `
select 'transaction ' || t.id || ' (' || t.kind || ') is still ' || t.status as what, ${since('t.created_at')} as open
  from transactions t
 where t.status in ('sent', 'unknown', 'waiting', 'challenge', 'redirect') and not ${listed}
   and ${since('t.created_at')} > case t.status when 'challenge' then ${openMost.challenge}
                                                when 'redirect' then ${openMost.redirect} else ${openMost.provider} end
                                     + ${interval('t.created_at')}
union all
select 'payment ' || p.id || ' is in flight after the end of its transaction', ${since('t.finished_at')}
  from payments p join transactions t on t.id = p.in_flight_id
 where t.status in ('success', 'fail') and t.cancel_reason is null and ${since('t.finished_at')} > ${overdueMost}
union all
select 'the notification of ' || n.transaction_id || ' is not processed', ${since('n.received_at')}
  from provider_notifications n
 where ${since('n.received_at')} > ${notificationMost} + ${interval('n.received_at')}
   and not exists (select 1 from transactions t join payments p on p.id = t.payment_id
                     join unresolved u on u.transaction_id in (t.id, p.in_flight_id) where t.id = n.transaction_id)`;

/** Nothing is open for longer than the constants of the service allow, counted from the end of the faults at `calmAt`. */
export async function checkOpen({ base, report, scheduler }: World, calmAt: number) {
  const times = [scheduler.now() / 1000, calmAt / 1000];
  for (const { what, open } of await base.rows<{ what: string; open: string }>(findOpen, times))
    report(`${what} after ${Math.round(Number(open) / minute)} minutes without faults`);
}

/** Reports a first due row that is not claimed, once for each job. A row may get a due time that has passed. */
export function newOverdueCheck({ report, scheduler }: World, calmAt: () => number) {
  const first = new Map<string, { due: number; since: number; isReported: boolean }>();
  return function check(job: string, due: number) {
    const known = first.get(job);
    const row = known?.due === due ? known : { due, since: Math.max(due, scheduler.now()), isReported: false };
    first.set(job, row);
    const late = scheduler.now() - row.since;
    if (late <= overdueMost || scheduler.now() < calmAt() + settledWithin || row.isReported) return;
    row.isReported = true;
    report(`a due row of ${job} is not processed after ${Math.round(late / minute)} minutes`);
  };
}
