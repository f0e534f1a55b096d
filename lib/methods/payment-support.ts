/** What a row of the catalogue says about a payment that Checkout is asked for: whether the method serves it at all. */
import { type Money, parseAmount } from '../core/money';
import type { Experience, Method } from './method';

/** The payment, as far as a row has a say in it. */
export type PaymentTraits = { operation: string; authorizeOnly: boolean; recurringInit?: boolean; currency: string };

/** The payer sends the money here: once it has arrived there is nothing that could be held. */
const pushed: readonly Experience[] = ['details', 'qr', 'crypto'];

/** Whether a method takes payments of this operation and currency, and can hold the money where that is asked. */
export function supportsPayment(
  { experience, operations, currencies, inferred }: Method,
  payment: PaymentTraits,
): boolean {
  // What cards can do is a matter of the merchant account alone.
  if (experience === 'card') return true;
  if (!operations.some((operation) => operation === payment.operation)) return false;
  // A chain is charged on the card of its first payment.
  if (payment.recurringInit) return false;
  if (payment.authorizeOnly && pushed.includes(experience)) return false;
  // What we take from a method's name says where it is at home; what else it takes is the merchant account's to know.
  return !currencies || inferred === true || currencies.includes(payment.currency);
}

/** Whether an amount is within the limits that the method has in its currency. */
export function acceptsAmount({ amounts }: Pick<Method, 'amounts'>, { minor, currency }: Money): boolean {
  const { least, most } = amounts?.[currency] ?? {};
  const minorOf = (text: string) => {
    const parsed = parseAmount(text, currency);
    if (!parsed.ok) throw new Error(`no amount of ${currency}: ${text}`);
    return parsed.minor;
  };
  return (least === undefined || minor >= minorOf(least)) && (most === undefined || minor <= minorOf(most));
}
