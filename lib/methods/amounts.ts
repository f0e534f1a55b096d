/**
 * How much a method moves at once: the limits of its row, and for kora's payouts those of the operator (interface.md,
 * kora payout). Amounts are compared in minor units, so that no fraction is ever rounded.
 */
import { type FieldError, fieldErrorTexts } from '../core/errors';
import type { Money } from '../core/money';
import { operators } from './catalog/operators';
import type { Method, MethodOperation } from './method';
import { acceptsAmount } from './payment-support';

/** The faults of an amount: one for `path` (`order_amount`, `order.amount`) when it is outside the method's limits. */
export function methodAmountErrors(
  method: Method,
  operation: MethodOperation,
  amount: Money,
  parameters: Readonly<Record<string, unknown>>,
  path: string,
): FieldError[] {
  const fits =
    acceptsAmount(method, amount) && acceptsAmount({ amounts: operatorLimits(method, operation, parameters) }, amount);
  return fits ? [] : [{ path, text: fieldErrorTexts.notValid }];
}

function operatorLimits(
  { id }: Method,
  operation: MethodOperation,
  { mobile_money_operator: slug }: Readonly<Record<string, unknown>>,
): Method['amounts'] {
  const found = id === 'kora' && operation === 'credit' ? operators.find((each) => each.slug === slug) : undefined;
  return found && { [found.currency]: found };
}
