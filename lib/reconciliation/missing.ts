/** Finds what the ledger has and no report: transactions of days that reports cover. And what a batch has and its payout not. */
import { statement } from '../db/index.ts';
import { unhurried } from './unhurried.ts';

/** The days of reports that are over for longer than the tolerance, and were not searched yet. */
const dueReports = statement<
  { mid: string; toleranceDays: number; timeZone: string; now: Date },
  { id: string; days: string[] }
>(
  'settlement-reports-to-sweep',
  `select r.id, array(select d::date::text from generate_series(r.period_from, r.period_to, interval '1 day') d) as days
     from settlement_reports r
    where r.mid_id = :mid::uuid and r.state = 'matched' and r.swept_at is null and r.period_to is not null
      and r.period_to + :toleranceDays::int
          <= least((select max(l.period_to) from settlement_reports l where l.mid_id = :mid::uuid and l.state = 'matched'),
                   (:now::timestamptz at time zone :timeZone::text)::date)
    order by r.period_to`,
);

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
      and not exists (
        select from transactions t join transactions o on o.payment_id = t.payment_id
          join ledger_entries x on x.transaction_id = o.id and x.unresolved_id is null
         where t.id = e.transaction_id and x.amount_minor = e.amount_minor
           and x.movement = case e.movement when 'settlement' then 'return' when 'return' then 'settlement' end::"LedgerMovement"
           and not exists (select from settlement_lines k where k.entry_id = x.id))
       on conflict (entry_id, kind) where line_id is null do nothing
   returning id`,
);

const markSwept = statement<{ id: string; now: Date }>(
  'swept-settlement-report',
  'update settlement_reports set swept_at = :now::timestamptz where id = :id::uuid and swept_at is null',
);

type Sweep = { mid: string; toleranceDays: number; timeZone: string; now: Date };

/** Opens a difference for each transaction of a covered day that no report has; returns their number. A repeat opens none. */
export async function findMissingAtProvider(sweep: Sweep): Promise<number> {
  let found = 0;
  const { mid, timeZone, now } = sweep;
  for (const { id, days } of await dueReports(sweep)) {
    for (const day of days) {
      found += (await unhurried('byIndex', (run) => sweepDay({ mid, day, timeZone, now }, run))).length;
    }
    await markSwept({ id, now });
  }
  return found;
}

// A batch may be in several reports: its total changes with each of them, and so does the difference.
const totals = `
  select p.id, p.report_id, p.mid_id, p.gross_minor as paid, p.currency,
         (select coalesce(sum(l.net_minor), 0)::bigint from settlement_lines l join settlement_reports r on r.id = l.report_id
           where l.mid_id = p.mid_id and l.batch = p.batch and l.currency = p.currency and l.type <> 'payout'
             and r.state in ('read', 'matched')) as total
    from settlement_lines p
   where p.mid_id = :mid::uuid and p.type = 'payout' and p.batch is not null
     and (p.report_id = :report::uuid or p.id in (
            select d.line_id from settlement_differences d
             where d.mid_id = :mid::uuid and d.kind = 'batch_total' and d.closed_at is null))`;

/** Compares each payout of a report with the lines of its batch, and again the payouts whose difference is open. */
export const compareBatches = statement<{ mid: string; report: string; merchant: string; now: Date }>(
  'compare-settlement-batches',
  `with totals as materialized (${totals}),
     agreed as (
       update settlement_differences d
          set state = 'closed', resolution = 'resolved', closed_by = 'florin', closed_at = :now::timestamptz
         from totals t
        where d.line_id = t.id and d.kind = 'batch_total' and d.closed_at is null and t.total = t.paid)
   insert into settlement_differences as d (id, kind, merchant_id, mid_id, line_id, reported_minor, reported_currency,
       expected_minor, expected_currency, delta_minor, created_at)
   select gen_random_uuid(), 'batch_total', :merchant::uuid, t.mid_id, t.id, t.paid, t.currency, t.total, t.currency,
          t.paid - t.total, :now::timestamptz
     from totals t where t.total <> t.paid
       on conflict (line_id, kind) where line_id is not null do update
      set expected_minor = excluded.expected_minor, delta_minor = excluded.delta_minor
    where d.state = 'open'`,
);
