// The invariants of payments, their transactions, their unresolved differences and their callbacks.

export const paymentInvariants = [
  // Sums of a payment, in minor units of its currency.
  {
    name: 'no sum below zero',
    rule: 'Amount, settled, refunded and refunding are never negative.',
    on: 'payments',
    broken: 'least(p.amount_minor, p.settled_minor, p.refunded_minor, p.refunding_minor) < 0',
  },
  {
    name: 'no more settled than ordered',
    rule: 'The settled amount is at most the payment’s amount.',
    on: 'payments',
    // A payer of a coin payment chooses the amount and may send more.
    broken: 'p.settled_minor > greatest(p.amount_minor, p.paid_minor, 0)',
  },
  {
    name: 'no more refunded than settled',
    rule: 'Refunded plus reserved by open refunds is at most the settled amount.',
    on: 'payments',
    broken: 'p.refunded_minor + p.refunding_minor > p.settled_minor',
  },
  {
    name: 'settled sum',
    rule: 'Settled is the sum of the captures, or of the attempt that settled without a capture.',
    on: 'payments',
    broken: `p.settled_minor <> case when p.captures > 0 then p.captured_sum
                                     when p.settled_at is not null then p.paid_minor else 0 end`,
  },
  {
    name: 'refunded sum',
    rule: 'Refunded is the sum of the successful refunds.',
    on: 'payments',
    broken: 'p.refunded_minor <> p.refunded_sum',
  },
  {
    name: 'refunding sum',
    rule: 'Refunding is the sum of the open refunds.',
    on: 'payments',
    broken: 'p.refunding_minor <> p.refunding_sum',
  },
  {
    name: 'charged back sum',
    rule: 'Charged back is the sum of the chargebacks that were not won.',
    on: 'payments',
    broken: 'p.charged_back_minor <> p.charged_back_sum',
  },
  {
    name: 'no more charged back than settled',
    rule: 'The charged-back amount is at most the settled amount.',
    on: 'payments',
    broken: 'p.charged_back_minor > p.settled_minor',
  },
  {
    name: 'paid once',
    rule: 'A payment has one successful attempt at most; an expired authorisation does not count.',
    on: 'payments',
    broken: 'p.paid > 1',
  },
  {
    name: 'captured once',
    rule: 'An authorisation is captured once at most.',
    on: 'payments',
    broken: 'p.captures > 1',
  },
  {
    name: 'capture within the authorisation',
    rule: 'A capture is at most the authorised amount.',
    on: 'transactions',
    broken: "t.kind = 'capture' and t.amount_minor > t.attempt_minor",
  },

  // States against transactions. Two successful attempts violate `paid once` only.
  {
    name: 'state prepare',
    rule: 'Nothing has been paid, and the only attempt is in flight.',
    on: 'payments',
    broken: `p.state = 'prepare' and (p.paid > 0 or p.settled_at is not null or (p.attempts > 0 and not p.paying))`,
  },
  {
    name: 'state threeds',
    rule: 'An attempt is in flight and none has succeeded.',
    on: 'payments',
    broken: "p.state = 'threeds' and (p.paid > 0 or p.settled_at is not null or not p.paying)",
  },
  {
    name: 'state redirect',
    rule: 'An attempt is in flight and none has succeeded.',
    on: 'payments',
    broken: "p.state = 'redirect' and (p.paid > 0 or p.settled_at is not null or not p.paying)",
  },
  {
    name: 'state pending',
    rule: 'A successful authorisation is not captured, or an attempt waits for its payer.',
    on: 'payments',
    broken: `p.state = 'pending' and (p.settled_at is not null or p.captures > 0 or (p.paid > 0) = p.paying)`,
  },
  {
    name: 'state settled',
    rule: 'An attempt has succeeded, the settlement time is set, not all is refunded, and no attempt is in flight.',
    on: 'payments',
    broken: `p.state = 'settled' and (p.paid = 0 or p.settled_at is null or p.paying
                                      or (p.refunded_minor > 0 and p.refunded_minor = p.settled_minor))`,
  },
  {
    name: 'state declined',
    rule: 'An attempt has failed or its authorisation has expired, none has succeeded, and nothing is in flight.',
    on: 'payments',
    broken: `p.state = 'declined' and (p.paid > 0 or p.settled_at is not null or p.in_flight_id is not null
                                       or p.failed + p.expired = 0)`,
  },
  {
    name: 'state refund',
    rule: 'The whole settled amount is refunded.',
    on: 'payments',
    broken: `p.state = 'refund' and (p.paid = 0 or p.settled_at is null or p.refunded_minor = 0
                                     or p.refunded_minor <> p.settled_minor)`,
  },
  {
    name: 'state reversal',
    rule: 'One reversal of a successful attempt has succeeded.',
    on: 'payments',
    broken: "p.state = 'reversal' and (p.paid = 0 or p.reversals <> 1)",
  },
  {
    name: 'state void',
    rule: 'One void of a settled payment has succeeded.',
    on: 'payments',
    broken: "p.state = 'void' and (p.paid = 0 or p.settled_at is null or p.voids <> 1)",
  },
  {
    name: 'state chargeback',
    rule: 'A settled payment has a chargeback that was not won.',
    on: 'payments',
    broken: "p.state = 'chargeback' and (p.paid = 0 or p.settled_at is null or p.chargebacks = 0)",
  },
  {
    name: 'undone in no other state',
    rule: 'A successful reversal, void or chargeback sets the payment’s state of that name; a chargeback takes precedence.',
    on: 'payments',
    broken: `(p.reversals > 0 and p.state not in ('reversal', 'chargeback'))
             or (p.voids > 0 and p.state not in ('void', 'chargeback'))
             or (p.chargebacks > 0 and p.state <> 'chargeback')`,
  },
  {
    name: 'in flight is open',
    rule: 'The transaction in flight is an open one of that payment.',
    on: 'payments',
    broken: 'p.in_flight_id is not null and not p.in_flight',
  },
  {
    name: 'open is in flight',
    rule: 'An open transaction is the payment’s transaction in flight; refunds and chargebacks are exempt.',
    on: 'payments',
    broken: 'p.open > case when p.in_flight_id is null then 0 else 1 end',
  },
  {
    name: 'attempt named',
    rule: 'A payment with attempts references one of its own, any other references none.',
    on: 'payments',
    broken: '(p.attempt_id is not null and not p.attempted) or (p.attempt_id is null) <> (p.attempts = 0)',
  },
  {
    name: 'attempts counted',
    rule: 'The number of attempts equals the attempt rows without cascaded calls.',
    on: 'payments',
    broken: 'p.attempts <> p.made',
  },
  {
    name: 'declines counted',
    rule: 'The number of declines equals the failed attempts without those that failed over to another MID.',
    on: 'payments',
    broken: 'p.declines <> p.failed - p.cascaded',
  },
  {
    name: 'order taken once',
    rule: 'A merchant’s order number has one current payment.',
    on: 'orders',
    broken: 'o.payments > 1',
  },
  {
    name: 'card of the merchant',
    rule: 'A payment’s card belongs to its merchant.',
    on: 'payments',
    broken: 'p.card_id is not null and p.card_merchant is distinct from p.merchant_id',
  },
  {
    name: 'card token of the merchant',
    rule: 'A payment’s card token belongs to its merchant; a removed one may be missing.',
    on: 'payments',
    broken: 'p.token_merchant <> p.merchant_id',
  },
  {
    name: 'session of a checkout payment',
    rule: 'A Checkout payment has a session.',
    on: 'sessions',
    broken: "s.protocol <> 'checkout'",
  },

  // Transactions.
  {
    name: 'final is finished',
    rule: 'A transaction has a finish time exactly when it is final.',
    on: 'transactions',
    broken: 't.final <> (t.finished_at is not null)',
  },
  {
    name: 'final is not due',
    rule: 'A final transaction is not due, unless it is an authorisation that can expire.',
    on: 'transactions',
    broken: `t.final and t.due_at is not null
             and not (t.attempt and t.status = 'success'
                      and (t.kind = 'authorize' or t.finished_at is distinct from t.settled_at))`,
  },
  {
    name: 'open is due',
    rule: 'An open transaction is due, so that it is polled.',
    on: 'transactions',
    // A chargeback is recorded and finalised by two statements without a call in between.
    broken: `not t.final and t.due_at is null
             and not (t.kind = 'chargeback' and t.created_at > now() - interval '60 seconds')`,
  },
  {
    name: 'currency of the payment',
    rule: 'A transaction is in its payment’s currency.',
    on: 'transactions',
    broken: 't.currency <> t.payment_currency',
  },
  {
    name: 'amount of the payment',
    rule: 'An attempt has the full amount of its payment.',
    on: 'transactions',
    broken: 't.attempt and t.amount_minor <> t.payment_minor and not t.open_amount',
  },
  {
    name: 'amount of a follow-up',
    rule: 'A modification has an amount above zero, unless its attempt has none.',
    on: 'transactions',
    broken: 't.amount_minor < 0 or (not t.attempt and t.amount_minor = 0 and t.attempt_minor > 0)',
  },
  {
    name: 'kind of attempt',
    rule: 'An attempt’s kind matches its payment’s operation.',
    on: 'transactions',
    broken: `t.attempt and t.kind::text <> case when t.authorize_only then 'authorize'
                                                when t.operation = 'purchase' then 'sale'
                                                else t.operation::text end`,
  },
  {
    name: 'follow-up of an attempt',
    rule: 'A modification or a cascaded call references an attempt of the same payment.',
    on: 'transactions',
    broken: '(not t.attempt or t.attempt_id is not null) and not t.follows',
  },
  {
    name: 'decline recorded',
    rule: 'A failed transaction has a decline; an open one has none.',
    on: 'transactions',
    broken: `(t.status = 'fail' and t.decline_code is null) or (not t.final and t.decline_code is not null)
             or (t.status = 'success' and t.decline_code is not null and t.decline_code <> 'hold_expired')`,
  },
  {
    name: 'account of the merchant',
    rule: 'A transaction’s MID belongs to its payment’s merchant.',
    on: 'transactions',
    broken: 't.account_merchant is distinct from t.merchant_id',
  },
  {
    name: 'transaction’s card of the merchant',
    rule: 'A transaction’s card belongs to its payment’s merchant.',
    on: 'transactions',
    broken: 't.card_id is not null and t.card_merchant is distinct from t.merchant_id',
  },

  // Unresolved differences between providers and payments.
  {
    name: 'item of its payment',
    rule: 'An unresolved item references a transaction of its payment and its merchant.',
    on: 'unresolved',
    broken: 'u.transaction_payment is distinct from u.payment_id or u.merchant_id is distinct from u.payment_merchant',
  },
  {
    name: 'item is due or closed',
    rule: 'An open item is due or waits for a user; a closed one records who closed it and how.',
    on: 'unresolved',
    broken: `(u.closed_at is null and u.due_at is null and u.action <> 'task')
             or (u.closed_at is not null and (u.due_at is not null or u.closed_by is null or u.resolution is null))`,
  },

  // Callbacks.
  {
    name: 'one callback per outcome',
    rule: `Every final transaction is reported once; a call that went on to another account is not; an expiry and a dispute
      that was won are reported again.`,
    on: 'payments',
    broken: 'p.reported <> p.final - p.cascaded + p.expired + p.won',
  },
  {
    name: 'end of a late success',
    rule: 'A late success is reported when it is found, and again when it was given back.',
    on: 'payments',
    broken: 'p.ended < p.resolved or p.ended > p.undefined',
  },
  {
    name: 'last callback has the state',
    rule: 'With nothing in flight the newest callback has the payment’s state.',
    on: 'payments',
    broken: 'p.in_flight_id is null and p.reported_state is not null and p.reported_state <> p.state',
  },
  {
    name: 'callback number within the version',
    rule: 'A callback’s number is at most its payment’s version.',
    on: 'callbacks',
    broken: 'c.sequence < 1 or c.sequence > c.version',
  },
  {
    name: 'callback numbers grow',
    rule: 'No two callbacks of a payment have the same number.',
    on: 'callback numbers',
    broken: 'n.callbacks > 1',
  },
  {
    name: 'callback of its payment',
    rule: 'A callback’s merchant and transaction are those of its payment.',
    on: 'callbacks',
    broken: `c.merchant_id is distinct from c.payment_merchant
             or c.transaction_payment is distinct from c.payment_id`,
  },
  {
    name: 'callback of what is final',
    rule: 'Callbacks of success and failure belong to final transactions only.',
    on: 'callbacks',
    broken: "c.outcome in ('success', 'fail') and not c.step and not c.closed",
  },
  {
    name: 'waiting callback is due',
    rule: 'A callback is due exactly while it waits, and then has an address.',
    on: 'callbacks',
    broken: `(c.state = 'waiting') <> (c.due_at is not null)
             or (c.state = 'waiting' and (c.url is null or c.address is null))`,
  },
  {
    name: 'end of a callback',
    rule: 'Delivered has a time, delivered and failed have attempts, undelivered has no address.',
    on: 'callbacks',
    broken: `(c.state = 'delivered' and c.delivered_at is null) or (c.state = 'undelivered') <> (c.url is null)
             or (c.state in ('delivered', 'failed') and c.attempts = 0)`,
  },
  {
    name: 'callback attempts counted',
    rule: 'The number of delivery attempts equals the attempt rows.',
    on: 'callbacks',
    broken: 'c.attempts <> c.tries',
  },
];
