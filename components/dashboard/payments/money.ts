// Sums of payments in several currencies, in minor units.
import { formatAmount, grouped, parseAmount } from '../../../lib/core/money.ts';

/** Sums by currency, as `1,661.00 EUR and 18,400 JPY`. */
export function sumsText(amounts: readonly { amount: string; currency: string }[]): string {
  const sums = new Map<string, bigint>();
  for (const { amount, currency } of amounts) {
    const parsed = parseAmount(amount, currency);
    if (parsed.ok) sums.set(currency, (sums.get(currency) ?? 0n) + parsed.minor);
  }
  const texts = [...sums].map(([currency, minor]) => `${grouped(formatAmount(minor, currency))} ${currency}`);
  return new Intl.ListFormat('en-GB').format(texts);
}
