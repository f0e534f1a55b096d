// Converts a limit in one currency to the other currencies of a MID.
import { exponentOf } from '../../../lib/core/currencies.ts';
import { formatAmount, grouped } from '../../../lib/core/money.ts';
import { typedMinor } from '../../../lib/core/typed-amount.ts';
import { limitCurrencyOf } from '../../../lib/dashboard/mids/contract.ts';

/**
 * A sentence about the limit in currencies with other decimals, because each is limited to the same number of minor
 * units; null if there are none, or the limit is invalid.
 */
export function otherLimits(limit: string, currencies: readonly string[]): string | null {
  const own = limitCurrencyOf(currencies);
  const minor = typedMinor(limit, own);
  if (minor === null) return null;
  const others = (currencies.length === 0 ? ['JPY', 'KWD'] : currencies).filter((code) => {
    const exponent = exponentOf(code);
    return exponent !== null && exponent !== exponentOf(own);
  });
  if (others.length === 0) return null;
  const amounts = others.slice(0, 3).map((code) => `${grouped(formatAmount(minor, code))} ${code}`);
  return `Equivalent limits in other currencies: ${amounts.join(', ')}.`;
}
