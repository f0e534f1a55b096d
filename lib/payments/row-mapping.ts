/**
 * How payments, sessions and transactions are read from their tables. Statements share the column lists, so that all of
 * them return the same members.
 */
import type { CardView, Payment, Session, Transaction } from '../core/payment';
import { type EntityRow, entity } from '../db';
import { clockOffsetMilliseconds } from '../db/clock';

type PaymentFields = Omit<Payment, 'card'>;
type CardFields = { [Member in keyof CardView]: CardView[Member] | null };
type TransactionFields = Omit<Transaction, 'insertedAtMs'>;

const payments = entity<PaymentFields, 'p'>('p', {
  id: 'id',
  merchantId: 'merchant_id',
  keyId: 'key_id',
  protocol: 'protocol::text',
  operation: 'operation::text',
  state: 'state::text',
  version: 'version',
  current: 'current',
  orderNumber: 'order_number',
  orderAmount: 'order_amount',
  currency: 'currency',
  amountMinor: 'amount_minor',
  description: 'description',
  settledMinor: 'settled_minor',
  refundedMinor: 'refunded_minor',
  refundingMinor: 'refunding_minor',
  chargedBackMinor: 'charged_back_minor',
  authorizeOnly: 'authorize_only',
  recurringInit: 'recurring_init',
  requestToken: 'request_token',
  payer: 'payer',
  payee: 'payee',
  parameters: 'parameters',
  customData: 'custom_data',
  notificationUrl: 'notification_url',
  channelId: 'channel_id',
  scheduleId: 'schedule_id',
  scheduleStart: 'schedule_start',
  scheduleAmount: 'schedule_amount',
  attemptId: 'attempt_id',
  inFlightId: 'in_flight_id',
  attempts: 'attempts',
  declines: 'declines',
  method: 'method',
  cardToken: 'card_token',
  returnUrl: 'return_url',
  returnTarget: 'return_target',
  firstRecurring: 'first_recurring',
  routingLog: 'trace',
  recurringToken: 'recurring_token',
  recurringFirstId: 'recurring_first_id',
  subscriptionId: 'subscription_id',
  digitalWallet: 'digital_wallet',
  panType: 'pan_type',
  reason: 'reason',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  settledAt: 'settled_at',
});

const cards = entity<CardFields, 'k'>('k', {
  id: 'id',
  first6: 'first6',
  last4: 'last4',
  brand: 'brand',
  expMonth: 'exp_month',
  expYear: 'exp_year',
  holder: 'holder',
});

const sessions = entity<Session, 's'>('s', {
  paymentId: 'payment_id',
  methods: 'methods',
  language: 'language',
  successUrl: 'success_url',
  cancelUrl: 'cancel_url',
  errorUrl: 'error_url',
  expiryUrl: 'expiry_url',
  returnUrl: 'return_url',
  linkTarget: 'link_target',
  cardTokens: 'card_tokens',
  formId: 'form_id',
  expiresAt: 'expires_at',
  cancelledAt: 'cancelled_at',
  hostedFields: 'hosted_fields',
  consentRequired: 'consent_required',
});

/**
 * SQL for the time by which a call's response is due, over the table or alias `t`. A process of an earlier release may
 * leave the column null: its calls take a minute at most.
 */
export const responseDueSql = (t: string) => `coalesce(${t}.due_back_at, ${t}.created_at + interval '60 seconds')`;

const transactions = entity<TransactionFields, 't'>('t', {
  id: 'id',
  paymentId: 'payment_id',
  kind: 'kind::text',
  status: 'status::text',
  amountMinor: 'amount_minor',
  currency: 'currency',
  midId: 'mid_id',
  method: 'method',
  attemptId: 'attempt_id',
  providerData: 'facts',
  action: 'action',
  browser: 'browser',
  declineCode: 'decline_code',
  declineReason: 'decline_reason',
  declineClass: 'decline_class',
  declineSoft: 'decline_soft',
  cancelReason: 'cancel_reason',
  initiator: 'initiator',
  source: 'source',
  sequence: 'sequence',
  polls: 'polls',
  responseDueAt: 'due_back_at',
  overdueSeconds: `extract(epoch from clock_timestamp() - ${responseDueSql('t')})::float8`,
  receivedByProviderAt: 'heard_at',
  settingsVersion: 'settings_version',
  rejectedCancels: 'cancels',
  dueAt: 'due_at',
  createdAt: 'created_at',
  finishedAt: 'finished_at',
});

/** A payment's columns with its card; expects the payment under the alias `p` and `left join cards k`. */
export const paymentColumns = `${payments.columns}, ${cards.columns}`;
/** A session's columns; expects the session under the alias `s`. */
export const sessionColumns = sessions.columns;
/** A transaction's columns; expects the transaction under the alias `t`. */
export const transactionColumns = transactions.columns;

export type PaymentRow = EntityRow<PaymentFields, 'p'> & EntityRow<CardFields, 'k'>;
export type SessionRow = EntityRow<Session, 's'>;
export type TransactionRow = EntityRow<TransactionFields, 't'>;

/** A payment from a row of {@link paymentColumns}. */
export function toPayment(row: PaymentRow): Payment {
  return Object.assign(payments.read(row), { card: toCard(cards.read(row)) });
}

function toCard({ id, first6, last4, brand, expMonth, expYear, holder }: CardFields): CardView | null {
  if (id === null || first6 === null || last4 === null || expMonth === null || expYear === null) return null;
  return { id, first6, last4, brand, expMonth, expYear, holder };
}

/** A session from a row of {@link sessionColumns}. */
export const toSession = sessions.read;

/** A transaction from a row of {@link transactionColumns}. */
export function toTransaction(row: TransactionRow): Transaction {
  const transaction = transactions.read(row);
  const { overdueSeconds } = transaction;
  if (overdueSeconds !== null) transaction.overdueSeconds = overdueSeconds + clockOffsetMilliseconds() / 1000;
  return transaction;
}
