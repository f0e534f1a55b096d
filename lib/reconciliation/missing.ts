/** Finds what the ledger has and no report: the transactions of days whose reports have to be there. */
import { type Query, statement } from '../db/index.ts';
import { oneByOne } from './booking.ts';
import type { Mapping } from './mapping.ts';
import { closedNow, reversedEntries } from './match-sql.ts';
import { unhurried } from './unhurried.ts';

type Days = { mid: string; toleranceDays: number; timeZone: string; from: string | null; now: Date };

// Every day once, one after the other: also those without any line, and not those of a stray date.
const nextDays = statement<Days & { most: number }, { day: string }>(
  'settlement-days-to-sweep',
  `select day::date::text as day
     from (select min(r.period_to) as first, max(r.period_to) as last from settlement_reports r
            where r.mid_id = :mid::uuid and r.state = 'matched') r
     left join settlement_progress p on p.mid_id = :mid::uuid
     cross join lateral generate_series(
       coalesce(greatest(p.swept_until + 1, :from::date), r.first)::timestamp,
       least(r.last - :toleranceDays::int,
             (:now::timestamptz at time zone :timeZone::text)::date - :toleranceDays::int - 1)::timestamp,
       interval '1 day') day
    where r.last is not null
    order by 1 limit :most::int`,
);

const advance = statement<{ mid: string; day: string }, { mid: string }>(
  'swept-settlement-day',
  `update settlement_progress set swept_until = :day::date
    where mid_id = :mid::uuid and (swept_until is null or swept_until < :day::date) returning mid_id as mid`,
);

// A payment that was settled and returned before its provider reports it need not be in a report.
const isPair = (e: string) => `exists (
        select from transactions t join transactions o on o.payment_id = t.payment_id
          join ledger_entries x on x.transaction_id = o.id and x.unresolved_id is null
         where t.id = ${e}.transaction_id and x.amount_minor = ${e}.amount_minor
           and x.movement = case ${e}.movement when 'settlement' then 'return' when 'return' then 'settlement' end::"LedgerMovement"
           and not exists (select from settlement_lines k where k.entry_id = x.id))`;

/** Entries of a payment that was settled and returned before a provider reports it are of no line. */
const sweepDay = statement<{ mid: string; day: string; timeZone: string; now: Date }, { id: string }>(
  'sweep-settlement-day',
  `insert into settlement_differences (id, kind, merchant_id, mid_id, entry_id, payment_id, transaction_id, expected_minor,
       expected_currency, delta_minor, created_at)
   select gen_random_uuid(), 'missing_at_provider', e.merchant_id, e.mid_id, e.id, e.payment_id, e.transaction_id,
          e.amount_minor, e.currency,
          case when e.movement in ('settlement', 'chargeback_won') then -e.amount_minor else e.amount_minor end,
          :now::timestamptz
     from ledger_entries e
    where e.posted_at >= :day::date::timestamp at time zone :timeZone::text
      and e.posted_at < (:day::date + 1)::timestamp at time zone :timeZone::text
      and e.mid_id = :mid::uuid and e.unresolved_id is null
      and e.movement in ('settlement', 'refund', 'return', 'chargeback', 'chargeback_won', 'payout')
      and not exists (select from settlement_lines k where k.entry_id = e.id)
      and not ${isPair('e')}
       on conflict (entry_id, kind) where line_id is null do nothing
   returning id`,
);

/** Days of one call; what is left of a long time is searched by the next ones. */
const daysMost = 400;

type Sweep = { mid: string; mapping: Mapping; now: Date };

/**
 * Opens a difference for each transaction that no report has of the days since the last call, until `toleranceDays` before the
 * last day of reports. Returns their number. Each day is searched once, in one transaction.
 */
export async function findMissingAtProvider({ mid, mapping, now }: Sweep): Promise<number> {
  const { toleranceDays, timeZone, from = null } = mapping;
  let found = 0;
  for (const { day } of await nextDays({ mid, toleranceDays, timeZone, from, now, most: daysMost })) {
    found += await oneByOne(mid, async (run: Query) => {
      if ((await advance({ mid, day }, run)).length === 0) return 0;
      return (await sweepDay({ mid, day, timeZone, now }, run)).length;
    });
  }
  return found;
}

const closeExplained = statement<{ mid: string; now: Date }>(
  'close-explained-differences',
  `with explained as (
     update settlement_differences d set ${closedNow('d')}
      where d.mid_id = :mid::uuid and d.kind = 'missing_at_provider' and (d.closed_at is null or d.resolution = 'adjusted')
        and (d.closed_at is null or not exists (
              select from settlement_differences b
               where b.entry_id = d.entry_id and b.kind = 'adjusted_before' and b.line_id is null))
        and (exists (select from settlement_lines k where k.entry_id = d.entry_id)
             or exists (select from ledger_entries e where e.id = d.entry_id and ${isPair('e')}))
     returning d.*)
   ${reversedEntries("select * from explained where resolution = 'adjusted'")}`,
);

/**
 * Closes differences whose transaction a line has confirmed at the same time as it was searched, or that is returned since. What
 * was adjusted has to be adjusted back.
 */
export const closeExplainedMissing = (mid: string, now: Date): Promise<object[]> =>
  unhurried('byIndex', (run) => closeExplained({ mid, now }, run));
