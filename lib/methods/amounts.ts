/**
 * The amount limits of methods: those of the row, and for kora's payouts those of the operator (interface.md, kora
 * payout). Amounts are compared in minor units, without rounding.
 */
import { type FieldError, fieldErrorTexts } from '../core/errors.ts';
import type { Money } from '../core/money.ts';
import { operators } from './catalog/mobile-operators.ts';
import type { Method, MethodOperation } from './method.ts';
import { acceptsAmount } from './payment-support.ts';

/** The field error of an amount outside the method's limits, for `path` (`order_amount`, `order.amount`). */
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
  const operator = id === 'kora' && operation === 'credit' ? operators.find((each) => each.slug === slug) : undefined;
  return operator && { [operator.currency]: operator };
}
