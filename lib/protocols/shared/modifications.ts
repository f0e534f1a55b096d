// What the three protocols share about follow-ups (capture, refund, void): the caller's key for one, its id in answers and
// callbacks, the payment's state that an answer names, and the list of a payment's operations (protocol.md 5).
import { wireDate } from '../../core/dates';
import { fieldErrorTexts, throwFieldErrors } from '../../core/errors';
import { formatAmount } from '../../core/money';
import { isAttempt, type Payment, refundableMinor, type Transaction } from '../../core/payment';
import type { State } from '../../core/states';
import type { FormFields } from '../../http';
import type { Mapping } from '../../merchants';
import { idempotencyKeyHeader } from '../../payments';
import { checkoutWireName, definedFields } from './wire-fields';

/** The header that carries the id of a follow-up in its answer and in its callbacks. */
export const operationHeader = 'Florin-Operation-Id';

/**
 * The request's `Idempotency-Key`, 1 to 255 printable ASCII characters; undefined without the header. A comma is refused, as
 * it joins the values of two headers.
 */
export function idempotencyKeyOf(request: Request): string | undefined {
  const key = request.headers.get(idempotencyKeyHeader);
  if (key === null) return undefined;
  if (key === '') throwFieldErrors([{ path: idempotencyKeyHeader, text: fieldErrorTexts.blank }]);
  return /^[\x20-\x2b\x2d-\x7e]{1,255}$/.test(key)
    ? key
    : throwFieldErrors([{ path: idempotencyKeyHeader, text: fieldErrorTexts.notValid }]);
}

/** The id of a movement that follows a payment up; undefined for an attempt to pay, which `trans_id` names. */
export function operationIdOf(movement: Transaction | null): string | undefined {
  return movement && !isAttempt(movement) ? movement.id : undefined;
}

/**
 * The payment's state as a capture or void left it. Taken from the follow-up and not from the payment, which may have moved
 * on since: a repeat under the same key gets the first answer.
 */
export function stateAfter({ kind, status }: Transaction, payment: Payment): State {
  const done = status === 'success';
  if (kind === 'capture') return done ? 'settled' : 'pending';
  if (kind === 'void') return done ? 'void' : 'settled';
  // A void that releases a hold; nothing else answers with its state.
  if (kind === 'reversal') return done ? 'reversal' : 'pending';
  return payment.state;
}

/** success, fail, or waiting while the outcome is still to come. */
export function operationStatus({ status }: Transaction): 'success' | 'fail' | 'waiting' {
  return status === 'success' || status === 'fail' ? status : 'waiting';
}

/**
 * A payment's follow-ups, oldest first, and what can still be refunded (payment/status with `operations`). Their `type` is
 * that of their callbacks.
 */
export function operationsOf(
  payment: Payment,
  transactions: Transaction[],
  mapping: Pick<Mapping, 'reversalWord'>,
): object {
  return {
    operations: transactions
      .filter((each) => !isAttempt(each))
      .map((each) => operationOf(each, checkoutWireName(each.kind, payment, mapping))),
    refundable_amount: refundableAmount(payment),
  };
}

/** What can still be refunded, as decimal text. */
export function refundableAmount(payment: Payment): string {
  return formatAmount(refundableMinor(payment), payment.currency);
}

function operationOf(transaction: Transaction, type: string): FormFields {
  return definedFields({
    operation_id: transaction.id,
    type,
    status: operationStatus(transaction),
    amount: formatAmount(transaction.amountMinor, transaction.currency),
    date: wireDate(transaction.finishedAt ?? transaction.createdAt),
    reason: transaction.status === 'fail' ? transaction.declineReason : undefined,
  });
}
