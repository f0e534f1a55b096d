/**
 * The writes of payments' states. {@link insertAttempt} inserts a transaction before its provider is called,
 * {@link commitTransition} commits its outcome. Each is one statement: if the payment still has the version that was read,
 * it updates the payment, inserts or updates the transaction and inserts the callback; otherwise it writes nothing.
 */
import type { Payment, PaymentWithTransaction, RoutingStep, Status, Transaction } from '../core/payment';
import type { Decline, NextAction, ProviderData } from '../core/provider-data';
import { type Event, nextState } from '../core/states';
import { type Query, query } from '../db';
import { clockOffsetMilliseconds } from '../db/clock';
import { notifyJob } from '../db/notify-job';
import type { NewSubscription } from '../schedules';
import {
  asInserted,
  attemptCardSql,
  attemptSql,
  attemptValues,
  callTimeoutMilliseconds,
  type Intent,
} from './attempt/intent';
import { callbackSnapshotSql } from './callback-snapshot';
import { paymentColumns, responseDueSql, toPayment } from './row-mapping';

/** The earliest time after a response was due at which an operation counts as not received, by the database's clock. */
export const notReceivedAfterSeconds = 30;

const insertAttemptSql = `
with l as (
  select id from payments where id = $1 and version = $2 for update
), ${attemptSql(3, 'l', 38)}, p as (
  update payments set
    state = $28::"PaymentState", version = version + 1, updated_at = $13::timestamptz,
    attempt_id = case when $20::uuid is null then $14::uuid else attempt_id end,
    attempts = attempts + case when $20::uuid is null then 1 else 0 end,
    in_flight_id = case when $29::bool then $14::uuid else in_flight_id end,
    method = case when $20::uuid is null then $19::text else method end,
    card_id = case when $20::uuid is null then coalesce((select id from c), $3::uuid) else card_id end,
    card_token = coalesce($30::text, card_token),
    digital_wallet = case when $20::uuid is null then $36::text else digital_wallet end,
    pan_type = case when $20::uuid is null then $37::text else pan_type end,
    payer = payer || $31::jsonb,
    payee = payee || $34::jsonb,
    parameters = parameters || $35::jsonb,
    refunding_minor = refunding_minor + $32::bigint,
    trace = trace || $33::jsonb
   from l where payments.id = l.id
  returning payments.*
)
select ${paymentColumns}, (select due_back_at from t) as due_back_at from p ${attemptCardSql}`;

/**
 * Inserts the transaction. Null when the payment has changed since it was read. `run`: the query function of an
 * enclosing database transaction (lib/routing/turnover-limits.ts).
 */
export async function insertAttempt(
  intent: Intent,
  now: Date,
  run: Query = query,
): Promise<PaymentWithTransaction | null> {
  const { payment, transaction } = intent;
  const startedAtMs = Date.now();
  const state = intent.event ? nextState(payment.state, intent.event) : payment.state;
  if (!state) throw new Error(`${intent.event} cannot happen to a payment in ${payment.state}`);
  const rows = await run('attempt-insert', insertAttemptSql, [
    payment.id,
    payment.version,
    ...attemptValues(intent, now),
    state,
    intent.exclusive,
    intent.cardToken ?? null,
    JSON.stringify(intent.payer ?? {}),
    intent.reserveMinor ?? 0n,
    JSON.stringify(intent.routingLog ?? []),
    JSON.stringify(intent.payee ?? {}),
    JSON.stringify(intent.parameters ?? {}),
    intent.wallet?.kind ?? null,
    intent.wallet?.panType ?? null,
    intent.idempotencyKey?.key ?? null,
    intent.idempotencyKey?.digest ?? null,
  ]);
  const row = rows[0] as Record<string, unknown> | undefined;
  return row ? { payment: toPayment(row), transaction: asInserted(transaction, row, startedAtMs) } : null;
}

/** An attempt that was soft-declined at one account and continues at the next. */
export type Failover = {
  payment: Payment;
  failed: Transaction;
  decline: Decline;
  next: Transaction;
  routingLog: RoutingStep[];
};

const failoverSql = `
with l as (
  select id from payments where id = $1 and version = $2 for update
), f as (
  update transactions set status = 'fail', decline_code = $4, decline_reason = $5, decline_class = $6, decline_soft = true, due_at = null,
         finished_at = $7::timestamptz
    from l where transactions.id = $3::uuid and transactions.payment_id = l.id
     and transactions.status = $8::"TransactionStatus"
  returning transactions.payment_id, transactions.card_id
), t as (
  insert into transactions (id, payment_id, kind, amount_minor, currency, mid_id, method, attempt_id, card_id, browser,
                            due_at, created_at, initiator, source, sequence, due_back_at, settings_version)
  select $9::uuid, f.payment_id, $10::"TransactionKind", $11::bigint, $12::text, $13::uuid, $14::text, $15::uuid,
         f.card_id, $16::jsonb, $17::timestamptz, $7::timestamptz, $18::text, $19::text, $20::text,
         clock_timestamp() + $22::float8 * interval '1 millisecond', $23::int
    from f
  returning due_back_at
), p as (
  update payments set version = version + 1, updated_at = $7::timestamptz, in_flight_id = $9::uuid,
         trace = trace || $21::jsonb
    from f where payments.id = f.payment_id
  returning payments.*
)
select ${paymentColumns}, (select due_back_at from t) as due_back_at from p left join cards k on k.id = p.card_id`;

/**
 * Closes a failed transaction and inserts the next one in one statement, so that no crash leaves a payment between two
 * accounts. No callback is queued: only the last account's outcome is reported. Null when the payment or the failed
 * transaction has changed since it was read.
 */
export async function failover(
  { payment, failed, decline, next, routingLog }: Failover,
  now: Date,
  run: Query = query,
): Promise<PaymentWithTransaction | null> {
  const startedAtMs = Date.now();
  const rows = await run('payment-failover', failoverSql, [
    payment.id,
    payment.version,
    failed.id,
    decline.code,
    decline.reason,
    decline.class,
    now,
    failed.status,
    next.id,
    next.kind,
    next.amountMinor,
    next.currency,
    next.midId,
    next.method,
    next.attemptId,
    next.browser ? JSON.stringify(next.browser) : null,
    next.dueAt,
    next.initiator,
    next.source,
    next.sequence,
    JSON.stringify(routingLog),
    callTimeoutMilliseconds(next, now),
    next.settingsVersion,
  ]);
  const row = rows[0] as Record<string, unknown> | undefined;
  return row ? { payment: toPayment(row), transaction: asInserted(next, row, startedAtMs) } : null;
}

const cancellingSql = `
with p as (
  update payments set version = version + 1, updated_at = $4::timestamptz where id = $1 and version = $2
  returning id, state
)
update transactions set cancel_reason = $5, due_at = $4::timestamptz + interval '30 seconds'
  from p where transactions.id = $3::uuid and transactions.payment_id = p.id
   and (transactions.status in ('challenge', 'redirect', 'waiting', 'unknown')
        or (transactions.status = 'success' and p.state = 'pending'))
returning transactions.id`;

/**
 * Marks an attempt or its authorisation as being cancelled, before the provider is called. From then on only the
 * cancellation decides the outcome; other outcomes and captures wait. The row is due in half a minute in case this
 * process ends. False when the payment has changed since it was read.
 */
export async function markCancelling(
  { payment, transaction }: PaymentWithTransaction,
  reason: string,
  now: Date,
): Promise<boolean> {
  const rows = await query('transaction-mark-cancelling', cancellingSql, [
    payment.id,
    payment.version,
    transaction.id,
    now,
    reason,
  ]);
  return rows.length === 1;
}

const resendSql = `
update transactions set due_at = $2::timestamptz, due_back_at = clock_timestamp() + $3::float8 * interval '1 millisecond'
 where id = $1 and status in ('sent', 'unknown') and cancel_reason is null
   and ${responseDueSql('transactions')} + interval '${notReceivedAfterSeconds} seconds' <= clock_timestamp() + $4::float8 * interval '1 millisecond'
returning due_back_at`;

/**
 * Marks a transaction whose request is sent again under the same key, with a new deadline. Null where the row has an
 * outcome, is being cancelled, or another process is sending it.
 */
export async function markResent(transaction: Transaction, dueAt: Date, seconds: number): Promise<Transaction | null> {
  const offset = clockOffsetMilliseconds();
  const startedAtMs = Date.now();
  const [row] = await query<{ due_back_at: Date }>('transaction-resend', resendSql, [
    transaction.id,
    dueAt,
    seconds * 1000 + offset,
    offset,
  ]);
  return row ? asInserted(transaction, row, startedAtMs) : null;
}

/**
 * Counts a cancellation that the provider has rejected: the next one has another key. With `keepReason: false` an
 * authorisation can be captured until then.
 */
export async function markCancelRejected(
  { id, rejectedCancels }: Transaction,
  { keepReason }: { keepReason: boolean },
  dueAt: Date,
): Promise<void> {
  await query(
    'transaction-cancel-refused',
    `update transactions set cancels = cancels + 1, due_at = $3::timestamptz,
            cancel_reason = case when $4::bool then cancel_reason end
      where id = $1 and cancels = $2 and cancel_reason is not null`,
    [id, rejectedCancels, dueAt, keepReason],
  );
}

/** The type and outcome that a callback reports. */
export type CallbackReport = { type: string; outcome: 'success' | 'fail' | 'waiting' | 'undefined' };

/** A change of a transaction's status, and the resulting changes of its payment. */
export type Transition = NewSubscription & {
  payment: Payment;
  transaction: Transaction;
  event: Event | null;
  status: Status;
  report: CallbackReport | null;
  providerData?: ProviderData;
  action?: NextAction;
  decline?: Decline;
  dueAt: Date | null;
  /** Minor units by which the payment's sums change. */
  settledMinor?: bigint;
  refundedMinor?: bigint;
  refundingMinor?: bigint;
  chargedBackMinor?: bigint;
  /** The amount that the provider took, where the payer chose it. */
  amountMinor?: bigint;
  /** The reason in the callback, where there is no decline. */
  reason?: string;
  /** A token to issue for the payment's card; an existing token of the same card stays, unless it was removed. */
  cardToken?: string;
  /** Creates a recurring chain under this token. */
  recurringToken?: string;
  callback: { id: string; url: string | null; address: string | null } | null;
};

const transitionSql = `
with l as (
  select id from payments where id = $1 and version = $2 for update
), t as (
  update transactions set
    status = $4::"TransactionStatus", facts = facts || $5::jsonb, action = coalesce($6::jsonb, action),
    decline_code = $7, decline_reason = $8::text, decline_class = $9, decline_soft = $37::bool, due_at = $10::timestamptz,
    finished_at = case when $11::bool then $12::timestamptz end,
    amount_minor = coalesce($39::bigint, amount_minor),
    cancel_reason = case when $4 = 'success' then null else cancel_reason end
   from l where transactions.id = $3::uuid and transactions.payment_id = l.id and transactions.status = $13::"TransactionStatus"
  returning transactions.id, transactions.payment_id
), tok as (
  insert into card_tokens (token, merchant_id, card_id, created_at)
  select $14::text, p.merchant_id, p.card_id, $12::timestamptz from payments p join t on t.payment_id = p.id
   where $14::text is not null and p.card_id is not null
  on conflict (merchant_id, card_id) do update set removed_at = null,
    token = case when card_tokens.removed_at is null then card_tokens.token else excluded.token end
  returning token
), p as (
  update payments set
    state = $15::"PaymentState", version = version + 1, updated_at = $12::timestamptz,
    settled_minor = settled_minor + $16::bigint, refunded_minor = refunded_minor + $17::bigint,
    refunding_minor = refunding_minor + $18::bigint, charged_back_minor = charged_back_minor + $38::bigint,
    settled_at = case when $19::bool then $12::timestamptz else settled_at end,
    declines = declines + case when $20::bool then 1 else 0 end,
    reason = $30::text,
    in_flight_id = case when $11::bool and in_flight_id = t.id then null else in_flight_id end,
    card_token = coalesce((select token from tok), card_token),
    recurring_token = coalesce($22::text, recurring_token),
    first_recurring = coalesce($34::date, first_recurring)
   from t where payments.id = t.payment_id
  returning payments.*
), r as (
  insert into recurring_chains (token, merchant_id, first_trans_id, payment_id, operation, card_id, mid_id, created_at)
  select $22::text, p.merchant_id, coalesce(p.attempt_id, $3::uuid), p.id, p.operation, p.card_id, $23::uuid,
         $12::timestamptz from p
   where $22::text is not null
  returning token
), su as (
  insert into subscriptions (id, schedule_id, chain_token, payment_id, amount, first_date, first_day, due_at, created_at)
  select $31::uuid, $32::uuid, p.recurring_token, p.id, $33::text, $34::date, $36::int, $35::timestamptz,
         $12::timestamptz from p
   where $31::uuid is not null
  on conflict (schedule_id, chain_token) do update set
    id = excluded.id, payment_id = excluded.payment_id, amount = excluded.amount, first_date = excluded.first_date,
    first_day = excluded.first_day, done = 0, retries = 0, shift = 0, placed = subscriptions.placed + 1,
    begun_slot = null, begun_for = null, begun_at = null, catch_up_at = null, brake_reason = null, braked_at = null, due_at = excluded.due_at, stopped_at = null,
    stop_reason = null, created_at = excluded.created_at
   where subscriptions.stopped_at is not null
), cb as (
  insert into callbacks (id, payment_id, transaction_id, merchant_id, sequence, outcome, type, order_state, reason,
                         amount_minor, facts, url, address, state, due_at, created_at)
  select $24::uuid, p.id, $3::uuid, p.merchant_id, p.version, $25::"CallbackOutcome", $26::text, p.state, $21::text,
         $27::bigint,
         ${callbackSnapshotSql('x.facts || $5::jsonb', "case when $26::text in ('3ds', 'redirect') then coalesce($6::jsonb, x.action) end")},
         $28::text, $29::text,
         (case when $28::text is null then 'undelivered' else 'waiting' end)::"CallbackState",
         case when $28::text is null then null else $12::timestamptz end, $12::timestamptz
    from p join transactions x on x.id = $3::uuid where $24::uuid is not null
)
select ${paymentColumns} from p left join cards k on k.id = p.card_id`;

/**
 * Commits the outcome of a transaction, updates its payment and queues the callback, in one statement. Null when the
 * payment or the transaction has changed since it was read.
 */
export async function commitTransition(transition: Transition, now: Date): Promise<Payment | null> {
  const { payment, transaction, decline, report, callback } = transition;
  const state = transition.event ? nextState(payment.state, transition.event) : payment.state;
  if (!state) throw new Error(`${transition.event} cannot happen to a payment in ${payment.state}`);
  const final = transition.status === 'success' || transition.status === 'fail';
  const attemptDeclined = transition.event === 'decline';
  const unpaid = attemptDeclined || transition.event === 'expire';
  const declineReason = decline?.reason ?? null;
  // A failed modification does not change the payment's own reason.
  const paymentReason = unpaid ? declineReason : transition.event ? null : payment.reason;
  const rows = await query('payment-transition', transitionSql, [
    payment.id,
    payment.version,
    transaction.id,
    transition.status,
    JSON.stringify(transition.providerData ?? {}),
    transition.action ? JSON.stringify(transition.action) : null,
    decline?.code ?? null,
    declineReason,
    decline?.class ?? null,
    transition.dueAt,
    final,
    now,
    transaction.status,
    transition.cardToken ?? null,
    state,
    transition.settledMinor ?? 0n,
    transition.refundedMinor ?? 0n,
    transition.refundingMinor ?? 0n,
    state === 'settled' && payment.settledAt === null,
    attemptDeclined,
    declineReason ?? transition.reason ?? null,
    transition.recurringToken ?? null,
    transaction.midId,
    report ? (callback?.id ?? null) : null,
    report?.outcome ?? null,
    report?.type ?? null,
    transition.amountMinor ?? transaction.amountMinor,
    callback?.url ?? null,
    callback?.address ?? null,
    paymentReason,
    transition.subscription?.id ?? null,
    transition.subscription?.scheduleId ?? null,
    transition.subscription?.amount ?? null,
    transition.firstRecurring ?? null,
    transition.subscription?.dueAt ?? null,
    transition.subscription?.firstDay ?? null,
    decline?.soft ?? null,
    transition.chargedBackMinor ?? 0n,
    transition.amountMinor ?? null,
  ]);
  if (rows[0] && report && callback?.url) notifyJob('callbacks');
  return rows[0] ? toPayment(rows[0] as Record<string, unknown>) : null;
}

/** Sets the time of the next poll; null ends polling. */
export async function reschedulePoll(transaction: Transaction, dueAt: Date | null): Promise<void> {
  await query('transaction-reschedule-poll', 'update transactions set due_at = $2 where id = $1 and status = $3', [
    transaction.id,
    dueAt,
    transaction.status,
  ]);
}
