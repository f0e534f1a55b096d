// The text of an NBS IPS code, by the recommendations of the National Bank of Serbia for codes that a payee shows
// (K:PR). The system itself settles dinars; for EUR, BAM and MKD, which the method ips takes too, the same text is used
// with that currency in `I`, and an account of that country or an IBAN in `R`.

import { createHash } from 'node:crypto';
import { formatAmount } from '../core/money';
import type { QrInput } from './qr-input';
import { toAscii } from './qr-names';

/** Turnover of goods and services, final consumption: what a payer who is a private person buys. */
const purposeCode = '221';

const most = { name: 70, lines: 3, purpose: 35, amount: 18 };

/** Domestic accounts by currency: all of them end in two digits that make the whole a 1 modulo 97. */
const accountDigits: Readonly<Record<string, readonly number[]>> = { RSD: [18], EUR: [18], BAM: [16], MKD: [15] };

/**
 * The text of the code. Throws a RangeError where no right code can be made: an account that fails its check, a currency
 * that ips does not have, an amount that is not positive or too long for `I`. Texts are cut and cleaned instead.
 */
export function ipsPayload(input: QrInput): string {
  const fields = [
    ['K', 'PR'],
    ['V', '01'],
    ['C', '1'],
    ['R', accountOf(input.payeeAccount, input.amount.currency)],
    ['N', nameOf(input)],
    ['I', amountOf(input)],
    ['SF', purposeCode],
    ['S', cut(clean(input.description || input.orderNumber), most.purpose)],
    ['RO', ipsReference(input.reference)],
  ];
  // A tag without a value may not appear, and nothing may follow the last value.
  return fields
    .filter(([, value]) => value !== '')
    .map(([tag, value]) => `${tag}:${value}`)
    .join('|');
}

/** `840-955845-10` and the digits alone are the same account; the middle part is filled up with zeros. */
function accountOf(given: string, currency: string): string {
  const lengths = accountDigits[currency];
  if (!lengths) throw new RangeError(`ips does not take ${currency}`);
  const parts = /^([0-9]{3})-([0-9]{1,13})-([0-9]{2})$/.exec(given);
  const account = parts ? `${parts[1]}${parts[2]?.padStart(13, '0')}${parts[3]}` : given.replaceAll(' ', '');
  const iban = currency !== 'RSD' && /^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$/.test(account);
  const domestic = /^[0-9]+$/.test(account) && lengths.includes(account.length);
  const checked = iban ? remainder(account.slice(4) + account.slice(0, 4)) : domestic ? remainder(account) : 0;
  if (checked !== 1) throw new RangeError('The account of the payee fails its check');
  return account;
}

/** Modulo 97 of ISO 7064, letters counting as 10 to 35. */
function remainder(text: string): number {
  let rest = 0;
  for (const letter of text) {
    const value = Number.parseInt(letter, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest;
}

function amountOf({ amount }: QrInput): string {
  if (amount.minor <= 0n) throw new RangeError('A code is for more than nothing');
  const text = amount.currency + formatAmount(amount.minor, amount.currency).replace('.', ',');
  if (text.length > most.amount) throw new RangeError('The amount is too long for an ips code');
  return text;
}

/** The name and, on a line of its own, the city. The name gives way, never the separator. */
function nameOf({ merchantName, merchantCity = '' }: QrInput): string {
  const city = cut(clean(merchantCity), 30);
  const name = cut(clean(merchantName) || 'Merchant', most.name - (city === '' ? 0 : city.length + 1));
  return city === '' ? name : `${name}\n${city}`;
}

/** Serbian letters and the special signs of the recommendations stay; other letters lose their marks, the rest goes. */
function clean(text: string): string {
  return [...text.normalize('NFC')]
    .map((letter) => (/[ -[\]-{}~čćžšđČĆŽŠĐ\u0400-\u045f]/.test(letter) ? letter : toAscii(letter) || ' '))
    .join('')
    .replace(/[|\\ ]+/g, ' ')
    .trim();
}

const cut = (text: string, length: number) => text.slice(0, length).trim();

/**
 * The reference as model 97: `97`, two check digits, and up to 20 digits. A reference of up to 20 digits is itself;
 * any other becomes 18 digits drawn from its SHA-256, since letters are not everywhere accepted. At most 24 characters.
 */
export function ipsReference(reference: string): string {
  const digits = /^[0-9]{1,20}$/.test(reference)
    ? reference
    : (BigInt(`0x${createHash('sha256').update(reference).digest('hex')}`) % 10n ** 18n).toString().padStart(18, '0');
  const check = 98 - remainder(`${digits}00`);
  return `97${String(check).padStart(2, '0')}${digits}`;
}
