// Fills a database with payments of every kind in blocks of a hundred, as the service leaves them: for the self-test
// (corruptions.mjs), for measuring the ledger check on a million, and with more variety for the dashboard
// (e2e/audit/seed-many.ts). Plain SQL over generate_series: through the service it takes hours, and the service's own
// rows are checked after every end-to-end run.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientBase } from 'pg';
import { root } from '../../scripts/project.ts';

/** SQL for the entries in the ledger of all transactions that have none. */
const entriesFile = join(root, 'prisma', 'migrations', '20261130182204_ledger_of_earlier_payments', 'migration.sql');

// Of every hundred payments, those numbered `from` to `to`. Amounts are in minor units, of an order of 10000;
// `in_flight` is the transaction in flight.
const shapes = `
  shape     | from | to | operation | state      | settled | refunded | refunding | attempts | declines | in_flight
  sale      |  0   | 49 | purchase  | settled    | 10000   | 0        | 0         | 1        | 0        | -
  declined  | 50   | 64 | purchase  | declined   | 0       | 0        | 0         | 1        | 1        | -
  held      | 65   | 67 | purchase  | pending    | 0       | 0        | 0         | 1        | 0        | -
  captured  | 68   | 72 | purchase  | settled    | 6000    | 0        | 0         | 1        | 0        | -
  part      | 73   | 76 | purchase  | settled    | 10000   | 4000     | 0         | 1        | 0        | -
  refunded  | 77   | 79 | purchase  | refund     | 10000   | 10000    | 0         | 1        | 0        | -
  voided    | 80   | 81 | purchase  | void       | 10000   | 0        | 0         | 1        | 0        | -
  released  | 82   | 82 | purchase  | reversal   | 0       | 0        | 0         | 1        | 0        | -
  disputed  | 83   | 83 | purchase  | chargeback | 10000   | 0        | 0         | 1        | 0        | -
  expired    | 84   | 84 | purchase  | declined   | 0       | 0        | 0         | 1        | 0        | -
  threeds   | 85   | 85 | purchase  | threeds    | 0       | 0        | 0         | 1        | 0        | 1
  redirect  | 86   | 86 | purchase  | redirect   | 0       | 0        | 0         | 1        | 0        | 1
  awaited   | 87   | 87 | purchase  | pending    | 0       | 0        | 0         | 1        | 0        | 1
  opened    | 88   | 88 | purchase  | prepare    | 0       | 0        | 0         | 0        | 0        | -
  trying    | 89   | 89 | purchase  | prepare    | 0       | 0        | 0         | 1        | 0        | 1
  cascaded  | 90   | 93 | purchase  | settled    | 10000   | 0        | 0         | 1        | 0        | -
  refunding | 94   | 94 | purchase  | settled    | 10000   | 0        | 3000      | 1        | 0        | -
  capturing | 95   | 95 | purchase  | pending    | 0       | 0        | 0         | 1        | 0        | 2
  retried   | 96   | 96 | purchase  | settled    | 10000   | 0        | 0         | 2        | 1        | -
  later     | 97   | 98 | recurring | settled    | 10000   | 0        | 0         | 1        | 0        | -
  first     | 99   | 99 | purchase  | settled    | 10000   | 0        | 0         | 1        | 0        | -
`;

// `of` is the attempt that is modified; `reports` the state in the callback of the outcome or step.
const movements = `
  shape     | n | kind       | status    | minor | of | decline      | reports
  sale      | 1 | sale       | success   | 10000 | -  | -            | settled
  declined  | 1 | sale       | fail      | 10000 | -  | do_not_honor | declined
  held      | 1 | authorize  | success   | 10000 | -  | -            | pending
  captured  | 1 | authorize  | success   | 10000 | -  | -            | pending
  captured  | 2 | capture    | success   | 6000  | 1  | -            | settled
  part      | 1 | sale       | success   | 10000 | -  | -            | settled
  part      | 2 | refund     | success   | 4000  | 1  | -            | settled
  refunded  | 1 | sale       | success   | 10000 | -  | -            | settled
  refunded  | 2 | refund     | success   | 10000 | 1  | -            | refund
  voided    | 1 | sale       | success   | 10000 | -  | -            | settled
  voided    | 2 | void       | success   | 10000 | 1  | -            | void
  released  | 1 | authorize  | success   | 10000 | -  | -            | pending
  released  | 2 | reversal   | success   | 10000 | 1  | -            | reversal
  disputed  | 1 | sale       | success   | 10000 | -  | -            | settled
  disputed  | 2 | chargeback | success   | 10000 | 1  | -            | chargeback
  expired    | 1 | authorize  | success   | 10000 | -  | hold_expired | pending
  threeds   | 1 | sale       | challenge | 10000 | -  | -            | threeds
  redirect  | 1 | sale       | redirect  | 10000 | -  | -            | redirect
  awaited   | 1 | sale       | waiting   | 10000 | -  | -            | pending
  trying    | 1 | sale       | sent      | 10000 | -  | -            | -
  cascaded  | 1 | sale       | fail      | 10000 | -  | busy         | -
  cascaded  | 2 | sale       | success   | 10000 | 1  | -            | settled
  refunding | 1 | sale       | success   | 10000 | -  | -            | settled
  refunding | 2 | refund     | sent      | 3000  | 1  | -            | -
  capturing | 1 | authorize  | success   | 10000 | -  | -            | pending
  capturing | 2 | capture    | sent      | 10000 | 1  | -            | -
  retried   | 1 | sale       | fail      | 10000 | -  | do_not_honor | declined
  retried   | 2 | sale       | success   | 10000 | -  | -            | settled
  later     | 1 | recurring  | success   | 10000 | -  | -            | settled
  first     | 1 | sale       | success   | 10000 | -  | -            | settled
`;

const parsed = (text: string) =>
  text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split('|').map((cell) => cell.trim()));
const valuesOf = (text: string) =>
  parsed(text)
    .map((cells) => `(${cells.map((cell) => (cell === '-' ? 'null' : `'${cell}'`)).join(', ')})`)
    .join(',\n');

/** SQL for the id of row `number` of a kind, deterministic, so that rows can reference one another. */
const id = (kind: string, number: number | string) => `md5('${kind}' || (${number}))::uuid`;
const transactionId = (number: number | string, n: number | string) => `md5('t' || (${number}) || '-' || (${n}))::uuid`;
/** This many seconds after the payment was created. */
const after = (seconds: number | string) => `opened + (${seconds}) * interval '1 second'`;
const token = (number: number | string) => `md5('token' || (${number})) || md5('token-' || (${number}))`;
const chain = (block: number | string) => `${id('chain', block)}::text`;

/**
 * The payments as SQL over their number `i` and their block: one merchant with each kind once, so that each corruption
 * is visible.
 */
const defaultSeed = {
  merchants: ['Seed'],
  /** The merchant; a card and a chain stay within their block. */
  merchant: '0',
  /** The shape, by its number. */
  shape: 'i % 100',
  start: "timestamptz '2026-11-01 00:00:00Z'",
  secondsBetween: 1,
  currency: "'EUR'",
  /** The factor of the shapes' amounts. */
  factor: '1',
  /** A method other than a card; null for a card. */
  method: 'null::text',
  payer: "'{}'::jsonb",
  /** `null` or an object with `class` and `reason`, for declines. */
  decline: "'{}'::jsonb",
  /** Whether to add a user. */
  person: 'true',
  /** First six and last four digits of the card with this number, and its sealed number. */
  first6: ':first6',
  last4: ':last4',
  sealed: "'\\x0001' || repeat('x', 44)::bytea",
  /** When jobs become due, in seconds after their payment. */
  dueSeconds: { provider: 700_000, callback: 60, charge: 5_270_400 },
};

/** The variety of the payments; see the default. */
export type Seed = typeof defaultSeed;
type Product = typeof import('./service-definitions.ts');

const tables = (payments: number, seed: Seed) => [
  `create temp table shapes as select shape, lo::int, hi::int, operation::"Operation", state::"PaymentState",
     settled::bigint, refunded::bigint, refunding::bigint, attempts::int, declines::int, in_flight::int
     from (values ${valuesOf(shapes)}) s(shape, lo, hi, operation, state, settled, refunded, refunding, attempts, declines, in_flight)`,
  `create temp table movements as select shape, n::int, kind::"TransactionKind", status::"TransactionStatus",
     minor::bigint, follows::int, decline, reports::"PaymentState"
     from (values ${valuesOf(movements)}) m(shape, n, kind, status, minor, follows, decline, reports)`,
  `create temp table numbers as
     select n.*, ${id('merchant', 'who')} as merchant_id, ${id('key', 'who')} as key_id,
            ${id('account', 'who')} as account_id, ${id('schedule', 'who')} as schedule_id,
            case when other is null then ${id('card', 'i / 5')} end as card_id, coalesce(other, 'card') as method
       from (select i, i / 100 as block, s.*, ${seed.start} + i * ${seed.secondsBetween} * interval '1 second' as opened,
                    (${seed.merchant})::int as who, ${seed.currency} as currency, (${seed.factor})::bigint as factor,
                    case when s.shape in ('sale', 'declined') and i % 100 > 0 then ${seed.method} end as other,
                    ${seed.payer} as payer, case when s.shape in ('declined', 'expired') then ${seed.decline} end as decline
               from (select i, i / 100 as block from generate_series(0, ${payments - 1}) i) i
               join shapes s on ${seed.shape} between s.lo and s.hi) n`,
  'create index on numbers (i)',
  'analyze numbers',
  ...seed.merchants.flatMap((name, merchant) => [
    `insert into merchants (id, name) values (${id('merchant', merchant)}, '${name}')`,
    `insert into merchant_keys (id, merchant_id, environment, key, password)
       values (${id('key', merchant)}, ${id('merchant', merchant)}, 'sandbox', 'seed-${merchant}', '\\x00')`,
    `insert into mids (id, merchant_id, name, connector, settings, methods)
       select ${id('account', merchant)}, ${id('merchant', merchant)}, '${name}', 'http', '\\x00',
              coalesce(array_agg(distinct method), '{card}') from numbers where who = ${merchant}`,
    `insert into schedules (id, merchant_id, name, interval_length, interval_unit, payments_count, created_at)
       values (${id('schedule', merchant)}, ${id('merchant', merchant)}, 'Monthly', 1, 'month', 12, ${seed.start})`,
  ]),
  `insert into data_keys (purpose, version, wrapped) values ('seal', 1, '\\x00') on conflict do nothing`,
  `insert into users (id, name, email, role, updated_at) select each.* from (
     values (${id('user', 0)}, 'Seed', 'seed@example.org', 'administrator'::"UserRole", ${seed.start})) each where ${seed.person}`,
  // Five payments share a card.
  `insert into cards (id, merchant_id, fingerprint, sealed, first6, last4, brand, exp_month, exp_year, created_at)
     select ${id('card', 'i / 5')}, merchant_id, sha256(('card' || i / 5)::bytea), ${seed.sealed},
            ${seed.first6}, ${seed.last4}, 'visa', 12, 2030, opened from numbers where i % 5 = 0`,
  `insert into card_tokens (token, merchant_id, card_id, created_at)
     select ${token('i')}, merchant_id, card_id, opened from numbers where i % 100 = 0`,
  // A second merchant with its own account, card and token.
  `insert into merchants (id, name) values (${id('merchant', -1)}, 'Other merchant')`,
  `insert into mids (id, merchant_id, name, connector, settings, methods)
     values (${id('account', -1)}, ${id('merchant', -1)}, 'Other merchant', 'http', '\\x00', '{card}')`,
  `insert into cards (id, merchant_id, fingerprint, first6, last4, exp_month, exp_year, created_at)
     values (${id('card', -1)}, ${id('merchant', -1)}, sha256('other'), :first6, :last4, 12, 2030, ${seed.start})`,
  `insert into card_tokens (token, merchant_id, card_id, created_at)
     values (${token(-1)}, ${id('merchant', -1)}, ${id('card', -1)}, ${seed.start})`,
  `insert into payments (id, merchant_id, key_id, protocol, operation, state, version, request_digest, order_number,
       order_amount, currency, amount_minor, description, settled_minor, refunded_minor, refunding_minor,
       charged_back_minor, authorize_only, recurring_init, attempt_id, in_flight_id, attempts, declines, method, card_id, card_token, payer,
       reason, recurring_token, recurring_first_id, subscription_id, schedule_id, created_at, updated_at, settled_at)
     select ${id('payment', 'i')}, merchant_id, key_id,
            (case when shape in ('later', 'first') then 's2s_card' else 'checkout' end)::"Protocol", operation, state, 9,
            sha256(('payment' || i)::bytea),
            case when shape = 'later' then 'order-' || block * 100 + 99 || '/' || i % 100 - 96 else 'order-' || i end,
            case when currency = 'JPY' then 10000 * factor || '' else 100 * factor || '.00' end, currency,
            10000 * factor, 'Seed', settled * factor, refunded * factor, refunding * factor,
            case when shape = 'disputed' then settled * factor else 0 end, shape in ('held', 'captured', 'released', 'expired', 'capturing'), shape = 'first',
            case when attempts > 0 then ${transactionId('i', 'attempts')} end, ${transactionId('i', 'in_flight')},
            attempts, declines, case when attempts > 0 then method end,
            case when attempts > 0 then card_id end, case when i % 100 = 0 then ${token('i')} end, payer,
            decline ->> 'reason', case when shape in ('later', 'first') then ${chain('block')} end,
            case when shape = 'later' then ${transactionId('block * 100 + 99', '1')} end,
            case when shape = 'later' then ${id('subscription', 'block')} end,
            case when shape in ('later', 'first') then schedule_id end, opened, ${after(9)},
            case when settled > 0 then ${after("case when shape in ('captured', 'cascaded', 'retried') then 2 else 1 end")} end
       from numbers`,
  `insert into sessions (payment_id, methods, expires_at)
     select ${id('payment', 'i')}, array[method], ${after(1800)} from numbers where shape not in ('later', 'first')`,
  `insert into transactions (id, payment_id, kind, status, amount_minor, currency, mid_id, method, attempt_id, card_id,
       decline_code, decline_reason, decline_class, due_at, created_at, finished_at)
     select ${transactionId('i', 'n')}, ${id('payment', 'i')}, kind, status, minor * factor, currency, account_id, method,
            ${transactionId('i', 'follows')}, case when follows is null or kind = 'sale' then card_id end,
            m.decline, case when m.decline is not null then t.decline ->> 'reason' end,
            case when m.decline is not null then t.decline ->> 'class' end,
            case when status not in ('success', 'fail') or shape = 'held' then ${after(seed.dueSeconds.provider)} end,
            ${after('n - 1')}, case when status in ('success', 'fail') then ${after('n')} end
       from numbers t join movements m using (shape)`,
  `insert into callbacks (id, payment_id, transaction_id, merchant_id, sequence, outcome, type, order_state,
       amount_minor, url, address, state, attempts, due_at, created_at, delivered_at)
     select md5('callback' || i || '-' || number)::uuid, ${id('payment', 'i')}, ${transactionId('i', 'n')}, merchant_id,
            number, outcome::"CallbackOutcome", type, reports, minor * factor, 'https://shop.example/notify',
            'https://shop.example', (case when waits then 'waiting' else 'delivered' end)::"CallbackState",
            case when waits then 0 else 1 end, case when waits then ${after(seed.dueSeconds.callback)} end,
            ${after('number')}, case when not waits then ${after('number')} end
       from (select i, merchant_id, factor, opened, n, reports, minor, 2 * n as number, shape = 'retried' and n = 2 as waits,
                    case status when 'fail' then 'fail' else 'success' end as outcome,
                    case status when 'challenge' then '3ds' when 'redirect' then 'redirect' when 'waiting' then 'init'
                                else kind::text end as type
               from numbers join movements using (shape) where reports is not null
             union all
             select i, merchant_id, factor, opened, 1, 'declined', 10000, 3, false, 'fail', 'sale'
               from numbers where shape = 'expired') each`,
  `insert into callback_attempts (id, callback_id, at, duration_ms, http_status)
     select md5('try' || id::text)::uuid, id, delivered_at, 12, 200 from callbacks c
      where state = 'delivered' and merchant_id in (select merchant_id from numbers)
        and not exists (select from callback_attempts a where a.callback_id = c.id)`,
  `insert into recurring_chains (token, merchant_id, first_trans_id, payment_id, operation, card_id, mid_id, created_at)
     select ${chain('block')}, merchant_id, ${transactionId('i', '1')}, ${id('payment', 'i')}, 'purchase',
            card_id, account_id, opened from numbers where shape = 'first'`,
  `insert into subscriptions (id, schedule_id, chain_token, payment_id, first_date, first_day, done, due_at, created_at)
     select ${id('subscription', 'block')}, schedule_id, ${chain('block')}, ${id('payment', 'i')},
            opened::date, extract(day from opened)::int, 2, ${after(seed.dueSeconds.charge)}, opened from numbers where shape = 'first'`,
  `insert into messages (id, payment_id, transaction_id, channel, recipient, subject, state, created_at, sent_at)
     select ${id('message', 'i')}, ${id('payment', 'i')}, ${transactionId('i', '1')}, 'email', 'ann@example.org', 'Pay',
            'sent', opened, opened from numbers where shape = 'awaited'`,
  `insert into used_wallet_tokens (digest, request_digest, payment_id, expires_at, created_at)
     select sha256(('wallet' || i)::bytea), sha256(('request' || i)::bytea), ${id('payment', 'i')}, ${after(90_000)},
            opened from numbers where i % 100 = 1`,
  // The matching rows of the sandbox provider.
  `insert into sim_operations (id, account, key, kind, original_id, fingerprint, currency, amount_minor, status, facts,
       first_answer, notify_url, captured_minor, refunded_minor, voided_at, created_at)
     select md5('sim' || i || '-' || n)::uuid, 'seed', ${transactionId('i', 'n')}::text,
            case when kind in ('sale', 'authorize', 'recurring') then 'payment' when kind = 'reversal' then 'void'
                 else kind::text end,
            case when kind in ('capture', 'refund', 'void', 'reversal') then md5('sim' || i || '-' || follows)::uuid end,
            'seeded', currency, minor * factor,
            case when status = 'fail' then 'declined' when kind = 'authorize' then 'authorized' else 'approved' end,
            case when shape = 'disputed' then '{"chargebacks": [{}]}'::jsonb else '{}'::jsonb end, '{}',
            'http://localhost/notify/http/' || account_id,
            case when kind in ('sale', 'authorize', 'recurring') and status = 'success' then settled * factor else 0 end,
            case when kind in ('sale', 'authorize', 'recurring') and status = 'success' then refunded * factor else 0 end,
            case when shape in ('voided', 'released', 'expired') and n = 1 then ${after(2)} end, ${after('n')}
       from numbers join movements using (shape) where status in ('success', 'fail') and kind <> 'chargeback'`,
];

/**
 * Fills the migrated database over a superuser's connection; it must not have seeded rows yet. `payments` is a multiple
 * of 100, and `variety` overrides the default seed.
 */
export async function seedPayments(client: ClientBase, payments: number, variety: Partial<Seed> = {}): Promise<void> {
  const { entryHash, sandboxFragments } = await import('./service-definitions.ts');
  const [fragment = ''] = sandboxFragments;
  const fragments: Record<string, string> = { first6: `'${fragment.slice(0, 6)}'`, last4: `'${fragment.slice(6)}'` };
  const seed = { ...defaultSeed, ...variety };
  // The ledger check verifies foreign keys once, not every inserted row.
  await client.query('set session_replication_role = replica');
  for (const sql of tables(payments, seed)) {
    await client.query(sql.replace(/:(first6|last4)\b/g, (all, name: string) => fragments[name] ?? all));
  }
  await client.query('drop table shapes, movements, numbers');
  await client.query('set session_replication_role = origin');
  // Triggers would have posted these entries.
  await client.query(readFileSync(entriesFile, 'utf8'));
  const { rows } = await client.query('select 1 from audit_entries limit 1');
  if (rows.length === 0) await seedAudit(client, Math.max(10, Math.floor(payments / 1000)), entryHash);
  await client.query('vacuum analyze');
}

async function seedAudit(client: ClientBase, entries: number, entryHash: Product['entryHash']) {
  let previous: Buffer = Buffer.alloc(32);
  for (let place = 0; place < entries; place++) {
    const logged = {
      at: new Date(Date.UTC(2026, 10, 1) + place * 1000),
      actor: 'user:00000000-0000-0000-0000-000000000000',
      action: 'payment.refund',
      subject: `payment:${place}`,
      before: null,
      after: { amount: '40.00', reason: 'goods "came" back' },
    };
    const hash = entryHash(logged, previous);
    await client.query(
      `insert into audit_entries (at, actor, action, subject, before, after, previous, hash)
       values ($1, $2, $3, $4, null, $5, $6, $7)`,
      [logged.at, logged.actor, logged.action, logged.subject, JSON.stringify(logged.after), previous, hash],
    );
    previous = hash;
  }
}
