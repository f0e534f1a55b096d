// The text of an NBS IPS code by the recommendations of the National Bank of Serbia for codes shown by a payee (K:PR).
// The system settles dinars; for EUR, BAM and MKD, which the method ips also supports, the same text has that currency
// in `I` and an account of that country or an IBAN in `R`.

import { createHash } from 'node:crypto';
import { formatAmount } from '../core/money.ts';
import { type QrInput, toAscii } from './qr-input.ts';

/** Turnover of goods and services, final consumption: purchases of private persons. */
const purposeCode = '221';

const most = { name: 70, lines: 3, purpose: 35, amount: 18 };

/** Domestic accounts by currency; their last two digits make the whole number 1 modulo 97. */
const accountDigits: Readonly<Record<string, readonly number[]>> = { RSD: [18], EUR: [18], BAM: [16], MKD: [15] };

/**
 * The text of the code. Throws a RangeError if no valid code is possible: an account with wrong check digits, an
 * unsupported currency, an amount that is not positive or too long for `I`. Texts are cut and cleaned instead.
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
  // A tag without a value is not allowed, and nothing may follow the last value.
  return fields
    .filter(([, value]) => value !== '')
    .map(([tag, value]) => `${tag}:${value}`)
    .join('|');
}

/** `840-955845-10` and the digits alone are the same account; the middle part is padded with zeros. */
function accountOf(payeeAccount: string, currency: string): string {
  const lengths = accountDigits[currency];
  if (!lengths) throw new RangeError(`ips does not support ${currency}`);
  const parts = /^([0-9]{3})-([0-9]{1,13})-([0-9]{2})$/.exec(payeeAccount);
  const account = parts ? `${parts[1]}${parts[2]?.padStart(13, '0')}${parts[3]}` : payeeAccount.replaceAll(' ', '');
  const iban = currency !== 'RSD' && /^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$/.test(account);
  const domestic = /^[0-9]+$/.test(account) && lengths.includes(account.length);
  const checked = iban ? remainder(account.slice(4) + account.slice(0, 4)) : domestic ? remainder(account) : 0;
  if (checked !== 1) throw new RangeError('The account of the payee has wrong check digits');
  return account;
}

/** Modulo 97 of ISO 7064; letters count as 10 to 35. */
function remainder(text: string): number {
  let rest = 0;
  for (const letter of text) {
    const value = Number.parseInt(letter, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest;
}

function amountOf({ amount }: QrInput): string {
  if (amount.minor <= 0n) throw new RangeError('The amount of a code must be positive');
  const text = amount.currency + formatAmount(amount.minor, amount.currency).replace('.', ',');
  if (text.length > most.amount) throw new RangeError('The amount is too long for an ips code');
  return text;
}

/** The name and, on its own line, the city. The name is cut, never the separator. */
function nameOf({ merchantName, merchantCity = '' }: QrInput): string {
  const city = cut(clean(merchantCity), 30);
  const name = cut(clean(merchantName) || 'Merchant', most.name - (city === '' ? 0 : city.length + 1));
  return city === '' ? name : `${name}\n${city}`;
}

/** Serbian letters and the recommendation's special characters remain; other letters lose their diacritics. */
function clean(text: string): string {
  return [...text.normalize('NFC')]
    .map((letter) => (/[ -[\]-{}~čćžšđČĆŽŠĐ\u0400-\u045f]/.test(letter) ? letter : toAscii(letter) || ' '))
    .join('')
    .replace(/[|\\ ]+/g, ' ')
    .trim();
}

const cut = (text: string, length: number) => text.slice(0, length).trim();

/**
 * The reference as model 97: `97`, two check digits, and up to 20 digits. A numeric reference of up to 20 digits is
 * used as it is; any other becomes 18 digits from its SHA-256, since not all banks accept letters. At most 24
 * characters.
 */
export function ipsReference(reference: string): string {
  const digits = /^[0-9]{1,20}$/.test(reference)
    ? reference
    : (BigInt(`0x${createHash('sha256').update(reference).digest('hex')}`) % 10n ** 18n).toString().padStart(18, '0');
  const check = 98 - remainder(`${digits}00`);
  return `97${String(check).padStart(2, '0')}${digits}`;
}
