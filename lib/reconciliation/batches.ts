/** Compares the payouts to the bank with the sum of the lines of their batch. */
import { statement } from '../db/index.ts';
import { oneByOne } from './booking.ts';

type Compared = { mid: string; report: string };

// A batch may be in several reports, and a payout before its lines: each report compares its own payouts, and those of its
// batches in others. Two selects, each with an index of its own.
const payouts = `
  select p.id from settlement_lines p
   where p.report_id = :report::uuid and p.type = 'payout' and p.batch is not null and p.repeat_of is null
  union
  select p.id
    from (select distinct l.batch from settlement_lines l
           where l.report_id = :report::uuid and l.batch is not null and l.type <> 'payout') b
    join settlement_lines p on p.mid_id = :mid::uuid and p.batch = b.batch and p.type = 'payout' and p.repeat_of is null
    join settlement_reports r on r.id = p.report_id and r.state in ('read', 'matched')`;

const lockDifferences = statement<Compared>(
  'lock-settlement-batches',
  `select d.id from settlement_differences d
    where d.line_id in (${payouts}) and d.kind in ('batch_total', 'adjusted_before') order by d.id for update`,
);

// What repeats a line of another report does not count again. The fee of a payout is taken from its batch, too.
const totals = `
  select p.id, p.mid_id, -p.net_minor as paid, p.currency,
         (select coalesce(sum(l.net_minor), 0)::bigint from settlement_lines l join settlement_reports r on r.id = l.report_id
           where l.mid_id = p.mid_id and l.batch = p.batch and l.batch is not null and l.currency = p.currency
             and l.type <> 'payout' and l.repeat_of is null and r.state in ('read', 'matched')) as total
    from settlement_lines p where p.id in (${payouts})`;

const compare = statement<Compared & { merchant: string; now: Date }>(
  'compare-settlement-batches',
  `with totals as materialized (${totals}),
     known as (
       select d.*, t.paid, t.total from totals t join settlement_differences d on d.line_id = t.id and d.kind = 'batch_total'),
     -- A decision is about the amount that its user saw: a proposal is open again with another one.
     updated as (
       update settlement_differences d
          set expected_minor = t.total, delta_minor = t.paid - t.total, proposed_by = null,
              state = case when t.total = t.paid then 'closed' else 'open' end,
              resolution = case when t.total = t.paid then 'resolved' end,
              closed_by = case when t.total = t.paid then 'florin' end,
              closed_at = case when t.total = t.paid then :now::timestamptz end
         from totals t
        where d.line_id = t.id and d.kind = 'batch_total' and (d.closed_at is null or d.resolution = 'resolved')
          and d.delta_minor <> t.paid - t.total),
     -- What adjustments have posted is compared with what is left to post.
     reversals as (
       select k.line_id, k.mid_id, k.paid, k.total, k.reported_currency as currency,
              k.paid - k.total - k.delta_minor - (
                select coalesce(sum(b.delta_minor), 0)::bigint from settlement_differences b
                 where b.line_id = k.line_id and b.kind = 'adjusted_before' and b.resolution = 'adjusted' and b.closed_at is not null) as delta
         from known k where k.resolution = 'adjusted' and k.closed_at is not null),
     settled as (
       update settlement_differences b
          set state = 'closed', resolution = 'resolved', closed_by = 'florin', closed_at = :now::timestamptz
         from reversals v where b.line_id = v.line_id and b.kind = 'adjusted_before' and b.closed_at is null and v.delta = 0),
     reversed as (
       insert into settlement_differences as b (id, kind, merchant_id, mid_id, line_id, reported_minor, reported_currency,
           expected_minor, expected_currency, delta_minor, created_at)
       select gen_random_uuid(), 'adjusted_before', :merchant::uuid, v.mid_id, v.line_id, v.paid, v.currency, v.total, v.currency,
              v.delta, :now::timestamptz
         from reversals v
        where v.delta <> 0 and not exists (
                select from settlement_differences b
                 where b.line_id = v.line_id and b.kind = 'adjusted_before' and b.resolution = 'accepted' and b.expected_minor = v.total)
           on conflict (line_id) where kind = 'adjusted_before' and closed_at is null do update
          set expected_minor = excluded.expected_minor, delta_minor = excluded.delta_minor, state = 'open', resolution = null,
              proposed_by = null
        where b.delta_minor <> excluded.delta_minor)
   insert into settlement_differences (id, kind, merchant_id, mid_id, line_id, reported_minor, reported_currency,
       expected_minor, expected_currency, delta_minor, created_at)
   select gen_random_uuid(), 'batch_total', :merchant::uuid, t.mid_id, t.id, t.paid, t.currency, t.total, t.currency,
          t.paid - t.total, :now::timestamptz
     from totals t where t.total <> t.paid
       on conflict (line_id, kind) where line_id is not null and kind <> 'adjusted_before' do nothing`,
);

/**
 * Compares each payout of a report with the lines of its batch, and the payouts of its batches in other reports again. A total
 * that changes after its difference was adjusted opens the difference to what was posted.
 */
export const compareBatches = (asked: Compared & { merchant: string; now: Date }): Promise<object[]> =>
  oneByOne(asked.mid, async (run) => {
    // Users who decide about these differences have done so before they are compared, or find them changed.
    await lockDifferences(asked, run);
    return compare(asked, run);
  });
