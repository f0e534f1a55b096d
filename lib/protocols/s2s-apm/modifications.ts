// Modifications and status requests of S2S APM payments. Their signatures cover only the transaction's id, so the
// signature is verified before the payment is found (protocol.md 1 and 6).

import type { Payment } from '../../core/payment.ts';
import { findPayment, findPaymentWithTransaction } from '../../payments/index.ts';
import { action, type KnownCaller, type Signature } from '../pipeline/handle.ts';
import { formModifications } from '../s2s-card/modifications.ts';
import { transactionSchema } from '../shared/s2s-requests.ts';
import { completeDebit } from './charge.ts';
import { quoteOf } from './responses.ts';

type TransactionRequest = { trans_id: string; hash: string };

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

export const { captureAction, voidAction, creditVoid, statusAction } = formModifications(
  { subject: byTransaction, signature: modificationSignature },
  ({ trans_id: transId, hash }) => ({ recipe: 'apmCreditVoid', values: { transId }, hash }),
);

/** DEBIT2VIRTUAL_COMPLETE: collects the debit of a DEBIT2VIRTUAL_CALC. */
export const completeAction = action<TransactionRequest, Payment>({
  schema: transactionSchema,
  signature: modificationSignature,
  subject: byCalculation,
  missing: 'transactionMissing',
  run: ({ caller, subject, now }) => completeDebit(caller, subject, now),
});
