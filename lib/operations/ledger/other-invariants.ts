// The invariants of cards, recurring chains and schedules, the other tables, and the sandbox provider.

export const otherInvariants = [
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
    // Judged by the time at which the first answer was due; providers are waited for a minute at most.
    broken: "l.begun_at < l.before_at - interval '1 minute' or l.slot > l.done + 1",
  },

  // Other tables.
  {
    name: 'message of its payment',
    rule: 'A message’s transaction is one of its payment; a receipt names the payment only.',
    on: 'messages',
    broken: 'g.transaction_id is not null and g.transaction_payment is distinct from g.payment_id',
  },
  {
    name: 'waiting message is due',
    rule: 'A message is due exactly while it waits; sent has a time, failed a reason.',
    on: 'messages',
    broken: `(g.state = 'waiting') <> (coalesce(g.send_at, g.due_at) is not null) or (g.state = 'sent' and g.sent_at is null)
             or (g.state = 'failed' and g.error is null)`,
  },
  {
    name: 'archived payment is gone',
    rule: 'A payment is archived or in the table of payments, with a file and a final state.',
    on: 'archived payments',
    broken: `x.present or x.file = '' or x.state in ('threeds', 'redirect', 'pending') or x.archived_at <= x.created_at
             or (x.state = 'prepare' and x.holds_order)`,
  },
  {
    name: 'wallet token pays once',
    rule: 'A claim is two digests of 32 bytes that outlasts its token, and no two are for the same payment without a session.',
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
