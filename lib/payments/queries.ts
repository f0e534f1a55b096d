/** Reads payments, sessions and transactions. */
import { isUuid } from '../core/ids';
import type { Payment, PaymentWithTransaction, Session, Transaction } from '../core/payment';
import { attemptKindsSql, query } from '../db';
import { paymentColumns, sessionColumns, toPayment, toSession, toTransaction, transactionColumns } from './row-mapping';

type Row = { [column: string]: unknown };

const fromPayments = 'from payments p left join cards k on k.id = p.card_id';

/** A payment by its id; with `merchantId` only that merchant's. */
export async function findPayment(id: string, merchantId?: string): Promise<Payment | null> {
  if (!isUuid(id)) return null;
  const [row] = await query<Row>(
    'payment-find',
    `select ${paymentColumns} ${fromPayments} where p.id = $1 and ($2::uuid is null or p.merchant_id = $2::uuid)`,
    [id, merchantId ?? null],
  );
  return row ? toPayment(row) : null;
}

/** The payments of an order number, newest first. */
export async function findByOrder(merchantId: string, orderNumber: string, size: number): Promise<Payment[]> {
  const rows = await query<Row>(
    'payment-by-order',
    `select ${paymentColumns} ${fromPayments} where p.merchant_id = $1 and p.order_number = $2
      order by p.created_at desc, p.id desc limit $3`,
    [merchantId, orderNumber, size],
  );
  return rows.map(toPayment);
}

/** A payment with its session; null for a payment without one. */
export async function findSession(paymentId: string): Promise<{ payment: Payment; session: Session } | null> {
  const [row] = await query<Row>(
    'session-find',
    `select ${paymentColumns}, ${sessionColumns} ${fromPayments} join sessions s on s.payment_id = p.id where p.id = $1`,
    [paymentId],
  );
  return row ? { payment: toPayment(row), session: toSession(row) } : null;
}

export async function findTransaction(id: string): Promise<Transaction | null> {
  return (await findPaymentWithTransaction(id))?.transaction ?? null;
}

/** A transaction with its payment. The payment's card is that of the transaction. */
export async function findPaymentWithTransaction(transactionId: string): Promise<PaymentWithTransaction | null> {
  if (!isUuid(transactionId)) return null;
  const [row] = await query<Row>(
    'transaction-find',
    `select ${paymentColumns}, ${transactionColumns} from transactions t join payments p on p.id = t.payment_id
       left join cards k on k.id = coalesce(t.card_id, p.card_id) where t.id = $1`,
    [transactionId],
  );
  return row ? { payment: toPayment(row), transaction: toTransaction(row) } : null;
}

/** Whether an id is a payment (and its session) or a transaction of the merchant; null for neither. */
export async function kindOfId(merchantId: string, id: string): Promise<'payment' | 'transaction' | null> {
  type Kind = { kind: 'payment' | 'transaction' | null };
  const [row] = await query<Kind>(
    'kind-of-id',
    `select case
       when exists (select 1 from payments where id = $1::uuid and merchant_id = $2::uuid) then 'payment'
       when exists (select 1 from transactions t join payments p on p.id = t.payment_id
                     where t.id = $1::uuid and p.merchant_id = $2::uuid) then 'transaction' end as kind`,
    [id, merchantId],
  );
  return row?.kind ?? null;
}

/** All transactions of a payment, oldest first. */
export async function transactionsOf(paymentId: string): Promise<Transaction[]> {
  const rows = await query<Row>(
    'transactions-of',
    `select ${transactionColumns} from transactions t where t.payment_id = $1 order by t.number, t.created_at, t.id`,
    [paymentId],
  );
  return rows.map(toTransaction);
}

/** The ids of those payments that were voided or reversed in whole. */
export async function findUndone(paymentIds: readonly string[]): Promise<Set<string>> {
  const rows = await query<{ payment_id: string }>(
    'payments-undone',
    `select distinct payment_id from transactions
      where payment_id = any($1::uuid[]) and status = 'success' and kind in ('void', 'reversal')`,
    [paymentIds],
  );
  return new Set(rows.map((row) => row.payment_id));
}

/** The modification of a payment under this idempotency key, with the digest of its request; null for none. */
export async function findByIdempotencyKey(
  paymentId: string,
  key: string,
): Promise<{ transaction: Transaction; digest: Uint8Array } | null> {
  const [row] = await query<Row>(
    'transaction-by-idempotency-key',
    `select ${transactionColumns}, t.request_digest from transactions t where t.payment_id = $1 and t.idempotency_key = $2`,
    [paymentId, key],
  );
  return row ? { transaction: toTransaction(row), digest: row.request_digest as Uint8Array } : null;
}

/** The latest attempt of a payment, after any failover. Modifications refer to it. */
export async function lastAttempt(paymentId: string): Promise<Transaction | null> {
  const [row] = await query<Row>(
    'attempt-last',
    `select ${transactionColumns} from transactions t
      where t.payment_id = $1 and t.kind in ${attemptKindsSql()}
      order by t.number desc, t.created_at desc, t.id desc limit 1`,
    [paymentId],
  );
  return row ? toTransaction(row) : null;
}

/** The latest transaction of an attempt, which has one for each account that was tried. */
export async function lastTransactionOfAttempt(paymentId: string, attemptId: string): Promise<Transaction | null> {
  const [row] = await query<Row>(
    'attempt-last-call',
    `select ${transactionColumns} from transactions t
      where t.payment_id = $1 and (t.id = $2::uuid or t.attempt_id = $2::uuid)
        and t.kind in ${attemptKindsSql()}
      order by t.number desc, t.created_at desc, t.id desc limit 1`,
    [paymentId, attemptId],
  );
  return row ? toTransaction(row) : null;
}

/** The versions of many payments in one query, for the live updates of open pages. */
export async function versionsOf(paymentIds: string[]): Promise<Map<string, number>> {
  type Version = { id: string; version: number };
  const rows = await query<Version>('versions-of', 'select id, version from payments where id = any($1::uuid[])', [
    paymentIds,
  ]);
  return new Map(rows.map((row) => [row.id, row.version]));
}
