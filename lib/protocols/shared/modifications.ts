// Shared parts of modifications (capture, refund, void) in the three protocols: idempotency key, operation id, the
// payment's state in the response, and the list of a payment's operations (protocol.md 5).
import { wireDate } from '../../core/dates';
import { fieldErrorTexts, throwFieldErrors } from '../../core/errors';
import { formatAmount } from '../../core/money';
import { isAttempt, type Payment, refundableMinor, type Transaction } from '../../core/payment';
import type { State } from '../../core/states';
import type { FormFields } from '../../http';
import type { Mapping } from '../../merchants';
import { idempotencyKeyHeader } from '../../payments';
import { checkoutWireName, definedFields } from './wire-fields';

/** The header with the id of a modification in its response and its callbacks. */
export const operationHeader = 'Florin-Operation-Id';

/**
 * Returns the request's `Idempotency-Key`, 1 to 255 printable ASCII characters; undefined without the header. A comma
 * is refused because it separates the values of repeated headers.
 */
export function idempotencyKeyOf(request: Request): string | undefined {
  const key = request.headers.get(idempotencyKeyHeader);
  if (key === null) return undefined;
  if (key === '') throwFieldErrors([{ path: idempotencyKeyHeader, text: fieldErrorTexts.blank }]);
  return /^[\x20-\x2b\x2d-\x7e]{1,255}$/.test(key)
    ? key
    : throwFieldErrors([{ path: idempotencyKeyHeader, text: fieldErrorTexts.notValid }]);
}

/** Returns the id of a modification or chargeback; undefined for an attempt, which `trans_id` identifies. */
export function operationIdOf(movement: Transaction | null): string | undefined {
  return movement && !isAttempt(movement) ? movement.id : undefined;
}

/**
 * Returns the payment's state after a capture or void. It is derived from the modification, because the payment may
 * have changed since and a repeat under the same key must get the first response.
 */
export function stateAfter({ kind, status }: Transaction, payment: Payment): State {
  const done = status === 'success';
  if (kind === 'capture') return done ? 'settled' : 'pending';
  if (kind === 'void') return done ? 'void' : 'settled';
  // A void of an authorisation.
  if (kind === 'reversal') return done ? 'reversal' : 'pending';
  return payment.state;
}

/** success, fail, or waiting for any status that is not final. */
export function operationStatus({ status }: Transaction): 'success' | 'fail' | 'waiting' {
  return status === 'success' || status === 'fail' ? status : 'waiting';
}

/**
 * Returns a payment's modifications and chargebacks, oldest first, and the refundable amount (payment/status with
 * `operations`). `type` is that of the callbacks.
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

/** Returns the amount that can still be refunded as decimal text. */
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
