// Modifications and status requests of S2S APM payments. Their signatures cover only the transaction's id, so the
// signature is verified before the payment is found (protocol.md 1 and 6).

import type { Payment } from '../../core/payment';
import { findPayment, findPaymentWithTransaction } from '../../payments';
import { action, type KnownCaller, type Signature } from '../pipeline/handle';
import { runCapture, runCreditVoid, runVoid, statusResponse } from '../s2s-card/modifications';
import { amountOfTransactionSchema, transactionSchema } from '../shared/s2s-requests';
import { completeDebit } from './charge';
import { quoteOf } from './commission-quote';

type TransactionRequest = { trans_id: string; hash: string };
type AmountRequest = TransactionRequest & { amount?: string };

/** Finds a merchant's calculated debit, collected or not, by the payment's id. */
async function byCalculation({ merchant }: KnownCaller, { trans_id: id }: TransactionRequest): Promise<Payment | null> {
  const payment = await findPayment(id, merchant.id);
  return payment?.protocol === 's2s_apm' && quoteOf(payment) ? payment : null;
}

/** Finds a merchant's payment by any of its attempts. */
async function byTransaction(caller: KnownCaller, request: TransactionRequest): Promise<Payment | null> {
  const match = await findPaymentWithTransaction(request.trans_id);
  const own = match?.payment.merchantId === caller.merchant.id && match.payment.protocol === 's2s_apm';
  return own ? match.payment : byCalculation(caller, request);
}

/** Covers the transaction's id; the password is appended unchanged. */
const modificationSignature = ({ trans_id: transId, hash }: TransactionRequest): Signature => ({
  recipe: 'apmFollow',
  values: { transId },
  hash,
});

/** CAPTURE: captures the authorised amount in whole or in part. */
export const captureAction = action<AmountRequest, Payment>({
  schema: amountOfTransactionSchema,
  signature: modificationSignature,
  subject: byTransaction,
  missing: 'transactionMissing',
  run: runCapture,
});

/** VOID: cancels a payment settled on the same UTC day, but no authorisation (contract, States). */
export const voidAction = action<TransactionRequest, Payment>({
  schema: transactionSchema,
  signature: modificationSignature,
  subject: byTransaction,
  missing: 'paymentNotFound',
  run: runVoid,
});

/** CREDITVOID: reverses an authorisation or a debit, or refunds a sale in whole or in part. */
export const creditVoid = action<AmountRequest, Payment>({
  schema: amountOfTransactionSchema,
  signature: ({ trans_id: transId, hash }) => ({ recipe: 'apmCreditVoid', values: { transId }, hash }),
  subject: byTransaction,
  missing: 'paymentNotFound',
  run: runCreditVoid,
});

/** GET_TRANS_STATUS. */
export const statusAction = action<TransactionRequest, Payment>({
  schema: transactionSchema,
  signature: modificationSignature,
  subject: byTransaction,
  missing: 'transactionMissing',
  run: ({ caller, subject }) => statusResponse('GET_TRANS_STATUS', caller, subject),
});

/** DEBIT2VIRTUAL_COMPLETE: collects the debit of a DEBIT2VIRTUAL_CALC. */
export const completeAction = action<TransactionRequest, Payment>({
  schema: transactionSchema,
  signature: modificationSignature,
  subject: byCalculation,
  missing: 'transactionMissing',
  run: ({ caller, subject, now }) => completeDebit(caller, subject, now),
});
