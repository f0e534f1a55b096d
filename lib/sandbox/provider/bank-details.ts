// Fictitious bank details of the sandbox provider, by currency, with valid check digits, so that a payer page shows
// them like those of a real bank.
import { createHash } from 'node:crypto';

/** Rows of payment data; known names are translated for display. */
export type Row = { name: string; value: string };

/** Digits derived from a seed. */
export function digitsOf(seed: string, count: number): string {
  const hash = createHash('sha256').update(seed).digest('hex');
  return (BigInt(`0x${hash}`) % 10n ** BigInt(count)).toString().padStart(count, '0');
}

/** The bank details by currency. */
export function bankRows(currency: string, seed: string): Row[] {
  const account = digitsOf(seed, 10);
  const make = makers[currency];
  return make ? make(account, seed) : [row('bank', 'Example Bank'), row('account_number', account)];
}

/** A row of payment data. */
export const row = (name: string, value: string): Row => ({ name, value });
const named = (bank: string, ...rows: Row[]) => [row('bank', bank), ...rows];

const makers: Readonly<Record<string, (account: string, seed: string) => Row[]>> = {
  EUR: (account) => named('Example Bank', row('iban', iban('DE', `10000000${account}`)), row('bic', 'FLRNDEFFXXX')),
  GBP: (_, seed) => named('Example Bank', row('sort_code', '04-00-04'), row('account_number', digitsOf(seed, 8))),
  MXN: (_, seed) => named('STP', row('clabe', clabe(`646180${digitsOf(seed, 11)}`))),
  INR: (account) => named('Example Bank', row('account_number', account), row('ifsc', 'FLRN0000001')),
  ARS: (_, seed) => named('Example Bank', row('cvu', cvu(digitsOf(seed, 13)))),
  TRY: (_, seed) => named('Example Bank', row('iban', iban('TR', `000620${digitsOf(seed, 16)}`))),
  BRL: (account) => named('Example Bank', row('branch', '0001'), row('account_number', account)),
  PEN: (_, seed) => named('Example Bank', row('account_number', digitsOf(seed, 14)), row('cci', digitsOf(seed, 20))),
  USD: (account) => named('Example Bank', row('account_number', account), row('routing_number', '011000015')),
};

/** An IBAN with its check digits (ISO 13616). */
export function iban(country: string, account: string): string {
  const digits = [...`${account}${country}00`].map((letter) => Number.parseInt(letter, 36)).join('');
  return `${country}${String(98n - (BigInt(digits) % 97n)).padStart(2, '0')}${account}`;
}

/** A CLABE of 17 digits and the check digit. */
export function clabe(digits: string): string {
  const sum = weighted(digits, [3, 7, 1], (product) => product % 10);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

// A CVU has a block for the provider and one for the account, each with a check digit.
function cvu(account: string): string {
  const check = (digits: string) => {
    const sum = weighted([...digits].reverse().join(''), [3, 1, 7, 9]);
    return (10 - (sum % 10)) % 10;
  };
  const provider = '0000003';
  return `${provider}${check(provider)}${account}${check(account)}`;
}

function weighted(digits: string, weights: readonly number[], each = (product: number) => product): number {
  return [...digits].reduce((sum, digit, at) => sum + each(Number(digit) * (weights[at % weights.length] ?? 1)), 0);
}
