// What is done with a payment of S2S APM afterwards, and what can be asked about it. Signed over the transaction's id
// alone, so that the signature is checked before the payment is looked for (protocol.md 1 and 6).

import type { Payment } from '../../core/payment';
import { findPayment, findPaymentWithTransaction, quoteOf } from '../../payments';
import { action, type KnownCaller, type Signature } from '../pipeline/handle';
import { amountOfTransactionSchema, transactionSchema } from '../s2s-card/fields';
import { runCapture, runCreditVoid, runVoid, statusResponse } from '../s2s-card/modifications';
import { completeDebit } from './charge';

type TransactionRequest = { trans_id: string; hash: string };
type AmountRequest = TransactionRequest & { amount?: string };

/** A debit of the merchant that was calculated, whether it has been run or not: it is known by the payment's id. */
async function byCalculation({ merchant }: KnownCaller, { trans_id: id }: TransactionRequest): Promise<Payment | null> {
  const payment = await findPayment(id, merchant.id);
  return payment?.protocol === 's2s_apm' && quoteOf(payment) ? payment : null;
}

/** A merchant's payment by any of its attempts. */
async function byTransaction(caller: KnownCaller, asked: TransactionRequest): Promise<Payment | null> {
  const found = await findPaymentWithTransaction(asked.trans_id);
  const own = found?.payment.merchantId === caller.merchant.id && found.payment.protocol === 's2s_apm';
  return own ? found.payment : byCalculation(caller, asked);
}

/** The password stands behind the id as it is. */
const modificationSignature = ({ trans_id: transId, hash }: TransactionRequest): Signature => ({
  recipe: 'apmFollow',
  values: { transId },
  given: hash,
});

/** CAPTURE: the whole hold, or one part of it. */
export const captureAction = action<AmountRequest, Payment>({
  schema: amountOfTransactionSchema,
  signature: modificationSignature,
  subject: byTransaction,
  missing: 'transactionMissing',
  run: runCapture,
});

/** VOID: a payment settled on the same UTC day, and never a hold (contract, States). */
export const voidAction = action<TransactionRequest, Payment>({
  schema: transactionSchema,
  signature: modificationSignature,
  subject: byTransaction,
  missing: 'paymentNotFound',
  run: runVoid,
});

/** CREDITVOID: releases a hold, reverses a debit, refunds a sale in full or in parts. */
export const creditVoid = action<AmountRequest, Payment>({
  schema: amountOfTransactionSchema,
  signature: ({ trans_id: transId, hash }) => ({ recipe: 'apmCreditVoid', values: { transId }, given: hash }),
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

/** DEBIT2VIRTUAL_COMPLETE: runs what DEBIT2VIRTUAL_CALC has calculated. */
export const completeAction = action<TransactionRequest, Payment>({
  schema: transactionSchema,
  signature: modificationSignature,
  subject: byCalculation,
  missing: 'transactionMissing',
  run: ({ caller, subject, now }) => completeDebit(caller, subject, now),
});
