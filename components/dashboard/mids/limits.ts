// Converts a limit in one currency to the other currencies of a MID.
import { exponentOf } from '../../../lib/core/currencies.ts';
import { formatAmount, parseAmount } from '../../../lib/core/money.ts';
import { plainAmount } from '../../../lib/core/typed-amount.ts';
import { limitCurrencyOf } from '../../../lib/dashboard/mids/contract.ts';

const grouped = (text: string) => text.replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ',');

/**
 * A sentence about the limit in currencies with other decimals, because each is limited to the same number of minor
 * units; null if there are none, or the limit is invalid.
 */
export function otherLimits(limit: string, currencies: readonly string[]): string | null {
  const own = limitCurrencyOf(currencies);
  const parsed = parseAmount(plainAmount(limit) ?? '', own);
  if (!parsed.ok) return null;
  const others = (currencies.length === 0 ? ['JPY', 'KWD'] : currencies).filter((code) => {
    const exponent = exponentOf(code);
    return exponent !== null && exponent !== exponentOf(own);
  });
  if (others.length === 0) return null;
  const amounts = others.slice(0, 3).map((code) => `${grouped(formatAmount(parsed.minor, code))} ${code}`);
  return `Equivalent limits in other currencies: ${amounts.join(', ')}.`;
}
