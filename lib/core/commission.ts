// Computes the commission that a MID adds to a payment or deducts from it (S2S APM, DEBIT2VIRTUAL). Integer arithmetic
// over decimal texts keeps quote and charge equal to the last minor unit.
import { exponentOf } from './currencies.ts';
import type { Money } from './money.ts';

/**
 * The fee options of a MID. `percent` of the amount (`1.5`) and `fixed` in units of the payment's currency (`0.30`) add
 * up; either may be missing. `payerBears`: the payer pays the commission in addition to the order.
 */
export type FeeOptions = { percent: string; fixed: string; payerBears: boolean };

/** `commission` and the payer's total, in minor units. */
export type Quote = { commissionMinor: bigint; totalMinor: bigint };

const decimal = /^(0|[1-9][0-9]{0,8})(?:\.([0-9]{1,8}))?$/;

/** Reads stored options: `{"percent": "1.5", "fixed": "0.30", "payer_bears": true}`. Throws for any other shape. */
export function readFeeOptions(stored: unknown): FeeOptions {
  const { percent = '0', fixed = '0', payer_bears: payerBears = false } = (stored ?? {}) as Record<string, unknown>;
  for (const value of [percent, fixed]) {
    if (typeof value !== 'string' || !decimal.test(value)) throw new RangeError('fee options are decimal texts');
  }
  return { percent: percent as string, fixed: fixed as string, payerBears: payerBears === true };
}

/** The commission on an amount, half a minor unit rounded up, and the total. Throws for an unknown currency. */
export function quote({ minor, currency }: Money, { percent, fixed, payerBears }: FeeOptions): Quote {
  const exponent = exponentOf(currency);
  if (exponent === null) throw new RangeError(`No amount can be written in ${currency}`);
  const share = minor * scaled(percent) * 10n ** BigInt(scale - 2);
  const flat = scaled(fixed) * 10n ** BigInt(scale + exponent);
  const one = 10n ** BigInt(2 * scale);
  const commissionMinor = (share + flat + one / 2n) / one;
  return { commissionMinor, totalMinor: payerBears ? minor + commissionMinor : minor };
}

const scale = 8;

/** A decimal text as a whole number of 10^-8. */
function scaled(text: string): bigint {
  const [whole = '0', decimals = ''] = text.split('.');
  return BigInt(whole + decimals.padEnd(scale, '0'));
}
