// The invariants of the ledger: the sums of a payment against its entries, suspense, the entries themselves, and settlement
// reports.

export const ledgerInvariants = [
  {
    name: 'settled in the ledger',
    rule: 'Settled is the sum of the settlements and payouts in the ledger.',
    on: 'payments',
    broken: 'p.settled_minor <> p.ledger_settled',
  },
  {
    name: 'refunded in the ledger',
    rule: 'Refunded is the sum of the refunds in the ledger.',
    on: 'payments',
    broken: 'p.refunded_minor <> p.ledger_refunded',
  },
  {
    name: 'refunding in the ledger',
    rule: 'Refunding is the balance of the refunds in transit.',
    on: 'payments',
    broken: 'p.refunding_minor <> p.ledger_refunding',
  },
  {
    name: 'charged back in the ledger',
    rule: 'Charged back is the balance of the dispute reserve.',
    on: 'payments',
    broken: 'p.charged_back_minor <> p.ledger_charged_back',
  },
  {
    name: 'authorised in the ledger',
    rule: 'The balance of authorised amounts is that of the authorisation that can be captured.',
    on: 'payments',
    broken: "p.ledger_authorised <> case when p.state = 'pending' and p.paid > 0 then p.paid_minor else 0 end",
  },
  {
    name: 'paying out in the ledger',
    rule: 'The balance of payouts in transit is the sum of the open payouts.',
    on: 'payments',
    broken: 'p.ledger_paying_out <> p.paying_out_sum',
  },
  {
    name: 'returned in the ledger',
    rule: 'The returned amount is that of the void or reversal of a settled payment.',
    on: 'payments',
    broken: 'p.ledger_undone <> case when p.settled_minor > 0 then p.undone_sum else 0 end',
  },
  {
    name: 'suspense of an item',
    rule: 'A closed item has no balance in suspense; an open one has its amount or the difference from the transaction’s.',
    on: 'unresolved',
    broken: `(u.closed_at is not null and u.unbalanced > 0)
             or (u.closed_at is null and abs(u.suspense) not in (0, u.amount_minor, abs(u.amount_minor - u.transaction_minor), u.payment_settled))`,
  },
  {
    name: 'entry of its transaction',
    rule: 'An entry has the payment, merchant, MID and currency of its transaction, which exists unless it is archived.',
    on: 'ledger entries',
    broken: `not e.archived and e.payment_id is not null and (e.transaction_payment is distinct from e.payment_id
               or e.payment_merchant is distinct from e.merchant_id or e.transaction_mid is distinct from e.mid_id
               or (e.unresolved_id is null and e.transaction_currency is distinct from e.currency))`,
  },
  {
    name: 'accounts of a movement',
    rule: 'Debit and credit of an entry are those of its movement, and its amount is above zero.',
    on: 'ledger entries',
    broken: `e.amount_minor <= 0 or (e.movement::text || ' ' || e.debit || ' ' || e.credit) <> all(array[
               'authorisation authorised payer', 'release payer authorised',
               'settlement provider_receivable merchant_payable', 'return merchant_payable provider_receivable',
               'reservation merchant_payable refunds_in_transit', 'reservation_release refunds_in_transit merchant_payable',
               'reservation merchant_payable payouts_in_transit', 'reservation_release payouts_in_transit merchant_payable',
               'refund refunds_in_transit provider_receivable', 'payout payouts_in_transit provider_receivable',
               'chargeback dispute_reserve provider_receivable', 'chargeback_won provider_receivable dispute_reserve',
               'suspense provider_receivable suspense', 'suspense_release suspense provider_receivable',
               'fee fees provider_receivable', 'fee_return provider_receivable fees', 'bank_payout bank provider_receivable',
               'bank_payout provider_receivable bank',
               'adjustment provider_receivable merchant_payable', 'adjustment merchant_payable provider_receivable',
               'conversion provider_receivable merchant_payable', 'conversion merchant_payable provider_receivable'])
             or (e.payment_id is null) <> (e.movement::text in ('fee', 'fee_return', 'bank_payout', 'adjustment', 'conversion'))`,
  },
  {
    name: 'entry of its line',
    rule: 'An entry of a report has the merchant, MID, currency, direction and amount of its line or adjusted difference.',
    on: 'entries of reports',
    broken: `e.booked_mid is distinct from e.mid_id or e.booked_merchant is distinct from e.merchant_id
             or e.booked_currency is distinct from e.currency or e.booked_minor is distinct from e.effect_minor`,
  },
  {
    name: 'line has its entry',
    rule: 'A booked line, and the fee of a line with a transaction, are in the ledger once.',
    on: 'settlement lines',
    broken: `l.entries <> case when l.result = 'booked' and l.type = 'payout' then
                                 (l.gross_minor <> 0)::int + (coalesce(l.fee_minor, 0) <> 0)::int
                               when l.result = 'booked' then (l.net_minor <> 0)::int
                               when l.entry_id is not null or l.result = 'matched' then (coalesce(l.fee_minor, 0) <> 0)::int
                               else 0 end`,
  },
  {
    name: 'line confirms its entry',
    rule: 'A matched line and its entry have one MID, transaction and direction, and the same amount and currency.',
    on: 'settlement lines',
    broken: `(l.entry_id is not null and (l.entry_mid is distinct from l.mid_id
               or l.entry_transaction is distinct from l.transaction_id
               or (l.type || ' ' || l.entry_movement::text) <> all(array['sale settlement', 'refund refund', 'refund return',
                     'chargeback chargeback', 'chargeback_won chargeback_won', 'credit payout'])
               or (l.result = 'matched' and (l.entry_minor <> l.gross_minor or l.entry_currency <> l.currency))))
             or (l.entry_id is null and (l.result in ('amount_differs', 'currency_differs')
               or (l.result = 'matched' and not (l.type = 'sale' and l.gross_minor = 0))))`,
  },
  {
    name: 'line has its difference',
    rule: 'A line that is not as the ledger has it has a difference, unless it repeats one of another report.',
    on: 'settlement lines',
    broken: `l.difference is null and l.result not in ('matched', 'booked')
             and not (l.result = 'duplicate' and l.repeat_of is not null)`,
  },
  {
    name: 'line of a report',
    rule: 'A line has a result once its report is matched, and none before the report is read.',
    on: 'settlement lines',
    broken:
      "(l.report_state = 'matched' and l.result is null) or (l.report_state not in ('read', 'matched') and l.result is not null)",
  },
  {
    name: 'adjusted difference',
    rule: 'A difference has its entries exactly if it was closed as adjusted; a closed one has a time and who closed it.',
    on: 'settlement differences',
    broken: `d.entries <> case when d.state = 'closed' and d.resolution = 'adjusted' then (d.delta_minor <> 0)::int
                               + (d.fee_minor <> 0)::int + (d.bank_minor <> 0)::int + (d.converted_minor <> 0)::int else 0 end
             or (d.state = 'closed') <> (d.closed_at is not null) or (d.state = 'closed') <> (d.closed_by is not null)`,
  },
];
