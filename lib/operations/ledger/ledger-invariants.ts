// The invariants of the ledger: the sums of a payment against its entries, suspense, and the entries themselves.

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
    broken: `not e.archived and (e.transaction_payment is distinct from e.payment_id
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
               'suspense provider_receivable suspense', 'suspense_release suspense provider_receivable'])`,
  },
];
