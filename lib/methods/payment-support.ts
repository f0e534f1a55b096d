/** Whether a catalogue row supports a Checkout payment. */

import { type FieldError, fieldErrorTexts } from '../core/errors.ts';
import { type Money, parseAmount } from '../core/money.ts';
import { operators } from './catalog/mobile-operators.ts';
import type { Experience, Method, MethodOperation } from './method.ts';

/** The properties of a payment that a row decides on. */
export type PaymentTraits = { operation: string; authorizeOnly?: boolean; recurringInit?: boolean; currency: string };

/** The payer pushes the money: nothing can be authorised without capture. */
const pushed: readonly Experience[] = ['details', 'qr', 'crypto'];

/** Whether a method supports this operation and currency, and authorisation if requested. */
export function supportsPayment(
  { experience, operations, currencies, inferred }: Method,
  payment: PaymentTraits,
): boolean {
  // For cards only the MID decides.
  if (experience === 'card') return true;
  if (!operations.some((operation) => operation === payment.operation)) return false;
  // Subsequent payments charge the card of the initial payment.
  if (payment.recurringInit) return false;
  if (payment.authorizeOnly && pushed.includes(experience)) return false;
  // Currencies inferred from a method's name are only its home; the MID decides on others.
  return !currencies || inferred === true || currencies.includes(payment.currency);
}

/** Whether an amount is within the method's limits for its currency. */
export function acceptsAmount({ amounts }: Pick<Method, 'amounts'>, { minor, currency }: Money): boolean {
  const { least, most } = amounts?.[currency] ?? {};
  const minorOf = (text: string) => {
    const parsed = parseAmount(text, currency);
    if (!parsed.ok) throw new Error(`invalid amount in ${currency}: ${text}`);
    return parsed.minor;
  };
  return (least === undefined || minor >= minorOf(least)) && (most === undefined || minor <= minorOf(most));
}

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
