/** Books the lines that are of no transaction: fees, returned fees and payouts to the bank. */
import { type Query, statement } from '../db/index.ts';
import { lineEntries, lockMidSql, otherTypes, postedFrom } from './entries.ts';
import { unhurried } from './unhurried.ts';

const lockMid = statement<{ mid: string }>('lock-settlement-mid', lockMidSql);

/** Runs `work` while no other process books lines, compares batches or searches days of the MID. */
export const oneByOne = <T>(mid: string, work: (run: Query) => Promise<T>): Promise<T> =>
  unhurried('byIndex', async (run) => {
    await lockMid({ mid }, run);
    return work(run);
  });

// The likeness of a line is null if it has no amount.
const alike = (report: string) => `
  select k.id from settlement_lines k
   where k.mid_id = f.mid_id and k.likeness = f.likeness and k.result = 'booked' and ${report} limit 1`;

const feeOf = "case d.type when 'payout' then coalesce(d.fee_minor, 0) else -d.net_minor end";
const bankOf = "case d.type when 'payout' then d.gross_minor else 0 end";

type Range = { report: string; after: number; until: number; merchant: string; now: Date };

const bookLines = statement<Range>(
  'book-settlement-lines',
  `with fresh as materialized (
     select f.*, row_number() over (partition by f.likeness order by f.number) as copy
       from settlement_lines f
      where f.report_id = :report::uuid and f.number > :after::int and f.number <= :until::int and f.result is null
        and f.type in ${otherTypes}),
   judged as materialized (
     select f.*, f.likeness is not null and (f.copy > 1 or exists (${alike('k.report_id = f.report_id')})) as again,
            (${alike('k.report_id <> f.report_id')}) as elsewhere
       from fresh f),
   done as (
     update settlement_lines s
        set result = case when j.again or j.elsewhere is not null then 'duplicate' else 'booked' end,
            repeat_of = case when not j.again then j.elsewhere end
       from judged j where s.id = j.id and s.result is null
     returning s.*),
   opened as (
     insert into settlement_differences (id, kind, merchant_id, mid_id, line_id, reported_minor, reported_currency, delta_minor,
         fee_minor, bank_minor, created_at)
     select gen_random_uuid(), 'duplicate', :merchant::uuid, d.mid_id, d.id,
            case d.type when 'payout' then d.gross_minor else abs(d.net_minor) end, d.currency, 0, ${feeOf}, ${bankOf},
            :now::timestamptz
       from done d where d.result = 'duplicate'
         on conflict (line_id, kind) where line_id is not null and kind <> 'adjusted_before' do nothing)
   ${postedFrom(`select ${lineEntries(feeOf, bankOf)} from done d where d.result = 'booked'`)}`,
);

/**
 * Books the fees and payouts of a range of lines as they are reported. One that is booked already, from another report or an
 * earlier line, is a duplicate, which a user decides about.
 */
export const bookOthers = (mid: string, range: Range): Promise<object[]> =>
  oneByOne(mid, (run) => bookLines(range, run));
