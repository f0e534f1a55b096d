// What a merchant account charges on top of a payment, or takes out of it (S2S APM, DEBIT2VIRTUAL). Computed in whole
// numbers from decimal texts, so that the quote and the charge are the same to the last minor unit.
import { exponentOf } from './currencies';
import type { Money } from './money';

/**
 * The fee options of a merchant account. `percent` of the amount (`1.5`) and `fixed` in units of the payment's currency
 * (`0.30`) add up; either may be missing. `payerBears`: the payer pays it on top of the order.
 */
export type FeeOptions = { percent: string; fixed: string; payerBears: boolean };

/** `commission` and what the payer pays in all, in minor units. */
export type Quote = { commissionMinor: bigint; totalMinor: bigint };

const decimal = /^(0|[1-9][0-9]{0,8})(?:\.([0-9]{1,8}))?$/;

/** The options as they are stored: `{"percent": "1.5", "fixed": "0.30", "payer_bears": true}`. Throws for any other. */
export function readFeeOptions(stored: unknown): FeeOptions {
  const { percent = '0', fixed = '0', payer_bears: payerBears = false } = (stored ?? {}) as Record<string, unknown>;
  for (const value of [percent, fixed]) {
    if (typeof value !== 'string' || !decimal.test(value)) throw new RangeError('fee options are decimal texts');
  }
  return { percent: percent as string, fixed: fixed as string, payerBears: payerBears === true };
}

/** The commission on an amount, half a minor unit rounded up, and the total. Throws for a currency that does not exist. */
export function quote({ minor, currency }: Money, { percent, fixed, payerBears }: FeeOptions): Quote {
  const exponent = exponentOf(currency);
  if (exponent === null) throw new RangeError(`No amount can be written in ${currency}`);
  const share = minor * scaled(percent) * 10n ** BigInt(scale - 2);
  const flat = scaled(fixed) * 10n ** BigInt(scale + exponent);
  const one = 10n ** BigInt(2 * scale);
  const commissionMinor = (share + flat + one / 2n) / one;
  return { commissionMinor, totalMinor: payerBears ? minor + commissionMinor : minor };
}

/** Decimals that a text may have. */
const scale = 8;

/** A decimal text as a whole number of 10^-8. */
function scaled(text: string): bigint {
  const [whole = '0', decimals = ''] = text.split('.');
  return BigInt(whole + decimals.padEnd(scale, '0'));
}
