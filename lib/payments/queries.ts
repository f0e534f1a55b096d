/** Reads payments, sessions and transactions by shared column lists, so that all statements return the same members. */
import { isUuid } from '../core/ids.ts';
import {
  type CardView,
  isAttempt,
  type Payment,
  type PaymentWithTransaction,
  type Session,
  type Transaction,
} from '../core/payment.ts';
import { clockOffsetMilliseconds } from '../db/clock.ts';
import {
  attemptKindsSql,
  collectedReads,
  type EntityRow,
  entity,
  type Query,
  queryReplica,
  statement,
} from '../db/index.ts';

type PaymentFields = Omit<Payment, 'card'>;
type CardFields = { [Member in keyof CardView]: CardView[Member] | null };
type TransactionFields = Omit<Transaction, 'insertedAtMs'>;

const payments = entity<PaymentFields>()(
  'p',
  `id, merchantId, keyId, protocol::text, operation::text, state::text, version, current, orderNumber, orderAmount,
  currency, amountMinor, description, settledMinor, refundedMinor, refundingMinor, chargedBackMinor,
  authorizeOnly, recurringInit, requestToken, keepsCard, payer, payee, parameters, customData, notificationUrl, channelId,
  scheduleId, scheduleStart, scheduleAmount, attemptId, inFlightId, attempts, declines, method, cardToken,
  returnUrl, returnTarget, firstRecurring, routingLog, recurringToken, recurringFirstId, subscriptionId,
  digitalWallet, panType, reason, createdAt, updatedAt, settledAt`,
  { routingLog: 'trace' },
);

const cards = entity<CardFields>()('k', 'id, first6, last4, brand, expMonth, expYear, holder');

const sessions = entity<Session>()(
  's',
  `paymentId, methods, language, successUrl, cancelUrl, errorUrl, expiryUrl, returnUrl, linkTarget, cardTokens,
  formId, expiresAt, cancelledAt, hostedFields, consentRequired, repeatedStops`,
);

/**
 * SQL for the time by which a call's response is due, over the table or alias `t`. A process of an earlier release may
 * leave the column null: its calls take a minute at most.
 */
export const responseDueSql = (t: string) => `coalesce(${t}.due_back_at, ${t}.created_at + interval '60 seconds')`;

const transactions = entity<TransactionFields>()(
  't',
  `id, paymentId, kind::text, status::text, amountMinor, currency, midId, method, attemptId, providerData, action,
  browser, declineCode, declineReason, declineClass, declineSoft, cancelReason, initiator, source, sequence,
  polls, responseDueAt, overdueSeconds, receivedByProviderAt, settingsVersion, rejectedCancels, testingKeys, dueAt,
  createdAt, finishedAt`,
  {
    providerData: 'facts',
    responseDueAt: 'due_back_at',
    overdueSeconds: `extract(epoch from clock_timestamp() - ${responseDueSql('t')})::float8`,
    receivedByProviderAt: 'heard_at',
    rejectedCancels: 'cancels',
  },
);

/** A payment's columns without its card; expects the payment under the alias `p`. */
export const cardlessColumns = payments.columns;
/** A payment's columns with its card; expects `left join cards k` besides. */
export const paymentColumns = `${payments.columns}, ${cards.columns}`;
/** A session's columns; expects the session under the alias `s`. */
export const sessionColumns = sessions.columns;
/** A transaction's columns; expects the transaction under the alias `t`. */
export const transactionColumns = transactions.columns;

export type CardlessRow = EntityRow<PaymentFields, 'p'>;
export type PaymentRow = CardlessRow & EntityRow<CardFields, 'k'>;
export type SessionRow = EntityRow<Session, 's'>;
export type TransactionRow = EntityRow<TransactionFields, 't'>;

/** A payment from a row of {@link paymentColumns}. */
export const toPayment = (row: PaymentRow): Payment => withCard(row, toCard(cards.read(row)));

/** A payment from a row of {@link cardlessColumns}, whose card is known. */
export const withCard = (row: CardlessRow, card: CardView | null): Payment =>
  Object.assign(payments.read(row), { card });

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

const fromPayments = 'from payments p left join cards k on k.id = p.card_id';

const paymentById = collectedReads(
  statement<{ ids: readonly string[] }, PaymentRow>(
    'payment-find',
    `select ${paymentColumns} ${fromPayments} where p.id = any(:ids::uuid[])`,
  ),
  (row) => row['p.id'],
);

/** A payment by its id; with `merchantId` only that merchant's. */
export async function findPayment(id: string, merchantId: string | null = null, run?: Query): Promise<Payment | null> {
  if (!isUuid(id)) return null;
  const row = await paymentById(id, run);
  return row && (merchantId === null || row['p.merchantId'] === merchantId) ? toPayment(row) : null;
}

const paymentsByOrder = statement<{ merchantId: string; orderNumber: string; size: number }, PaymentRow>(
  'payment-by-order',
  `select ${paymentColumns} ${fromPayments} where p.merchant_id = :merchantId and p.order_number = :orderNumber
    order by p.created_at desc, p.id desc limit :size`,
);

/** The payments of an order number, newest first. */
export async function findByOrder(
  merchantId: string,
  orderNumber: string,
  size: number,
  run?: Query,
): Promise<Payment[]> {
  return (await paymentsByOrder({ merchantId, orderNumber, size }, run)).map(toPayment);
}

const sessionByPayment = collectedReads(
  statement<{ ids: readonly string[] }, PaymentRow & SessionRow>(
    'session-find',
    `select ${paymentColumns}, ${sessionColumns} ${fromPayments} join sessions s on s.payment_id = p.id
      where p.id = any(:ids::uuid[])`,
  ),
  (row) => row['p.id'],
);

/** A payment with its session; null for a payment without one. */
export async function findSession(paymentId: string): Promise<{ payment: Payment; session: Session } | null> {
  const row = await sessionByPayment(paymentId);
  return row ? { payment: toPayment(row), session: toSession(row) } : null;
}

/** A transaction that exists, with its payment. */
export async function getPaymentWithTransaction(id: string): Promise<PaymentWithTransaction> {
  const both = await findPaymentWithTransaction(id);
  if (!both) throw new Error(`transaction ${id} is gone`);
  return both;
}

/** A payment that exists. */
export async function getPayment(id: string): Promise<Payment> {
  const payment = await findPayment(id);
  if (!payment) throw new Error(`payment ${id} is gone`);
  return payment;
}

export async function findTransaction(id: string): Promise<Transaction | null> {
  return (await findPaymentWithTransaction(id))?.transaction ?? null;
}

const transactionById = collectedReads(
  statement<{ ids: readonly string[] }, PaymentRow & TransactionRow>(
    'transaction-find',
    `select ${paymentColumns}, ${transactionColumns} from transactions t join payments p on p.id = t.payment_id
       left join cards k on k.id = coalesce(t.card_id, p.card_id) where t.id = any(:ids::uuid[])`,
  ),
  (row) => row['t.id'],
);

/** A transaction with its payment. The payment's card is that of the transaction. */
export async function findPaymentWithTransaction(id: string, run?: Query): Promise<PaymentWithTransaction | null> {
  if (!isUuid(id)) return null;
  const row = await transactionById(id, run);
  return row ? { payment: toPayment(row), transaction: toTransaction(row) } : null;
}

type IdKind = 'payment' | 'transaction' | null;
const kindById = collectedReads(
  statement<{ ids: readonly string[] }, { id: string; merchantId: string; kind: IdKind }>(
    'kind-of-id',
    `select id, merchant_id as "merchantId", 'payment' as kind from payments where id = any(:ids::uuid[])
     union all
     select t.id, p.merchant_id, 'transaction' from transactions t join payments p on p.id = t.payment_id
      where t.id = any(:ids::uuid[])
     union all
     select id, merchant_id, 'payment' from archived_payments where id = any(:ids::uuid[])`,
  ),
  ({ id }) => id,
);

/** Whether an id is a payment (and its session), also an archived one, or a transaction of the merchant; null for neither. */
export async function kindOfId(merchantId: string, id: string): Promise<IdKind> {
  const row = await kindById(id);
  return row?.merchantId === merchantId ? row.kind : null;
}

const transactionsByPayment = statement<{ paymentId: string }, TransactionRow>(
  'transactions-of',
  `select ${transactionColumns} from transactions t where t.payment_id = :paymentId order by t.number, t.created_at, t.id`,
);

/** All transactions of a payment, oldest first. */
export async function transactionsOf(paymentId: string, run?: Query): Promise<Transaction[]> {
  return (await transactionsByPayment({ paymentId }, run)).map(toTransaction);
}

const modificationCount = statement<{ paymentId: string }, { count: number }>(
  'modifications-count',
  `select count(*)::int as count from transactions
    where payment_id = :paymentId and kind not in ${attemptKindsSql()}`,
);

/** The number of a payment's modifications, with any outcome. */
export async function countModifications(paymentId: string): Promise<number> {
  const [row] = await modificationCount({ paymentId });
  return row?.count ?? 0;
}

const latestTransactions = statement<{ paymentId: string; most: number }, TransactionRow>(
  'transactions-latest',
  `select ${transactionColumns} from (
     select *, row_number() over (partition by kind in ${attemptKindsSql()} order by number desc, created_at desc, id desc) as place
       from transactions where payment_id = :paymentId) t
    where t.place <= :most order by t.number, t.created_at, t.id`,
);

/** The latest attempts and the latest other transactions of a payment, `most` of each, oldest first. */
export async function latestTransactionsOf(paymentId: string, most: number): Promise<Transaction[]> {
  return (await latestTransactions({ paymentId, most })).map(toTransaction);
}

const undoneOf = statement<{ paymentIds: readonly string[] }, { paymentId: string }>(
  'payments-undone',
  `select distinct payment_id as "paymentId" from transactions
    where payment_id = any(:paymentIds::uuid[]) and status = 'success' and kind in ('void', 'reversal')`,
);

/** The ids of those payments that were voided or reversed in whole. */
export async function findUndone(paymentIds: readonly string[]): Promise<Set<string>> {
  return new Set((await undoneOf({ paymentIds })).map(({ paymentId }) => paymentId));
}

const transactionByKey = statement<{ paymentId: string; key: string }, TransactionRow & { digest: Uint8Array }>(
  'transaction-by-idempotency-key',
  `select ${transactionColumns}, t.request_digest as digest from transactions t
    where t.payment_id = :paymentId and t.idempotency_key = :key`,
);

/** The modification of a payment under this idempotency key, with the digest of its request; null for none. */
export async function findByIdempotencyKey(
  paymentId: string,
  key: string,
): Promise<{ transaction: Transaction; digest: Uint8Array } | null> {
  const [row] = await transactionByKey({ paymentId, key });
  return row ? { transaction: toTransaction(row), digest: row.digest } : null;
}

const latestFirst = 't.number desc, t.created_at desc, t.id desc';
const lastAttemptOf = collectedReads(
  statement<{ ids: readonly string[] }, TransactionRow>(
    'attempt-last',
    `select distinct on (t.payment_id) ${transactionColumns} from transactions t
      where t.payment_id = any(:ids::uuid[]) and t.kind in ${attemptKindsSql()} order by t.payment_id, ${latestFirst}`,
  ),
  (row) => row['t.paymentId'],
);
const lastCallOf = statement<{ paymentId: string; attemptId: string }, TransactionRow>(
  'attempt-last-call',
  `select ${transactionColumns} from transactions t
    where t.payment_id = :paymentId and t.kind in ${attemptKindsSql()}
      and (t.id = :attemptId::uuid or t.attempt_id = :attemptId::uuid) order by ${latestFirst} limit 1`,
);

/** The latest attempt of a payment, after any failover. Modifications refer to it. */
export async function lastAttempt(paymentId: string, run?: Query): Promise<Transaction | null> {
  const row = await lastAttemptOf(paymentId, run);
  return row ? toTransaction(row) : null;
}

/** The latest transaction of an attempt, which has one for each account that was tried. */
export async function lastTransactionOfAttempt(paymentId: string, attemptId: string): Promise<Transaction | null> {
  const [row] = await lastCallOf({ paymentId, attemptId });
  return row ? toTransaction(row) : null;
}

const versionsById = statement<{ paymentIds: readonly string[] }, { id: string; version: number }>(
  'versions-of',
  'select id, version from payments where id = any(:paymentIds::uuid[])',
);

/** The versions of many payments in one query, for the live updates of open pages. */
export async function versionsOf(paymentIds: string[]): Promise<Map<string, number>> {
  return new Map((await versionsById({ paymentIds })).map(({ id, version }) => [id, version]));
}

/** The attempt that decides the payment's state: a later one, where this one failed. */
export async function decidingAttempt(both: PaymentWithTransaction): Promise<PaymentWithTransaction> {
  const { payment, transaction } = both;
  if (!isAttempt(transaction) || transaction.status !== 'fail') return both;
  const last = await lastAttempt(payment.id);
  if (last === null || last.id === transaction.id) return both;
  return (await findPaymentWithTransaction(last.id)) ?? both;
}

/** The reads of status requests, which a replica may answer. */
export const statusReads = {
  findPayment: (id: string, merchantId: string) => findPayment(id, merchantId, queryReplica),
  findByOrder: (merchantId: string, orderNumber: string, size: number) =>
    findByOrder(merchantId, orderNumber, size, queryReplica),
  findPaymentWithTransaction: (id: string) => findPaymentWithTransaction(id, queryReplica),
  lastAttempt: (paymentId: string) => lastAttempt(paymentId, queryReplica),
  transactionsOf: (paymentId: string) => transactionsOf(paymentId, queryReplica),
};
