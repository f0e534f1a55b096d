/**
 * The statement that matches lines with entries of the ledger, set by set. A round lets each line choose its best entry;
 * where several lines choose one, the others wait for the next round. One statement stores the results, books the fees and
 * opens and closes differences, so that a process that is killed leaves nothing half done.
 */
import { rowSet } from '../db/index.ts';
import { lineEntries, postedFrom } from './entries.ts';

/** The movements of the ledger that a line of a type confirms. */
const movements = `(values ('sale', 'settlement'), ('refund', 'refund'), ('refund', 'return'), ('chargeback', 'chargeback'),
  ('chargeback_won', 'chargeback_won'), ('credit', 'payout')) as v(type, movement)`;

const typesOfTransactions = "('sale', 'refund', 'chargeback', 'chargeback_won', 'credit')";

/** The rules by type and currency; `ppm` are parts of a million. */
export const feeRules = rowSet(
  'rules',
  'type text, currency text, ppm bigint, fixedMinor bigint, toleranceMinor bigint',
);

/** Lines with a payment and, if the line names it, its transaction. */
export const foundSet = rowSet('i', 'lineId uuid, paymentId uuid, transactionId uuid');

const lineColumns = `l.id, l.report_id, l.number, l.mid_id, l.type, l.reference, l.provider_reference, l.arn, l.rrn, l.currency,
  l.gross_minor, l.fee_minor, l.net_minor, l.day`;

/** The lines of a report that are not matched yet: `:report`, `:after`, `:until`. */
const linesOfReport = `select ${lineColumns} from settlement_lines l
  where l.report_id = :report::uuid and l.number > :after::int and l.number <= :until::int and l.result is null
    and l.type in ${typesOfTransactions}`;

// A line that a user has accepted as missing is not searched again. One that was adjusted is: its transaction would count twice.
const missingLines = `select ${lineColumns} from settlement_lines l
  where l.mid_id = :mid::uuid and l.result = 'missing_here' and l.id > :afterId::uuid and l.id <= :untilId::uuid
    and l.day >= :oldest::date
    and exists (select from settlement_differences d
                 where d.line_id = l.id and d.kind = 'missing_here' and (d.closed_at is null or d.resolution = 'adjusted'))`;

/** The last line of the next `:most` lines of a MID whose transaction was missing; null for none. */
export const pageOfMissingSql = `select max(id::text) as last from (
  select l.id from settlement_lines l
   where l.mid_id = :mid::uuid and l.result = 'missing_here' and l.id > :afterId::uuid and l.day >= :oldest::date
   order by l.id limit :most::int) l`;

const isUuid = "l.reference ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'";
const uuidOf = `(case when ${isUuid} then l.reference end)::uuid`;

/** Payments of lines `l` by our references: a transaction, a payment, or an order number of the merchant. */
const byReference = (lines: string) => `
  select l.*, x.payment_id as named_payment, x.transaction_id as named_transaction
    from (${lines}) l left join lateral (
      select t.payment_id, t.id as transaction_id from transactions t where t.id = ${uuidOf} and t.mid_id = :mid::uuid
      union all
      select p.id, null from payments p where p.id = ${uuidOf} and p.merchant_id = :merchant::uuid
      union all
      select p.id, null from payments p where p.order_number = l.reference and p.merchant_id = :merchant::uuid
      offset 0) x on true`;

// The payments of the provider's references, and those of ours: a wrong one of them must not hide the right one.
const asFound = (result: string) => `
  select ${lineColumns}, i.payment_id as named_payment, i.transaction_id as named_transaction
    from ${foundSet.from} join settlement_lines l on l.id = i.line_id where l.result ${result}
  union all
  ${byReference(`select ${lineColumns} from settlement_lines l
                  where l.id in (select i.line_id from ${foundSet.from}) and l.result ${result}`)}`;

/**
 * Payments by the provider's references, then by ARN or RRN with the amount, at most three transactions of a line. The
 * transactions of the MID since `:since` are read once for the whole set `lines`.
 */
const byProvider = (lines: string) => `
with l as materialized (${lines}),
  recent as materialized (
    select t.id, t.payment_id, t.amount_minor, t.currency, t.facts ->> 'providerRef' as provider_ref,
           t.facts ->> 'arn' as arn, t.facts ->> 'rrn' as rrn
      from transactions t where t.mid_id = :mid::uuid and t.created_at >= :since::timestamptz),
  found as (
    select l.id as line_id, t.payment_id, t.id as transaction_id, abs(t.amount_minor - l.gross_minor) as distance, 1 as step
      from l join recent t on t.provider_ref = l.provider_reference
    union all
    select l.id, t.payment_id, t.id, 0, 2
      from l join recent t on t.arn = l.arn and t.amount_minor = l.gross_minor and t.currency = l.currency
    union all
    select l.id, t.payment_id, t.id, 0, 2
      from l join recent t on t.rrn = l.rrn and t.amount_minor = l.gross_minor and t.currency = l.currency)
select f.line_id as "lineId", f.payment_id as "paymentId", f.transaction_id as "transactionId"
  from (select *, rank() over (partition by line_id order by step) as place,
               row_number() over (partition by line_id order by step, distance, transaction_id) as turn
          from found) f
 where f.place = 1 and f.turn <= 3
 order by f.line_id`;

const hasProvider = '(l.provider_reference is not null or l.arn is not null or l.rrn is not null)';
/** The statement that searches unmatched lines of a report, or missing ones of a MID, by the provider's references. */
export const searchSql = {
  ofReport: byProvider(`${linesOfReport} and ${hasProvider}`),
  missing: byProvider(`${missingLines} and ${hasProvider}`),
};

// An entry of the transaction that the line names is preferred to those of its payment, one that no line confirms to
// others, one of the same amount to others, and the nearest amount. OFFSET 0 keeps the look-ups of each line apart.
const choices = `
  ranked as (
    select l.*, e.id as entry_id, e.transaction_id, e.payment_id, e.amount_minor as our_minor, e.currency as our_currency,
           coalesce(e.amount_minor = l.gross_minor and e.currency = l.currency, false) as equal,
           coalesce(e.transaction_id = l.named_transaction, false) as exact, coalesce(e.claimed, false) as claimed,
           row_number() over (
             partition by l.id
             order by e.id is null, coalesce(e.transaction_id = l.named_transaction, false) desc, e.claimed,
                      (e.amount_minor = l.gross_minor and e.currency = l.currency) desc,
                      abs(e.amount_minor - l.gross_minor), e.id) as place
      from l left join lateral (
        select e.*, (select k.id from settlement_lines k where k.entry_id = e.id limit 1) is not null as claimed
          from transactions t join ledger_entries e on e.transaction_id = t.id
         where t.payment_id = l.named_payment and t.mid_id = :mid::uuid and e.unresolved_id is null
           and exists (select from ${movements} where v.type = l.type and v.movement = e.movement::text)
        offset 0) e on true),
  best as (
    select r.*, row_number() over (partition by entry_id, claimed order by equal desc, exact desc, number, id) as turn
      from ranked r where place = 1)`;

/** Whether a line without an entry of its own repeats one, rather than being of a transaction that is not here. */
const isRepeat = "(b.exact or b.equal or b.type in ('sale', 'credit'))";

/** Whether nothing that a provider's reference finds can be better. */
const isSure = '(b.entry_id is not null and b.equal and (b.exact or not b.claimed))';

type Source =
  | 'references of a report'
  | 'found of a report'
  | 'left of a report'
  | 'found of missing lines'
  | 'missing references';

const sources: Record<Source, { lines: string; again: boolean }> = {
  'references of a report': { lines: byReference(linesOfReport), again: false },
  'found of a report': { lines: asFound('is null'), again: false },
  'left of a report': { lines: byReference(linesOfReport), again: false },
  'found of missing lines': { lines: asFound("= 'missing_here'"), again: true },
  'missing references': { lines: byReference(missingLines), again: true },
};

// The equal line of another report that has the entry: the first copy in a report repeats it, and says nothing new.
const repeated = `(
  select k.id from settlement_lines k
   where k.entry_id = o.entry_id and k.report_id <> o.report_id and k.type = o.type and k.currency = o.currency
     and k.gross_minor = o.gross_minor and coalesce(k.fee_minor, 0) = coalesce(o.fee_minor, 0) and k.day = o.day
     and not exists (select from settlement_lines s where s.repeat_of = k.id and s.report_id = o.report_id))`;

/**
 * The statement that matches lines of a source. At first a line whose entry is not found beyond doubt by our references is left
 * to the provider's, if it has any. Missing lines that are matched have their difference closed.
 */
export function matchSql(source: Source): string {
  const { lines, again } = sources[source];
  const isLeft =
    source === 'references of a report' ? `(${hasProvider.replaceAll('l.', 'b.')} and not ${isSure})` : 'false';
  return `
with l as materialized (${lines}),
  ${choices},
  outcomes as (
    select b.*,
           case when b.entry_id is not null and not b.claimed and b.turn > 1 then null
                when ${isLeft} then null
                when b.entry_id is not null and not b.claimed then
                  case when b.our_currency <> b.currency then 'currency_differs'
                       when b.our_minor <> b.gross_minor then 'amount_differs' else 'matched' end
                when b.entry_id is not null and ${isRepeat} then 'duplicate'
                -- A check of a card moves no money, and has no entry.
                when b.type = 'sale' and b.gross_minor = 0 then 'matched'
                else 'missing_here' end as outcome
      from best b),
  judged as (
    select o.*, case when o.outcome = 'duplicate' and o.turn = 1 then ${repeated} end as repeat_of from outcomes o),
  ${again ? released : ''}
  done as (
    update settlement_lines s
       set result = j.outcome, transaction_id = j.transaction_id, repeat_of = j.repeat_of,
           entry_id = case when j.outcome in ('amount_differs', 'currency_differs', 'matched') then j.entry_id end
      from ${again ? 'released' : 'judged'} j
     where s.id = j.id and j.outcome is not null and ${again ? "s.result = 'missing_here'" : 's.result is null'}
    returning j.*, s.entry_id as confirmed),
  ${effects},
  ${again ? appeared : foundAdjusted}
select (select count(*)::int from done) as done, (select count(*)::int from best) as read`;
}

/**
 * The assignments that close a difference, and keep what a user has decided: a user may be deciding at this moment, and the row
 * is read as it is once it is locked.
 */
export const closedNow = (difference: string) => `state = 'closed',
       resolution = case when ${difference}.closed_at is null then 'resolved' else ${difference}.resolution end,
       closed_by = coalesce(${difference}.closed_by, 'florin'), closed_at = coalesce(${difference}.closed_at, :now::timestamptz)`;

const released = `released as (
    update settlement_differences d set ${closedNow('d')}
      from judged j
     where d.line_id = j.id and d.kind = 'missing_here' and j.outcome <> 'missing_here'
       and (d.closed_at is null or (d.resolution = 'adjusted' and j.outcome <> 'duplicate'))
    returning j.*, d.resolution, d.delta_minor as posted_minor, d.fee_minor as posted_fee),`;

const sign = "(case when d.type in ('sale', 'chargeback_won') then 1 else -1 end)";

const effects = `
  fees as (${postedFrom(
    `select ${lineEntries('d.fee_minor')} from done d where d.outcome in ('amount_differs', 'currency_differs', 'matched') and d.fee_minor <> 0`,
  )}),
  found_later as (
    update settlement_differences x set ${closedNow('x')}
      from done d
     where x.entry_id = d.confirmed and x.line_id is null and x.kind = 'missing_at_provider'
       and (x.closed_at is null or x.resolution = 'adjusted')
    returning x.*),
  opened as (
    insert into settlement_differences (id, kind, merchant_id, mid_id, line_id, entry_id, payment_id, transaction_id,
        reported_minor, reported_currency, expected_minor, expected_currency, delta_minor, fee_minor, converted_minor, created_at)
    select gen_random_uuid(), o.kind, :merchant::uuid, o.mid_id, o.id, o.entry_id, o.payment_id, o.transaction_id,
           o.reported, o.currency, o.expected, o.expected_currency, o.delta, o.fee, o.converted, :now::timestamptz
      from (
        select d.id, d.mid_id, d.currency, d.outcome as kind, d.gross_minor as reported,
               case when d.confirmed is null then null else d.our_minor end as expected,
               case when d.confirmed is null then null else d.our_currency end as expected_currency,
               d.entry_id, d.payment_id, d.transaction_id,
               ${sign} * (d.gross_minor - case d.outcome when 'amount_differs' then d.our_minor else 0 end) as delta,
               case when d.confirmed is null then coalesce(d.fee_minor, 0) else 0 end as fee,
               case d.outcome when 'currency_differs' then -${sign} * d.our_minor else 0 end as converted
          from done d where d.outcome <> 'matched' and d.repeat_of is null
        union all
        -- The fee is booked as it is reported: an adjustment claims back what is above the expected one.
        select d.id, d.mid_id, d.currency, 'fee_unexpected', d.fee_minor, e.minor, d.currency, d.entry_id, d.payment_id,
               d.transaction_id, 0, e.minor - d.fee_minor, 0
          from done d join ${feeRules.from} on rules.type = d.type and rules.currency = d.currency
          cross join lateral (
            select (div(d.gross_minor::numeric * rules.ppm + 500000, 1000000) + rules.fixed_minor)::bigint as minor) e
         where d.confirmed is not null and d.fee_minor is not null and abs(d.fee_minor - e.minor) > rules.tolerance_minor) o
        on conflict (line_id, kind) where line_id is not null and kind <> 'adjusted_before' do nothing)`;

/** Opens the reverse of adjustments `rows` of transactions that were missing at the provider, once for each entry. */
export const reversedEntries = (rows: string) => `
    insert into settlement_differences (id, kind, merchant_id, mid_id, entry_id, payment_id, transaction_id, expected_minor,
        expected_currency, delta_minor, created_at)
    select gen_random_uuid(), 'adjusted_before', f.merchant_id, f.mid_id, f.entry_id, f.payment_id, f.transaction_id,
           f.expected_minor, f.expected_currency, -f.delta_minor, :now::timestamptz
      from (${rows}) f
        on conflict (entry_id, kind) where line_id is null do nothing`;

const foundAdjusted = `
  reversed as (${reversedEntries("select * from found_later where resolution = 'adjusted'")})`;

const appeared = `${foundAdjusted},
  reversed_lines as (
    insert into settlement_differences (id, kind, merchant_id, mid_id, line_id, entry_id, payment_id, transaction_id,
        reported_minor, reported_currency, delta_minor, fee_minor, created_at)
    select gen_random_uuid(), 'adjusted_before', :merchant::uuid, d.mid_id, d.id, d.confirmed, d.payment_id, d.transaction_id,
           d.gross_minor, d.currency, -d.posted_minor, -d.posted_fee, :now::timestamptz
      from done d where d.resolution = 'adjusted'
        on conflict (line_id) where kind = 'adjusted_before' and closed_at is null do nothing)`;
