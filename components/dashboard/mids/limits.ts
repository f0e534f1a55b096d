// What a limit that is written in one currency means in the others.
import { exponentOf } from '../../../lib/core/currencies';
import { formatAmount, parseAmount } from '../../../lib/core/money';
import { limitCurrencyOf } from '../../../lib/dashboard/mids/contract';

const grouped = (text: string) => text.replace(/\B(?=(\d{3})+(?!\d))(?<!\.\d*)/g, ',');

/**
 * A sentence on how far a limit goes in currencies with other decimals than its own, because each goes up to the same
 * number of smallest units; null where there are none, or the limit is no amount.
 */
export function otherLimits(limit: string, currencies: readonly string[]): string | null {
  const own = limitCurrencyOf(currencies);
  const parsed = parseAmount(limit.replace(/,(?=\d{3}(\D|$))/g, ''), own);
  if (!parsed.ok) return null;
  const others = (currencies.length === 0 ? ['JPY', 'KWD'] : currencies).filter((code) => {
    const exponent = exponentOf(code);
    return exponent !== null && exponent !== exponentOf(own);
  });
  if (others.length === 0) return null;
  const amounts = others.slice(0, 3).map((code) => `${grouped(formatAmount(parsed.minor, code))} ${code}`);
  return `The same number of smallest units in other currencies: ${amounts.join(', ')}.`;
}
