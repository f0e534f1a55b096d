// Shared parts of modifications (capture, refund, void) in the three protocols: the idempotency key, the operation id
// in responses and callbacks, the payment's state in a response, and the list of a payment's operations (protocol.md
// 5).
import { wireDate } from '../../core/dates.ts';
import { fieldErrorTexts, throwFieldErrors } from '../../core/errors.ts';
import { formatAmount } from '../../core/money.ts';
import {
  isAttempt,
  type Payment,
  type PaymentWithTransaction,
  refundableMinor,
  type Transaction,
} from '../../core/payment.ts';
import type { State } from '../../core/states.ts';
import type { FormFields, HttpRequest } from '../../http/index.ts';
import type { Mapping } from '../../merchants/index.ts';
import { type capture, idempotencyKeyHeader } from '../../payments/index.ts';
import type { ActionContext } from '../pipeline/handle.ts';
import { positiveMinorOf } from './fields.ts';
import { checkoutWireName, definedFields } from './wire-fields.ts';

/** The header with the id of a modification in its response and callbacks. */
export const operationHeader = 'Florin-Operation-Id';

/** The request's `Idempotency-Key`: 1 to 255 printable ASCII characters without commas, which join repeated headers. */
function idempotencyKeyOf(request: HttpRequest): string | undefined {
  const key = request.headers.get(idempotencyKeyHeader);
  if (key === null) return undefined;
  if (key === '') throwFieldErrors([{ path: idempotencyKeyHeader, text: fieldErrorTexts.blank }]);
  return /^[\x20-\x2b\x2d-\x7e]{1,255}$/.test(key)
    ? key
    : throwFieldErrors([{ path: idempotencyKeyHeader, text: fieldErrorTexts.notValid }]);
}

type Modification = (payment: Payment, now: Date, options: { key?: string }) => Promise<PaymentWithTransaction>;

/** Modifies the payment under the request's idempotency key, and adds the operation's id to the response's headers. */
export async function modify(context: Omit<ActionContext<unknown, Payment>, 'input'>, run: Modification) {
  const result = await run(context.subject, context.now, { key: idempotencyKeyOf(context.request) });
  context.responseHeaders.push([operationHeader, result.transaction.id]);
  return result;
}

/** The same for a modification of the request's `amount`. */
export const modifyAmount = (context: ActionContext<{ amount?: string | null }, Payment>, run: typeof capture) =>
  modify(context, (payment, now, options) => run(payment, amountMinorOf(context.input, payment), now, options));

/** Converts the `amount` of a modification to minor units of the payment's currency; null means the full amount. */
function amountMinorOf(input: { amount?: string | null }, { currency }: Payment): bigint | null {
  if (input.amount === null || input.amount === undefined) return null;
  return positiveMinorOf(input.amount, currency, 'amount');
}

/** The id of a modification or chargeback; undefined for an attempt, whose id is `trans_id`. */
export function operationIdOf(transaction: Transaction | null): string | undefined {
  return transaction && !isAttempt(transaction) ? transaction.id : undefined;
}

/**
 * The payment's state after a capture or void. Derived from the modification and not from the payment, which may have
 * changed since, so that a repeat under the same key gets the first response.
 */
export function stateAfter({ kind, status }: Transaction, payment: Payment): State {
  const done = status === 'success';
  if (kind === 'capture') return done ? 'settled' : 'pending';
  if (kind === 'void') return done ? 'void' : 'settled';
  // A void that releases an authorisation; no other reversal has its state in the response.
  if (kind === 'reversal') return done ? 'reversal' : 'pending';
  return payment.state;
}

/** success, fail, or waiting while the operation is not final. */
export function operationStatus({ status }: Transaction): 'success' | 'fail' | 'waiting' {
  return status === 'success' || status === 'fail' ? status : 'waiting';
}

/** A payment's modifications and chargebacks, oldest first, under their callbacks' types, and its refundable amount. */
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

/** The refundable amount, as decimal text. */
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
