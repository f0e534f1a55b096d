// Amounts as integer minor units with a currency, parsed from and formatted to text by the currency's ISO 4217
// exponent. Nothing is rounded and no amount is ever a floating-point number.

import { exponentOf } from './currencies.ts';

export type Money = { minor: bigint; currency: string };

export type AmountError = 'format' | 'currency' | 'range' | 'decimals';

export type ParsedAmount = { ok: true; minor: bigint } | { ok: false; fault: AmountError };

/** More digits before the point are a mistake and do not fit a 64-bit column. */
const integerDigitsMax = 15;

const amountError = (error: AmountError): ParsedAmount => ({ ok: false, fault: error });

/**
 * Reads a decimal text (`84.50`) in a currency (`EUR`, upper case) as minor units (8450n). Signs, exponents, spaces,
 * separators and leading zeros are rejected as `format`; more decimals than the currency has as `decimals`, except
 * `.00` for a currency without decimals (protocol.md section 8). If several errors apply, the first in the order of
 * AmountError is returned.
 */
export function parseAmount(text: string, currency: string): ParsedAmount {
  const match = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?$/.exec(text);
  if (!match) return amountError('format');
  const exponent = exponentOf(currency);
  if (exponent === null) return amountError('currency');
  const whole = match[1] as string;
  if (whole.length > integerDigitsMax) return amountError('range');
  const decimals = exponent === 0 && match[2] === '00' ? '' : (match[2] ?? '');
  if (decimals.length > exponent) return amountError('decimals');
  return { ok: true, minor: BigInt(whole + decimals.padEnd(exponent, '0')) };
}

/** Minor units as decimal text with the currency's decimals: `84.50`, `1200` for JPY. Throws for an unknown one. */
export function formatAmount(minor: bigint, currency: string): string {
  const exponent = exponentOf(currency);
  if (exponent === null) throw new RangeError(`No amount can be written in ${currency}`);
  const sign = minor < 0n ? '-' : '';
  const digits = (minor < 0n ? -minor : minor).toString().padStart(exponent + 1, '0');
  if (exponent === 0) return sign + digits;
  return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

/** A number with thousands separators: `1,249.00` for `1249.00`. */
export function grouped(number: string | number): string {
  const [whole = '', decimals] = String(number).split('.');
  const parted = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return decimals === undefined ? parted : `${parted}.${decimals}`;
}
