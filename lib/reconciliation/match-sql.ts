/**
 * The statement that matches lines with entries of the ledger, set by set. A round lets each line choose its best entry;
 * where several lines choose one, the others wait for the next round. One statement stores the results, books the fees and
 * opens and closes differences, so that a process that is killed leaves nothing half done.
 */
import { rowSet } from '../db/index.ts';

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

const lineColumns = `l.id, l.number, l.mid_id, l.type, l.reference, l.provider_reference, l.arn, l.rrn, l.currency, l.gross_minor,
  l.fee_minor, l.net_minor`;

/** The lines of a report that are not matched yet: `:report`, `:after`, `:until`. */
const linesOfReport = `select ${lineColumns} from settlement_lines l
  where l.report_id = :report::uuid and l.number > :after::int and l.number <= :until::int and l.result is null
    and l.type in ${typesOfTransactions}`;

/** The lines of a MID whose transaction was missing, after the line `:afterId`, `:most` at a time. */
const missingLines = `select ${lineColumns} from settlement_lines l
  where l.mid_id = :mid::uuid and l.result = 'missing_here' and l.id > :afterId::uuid
    and exists (select from settlement_differences d where d.line_id = l.id and d.kind = 'missing_here' and d.closed_at is null)
  order by l.id limit :most::int`;

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

const asFound = `
  select ${lineColumns}, i.payment_id as named_payment, i.transaction_id as named_transaction
    from ${foundSet.from} join settlement_lines l on l.id = i.line_id`;

/**
 * Payments by the provider's references, then by ARN or RRN with the amount. The transactions of the MID since `:since` are
 * read once for the whole set `lines`.
 */
const byProvider = (lines: string) => `
with l as materialized (${lines}),
  recent as materialized (
    select t.id, t.payment_id, t.amount_minor, t.currency, t.facts ->> 'providerRef' as provider_ref,
           t.facts ->> 'arn' as arn, t.facts ->> 'rrn' as rrn
      from transactions t where t.mid_id = :mid::uuid and t.created_at >= :since::timestamptz),
  found as (
    select l.id as line_id, t.payment_id, t.id as transaction_id, 1 as step
      from l join recent t on t.provider_ref = l.provider_reference
    union all
    select l.id, t.payment_id, t.id, 2
      from l join recent t on t.arn = l.arn and t.amount_minor = l.gross_minor and t.currency = l.currency
    union all
    select l.id, t.payment_id, t.id, 2
      from l join recent t on t.rrn = l.rrn and t.amount_minor = l.gross_minor and t.currency = l.currency)
select f.line_id as "lineId", f.payment_id as "paymentId", f.transaction_id as "transactionId"
  from (select *, rank() over (partition by line_id order by step) as place from found) f where f.place = 1
 order by f.line_id`;

const hasProvider = '(l.provider_reference is not null or l.arn is not null or l.rrn is not null)';
/** The statement that searches unmatched lines of a report, or missing ones of a MID, by the provider's references. */
export const searchSql = {
  ofReport: byProvider(`${linesOfReport} and ${hasProvider}`),
  missing: byProvider(missingLines.replace('order by', `and ${hasProvider} order by`)),
};

// An entry of the transaction that the line names is preferred to those of its payment, one that no line confirms to
// others, and one of the same amount to others. OFFSET 0 keeps the look-ups of each line apart.
const choices = `
  ranked as (
    select l.*, e.id as entry_id, e.transaction_id, e.payment_id, e.amount_minor as our_minor, e.currency as our_currency,
           coalesce(e.amount_minor = l.gross_minor and e.currency = l.currency, false) as equal,
           coalesce(e.transaction_id = l.named_transaction, false) as exact, coalesce(e.claimed, false) as claimed,
           row_number() over (
             partition by l.id
             order by e.id is null, coalesce(e.transaction_id = l.named_transaction, false) desc, e.claimed,
                      (e.amount_minor = l.gross_minor and e.currency = l.currency) desc, e.id) as place
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

type Source = 'references of a report' | 'found of a report' | 'missing references' | 'missing found';

const sources: Record<Source, { lines: string; again: boolean }> = {
  'references of a report': { lines: byReference(linesOfReport), again: false },
  'found of a report': { lines: `${asFound} where l.result is null`, again: false },
  'missing references': { lines: byReference(missingLines), again: true },
  'missing found': { lines: `${asFound} where l.result = 'missing_here'`, again: true },
};

/**
 * The statement that matches lines of a source. A line of a report whose payment is not found by reference is left to the
 * provider's references, if it has any. Missing lines that are matched have their difference closed.
 */
export function matchSql(source: Source): string {
  const { lines, again } = sources[source];
  const isLast =
    source === 'references of a report' ? '(b.provider_reference is null and b.arn is null and b.rrn is null)' : 'true';
  return `
with l as materialized (${lines}),
  ${choices},
  judged as (
    select b.*,
           case when b.entry_id is not null and not b.claimed and b.turn > 1 then null
                when b.entry_id is not null and not b.claimed then
                  case when b.our_currency <> b.currency then 'currency_differs'
                       when b.our_minor <> b.gross_minor then 'amount_differs' else 'matched' end
                when b.entry_id is not null and ${isRepeat} then 'duplicate'
                when b.entry_id is not null or b.named_payment is not null or ${isLast} then 'missing_here' end as outcome
      from best b),
  ${again ? released : ''}
  done as (
    update settlement_lines s
       set result = j.outcome, transaction_id = j.transaction_id,
           entry_id = case when j.outcome in ('matched', 'amount_differs', 'currency_differs') then j.entry_id end
      from ${again ? 'released' : 'judged'} j
     where s.id = j.id and j.outcome is not null and ${again ? "s.result = 'missing_here'" : 's.result is null'}
    returning j.*, s.entry_id as confirmed),
  ${effects}
select (select count(*)::int from done) as done, (select count(*)::int from best) as read,
       (select max(id::text) from best) as last`;
}

// A user may be deciding about the difference: only one of the two closes it.
const released = `released as (
    update settlement_differences d
       set state = 'closed', resolution = 'resolved', closed_by = 'florin', closed_at = :now::timestamptz
      from judged j
     where d.line_id = j.id and d.kind = 'missing_here' and d.closed_at is null and j.outcome <> 'missing_here'
    returning j.*),`;

const effects = `
  fees as (
    insert into ledger_entries (movement, debit, credit, amount_minor, currency, merchant_id, mid_id, transaction_id)
    select case when d.fee_minor > 0 then 'fee' else 'fee_return' end::"LedgerMovement",
           case when d.fee_minor > 0 then 'fees' else 'provider_receivable' end::"LedgerAccount",
           case when d.fee_minor > 0 then 'provider_receivable' else 'fees' end::"LedgerAccount",
           abs(d.fee_minor), d.currency, :merchant::uuid, d.mid_id, d.id
      from done d where d.confirmed is not null and d.fee_minor <> 0
        on conflict do nothing),
  found_later as (
    update settlement_differences x
       set state = 'closed', resolution = 'resolved', closed_by = 'florin', closed_at = :now::timestamptz
      from done d
     where x.entry_id = d.confirmed and x.line_id is null and x.kind = 'missing_at_provider' and x.closed_at is null),
  opened as (
    insert into settlement_differences (id, kind, merchant_id, mid_id, line_id, entry_id, payment_id, transaction_id,
        reported_minor, reported_currency, expected_minor, expected_currency, delta_minor, created_at)
    select gen_random_uuid(), o.kind, :merchant::uuid, o.mid_id, o.id, o.entry_id, o.payment_id, o.transaction_id,
           o.reported, o.currency, o.expected, o.expected_currency, o.delta, :now::timestamptz
      from (
        select d.id, d.mid_id, d.currency, d.outcome as kind, d.gross_minor as reported,
               case when d.confirmed is null then null else d.our_minor end as expected,
               case when d.confirmed is null then null else d.our_currency end as expected_currency,
               d.entry_id, d.payment_id, d.transaction_id,
               case d.outcome when 'currency_differs' then 0
                    when 'amount_differs' then
                      case when d.type in ('sale', 'chargeback_won') then 1 else -1 end * (d.gross_minor - d.our_minor)
                    else d.net_minor end as delta
          from done d where d.outcome <> 'matched'
        union all
        select d.id, d.mid_id, d.currency, 'fee_unexpected', d.fee_minor, e.minor, d.currency, d.entry_id, d.payment_id,
               d.transaction_id, 0
          from done d join ${feeRules.from} on rules.type = d.type and rules.currency = d.currency
          cross join lateral (select (d.gross_minor * rules.ppm + 500000) / 1000000 + rules.fixed_minor as minor) e
         where d.confirmed is not null and d.fee_minor is not null and abs(d.fee_minor - e.minor) > rules.tolerance_minor) o
        on conflict (line_id, kind) where line_id is not null do nothing)`;

/** The lines of a report that no step has found a payment for: their transaction is missing here. */
export const leftSql = `
with done as (
    update settlement_lines s set result = 'missing_here'
     where s.report_id = :report::uuid and s.number > :after::int and s.number <= :until::int and s.result is null
       and s.type in ${typesOfTransactions}
    returning s.*)
insert into settlement_differences (id, kind, merchant_id, mid_id, line_id, reported_minor, reported_currency, delta_minor, created_at)
select gen_random_uuid(), 'missing_here', :merchant::uuid, d.mid_id, d.id, d.gross_minor, d.currency, d.net_minor, :now::timestamptz
  from done d
    on conflict (line_id, kind) where line_id is not null do nothing`;
