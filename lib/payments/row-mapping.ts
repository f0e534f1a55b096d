/**
 * Maps rows of payments, sessions and transactions to their types. Statements share the column lists, so that all of
 * them return the same members.
 */
import type { PartyDetails, Payment, Session, Transaction } from '../core/payment';
import { clockOffsetMilliseconds } from '../db/clock';

/** A payment's columns with its card; expects the payment under the alias `p` and `left join cards k`. */
export const paymentColumns = `
  p.id, p.merchant_id, p.key_id, p.protocol::text, p.operation::text, p.state::text, p.version, p.current,
  p.order_number, p.order_amount, p.currency, p.amount_minor, p.description, p.settled_minor, p.refunded_minor,
  p.refunding_minor, p.charged_back_minor, p.authorize_only, p.recurring_init, p.request_token, p.payer, p.payee, p.parameters,
  p.custom_data, p.notification_url, p.channel_id, p.schedule_id, p.schedule_start, p.schedule_amount, p.attempt_id,
  p.in_flight_id, p.attempts, p.declines, p.method, p.card_token, p.return_url as payer_return_url, p.return_target,
  p.first_recurring, p.trace, p.recurring_token, p.recurring_first_id, p.subscription_id,
  p.digital_wallet, p.pan_type, p.reason, p.created_at, p.updated_at, p.settled_at,
  k.id as card_id, k.first6, k.last4, k.brand as card_brand, k.exp_month, k.exp_year, k.holder`;

export const sessionColumns = `
  s.payment_id, s.methods, s.language, s.success_url, s.cancel_url, s.error_url, s.expiry_url, s.return_url,
  s.link_target, s.card_tokens, s.form_id, s.expires_at, s.cancelled_at, s.hosted_fields,
  s.consent_required`;

/**
 * SQL for the time by which a call's response is due, over the table or alias `t`. A process of an earlier release may
 * leave the column null: its calls take a minute at most.
 */
export const responseDueSql = (t: string) => `coalesce(${t}.due_back_at, ${t}.created_at + interval '60 seconds')`;

export const transactionColumns = `
  t.id as transaction_id, t.payment_id, t.kind::text, t.status::text, t.amount_minor as transaction_minor,
  t.currency as transaction_currency, t.mid_id, t.method as transaction_method, t.attempt_id as of_attempt_id,
  t.facts, t.action, t.browser, t.decline_code, t.decline_reason, t.decline_class, t.decline_soft, t.cancel_reason,
  t.initiator, t.source, t.sequence, t.polls, t.due_at, t.due_back_at, t.heard_at, t.settings_version, t.cancels,
  extract(epoch from clock_timestamp() - ${responseDueSql('t')})::float8 as overdue_seconds,
  t.created_at as transaction_created_at, t.finished_at`;

type Row = { [column: string]: unknown };

/** A payment from a row of {@link paymentColumns}. */
export function toPayment(row: Row): Payment {
  return {
    id: row.id as string,
    merchantId: row.merchant_id as string,
    keyId: row.key_id as string,
    protocol: row.protocol as Payment['protocol'],
    operation: row.operation as Payment['operation'],
    state: row.state as Payment['state'],
    version: row.version as number,
    current: row.current as boolean,
    orderNumber: row.order_number as string,
    orderAmount: row.order_amount as string,
    currency: row.currency as string,
    amountMinor: row.amount_minor as bigint,
    description: row.description as string,
    settledMinor: row.settled_minor as bigint,
    refundedMinor: row.refunded_minor as bigint,
    refundingMinor: row.refunding_minor as bigint,
    chargedBackMinor: row.charged_back_minor as bigint,
    authorizeOnly: row.authorize_only as boolean,
    recurringInit: row.recurring_init as boolean,
    requestToken: row.request_token as boolean,
    payer: row.payer as PartyDetails,
    payee: row.payee as PartyDetails,
    parameters: row.parameters as Record<string, unknown>,
    customData: row.custom_data,
    notificationUrl: row.notification_url as string | null,
    channelId: row.channel_id as string | null,
    scheduleId: row.schedule_id as string | null,
    scheduleStart: row.schedule_start as string | null,
    scheduleAmount: row.schedule_amount as string | null,
    attemptId: row.attempt_id as string | null,
    inFlightId: row.in_flight_id as string | null,
    attempts: row.attempts as number,
    declines: row.declines as number,
    method: row.method as string | null,
    card: row.card_id === null ? null : toCard(row),
    cardToken: row.card_token as string | null,
    returnUrl: row.payer_return_url as string | null,
    returnTarget: row.return_target as string | null,
    firstRecurring: row.first_recurring as string | null,
    routingLog: row.trace as Payment['routingLog'],
    recurringToken: row.recurring_token as string | null,
    recurringFirstId: row.recurring_first_id as string | null,
    subscriptionId: row.subscription_id as string | null,
    digitalWallet: row.digital_wallet as Payment['digitalWallet'],
    panType: row.pan_type as Payment['panType'],
    reason: row.reason as string | null,
    createdAt: row.created_at as Date,
    updatedAt: row.updated_at as Date,
    settledAt: row.settled_at as Date | null,
  };
}

function toCard(row: Row): NonNullable<Payment['card']> {
  return {
    id: row.card_id as string,
    first6: row.first6 as string,
    last4: row.last4 as string,
    brand: row.card_brand as string | null,
    expMonth: row.exp_month as number,
    expYear: row.exp_year as number,
    holder: row.holder as string | null,
  };
}

/** A session from a row of {@link sessionColumns}. */
export function toSession(row: Row): Session {
  return {
    paymentId: row.payment_id as string,
    methods: row.methods as string[],
    language: row.language as string | null,
    successUrl: row.success_url as string | null,
    cancelUrl: row.cancel_url as string | null,
    errorUrl: row.error_url as string | null,
    expiryUrl: row.expiry_url as string | null,
    returnUrl: row.return_url as string | null,
    linkTarget: row.link_target as string | null,
    cardTokens: row.card_tokens as string[],
    formId: row.form_id as string | null,
    expiresAt: row.expires_at as Date,
    cancelledAt: row.cancelled_at as Date | null,
    hostedFields: row.hosted_fields as boolean,
    consentRequired: row.consent_required as boolean,
  };
}

/** A transaction from a row of {@link transactionColumns}. */
export function toTransaction(row: Row): Transaction {
  return {
    id: row.transaction_id as string,
    paymentId: row.payment_id as string,
    kind: row.kind as Transaction['kind'],
    status: row.status as Transaction['status'],
    amountMinor: row.transaction_minor as bigint,
    currency: row.transaction_currency as string,
    midId: row.mid_id as string,
    method: row.transaction_method as string,
    attemptId: row.of_attempt_id as string | null,
    providerData: row.facts as Transaction['providerData'],
    action: row.action as Transaction['action'],
    browser: row.browser as Transaction['browser'],
    declineCode: row.decline_code as string | null,
    declineReason: row.decline_reason as string | null,
    declineClass: row.decline_class as Transaction['declineClass'],
    declineSoft: row.decline_soft as boolean | null,
    cancelReason: row.cancel_reason as string | null,
    initiator: row.initiator as string | null,
    source: row.source as string | null,
    sequence: row.sequence as string | null,
    polls: row.polls as number,
    responseDueAt: row.due_back_at as Date | null,
    overdueSeconds: overdueOf(row.overdue_seconds as number | null),
    receivedByProviderAt: row.heard_at as Date | null,
    settingsVersion: row.settings_version as number,
    rejectedCancels: row.cancels as number,
    dueAt: row.due_at as Date | null,
    createdAt: row.transaction_created_at as Date,
    finishedAt: row.finished_at as Date | null,
  };
}

const overdueOf = (seconds: number | null) => seconds && seconds + clockOffsetMilliseconds() / 1000;
