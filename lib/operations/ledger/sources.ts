// The sources of the invariants: one `from` clause per noun that reads each of its tables once, so that sums over a
// million payments are computed once and not per invariant. `show` identifies a violating row.

const attemptKinds = "('sale', 'authorize', 'debit', 'credit', 'transfer', 'recurring')";
const finalStatuses = "('success', 'fail')";
// A constant: the database would evaluate its own list for every row.
const states =
  '\'{prepare,threeds,redirect,pending,settled,declined,refund,reversal,void,chargeback}\'::"PaymentState"[]';
// Callbacks of steps, as opposed to outcomes.
const stepTypes = "('3ds', 'redirect', 'init')";

// An expired authorisation keeps its success and gets a decline code: it has paid nothing.
const transactionSums = `
  select payment_id,
         count(*) filter (where attempt and attempt_id is null) as attempts,
         count(*) filter (where attempt and attempt_id is not null) as cascaded,
         count(*) filter (where attempt and status = 'fail') as failed,
         count(*) filter (where attempt and status = 'success' and decline_code is null) as paid,
         count(*) filter (where attempt and status = 'success' and decline_code is not null) as expired,
         sum(amount_minor) filter (where attempt and status = 'success' and decline_code is null) as paid_minor,
         count(*) filter (where kind = 'capture' and status = 'success') as captures,
         sum(amount_minor) filter (where kind = 'capture' and status = 'success') as captured_minor,
         sum(amount_minor) filter (where kind = 'refund' and status = 'success') as refunded_minor,
         sum(amount_minor) filter (where kind = 'refund' and not final) as refunding_minor,
         sum(amount_minor) filter (where kind = 'credit' and not final) as paying_out_minor,
         sum(amount_minor) filter (where kind in ('void', 'reversal') and status = 'success') as undone_minor,
         count(*) filter (where kind = 'reversal' and status = 'success') as reversals,
         count(*) filter (where kind = 'void' and status = 'success') as voids,
         count(*) filter (where kind = 'chargeback' and status = 'success' and not won) as chargebacks,
         sum(amount_minor) filter (where kind = 'chargeback' and status = 'success' and not won) as charged_back_minor,
         count(*) filter (where kind = 'chargeback' and status = 'success' and won) as won,
         count(*) filter (where kind not in ('refund', 'chargeback') and not final) as open,
         count(*) filter (where final) as final
    from (select *, kind in ${attemptKinds} as attempt, status in ${finalStatuses} as final,
                 coalesce(facts #>> '{extended,chargeback_status}' = 'won', false) as won from transactions) each
   group by payment_id`;

// The callback of a late success that was given back; its item may be open again since.
const endsLateSuccess = `(outcome = 'fail' and coalesce(reason, '') in
  ('Voided at the provider', 'Refunded at the provider', 'Undone at the provider'))`;

// The state in the newest callback is in the last four bits of `newest`.
const callbackSums = `
  select payment_id,
         count(*) filter (where outcome in ${finalStatuses}
                            and type not in ${stepTypes} and not ${endsLateSuccess}) as reported,
         count(*) filter (where ${endsLateSuccess}) as ended,
         count(*) filter (where outcome = 'undefined') as undefined,
         max(sequence::bigint * 16 + array_position(${states}, order_state)) as newest
    from callbacks group by payment_id`;

// Late successes that were given back.
const unresolvedSums = `
  select payment_id, count(*) as resolved from unresolved
   where kind = 'late_success' and closed_by = 'florin' and resolution like '% at the provider' group by payment_id`;

// Payments listed as different from the provider are exempt, also after the item is closed.
const notListed = (paymentId: string) => `not exists (select 1 from unresolved u where u.payment_id = ${paymentId})`;

/** The balance of an account, above zero for a debit balance. */
const balanceOf = (account: string) =>
  `coalesce(sum(case when debit = '${account}' then amount_minor when credit = '${account}' then -amount_minor end), 0)`;

const ledgerSums = `
  select payment_id,
         coalesce(sum(amount_minor) filter (where movement in ('settlement', 'payout')), 0) as settled,
         coalesce(sum(amount_minor) filter (where movement = 'refund'), 0) as refunded,
         coalesce(sum(amount_minor) filter (where movement = 'return'), 0) as undone,
         -${balanceOf('refunds_in_transit')} as refunding, -${balanceOf('payouts_in_transit')} as paying_out,
         ${balanceOf('dispute_reserve')} as charged_back, ${balanceOf('authorised')} as authorised
    from ledger_entries where unresolved_id is null group by payment_id`;

// By how much an entry increases the receivable from the provider: what its line or difference says of its movement.
const lineEffect = `case
    when l.result = 'booked' and l.type = e.movement::text then l.net_minor
    when l.result = 'booked' and l.type = 'payout' and e.movement = 'bank_payout' then -l.gross_minor
    when (l.type = 'payout' and l.result = 'booked') or l.entry_id is not null or l.result = 'matched' then
      case when e.movement in ('fee', 'fee_return') then -l.fee_minor end end`;
const differenceEffect = `case
    when e.movement = 'adjustment' then case d.converted_minor when 0 then d.delta_minor else d.converted_minor end
    when e.movement = 'conversion' then case when d.converted_minor <> 0 then d.delta_minor end
    when e.movement in ('fee', 'fee_return') then -d.fee_minor
    when e.movement = 'bank_payout' then -d.bank_minor end`;

/** A source of rows; `sandbox` is set where it is the sandbox provider's. */
export type Source = { from: string; show: string; sandbox?: boolean };

/** The sources by name: `from` is SQL, `show` the columns that identify a row. */
export const sources: Record<string, Source> = {
  payments: {
    show: 'p.id as payment, p.state, p.settled_minor, p.refunded_minor, p.refunding_minor, p.in_flight_id',
    from: `(
      select p.*,
             coalesce(t.attempts, 0) as made, coalesce(t.cascaded, 0) as cascaded, coalesce(t.failed, 0) as failed,
             coalesce(t.paid, 0) as paid, coalesce(t.expired, 0) as expired, coalesce(t.paid_minor, 0) as paid_minor,
             coalesce(t.captures, 0) as captures, coalesce(t.captured_minor, 0) as captured_sum,
             coalesce(t.refunded_minor, 0) as refunded_sum, coalesce(t.refunding_minor, 0) as refunding_sum,
             coalesce(t.reversals, 0) as reversals, coalesce(t.voids, 0) as voids,
             coalesce(t.chargebacks, 0) as chargebacks, coalesce(t.charged_back_minor, 0) as charged_back_sum,
             coalesce(t.won, 0) as won, coalesce(u.resolved, 0) as resolved, coalesce(t.open, 0) as open, coalesce(t.final, 0) as final,
             coalesce(t.paying_out_minor, 0) as paying_out_sum, coalesce(t.undone_minor, 0) as undone_sum,
             coalesce(l.settled, 0) as ledger_settled, coalesce(l.refunded, 0) as ledger_refunded,
             coalesce(l.refunding, 0) as ledger_refunding, coalesce(l.charged_back, 0) as ledger_charged_back,
             coalesce(l.authorised, 0) as ledger_authorised, coalesce(l.paying_out, 0) as ledger_paying_out,
             coalesce(l.undone, 0) as ledger_undone,
             coalesce(c.reported, 0) as reported, coalesce(c.ended, 0) as ended, coalesce(c.undefined, 0) as undefined,
             (${states})[(c.newest % 16)::int] as reported_state,
             coalesce(f.payment_id = p.id and f.status not in ${finalStatuses}, false) as in_flight,
             coalesce(f.payment_id = p.id and f.status not in ${finalStatuses} and f.kind in ${attemptKinds}, false)
               as paying,
             coalesce(a.payment_id = p.id and a.kind in ${attemptKinds} and a.attempt_id is null, false) as attempted,
             k.merchant_id as card_merchant, o.merchant_id as token_merchant
        from payments p
        left join (${transactionSums}) t on t.payment_id = p.id
        left join (${callbackSums}) c on c.payment_id = p.id
        left join (${ledgerSums}) l on l.payment_id = p.id
        left join (${unresolvedSums}) u on u.payment_id = p.id
        left join transactions f on f.id = p.in_flight_id
        left join transactions a on a.id = p.attempt_id
        left join cards k on k.id = p.card_id
        left join card_tokens o on o.token = p.card_token
    ) p`,
  },
  transactions: {
    show: 't.id as transaction, t.payment_id as payment, t.kind, t.status, t.amount_minor',
    from: `(
      select t.*, t.kind in ${attemptKinds} as attempt, t.status in ${finalStatuses} as final,
             p.currency as payment_currency, p.amount_minor as payment_minor, p.operation, p.authorize_only,
             p.settled_at, p.merchant_id, m.merchant_id as account_merchant, k.merchant_id as card_merchant,
             a.amount_minor as attempt_minor,
             coalesce(t.facts #>> '{present,kind}' = 'crypto' and t.facts #> '{present,amount}' is null, false)
               as open_amount,
             coalesce(a.payment_id = t.payment_id and a.kind in ${attemptKinds} and a.attempt_id is null, false)
               as follows
        from transactions t
        left join payments p on p.id = t.payment_id
        left join transactions a on a.id = t.attempt_id
        left join mids m on m.id = t.mid_id
        left join cards k on k.id = t.card_id
    ) t`,
  },
  unresolved: {
    show: 'u.id as item, u.payment_id as payment, u.kind, u.action',
    from: `(
      select u.*, p.merchant_id as payment_merchant, t.payment_id as transaction_payment,
             t.amount_minor as transaction_minor, p.settled_minor as payment_settled, coalesce(l.balance, 0) as suspense, coalesce(l.unbalanced, 0) as unbalanced
        from unresolved u
        left join payments p on p.id = u.payment_id
        left join transactions t on t.id = u.transaction_id
        left join (select unresolved_id, max(balance) filter (where balance <> 0) as balance,
                          count(*) filter (where balance <> 0) as unbalanced
                     from (select unresolved_id, -${balanceOf('suspense')} as balance from ledger_entries
                            where unresolved_id is not null group by unresolved_id, currency) each
                    group by unresolved_id) l on l.unresolved_id = u.id
    ) u`,
  },
  'ledger entries': {
    show: 'e.id as entry, e.movement, e.debit, e.credit, e.transaction_id as transaction',
    from: `(
      select e.*, t.payment_id as transaction_payment, t.mid_id as transaction_mid, t.currency as transaction_currency,
             p.merchant_id as payment_merchant, x.id is not null as archived
        from ledger_entries e
        left join transactions t on t.id = e.transaction_id
        left join payments p on p.id = e.payment_id
        left join archived_payments x on x.id = e.payment_id
    ) e`,
  },
  'entries of reports': {
    show: 'e.id as entry, e.movement, e.amount_minor, e.transaction_id as source',
    from: `(
      select e.*, case e.debit when 'provider_receivable' then e.amount_minor else -e.amount_minor end as effect_minor,
             coalesce(l.mid_id, d.mid_id) as booked_mid, coalesce(r.merchant_id, d.merchant_id) as booked_merchant,
             case when l.id is not null then l.currency
                  when e.movement = 'adjustment' and d.converted_minor <> 0 then d.expected_currency
                  else coalesce(d.reported_currency, d.expected_currency) end as booked_currency,
             case when l.id is not null then ${lineEffect} else ${differenceEffect} end as booked_minor
        from ledger_entries e
        left join settlement_lines l on l.id = e.transaction_id
        left join settlement_reports r on r.id = l.report_id
        left join settlement_differences d
          on d.id = e.transaction_id and d.state = 'closed' and d.resolution = 'adjusted'
       where e.payment_id is null
    ) e`,
  },
  'settlement lines': {
    show: 'l.id as line, l.report_id as report, l.number, l.type, l.result',
    from: `(
      select l.*, r.state as report_state, e.mid_id as entry_mid, e.transaction_id as entry_transaction,
             e.movement as entry_movement, e.amount_minor as entry_minor, e.currency as entry_currency,
             coalesce(b.entries, 0) as entries, d.id as difference
        from settlement_lines l
        left join settlement_reports r on r.id = l.report_id
        left join ledger_entries e on e.id = l.entry_id
        left join settlement_differences d on d.line_id = l.id and d.kind = l.result
        left join (select transaction_id, count(*) as entries from ledger_entries where payment_id is null
                    group by transaction_id) b on b.transaction_id = l.id
    ) l`,
  },
  'settlement differences': {
    show: 'd.id as difference, d.kind, d.state, d.resolution',
    from: `(
      select d.*, coalesce(b.entries, 0) as entries
        from settlement_differences d
        left join (select transaction_id, count(*) as entries from ledger_entries where payment_id is null
                    group by transaction_id) b on b.transaction_id = d.id
    ) d`,
  },
  callbacks: {
    show: 'c.id as callback, c.payment_id as payment, c.sequence, c.type, c.outcome, c.state',
    from: `(
      select c.*, p.version, p.merchant_id as payment_merchant, t.payment_id as transaction_payment,
             t.status in ${finalStatuses} as closed, c.type in ${stepTypes} as step, coalesce(y.tries, 0) as tries
        from callbacks c
        left join payments p on p.id = c.payment_id
        left join transactions t on t.id = c.transaction_id
        left join (select callback_id, count(*) as tries from callback_attempts group by callback_id) y
          on y.callback_id = c.id
    ) c`,
  },
  'callback numbers': {
    show: 'n.payment_id as payment, n.sequence, n.callbacks',
    from: '(select payment_id, sequence, count(*) as callbacks from callbacks group by 1, 2) n',
  },
  orders: {
    show: 'o.merchant_id as merchant, o.order_number, o.payments',
    from: '(select merchant_id, order_number, count(*) as payments from payments where current group by 1, 2) o',
  },
  sessions: {
    show: 's.payment_id as payment, s.expires_at',
    from: '(select s.*, p.protocol from sessions s left join payments p on p.id = s.payment_id) s',
  },
  cards: {
    show: 'k.id as card, k.merchant_id as merchant, k.first6, k.last4',
    from: `(
      select k.*, d.version as seal_version,
             exists (select 1 from merchant_keys y where y.merchant_id = k.merchant_id and y.environment = 'production')
               as live
        from cards k
        left join data_keys d on d.purpose = 'seal'
             and d.version = case when octet_length(k.sealed) > 1
                                  then get_byte(k.sealed, 0) * 256 + get_byte(k.sealed, 1) end
    ) k`,
  },
  'card tokens': {
    show: 'o.token, o.merchant_id as merchant, o.card_id as card',
    from: `(select o.*, k.merchant_id as card_merchant from card_tokens o left join cards k on k.id = o.card_id) o`,
  },
  chains: {
    show: 'r.token as chain, r.payment_id as payment',
    from: `(
      select r.*, p.merchant_id as payment_merchant, p.recurring_init, p.recurring_token, k.merchant_id as card_merchant,
             m.merchant_id as account_merchant,
             coalesce(t.payment_id = r.payment_id and t.kind in ${attemptKinds} and t.attempt_id is null, false)
               as begun
        from recurring_chains r
        left join payments p on p.id = r.payment_id
        left join transactions t on t.id = r.first_trans_id
        left join cards k on k.id = r.card_id
        left join mids m on m.id = r.mid_id
    ) r`,
  },
  'later charges': {
    show: 'p.id as payment, p.recurring_token as chain',
    from: `(
      select p.*, coalesce(r.merchant_id = p.merchant_id and r.first_trans_id = p.recurring_first_id, false) as chained
        from payments p left join recurring_chains r on r.token = p.recurring_token
       where p.recurring_first_id is not null
    ) p`,
  },
  schedules: {
    show: 's.id as schedule, s.merchant_id as merchant',
    from: `(
      select s.*, exists (select 1 from subscriptions u where u.schedule_id = s.id and u.stopped_at is null) as used
        from schedules s
    ) s`,
  },
  subscriptions: {
    show: 'u.id as subscription, u.done, u.retries, u.due_at',
    from: `(
      select u.*, s.payments_count, s.merchant_id as schedule_merchant, r.merchant_id as chain_merchant,
             b.merchant_id as payment_merchant
        from subscriptions u
        left join schedules s on s.id = u.schedule_id
        left join recurring_chains r on r.token = u.chain_token
        left join payments b on b.id = u.payment_id
    ) u`,
  },
  // The order number of a scheduled charge ends in its number: /3 is the third, /3-2 its second attempt.
  slots: {
    show: 'l.subscription_id as subscription, l.slot, l.paid',
    from: `(
      select subscription_id, slot, count(*) filter (where charged) as paid, min(begun_at) as begun_at,
             lag(max(begun_at)) over (partition by subscription_id order by slot) as before_at, max(done) as done
        from (select p.subscription_id, u.done,
                     -- By the database's clock. The creation times are those of processes, whose clocks differ.
                     (select min(coalesce(t.due_back_at, t.created_at + interval '60 seconds')) from transactions t
                       where t.payment_id = p.id) as begun_at,
                     p.settled_at is not null or p.state = 'pending' as charged,
                     substring(p.order_number from '/(\\d+)(?:-\\d+)?(?:/[0-9a-f]{8})?$')::int as slot
                from payments p left join subscriptions u on u.id = p.subscription_id
               where p.subscription_id is not null) each
       group by subscription_id, slot
    ) l`,
  },
  messages: {
    show: 'g.id as message, g.payment_id as payment, g.state',
    from: `(
      select g.*, t.payment_id as transaction_payment from messages g left join transactions t on t.id = g.transaction_id
    ) g`,
  },
  'archived payments': {
    show: 'x.id as payment, x.file',
    from: `(select x.*, p.id is not null as present from archived_payments x left join payments p on p.id = x.id) x`,
  },
  'wallet tokens': {
    show: "encode(w.digest, 'hex') as token, w.payment_id as payment",
    // A session's payment is claimed for by each attempt of its page; any other exists only because of its claim.
    from: `(select w.*, count(*) filter (where s.payment_id is null) over (partition by w.payment_id) as claims
              from used_wallet_tokens w left join sessions s on s.payment_id = w.payment_id) w`,
  },
  users: { show: 'u.id as "user", u.role', from: 'users u' },
  'audit log': {
    show: 'e.id as entry, e.action, e.subject',
    from: `(
      select e.*, lag(hash, 1, decode(repeat('00', 32), 'hex')) over (order by id) as hash_before from audit_entries e
    ) e`,
  },
  // A MID belongs to the sandbox provider if the provider knows any of its transactions.
  'our successes at the sandbox provider': {
    sandbox: true,
    show: 't.id as transaction, t.kind, t.amount_minor, t.provider_kind, t.provider_status, t.provider_minor',
    from: `(
      select t.id, t.kind, t.amount_minor, t.currency, o.kind as provider_kind, o.status as provider_status,
             o.amount_minor as provider_minor, o.currency as provider_currency, a.facts ?| array['chargeback', 'chargebacks'] as charged_back
        from transactions t
        left join sim_operations o on o.key = t.id::text
        left join sim_operations a on a.key = t.attempt_id::text
       where t.status = 'success' and ${notListed('t.payment_id')}
         and t.mid_id in (select distinct t.mid_id from transactions t join sim_operations o on o.key = t.id::text)
    ) t`,
  },
  // Operations of this deployment have the address of its notifications, with the MID.
  'payments at the sandbox provider': {
    sandbox: true,
    show: 'o.key, o.status, o.amount_minor, o.captured_minor, o.refunded_minor, o.voided_at, o.ours, o.state',
    from: `(
      select o.*, t.status as ours, t.decline_code, t.payment_id, p.state,
             p.settled_minor as our_settled, p.refunded_minor as our_refunded, p.in_flight_id, p.refunding_minor,
             p.operation as our_operation
        from sim_operations o
        left join transactions t on t.id::text = o.key
        left join payments p on p.id = t.payment_id
       where o.kind in ('payment', 'payout') and o.status in ('approved', 'authorized')
         and right(o.notify_url, 36) in (select id::text from mids) and ${notListed('t.payment_id')}
    ) o`,
  },
  'follow-ups at the sandbox provider': {
    sandbox: true,
    show: 'o.key, o.kind, o.amount_minor, o.ours',
    from: `(
      select o.*, t.status as ours
        from sim_operations o
        join sim_operations a on a.id = o.original_id
        join transactions b on b.id::text = a.key
        left join transactions t on t.id::text = o.key
       where o.kind in ('capture', 'refund') and o.status = 'approved' and ${notListed('b.payment_id')}
    ) o`,
  },
};
