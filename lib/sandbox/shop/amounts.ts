// What may be typed as an amount in the demo shop. Apart from the form's schema, so that a page that only asks for an
// amount need not load the schema's library.
import { exponentOf } from '../../core/currencies';
import { formatAmount, parseAmount } from '../../core/money';

/** Whole units; nobody types a larger amount on purpose. */
const unitsMax = 10_000n;

/** What is wrong with an amount, in one sentence; null when it may be sent. */
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
