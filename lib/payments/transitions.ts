/**
 * The commits of transactions' outcomes: {@link commitTransitions} updates the transactions and their payments and queues
 * the callbacks, in one statement over a set of rows. Each row is answered by itself: a payment that no longer has the
 * version that was read stays as it is.
 */
import { newId } from '../core/ids.ts';
import {
  isAttempt,
  type Payment,
  type PaymentWithTransaction,
  type Status,
  type Transaction,
} from '../core/payment.ts';
import type { Decline, NextAction, ProviderData } from '../core/provider-data.ts';
import type { Event } from '../core/states.ts';
import { clockOffsetMilliseconds } from '../db/clock.ts';
import { attemptKindsSql, collected, rowSet, rowStep, type Statement, statement } from '../db/index.ts';
import { notifyJob } from '../db/notify-job.ts';
import { callerOf } from '../merchants/index.ts';
import type { NewSubscription } from '../schedules/index.ts';
import { asInserted, firstOfEachPayment, type Inserted, inOrder, lockedRowsSql, stateAfter } from './attempt/insert.ts';
import {
  type CardlessRow,
  cardlessColumns,
  type PaymentRow,
  paymentColumns,
  responseDueSql,
  toPayment,
  withCard,
} from './queries.ts';

/** The earliest time after a response was due at which an operation counts as not received, by the database's clock. */
export const notReceivedAfterSeconds = 30;

/** Marks attempts as being cancelled; the id is the payment's. */
export const setCancelling = rowStep(
  'payments-mark-cancelling',
  'version int, transactionId uuid, at timestamptz, reason text',
  (from) => `${lockedRowsSql(from, 'id')}, p as (
  update payments set version = payments.version + 1, updated_at = i.at from i join l on l.id = i.id where payments.id = l.id
  returning payments.id, payments.state
)
update transactions set cancel_reason = i.reason, due_at = i.at + interval '30 seconds'
  from i join p on p.id = i.id where transactions.id = i.transaction_id and transactions.payment_id = p.id
   and (transactions.status in ('challenge', 'redirect', 'waiting', 'unknown')
        or (transactions.status = 'success' and p.state = 'pending'))
returning p.id`,
);

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
  const { id, version } = payment;
  const [marked] = await setCancelling([{ id, version, transactionId: transaction.id, at: now, reason }]);
  return marked !== null;
}

/** Gives requests that are sent again a new deadline; the id is the payment's. */
export const setResent = rowStep(
  'transactions-resend',
  'version int, transactionId uuid, dueAt timestamptz, timeoutMs float8, offsetMs float8',
  (from) => `${lockedRowsSql(from, 'id')}, t as (
  update transactions t set due_at = i.due_at, due_back_at = clock_timestamp() + i.timeout_ms * interval '1 millisecond'
    from i join l on l.id = i.id
   where t.id = i.transaction_id and t.payment_id = l.id and t.status in ('sent', 'unknown') and t.cancel_reason is null
     and ${responseDueSql('t')} + interval '${notReceivedAfterSeconds} seconds'
         <= clock_timestamp() + i.offset_ms * interval '1 millisecond'
  returning t.payment_id, t.due_back_at
)
update payments set version = payments.version + 1 from t where payments.id = t.payment_id
returning payments.id, t.due_back_at as "responseDueAt"`,
);

/**
 * Marks a transaction whose request is sent again under the same key, with a new deadline. From then on an outcome that
 * was read before is not committed without a look at the row. Null where the payment has changed since it was read, the
 * transaction has an outcome or is being cancelled, or another process is sending it.
 */
export async function markResent(
  { payment, transaction }: PaymentWithTransaction,
  dueAt: Date,
  seconds: number,
): Promise<PaymentWithTransaction | null> {
  const { id, version } = payment;
  const offsetMs = clockOffsetMilliseconds();
  const startedAtMs = Date.now();
  const timeoutMs = seconds * 1000 + offsetMs;
  const [row] = await setResent<Inserted>([{ id, version, transactionId: transaction.id, dueAt, timeoutMs, offsetMs }]);
  if (!row) return null;
  return { payment: { ...payment, version: version + 1 }, transaction: asInserted(transaction, row, startedAtMs) };
}

/** Counts rejected cancellations: the next has another key. Without `keepReason` a capture is possible until then. */
export const countRejectedCancels = rowStep(
  'transactions-cancel-refused',
  'rejectedCancels int, dueAt timestamptz, keepReason bool',
  (from) => `update transactions t set cancels = t.cancels + 1, due_at = i.due_at,
          cancel_reason = case when i.keep_reason then t.cancel_reason end
     from ${from} where t.id = i.id and t.cancels = i.rejected_cancels and t.cancel_reason is not null
   returning t.id`,
);

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
  /** The whole presentation, encrypted, where `providerData` has a masked one. */
  sealedPresent?: Buffer;
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

const transitions = rowSet(
  'transitions',
  `paymentId uuid, version int, transactionId uuid, fromStatus "TransactionStatus", status "TransactionStatus",
  at timestamptz, facts jsonb, sealedPresent bytea, action jsonb, declineCode text, declineReason text, declineClass text,
  declineSoft bool, dueAt timestamptz, final bool, amountMinor bigint, state "PaymentState", settledMinor bigint,
  refundedMinor bigint, refundingMinor bigint, chargedBackMinor bigint, settles bool, attemptDeclined bool,
  reason text, cardToken text, recurringToken text, firstRecurring date, midId uuid, subscriptionId uuid,
  scheduleId uuid, subscriptionAmount text, subscriptionDueAt timestamptz, firstDay int, callbackId uuid,
  callbackOutcome "CallbackOutcome", callbackType text, callbackReason text, callbackMinor bigint, url text,
  address text`,
);

/** What a set of transitions writes besides transactions and payments: a table that no row needs is not opened. */
type Parts = { token: boolean; chain: boolean; subscription: boolean; callback: boolean; card: boolean };

const issueTokensSql = `, tok as (
  insert into card_tokens (token, merchant_id, card_id, created_at)
  select distinct on (p.merchant_id, p.card_id) i.card_token, p.merchant_id, p.card_id, i.at
    from i join t on t.payment_id = i.payment_id join payments p on p.id = t.payment_id
   where i.card_token is not null and p.card_id is not null
   order by p.merchant_id, p.card_id
  on conflict (merchant_id, card_id) do update set removed_at = null,
    token = case when card_tokens.removed_at is null then card_tokens.token else excluded.token end
  returning token, merchant_id, card_id
)`;

const issuedTokenSql = `coalesce((select tok.token from tok
      where i.card_token is not null and tok.merchant_id = payments.merchant_id and tok.card_id = payments.card_id), payments.card_token)`;

const createChainsSql = `, r as (
  insert into recurring_chains (token, merchant_id, first_trans_id, payment_id, operation, card_id, mid_id, created_at)
  select i.recurring_token, p.merchant_id, coalesce(p.attempt_id, i.transaction_id), p.id, p.operation, p.card_id,
         i.mid_id, i.at
    from p join i on i.payment_id = p.id
   where i.recurring_token is not null
  returning token
)`;

const createSubscriptionsSql = `, su as (
  insert into subscriptions (id, schedule_id, chain_token, payment_id, amount, first_date, first_day, due_at, created_at)
  select i.subscription_id, i.schedule_id, p.recurring_token, p.id, i.subscription_amount, i.first_recurring, i.first_day,
         i.subscription_due_at, i.at
    from p join i on i.payment_id = p.id
   where i.subscription_id is not null
  on conflict (schedule_id, chain_token) do update set
    id = excluded.id, payment_id = excluded.payment_id, amount = excluded.amount, first_date = excluded.first_date,
    first_day = excluded.first_day, done = 0, retries = 0, shift = 0, placed = subscriptions.placed + 1,
    begun_slot = null, begun_for = null, begun_at = null, catch_up_at = null, brake_reason = null, braked_at = null,
    due_at = excluded.due_at, stopped_at = null, stop_reason = null, created_at = excluded.created_at
   where subscriptions.stopped_at is not null
)`;

/**
 * SQL for the snapshot of a payment in callbacks.facts (`CallbackSnapshot` in lib/callbacks), so that repeats report the same
 * values after later changes, over the payment `p` and the reported transaction `x`, whose current data are `facts` and `action`.
 */
export const callbackSnapshotSql = (facts: string, action: string) => `jsonb_build_object(
           'payment', jsonb_build_object(
             'payer', p.payer, 'payee', p.payee, 'parameters', p.parameters, 'method', p.method, 'attemptId', p.attempt_id,
             'cardToken', p.card_token, 'recurringToken', p.recurring_token, 'firstRecurring', p.first_recurring,
             'digitalWallet', p.digital_wallet, 'panType', p.pan_type),
           'card', (select jsonb_build_object('id', k.id, 'first6', k.first6, 'last4', k.last4, 'brand', k.brand,
                                              'expMonth', k.exp_month, 'expYear', k.exp_year, 'holder', null)
                      from cards k where k.id = coalesce(x.card_id, p.card_id)),
           'facts', ${facts},
           'action', ${action},
           'attemptFacts', (select a.facts from transactions a
                             where x.attempt_id is not null and a.payment_id = p.id
                               and a.kind in ${attemptKindsSql()}
                             order by (a.status = 'success') desc, a.number desc, a.created_at desc limit 1))`;

/** The `type` under which a transaction is reported (protocol.md 7). */
export function callbackTypeOf(payment: Payment, transaction: Transaction): string {
  if (!isAttempt(transaction)) return transaction.kind;
  if (payment.operation === 'recurring') return 'recurring';
  return payment.operation === 'purchase' ? 'sale' : transaction.kind;
}

/** A new callback of a payment, to the URL of the request, else to the mapping's (contract, Events 1). */
export async function newCallback(payment: Payment): Promise<NonNullable<Transition['callback']>> {
  const caller = await callerOf(payment);
  const url = payment.notificationUrl ?? caller.mapping.defaultNotificationUrl;
  return { id: newId(), url, address: url && new URL(url).origin };
}

const queueCallbacksSql = `, cb as (
  insert into callbacks (id, payment_id, transaction_id, merchant_id, sequence, outcome, type, order_state, reason,
                         amount_minor, facts, url, address, state, due_at, created_at)
  select i.callback_id, p.id, i.transaction_id, p.merchant_id, p.version, i.callback_outcome, i.callback_type, p.state,
         i.callback_reason, i.callback_minor,
         ${callbackSnapshotSql('x.facts || i.facts', "case when i.callback_type in ('3ds', 'redirect') then coalesce(i.action, x.action) end")},
         i.url, i.address, (case when i.url is null then 'undelivered' else 'waiting' end)::"CallbackState",
         case when i.url is null then null else i.at end, i.at
    from p join i on i.payment_id = p.id join transactions x on x.id = i.transaction_id
   where i.callback_id is not null
)`;

// The polls of a new wait, such as that for an authorisation's expiry, are counted from zero.
const transitionsSql = ({ token, chain, subscription, callback, card }: Parts) => `
${lockedRowsSql(transitions.from)}, t as (
  update transactions set
    status = i.status, facts = transactions.facts || i.facts, action = coalesce(i.action, transactions.action),
    decline_code = i.decline_code, decline_reason = i.decline_reason, decline_class = i.decline_class,
    decline_soft = i.decline_soft, due_at = i.due_at, finished_at = case when i.final then i.at end,
    polls = case when i.final then 0 else transactions.polls end,
    testing_keys = case when not i.final then transactions.testing_keys end,
    sealed_present = case when i.final then null when i.facts ? 'present' then i.sealed_present else transactions.sealed_present end,
    amount_minor = coalesce(i.amount_minor, transactions.amount_minor),
    cancel_reason = case when i.status = 'success' then null else transactions.cancel_reason end
   from i join l on l.id = i.payment_id
  where transactions.id = i.transaction_id and transactions.payment_id = l.id and transactions.status = i.from_status
  returning transactions.id, transactions.payment_id
)${token ? issueTokensSql : ''}, p as (
  update payments set
    state = i.state, version = payments.version + 1, updated_at = i.at,
    settled_minor = payments.settled_minor + i.settled_minor,
    refunded_minor = payments.refunded_minor + i.refunded_minor,
    refunding_minor = payments.refunding_minor + i.refunding_minor,
    charged_back_minor = payments.charged_back_minor + i.charged_back_minor,
    settled_at = case when i.settles then i.at else payments.settled_at end,
    declines = payments.declines + case when i.attempt_declined then 1 else 0 end,
    reason = i.reason,
    in_flight_id = case when i.final and payments.in_flight_id = t.id then null else payments.in_flight_id end,
    card_token = ${token ? issuedTokenSql : 'payments.card_token'},
    recurring_token = coalesce(i.recurring_token, payments.recurring_token),
    first_recurring = coalesce(i.first_recurring, payments.first_recurring)
   from i join t on t.payment_id = i.payment_id where payments.id = t.payment_id
  returning payments.*
)${chain ? createChainsSql : ''}${subscription ? createSubscriptionsSql : ''}${callback ? queueCallbacksSql : ''}
select ${card ? `${paymentColumns} from p left join cards k on k.id = p.card_id` : `${cardlessColumns} from p`}`;

type CommitStatement = Statement<{ transitions: string }, PaymentRow | CardlessRow>;
const commitStatements = new Map<string, CommitStatement>();

function commitStatement(parts: Parts): CommitStatement {
  const used = Object.entries(parts).flatMap(([part, isUsed]) => (isUsed ? [part] : []));
  const name = ['payment-transitions', ...used].join('-');
  const known = commitStatements.get(name) ?? statement(name, transitionsSql(parts));
  commitStatements.set(name, known);
  return known;
}

function transitionValues({ transition, now }: { transition: Transition; now: Date }) {
  const { payment, transaction, decline, report, callback, subscription } = transition;
  const state = stateAfter(payment, transition.event);
  const attemptDeclined = transition.event === 'decline';
  const unpaid = attemptDeclined || transition.event === 'expire';
  const declineReason = decline?.reason ?? null;
  return {
    ...transition,
    settledMinor: transition.settledMinor ?? 0n,
    refundedMinor: transition.refundedMinor ?? 0n,
    refundingMinor: transition.refundingMinor ?? 0n,
    chargedBackMinor: transition.chargedBackMinor ?? 0n,
    paymentId: payment.id,
    version: payment.version,
    transactionId: transaction.id,
    fromStatus: transaction.status,
    at: now,
    facts: transition.providerData ?? {},
    sealedPresent: transition.sealedPresent,
    action: transition.action,
    declineCode: decline?.code,
    declineReason,
    declineClass: decline?.class,
    declineSoft: decline?.soft,
    final: transition.status === 'success' || transition.status === 'fail',
    amountMinor: transition.amountMinor,
    state,
    settles: state === 'settled' && payment.settledAt === null,
    attemptDeclined,
    // A failed modification does not change the payment's own reason.
    reason: unpaid ? declineReason : transition.event ? null : payment.reason,
    cardToken: transition.cardToken,
    recurringToken: transition.recurringToken,
    firstRecurring: transition.firstRecurring,
    midId: transaction.midId,
    subscriptionId: subscription?.id,
    scheduleId: subscription?.scheduleId,
    subscriptionAmount: subscription?.amount,
    subscriptionDueAt: subscription?.dueAt,
    firstDay: subscription?.firstDay,
    callbackId: report ? callback?.id : null,
    callbackOutcome: report?.outcome,
    callbackType: report?.type,
    callbackReason: declineReason ?? transition.reason,
    callbackMinor: transition.amountMinor ?? transaction.amountMinor,
    url: callback?.url,
    address: callback?.address,
  };
}

/** Commits outcomes, payments and callbacks in one statement. Null where a row has changed since it was read. */
export async function commitTransitions(
  items: readonly { transition: Transition; now: Date }[],
): Promise<(Payment | null)[]> {
  const values = firstOfEachPayment(items, ({ transition }) => transition.payment.id).map(transitionValues);
  const commit = commitStatement({
    token: values.some(({ cardToken }) => cardToken),
    chain: values.some(({ recurringToken }) => recurringToken),
    subscription: values.some(({ subscriptionId }) => subscriptionId),
    callback: values.some(({ callbackId }) => callbackId),
    // A payment that was read with another attempt than its latest has that attempt's card.
    card: items.some(({ transition: { payment, transaction: t } }) => (t.attemptId ?? t.id) !== payment.attemptId),
  });
  const rows = await commit({ transitions: transitions.encode(values) });
  const payments = inOrder(
    items,
    ({ transition }) => transition.payment.id,
    rows,
    ({ transition }, row) => ('k.id' in row ? toPayment(row) : withCard(row, transition.payment.card)),
  );
  if (items.some(({ transition: { report, callback } }, at) => payments[at] && report && callback?.url)) {
    notifyJob('callbacks');
  }
  return payments;
}

/** {@link commitTransitions} for one transaction. */
export const commitTransition = (transition: Transition, now: Date): Promise<Payment | null> =>
  commitCollected({ transition, now });

const commitCollected = collected(commitTransitions, ({ transition }) => transition.payment.id);

/** Sets the times of the next polls; null ends polling. */
export const reschedulePolls = rowStep(
  'transactions-reschedule-poll',
  'status "TransactionStatus", dueAt timestamptz',
  (from) =>
    `update transactions t set due_at = i.due_at from ${from} where t.id = i.id and t.status = i.status returning t.id`,
);

/**
 * The time of the next poll: soon at first, so that most outcomes are known within two minutes even where a third of
 * responses is lost, then at intervals that grow from 45 seconds to six hours.
 */
export function nextPollAt(
  transaction: Pick<Transaction, 'status' | 'polls' | 'createdAt' | 'rejectedCancels'>,
  now: Date,
): Date {
  const age = secondsSince(transaction.createdAt, now);
  // After rejected cancellations the interval grows from one minute.
  if (transaction.rejectedCancels > 0) {
    const seconds = Math.min(30 * 2 ** Math.min(transaction.rejectedCancels, 10), longestInterval(age, 3600));
    return new Date(now.getTime() + seconds * 1000);
  }
  const withPayer = transaction.status === 'challenge' || transaction.status === 'redirect';
  const longest = age < 120 ? 15 : longestInterval(age, 45);
  const seconds = withPayer ? longestInterval(age, 30) : Math.min(5 * 2 ** Math.min(transaction.polls, 13), longest);
  return new Date(now.getTime() + seconds * 1000);
}

/** The longest interval between two polls, in seconds: 2 % of the time since the first, at least `least`, at most six hours. */
export const longestInterval = (age: number, least: number) => Math.min(Math.max(age / 50, least), 6 * 3600);

/** Seconds between two times, with fractions. */
export function secondsSince(from: Date, now: Date): number {
  return (now.getTime() - from.getTime()) / 1000;
}
