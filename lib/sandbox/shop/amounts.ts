// The amount rule of the demo shop's forms. Separate from the form's schema, so that a page that only needs an amount
// does not load the schema library.
import { exponentOf } from '../../core/currencies';
import { formatAmount, parseAmount } from '../../core/money';

/** Whole units; larger amounts are typos. */
const unitsMax = 10_000n;

/** The error of an amount, as a sentence; null if it is valid. */
export function amountFault(amount: string, currency: string, zeroAllowed: boolean): string | null {
  const parsed = parseAmount(amount, currency);
  const exponent = exponentOf(currency) ?? 2;
  if (!parsed.ok) {
    if (parsed.fault === 'decimals') return `${currency} has ${exponent === 0 ? 'no' : exponent} decimals.`;
    return `Write the amount as ${formatAmount(8450n, currency)}.`;
  }
  if (parsed.minor > unitsMax * 10n ** BigInt(exponent)) return 'The shop sells nothing above 10,000.';
  if (parsed.minor === 0n && !zeroAllowed) return 'Only an authorisation or a first recurring payment may be zero.';
  return null;
}
