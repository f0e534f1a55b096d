// The S2S APM protocol as a table of actions. Form-encoded in, JSON out (interface.md, S2S CARD and S2S APM). Other
// action names get HTTP 404 with error_code 0; names are case-sensitive. The signatures of modifications and status
// requests cover only the transaction's id, so they are verified before the payment is found (protocol.md 1 and 6).

import type { Payment } from '../../core/payment.ts';
import { findPayment, findPaymentWithTransaction, statusReads } from '../../payments/index.ts';
import { type Action, action, type KnownCaller, type Signature } from '../pipeline/handle.ts';
import { byAttempt, formModifications, type TransactionRequest } from '../s2s-card/modifications.ts';
import { formProtocol, transactionSchema } from '../shared/s2s-requests.ts';
import { byCalculation, chargeActions, completeDebit } from './charge.ts';

/** Covers the transaction's id; the password is appended unchanged. */
const signature = ({ trans_id: transId, hash }: TransactionRequest): Signature => ({
  recipe: 'apmFollow',
  values: { transId },
  hash,
});

/** Returns a search for a payment by an attempt, or by the calculation of a debit. */
function subjectOf(reads: Pick<typeof statusReads, 'findPayment' | 'findPaymentWithTransaction'>) {
  const ofAttempt = byAttempt('s2s_apm', reads.findPaymentWithTransaction);
  return async (caller: KnownCaller, input: TransactionRequest) =>
    (await ofAttempt(caller, input)) ?? byCalculation(caller, input, reads.findPayment);
}

const { SALE, ...otherCharges } = chargeActions;
const { CAPTURE, CREDITVOID, VOID, GET_TRANS_STATUS } = formModifications(
  { subject: subjectOf({ findPayment, findPaymentWithTransaction }), signature },
  subjectOf(statusReads),
  (input) => ({ ...signature(input), recipe: 'apmCreditVoid' }),
);

/** Every action. */
export const apmActions: Readonly<Record<string, Action>> = {
  SALE,
  CAPTURE,
  CREDITVOID,
  VOID,
  GET_TRANS_STATUS,
  ...otherCharges,
  DEBIT2VIRTUAL_COMPLETE: action<TransactionRequest, Payment>({
    schema: transactionSchema,
    signature,
    subject: (caller, input) => byCalculation(caller, input),
    missing: 'transactionMissing',
    run: completeDebit,
  }),
};

/** The protocol's definition for the pipeline, and its routes. */
export const { protocol: apmProtocol, routes: apmRoutes } = formProtocol('s2s_apm', apmActions, [
  '/s2s/apm/post',
  '/s2s/apm/post-va',
]);
