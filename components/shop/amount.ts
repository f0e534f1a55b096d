import { grouped } from '../../lib/core/money';

/** A formatted amount with its currency code: `1,249.00 EUR`. Amounts are texts, never numbers. */
export function shownAmount(amount: string, currency: string): string {
  return `${grouped(amount)} ${currency}`;
}
