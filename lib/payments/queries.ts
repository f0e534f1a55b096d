/** Reads payments, sessions and transactions. */
import { isUuid } from '../core/ids';
import type { Payment, PaymentWithTransaction, Session, Transaction } from '../core/payment';
import { attemptKindsSql, statement } from '../db';
import {
  type PaymentRow,
  paymentColumns,
  type SessionRow,
  sessionColumns,
  type TransactionRow,
  toPayment,
  toSession,
  toTransaction,
  transactionColumns,
} from './row-mapping';

const fromPayments = 'from payments p left join cards k on k.id = p.card_id';

const paymentById = statement<{ id: string; merchantId: string | null }, PaymentRow>(
  'payment-find',
  `select ${paymentColumns} ${fromPayments}
    where p.id = :id and (:merchantId::uuid is null or p.merchant_id = :merchantId::uuid)`,
);

/** A payment by its id; with `merchantId` only that merchant's. */
export async function findPayment(id: string, merchantId: string | null = null): Promise<Payment | null> {
  if (!isUuid(id)) return null;
  const [row] = await paymentById({ id, merchantId });
  return row ? toPayment(row) : null;
}

const paymentsByOrder = statement<{ merchantId: string; orderNumber: string; size: number }, PaymentRow>(
  'payment-by-order',
  `select ${paymentColumns} ${fromPayments} where p.merchant_id = :merchantId and p.order_number = :orderNumber
    order by p.created_at desc, p.id desc limit :size`,
);

/** The payments of an order number, newest first. */
export async function findByOrder(merchantId: string, orderNumber: string, size: number): Promise<Payment[]> {
  return (await paymentsByOrder({ merchantId, orderNumber, size })).map(toPayment);
}

const sessionByPayment = statement<{ paymentId: string }, PaymentRow & SessionRow>(
  'session-find',
  `select ${paymentColumns}, ${sessionColumns} ${fromPayments} join sessions s on s.payment_id = p.id where p.id = :paymentId`,
);

/** A payment with its session; null for a payment without one. */
export async function findSession(paymentId: string): Promise<{ payment: Payment; session: Session } | null> {
  const [row] = await sessionByPayment({ paymentId });
  return row ? { payment: toPayment(row), session: toSession(row) } : null;
}

export async function findTransaction(id: string): Promise<Transaction | null> {
  return (await findPaymentWithTransaction(id))?.transaction ?? null;
}

const transactionById = statement<{ id: string }, PaymentRow & TransactionRow>(
  'transaction-find',
  `select ${paymentColumns}, ${transactionColumns} from transactions t join payments p on p.id = t.payment_id
     left join cards k on k.id = coalesce(t.card_id, p.card_id) where t.id = :id`,
);

/** A transaction with its payment. The payment's card is that of the transaction. */
export async function findPaymentWithTransaction(id: string): Promise<PaymentWithTransaction | null> {
  if (!isUuid(id)) return null;
  const [row] = await transactionById({ id });
  return row ? { payment: toPayment(row), transaction: toTransaction(row) } : null;
}

type IdKind = 'payment' | 'transaction' | null;
const kindById = statement<{ id: string; merchantId: string }, { kind: IdKind }>(
  'kind-of-id',
  `select case
     when exists (select 1 from payments where id = :id::uuid and merchant_id = :merchantId::uuid) then 'payment'
     when exists (select 1 from transactions t join payments p on p.id = t.payment_id
                   where t.id = :id::uuid and p.merchant_id = :merchantId::uuid) then 'transaction' end as kind`,
);

/** Whether an id is a payment (and its session) or a transaction of the merchant; null for neither. */
export async function kindOfId(merchantId: string, id: string): Promise<IdKind> {
  const [row] = await kindById({ id, merchantId });
  return row?.kind ?? null;
}

const transactionsByPayment = statement<{ paymentId: string }, TransactionRow>(
  'transactions-of',
  `select ${transactionColumns} from transactions t where t.payment_id = :paymentId order by t.number, t.created_at, t.id`,
);

/** All transactions of a payment, oldest first. */
export async function transactionsOf(paymentId: string): Promise<Transaction[]> {
  return (await transactionsByPayment({ paymentId })).map(toTransaction);
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

const attemptsSql = `select ${transactionColumns} from transactions t
  where t.payment_id = :paymentId and t.kind in ${attemptKindsSql()}`;
const latestFirst = 'order by t.number desc, t.created_at desc, t.id desc limit 1';
const lastAttemptOf = statement<{ paymentId: string }, TransactionRow>('attempt-last', `${attemptsSql} ${latestFirst}`);
const lastCallOf = statement<{ paymentId: string; attemptId: string }, TransactionRow>(
  'attempt-last-call',
  `${attemptsSql} and (t.id = :attemptId::uuid or t.attempt_id = :attemptId::uuid) ${latestFirst}`,
);

/** The latest attempt of a payment, after any failover. Modifications refer to it. */
export async function lastAttempt(paymentId: string): Promise<Transaction | null> {
  const [row] = await lastAttemptOf({ paymentId });
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
