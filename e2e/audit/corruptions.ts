// The corruptions of the self-test: one change of the seeded database (seed.ts) per line, after the invariants that
// must report it; a + joins invariants that break together. p(85) is the id of the 86th payment, t(68,2) the second
// transaction of the 69th, c(68,4) its callback number 4, and so on; -1 belongs to the other merchant. more(table, id,
// changes) adds a changed copy of a row.
import { invariants } from '../../lib/operations/ledger/invariants.ts';
import { sources } from '../../lib/operations/ledger/sources.ts';

const fresh = '00000000-0000-4000-8000-000000000001';
const waiting = '"state": "waiting", "attempts": 0, "delivered_at": null, "due_at": "2026-11-02"';

const report = (state: string) =>
  `insert into settlement_reports (id, mid_id, merchant_id, name, digest, mapping_version, state, imported_by, created_at)
   values ('${fresh}', a(0), m(0), 'a.csv', '', 0, '${state}', 'command', now())`.replace(/\s+/g, ' ');
const line = (columns: string, values: string) =>
  `insert into settlement_lines (id, report_id, number, mid_id, currency, net_minor, day, ${columns})
   values ('${fresh}', '${fresh}', 2, a(0), 'EUR', 1, '2026-11-01', ${values})`.replace(/\s+/g, ' ');
const difference = (columns: string, values: string, merchant = 'm(0)') =>
  `insert into settlement_differences (id, kind, merchant_id, mid_id, reported_currency, state, resolution, closed_by, created_at,
     closed_at, ${columns}) values ('${fresh}', 'duplicate', ${merchant}, a(0), 'EUR', 'closed', 'adjusted', 'user:1', now(), now(),
     ${values})`.replace(/\s+/g, ' ');
const entry = (movement: string, debit: string, credit: string) =>
  `insert into ledger_entries (movement, debit, credit, amount_minor, currency, merchant_id, mid_id, transaction_id)
   values ('${movement}', '${debit}', '${credit}', 1, 'EUR', m(0), a(0), '${fresh}')`.replace(/\s+/g, ' ');

const table = `
no sum below zero                   | update payments set amount_minor = -1 where id = p(88)
no more settled than ordered + capture within the authorisation + settled in the ledger | update transactions set amount_minor = 12000 where id = t(68,2); update payments set settled_minor = 12000 where id = p(68)
no more refunded than settled + refunded in the ledger | update transactions set amount_minor = 12000 where id = t(73,2); update payments set refunded_minor = 12000 where id = p(73)
settled sum + settled in the ledger | update payments set settled_minor = 9000 where id = p(0)
refunded sum + refunded in the ledger | update payments set refunded_minor = 3000 where id = p(73)
refunding sum + refunding in the ledger | update payments set refunding_minor = 2000 where id = p(94)
charged back sum + no more charged back than settled + charged back in the ledger | update payments set charged_back_minor = 11000 where id = p(83)
charged back sum + charged back in the ledger | update payments set charged_back_minor = 100 where id = p(0)
item of its payment                 | insert into unresolved (id, payment_id, transaction_id, merchant_id, kind, reason, amount_minor, currency, action, created_at) values ('${fresh}', p(0), t(1,1), m(0), 'taken_back', 'x', 1, 'EUR', 'task', now())
item is due or closed                   | insert into unresolved (id, payment_id, transaction_id, merchant_id, kind, reason, amount_minor, currency, action, created_at) values ('${fresh}', p(0), t(0,1), m(0), 'late_success', 'x', 1, 'EUR', 'void', now())
end of a late success | insert into unresolved (id, payment_id, transaction_id, merchant_id, kind, reason, amount_minor, currency, action, created_at, closed_at, closed_by, resolution) values ('${fresh}', p(0), t(0,1), m(0), 'late_success', 'x', 1, 'EUR', 'refund', now(), now(), 'florin', 'Refunded at the provider')
settled sum + paid once             | update transactions set status = 'success', decline_code = null where id = t(96,1); update payments set declines = 0 where id = p(96)
captured once                       | update transactions set amount_minor = 3000 where id = t(68,2); more(transactions, t(68,2), {"id": "${fresh}"}); more(callbacks, c(68,4), {"id": "${fresh}", "transaction_id": "${fresh}", "sequence": 5, ${waiting}})
state prepare                       | update payments set settled_at = now() where id = p(88)
state threeds                       | update payments set settled_at = now() where id = p(85)
state redirect                      | update payments set settled_at = now() where id = p(86)
state pending                       | update payments set settled_at = now() where id = p(87)
state settled                       | update payments set settled_at = null where id = p(68)
state declined                      | update payments set settled_at = now() where id = p(50)
state refund + refunded in the ledger | update transactions set amount_minor = 9000 where id = t(77,2); update payments set refunded_minor = 9000 where id = p(77)
state reversal + authorised in the ledger | update payments set state = 'reversal' where id = p(65); update callbacks set order_state = 'reversal' where id = c(65,2)
state void                          | update payments set state = 'void' where id = p(0); update callbacks set order_state = 'void' where id = c(0,2)
state chargeback                    | update payments set state = 'chargeback' where id = p(0); update callbacks set order_state = 'chargeback' where id = c(0,2)
undone in no other state            | update payments set state = 'settled' where id = p(80); update callbacks set order_state = 'settled' where id = c(80,4)
in flight is open                   | update payments set in_flight_id = t(0,1) where id = p(0)
in flight is open                   | update payments set in_flight_id = t(94,2) where id = p(0)
open is in flight                   | update payments set in_flight_id = null where id = p(95)
attempt named                       | update payments set attempt_id = t(1,1) where id = p(0)
attempts counted                    | update payments set attempts = 2 where id = p(0)
declines counted                    | update payments set declines = 1 where id = p(0)
order taken once                    | drop index payments_current_order; update payments set order_number = 'order-1' where id = p(0)
card of the merchant                | update payments set card_id = k(-1) where id = p(0)
card token of the merchant          | update payments set card_token = o(-1) where id = p(0)
session of a checkout payment       | update payments set protocol = 's2s_apm' where id = p(0)
final is finished                   | update transactions set finished_at = null where id = t(0,1)
final is not due                    | update transactions set due_at = now() where id = t(0,1)
open is due                         | update transactions set due_at = null where id = t(85,1)
currency of the payment + entry of its transaction | update transactions set currency = 'USD' where id = t(0,1)
amount of the payment               | update transactions set amount_minor = 9000 where id = t(50,1)
amount of a follow-up + refunding in the ledger | update transactions set amount_minor = 0 where id = t(94,2); update payments set refunding_minor = 0 where id = p(94)
kind of attempt                     | update transactions set kind = 'debit' where id = t(0,1)
follow-up of an attempt             | update transactions set attempt_id = t(0,1) where id = t(73,2)
decline recorded                        | update transactions set decline_code = null where id = t(50,1)
account of the merchant + entry of its transaction | update transactions set mid_id = a(-1) where id = t(0,1)
transaction’s card of the merchant  | update transactions set card_id = k(-1) where id = t(0,1)
one callback per outcome            | delete from callback_attempts where callback_id = c(50,2); delete from callbacks where id = c(50,2)
one callback per outcome            | more(callbacks, c(0,2), {"id": "${fresh}", "sequence": 3, ${waiting}})
last callback has the state       | update callbacks set order_state = 'pending' where id = c(0,2)
callback number within the version  | update callbacks set sequence = 10 where id = c(0,2)
callback numbers grow               | drop index callbacks_payment_id_sequence_key; update callbacks set sequence = 2 where id = c(68,4)
callback of its payment             | update callbacks set merchant_id = m(-1) where id = c(0,2)
callback of its payment             | update callbacks set transaction_id = t(1,1) where id = c(0,2)
callback of what is final           | update callbacks set transaction_id = t(94,2) where id = c(94,2)
waiting callback is due             | update callbacks set due_at = null where id = c(96,4)
end of a callback                   | update callbacks set delivered_at = null where id = c(0,2)
callback attempts counted           | delete from callback_attempts where callback_id = c(0,2)
settled in the ledger               | update ledger_entries set amount_minor = 9000 where transaction_id = t(0,1)
settled in the ledger               | delete from ledger_entries where transaction_id = t(68,2) and movement = 'settlement'
refunded in the ledger              | update ledger_entries set amount_minor = 3999 where transaction_id = t(73,2) and movement = 'refund'; update ledger_entries set amount_minor = 3999 where transaction_id = t(73,2) and movement = 'reservation'
refunding in the ledger             | delete from ledger_entries where transaction_id = t(94,2)
charged back in the ledger          | delete from ledger_entries where transaction_id = t(83,2)
authorised in the ledger            | delete from ledger_entries where transaction_id = t(84,1) and movement = 'release'
authorised in the ledger            | delete from ledger_entries where transaction_id = t(82,2)
paying out in the ledger            | insert into ledger_entries (movement, debit, credit, amount_minor, currency, merchant_id, mid_id, payment_id, transaction_id) values ('reservation', 'merchant_payable', 'payouts_in_transit', 1, 'EUR', m(0), a(0), p(0), t(0,1))
returned in the ledger              | delete from ledger_entries where transaction_id = t(80,2)
suspense of an item                 | insert into unresolved (id, payment_id, transaction_id, merchant_id, kind, reason, amount_minor, currency, action, created_at, closed_at, closed_by, resolution) values ('${fresh}', p(0), t(0,1), m(0), 'taken_back', 'x', 1, 'EUR', 'task', now(), now(), 'florin', 'x'); insert into ledger_entries (movement, debit, credit, amount_minor, currency, merchant_id, mid_id, payment_id, transaction_id, unresolved_id) values ('suspense', 'provider_receivable', 'suspense', 1, 'EUR', m(0), a(0), p(0), t(0,1), '${fresh}')
suspense of an item                 | insert into unresolved (id, payment_id, transaction_id, merchant_id, kind, reason, amount_minor, currency, action, created_at) values ('${fresh}', p(0), t(0,1), m(0), 'taken_back', 'x', 1, 'EUR', 'task', now()); insert into ledger_entries (movement, debit, credit, amount_minor, currency, merchant_id, mid_id, payment_id, transaction_id, unresolved_id) values ('suspense', 'provider_receivable', 'suspense', 2, 'EUR', m(0), a(0), p(0), t(0,1), '${fresh}')
entry of its transaction            | update ledger_entries set merchant_id = m(-1) where transaction_id = t(0,1)
entry of its transaction            | update ledger_entries set currency = 'USD' where transaction_id = t(0,1)
day of the ledger is unaltered      | insert into ledger_days (day, entries, hash, findings, broken, took_ms, closed_at) values ('2026-11-02', 1, '\\x00', 0, '{}', 1, now())
accounts of a movement              | update ledger_entries set debit = 'suspense' where transaction_id = t(0,1)
accounts of a movement + entry of its line | insert into ledger_entries (movement, debit, credit, amount_minor, currency, merchant_id, mid_id, transaction_id) values ('fee', 'bank', 'provider_receivable', 1, 'EUR', m(0), a(0), '${fresh}')
entry of its line                   | insert into ledger_entries (movement, debit, credit, amount_minor, currency, merchant_id, mid_id, transaction_id) values ('fee', 'fees', 'provider_receivable', 1, 'EUR', m(0), a(0), '${fresh}')
entry of its line                   | ${difference('delta_minor', '-1')}; ${entry('adjustment', 'provider_receivable', 'merchant_payable')}
entry of its line                   | ${difference('delta_minor, bank_minor', '0, 1')}; ${entry('bank_payout', 'provider_receivable', 'bank')}
entry of its line                   | ${difference('delta_minor, fee_minor', '0, -1')}; ${entry('fee', 'fees', 'provider_receivable')}
entry of its line                   | ${difference('delta_minor', '1')}; ${entry('conversion', 'provider_receivable', 'merchant_payable')}
entry of its line                   | ${difference('delta_minor', '1', 'm(-1)')}; ${entry('adjustment', 'provider_receivable', 'merchant_payable')}
entry of its line                   | ${report('matched')}; ${line('type, gross_minor, result', "'fee', 1, 'booked'")}; ${entry('fee', 'fees', 'provider_receivable')}
entry of its line + line has its entry | ${report('matched')}; ${line('type, gross_minor, result', "'sale', 0, 'matched'")}; ${entry('adjustment', 'provider_receivable', 'merchant_payable')}
line has its entry                  | ${report('matched')}; ${line('type, gross_minor, result', "'fee', 1, 'booked'")}
line confirms its entry             | ${report('matched')}; ${line('type, gross_minor, result, transaction_id, entry_id', "'sale', 1, 'matched', t(0,1), (select id from ledger_entries where transaction_id = t(0,1))")}
line confirms its entry             | ${report('matched')}; ${line('type, gross_minor, result, transaction_id, entry_id', "'refund', 10000, 'matched', t(0,1), (select id from ledger_entries where transaction_id = t(0,1))")}
line confirms its entry             | ${report('matched')}; ${line('type, gross_minor, result', "'sale', 1, 'matched'")}
line has its difference             | ${report('matched')}; ${line('type, gross_minor, result', "'sale', 1, 'missing_here'")}
line has its difference             | ${report('matched')}; ${line('type, gross_minor, result', "'sale', 1, 'duplicate'")}
line of a report                    | ${report('staging')}; ${line('type, gross_minor, result', "'sale', 0, 'matched'")}
line of a report                    | ${report('matched')}; ${line('type, gross_minor', "'sale', 1")}
adjusted difference                 | insert into settlement_differences (id, kind, merchant_id, mid_id, delta_minor, state, resolution, closed_by, created_at, closed_at) values ('${fresh}', 'duplicate', m(0), a(0), 1, 'closed', 'adjusted', 'user:1', now(), now())
card has a fingerprint              | update cards set fingerprint = '' where id = k(0)
card fragment                       | update cards set exp_month = 13 where id = k(0)
card is sealed                      | update cards set sealed = '\\x00' where id = k(0)
card is sealed                      | delete from data_keys
card may be kept                    | update cards set last4 = '0000' where id = k(0)
token of the card’s merchant        | update card_tokens set merchant_id = m(0) where token = o(-1)
shape of a card token               | update card_tokens set token = 'none' where token = o(-1)
chain of its payment                | update recurring_chains set mid_id = a(-1) where payment_id = p(99)
chain of its payment                | update recurring_chains set first_trans_id = t(0,1) where payment_id = p(99); update payments set recurring_first_id = t(0,1) where id in (p(97), p(98))
chain was requested                 | update payments set recurring_init = false where id = p(99)
chain was opened                    | update payments set recurring_init = true where id = p(0)
later charge of its chain           | update payments set recurring_first_id = t(0,1) where id = p(97)
plan of a schedule                  | update schedules set interval_length = 0
deleted schedule is idle            | update schedules set deleted_at = now()
subscription of one merchant        | update schedules set merchant_id = m(-1)
active subscription is due          | update subscriptions set done = 12 where id = u(0)
active subscription is due          | update subscriptions set stopped_at = now(), stop_reason = 'completed' where id = u(0)
subscription not due before its first day | update subscriptions set due_at = '2026-10-01' where id = u(0)
slot charged once                   | update payments set order_number = 'order-99/1-2' where id = p(98)
slots in their order                | update transactions set due_back_at = '2026-10-01' where payment_id = p(98)
slots in their order                | update payments set order_number = 'order-99/4' where id = p(98)
message of its payment              | update messages set transaction_id = t(0,1) where id = g(87)
waiting message is due              | update messages set send_at = now() where id = g(87)
wallet token pays once              | delete from sessions where payment_id = p(101); update used_wallet_tokens set payment_id = p(101) where payment_id = p(1)
archived payment is gone            | insert into archived_payments select id, merchant_id, order_number, true, state, currency, amount_minor, created_at, now(), 'a' from payments where id = p(0)
user of the right merchant          | alter table users drop constraint users_merchant_by_role; update users set role = 'viewer'
audit log is a chain                | delete from audit_entries where id = 3
audit entry is unaltered            | update audit_entries set action = 'payment.void' where id = 3
our attempts at the provider        | delete from sim_operations where key = t(0,1)::text
our attempts at the provider        | update sim_operations set amount_minor = 9000 where key = t(0,1)::text
our follow-ups at the provider      | update sim_operations set amount_minor = 9000 where key = t(73,2)::text
our follow-ups at the provider      | update sim_operations set facts = '{}' where key = t(83,1)::text
provider’s payments with us         | update sim_operations set status = 'approved' where key = t(50,1)::text
provider’s payments with us         | more(sim_operations, x(0,1), {"id": "${fresh}", "key": "${fresh}"})
provider’s sums are ours            | update sim_operations set captured_minor = 9000 where key = t(0,1)::text
voided at the provider and here     | update sim_operations set voided_at = now() where key = t(0,1)::text
provider’s follow-ups with us       | more(sim_operations, x(73,2), {"id": "${fresh}", "key": "${fresh}"})
payments.key_id references a row     | update payments set key_id = '${fresh}' where id = p(0)
payments.schedule_id references a row | update payments set schedule_id = '${fresh}' where id = p(0)
payments.recurring_token references a row | update payments set recurring_token = 'none' where id = p(0)
no orphans                          | update sessions set payment_id = '${fresh}' where payment_id = p(0)
no orphans                          | update callback_attempts set callback_id = '${fresh}' where callback_id = c(0,2); update callbacks set attempts = 0, state = 'waiting', due_at = now() where id = c(0,2)
`;

const kinds: Record<string, string> = {
  p: 'payment',
  t: 't',
  c: 'callback',
  k: 'card',
  m: 'merchant',
  a: 'account',
  u: 'subscription',
  g: 'message',
  x: 'sim',
};

const sqlOf = (text: string) =>
  text
    .replace(/\bo\((-?\d+)\)/g, "md5('token$1') || md5('token-$1')")
    .replace(/\b([ptckmaugx])\((-?\d+)(?:,(\d+))?\)/g, (_, kind: string, number: string, part?: string) => {
      return `md5('${kinds[kind]}${number}${part ? `-${part}` : ''}')::uuid`;
    })
    .replace(
      /more\((\w+), (md5\('[\w-]+'\)::uuid), (\{[^}]*\})\)/g,
      `insert into $1 select n.* from $1 o, jsonb_populate_record(null::$1, to_jsonb(o) || '$3') n where o.id = $2`,
    );

/** Which sandbox invariants exist: for all others the provider's rows are removed first. */
const provider = new Set(invariants.filter(({ on }) => sources[on]?.sandbox).map(({ name }) => name));

/** The corruptions as SQL. `names` are the invariants that must report it, in any order. */
export function corruptions(): { names: string[]; sql: string }[] {
  return table
    .trim()
    .split('\n')
    .map((line) => {
      const bar = line.indexOf('|');
      const names = line
        .slice(0, bar)
        .split(' + ')
        .map((each) => each.trim());
      const away = names.some((name) => provider.has(name)) ? '' : 'delete from sim_operations; ';
      return { names, sql: away + sqlOf(line.slice(bar + 1).trim()) };
    });
}
