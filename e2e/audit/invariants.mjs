// The invariants of the ledger: they hold in every database of Florin at every moment, open transactions included. `on`
// is a source (sources.mjs) and `broken` the SQL condition of a violating row, so that the query is `select <show> from
// <source> where <broken>`. NULL is no violation.

export const invariants = [
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
    broken: `(u.closed_at is null and (u.due_at is null) <> (u.action = 'task'))
             or (u.closed_at is not null and (u.due_at is not null or u.closed_by is null or u.resolution is null))`,
  },

  // Callbacks.
  {
    name: 'one callback per outcome',
    rule: `Every final transaction is reported once; a call that went on to another account is not; an expiry, a dispute that
      was won and a late success that was given back are reported again.`,
    on: 'payments',
    broken: 'p.reported <> p.final - p.cascaded + p.expired + p.won + p.resolved',
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

  // Cards and their tokens.
  {
    name: 'card has a fingerprint',
    rule: 'A card’s fingerprint is the 32 bytes of a keyed hash.',
    on: 'cards',
    broken: 'octet_length(k.fingerprint) <> 32',
  },
  {
    name: 'card fragment',
    rule: 'The first six and last four digits and the date are in clear; zeros for a payout without a date.',
    on: 'cards',
    broken: `k.first6 !~ '^[0-9]{6}$' or k.last4 !~ '^[0-9]{4}$'
             or ((k.exp_month, k.exp_year) <> (0, 0)
                 and (k.exp_month not between 1 and 12 or k.exp_year not between 2000 and 2199))`,
  },
  {
    name: 'card is sealed',
    rule: 'A stored number has the length of a sealed one and an existing data key.',
    on: 'cards',
    // Version, nonce and tag are 30 bytes, a number has 12 to 19 digits.
    broken: 'k.sealed is not null and (octet_length(k.sealed) not between 42 and 49 or k.seal_version is null)',
  },
  {
    name: 'card may be kept',
    rule: 'A merchant without a live key stores numbers of sandbox cards only.',
    on: 'cards',
    broken: 'k.sealed is not null and not k.live and k.first6 || k.last4 <> all(:sandboxCards)',
  },
  {
    name: 'token of the card’s merchant',
    rule: 'A card token belongs to the merchant of its card.',
    on: 'card tokens',
    broken: 'o.merchant_id is distinct from o.card_merchant',
  },
  {
    name: 'shape of a card token',
    rule: 'A card token is 64 hexadecimal digits.',
    on: 'card tokens',
    broken: "o.token !~ '^[0-9a-f]{64}$'",
  },

  // Recurring chains, schedules and subscriptions.
  {
    name: 'chain of its payment',
    rule: 'A chain’s merchant, card, account and first transaction are those of its payment.',
    on: 'chains',
    broken: `r.merchant_id is distinct from r.payment_merchant or r.account_merchant is distinct from r.merchant_id
             or (r.card_id is not null and r.card_merchant is distinct from r.merchant_id) or not r.begun`,
  },
  {
    name: 'chain was requested',
    rule: 'A chain’s payment requested it and references it.',
    on: 'chains',
    broken: 'not r.recurring_init or r.recurring_token is distinct from r.token',
  },
  {
    name: 'chain was opened',
    rule: 'A paid payment that requested a chain has one.',
    on: 'payments',
    broken: 'p.recurring_init and p.paid > 0 and p.recurring_token is null',
  },
  {
    name: 'later charge of its chain',
    rule: 'A subsequent payment references a chain of its merchant by token and first transaction.',
    on: 'later charges',
    broken: 'not p.chained',
  },
  {
    name: 'plan of a schedule',
    rule: 'A schedule has a length, a number of payments and days that exist.',
    on: 'schedules',
    broken: `s.interval_length < 1 or s.payments_count < 1 or s.day_of_month not between 1 and 31
             or s.first_payment_day_of_week not between 0 and 7 or s.first_payment_day_of_month not between 1 and 31`,
  },
  {
    name: 'deleted schedule is idle',
    rule: 'A deleted schedule has no active subscription.',
    on: 'schedules',
    broken: 's.deleted_at is not null and s.used',
  },
  {
    name: 'subscription of one merchant',
    rule: 'Schedule, chain and payment of a subscription have the same merchant.',
    on: 'subscriptions',
    broken: `u.schedule_merchant is distinct from u.chain_merchant
             or (u.payment_id is not null and u.payment_merchant is distinct from u.chain_merchant)`,
  },
  {
    name: 'active subscription is due',
    rule: 'A subscription is due, with payments left, exactly until it has stopped; then it has a reason.',
    on: 'subscriptions',
    broken: `(u.stopped_at is null) <> (u.due_at is not null) or (u.stopped_at is null) <> (u.stop_reason is null)
             or u.done < 0 or u.retries < 0 or (u.stopped_at is null and u.done >= u.payments_count)`,
  },
  {
    name: 'subscription not due before its first day',
    rule: 'A subscription is never due before the day of its first charge.',
    on: 'subscriptions',
    broken: "(u.due_at at time zone 'UTC')::date < u.first_date",
  },
  {
    name: 'slot charged once',
    rule: 'A payment number of a subscription is paid once at most.',
    on: 'slots',
    broken: 'l.paid > 1',
  },
  {
    name: 'slots in their order',
    rule: 'Payments of a subscription are charged in order, and none beyond the next one.',
    on: 'slots',
    broken: 'l.begun_at < l.before_at or l.slot > l.done + 1',
  },

  // Other tables.
  {
    name: 'message of its payment',
    rule: 'A message’s transaction is one of its payment.',
    on: 'messages',
    broken: 'g.transaction_payment is distinct from g.payment_id',
  },
  {
    name: 'waiting message is due',
    rule: 'A message is due exactly while it waits; sent has a time, failed a reason.',
    on: 'messages',
    broken: `(g.state = 'waiting') <> (g.due_at is not null) or (g.state = 'sent' and g.sent_at is null)
             or (g.state = 'failed' and g.error is null)`,
  },
  {
    name: 'wallet token pays once',
    rule: 'A claim is two digests of 32 bytes that outlasts its token, and no two are for the same payment.',
    on: 'wallet tokens',
    broken: `octet_length(w.digest) <> 32 or octet_length(w.request_digest) <> 32 or w.expires_at <= w.created_at
             or w.claims > 1`,
  },
  {
    name: 'user of the right merchant',
    rule: 'Administrators and account managers belong to no merchant, all others to one.',
    on: 'users',
    broken: "(u.role in ('administrator', 'account_manager')) <> (u.merchant_id is null)",
  },
  {
    name: 'audit log is a chain',
    rule: 'Every entry of the audit log has the hash of the previous one, the first one zeros.',
    on: 'audit log',
    broken: 'e.previous <> e.hash_before',
  },

  // The sandbox provider is a separate party: its rows are compared with the ledger.
  {
    name: 'our attempts at the provider',
    rule: 'Every successful attempt is approved at the provider with the same amount, or listed as unresolved.',
    on: 'our successes at the sandbox provider',
    broken: `t.kind in ('sale', 'authorize', 'debit', 'credit', 'transfer', 'recurring')
             and (t.provider_kind is distinct from case when t.kind = 'credit' then 'payout' else 'payment' end
                  or t.provider_status not in ('approved', 'authorized')
                  or t.provider_minor <> t.amount_minor or t.provider_currency <> t.currency)`,
  },
  {
    name: 'our follow-ups at the provider',
    rule: 'Every successful modification is approved at the provider with the same amount.',
    on: 'our successes at the sandbox provider',
    broken: `(t.kind in ('capture', 'refund', 'void', 'reversal')
              and (t.provider_status is distinct from 'approved' or t.provider_minor <> t.amount_minor
                   or t.provider_currency <> t.currency
                   or t.provider_kind <> all(case when t.kind = 'reversal' then array['refund', 'void']
                                                  else array[t.kind::text] end)))
             or (t.kind = 'chargeback' and t.charged_back is not true)`,
  },
  {
    name: 'provider’s payments with us',
    rule: 'Every payment at the provider succeeded here, is open here, was voided, or is listed as unresolved.',
    on: 'payments at the sandbox provider',
    broken:
      "o.ours is null or (o.ours = 'fail' and o.voided_at is null and o.decline_code is distinct from 'not_received')",
  },
  {
    name: 'provider’s sums are ours',
    rule: 'Captured and refunded amounts of a paid payment match the provider’s, once nothing is open.',
    on: 'payments at the sandbox provider',
    broken: `o.ours = 'success' and o.decline_code is null and o.in_flight_id is null and o.refunding_minor = 0
             and o.kind = 'payment' and o.voided_at is null
             and (o.captured_minor <> o.our_settled
                  or o.refunded_minor <> case when o.state = 'reversal' then o.our_settled else o.our_refunded end)`,
  },
  {
    name: 'voided at the provider and here',
    rule: 'A payment voided at the provider is void, reversed, declined or in flight here.',
    on: 'payments at the sandbox provider',
    broken: `o.voided_at is not null and o.ours = 'success' and o.decline_code is null and o.in_flight_id is null
             and o.state not in ('void', 'reversal')`,
  },
  {
    name: 'provider’s follow-ups with us',
    rule: 'Every capture and refund at the provider succeeded here or is open here.',
    on: 'follow-ups at the sandbox provider',
    broken: "o.ours is null or o.ours = 'fail'",
  },
];

/**
 * Columns that reference another table without a foreign key and that no invariant above covers: table.column -> its
 * key.
 */
export const references = `
  payments.key_id          -> merchant_keys.id
  payments.schedule_id     -> schedules.id
  payments.recurring_token -> recurring_chains.token
`;
