// The input of every scheme's code, and ASCII names for codes whose readers support ASCII only: diacritics are removed
// instead of letters, so that payers recognise the name.

import type { Money } from '../core/money.ts';

export type QrInput = {
  amount: Money;
  orderNumber: string;
  description: string;
  merchantName: string;
  merchantCity?: string;
  /**
   * The payee in the scheme's terms: ips an account (`840-955845-10`, or its digits) or, except for RSD, an IBAN; pix a
   * key, or the address of a charge without its `https://`; promptpay a phone number (10 digits), a national or tax
   * number (13) or a biller's (15); qris an NMID; duitnow and qrph `<acquirer>/<merchant>`; upi an address
   * (`shop@bank`).
   */
  payeeAccount: string;
  /** The reference that arrives with the money and identifies the payment. */
  reference: string;
};

const transliterations: Readonly<Record<string, string>> = {
  đ: 'd',
  Đ: 'D',
  ł: 'l',
  Ł: 'L',
  ø: 'o',
  Ø: 'O',
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ı: 'i',
  þ: 'th',
  Þ: 'Th',
};

/** Printable ASCII: diacritics are removed, special letters transliterated, other characters become a space. */
export function toAscii(text: string): string {
  return [...text.normalize('NFKD')]
    .map((letter) => transliterations[letter] ?? letter)
    .join('')
    .replace(/\p{M}/gu, '')
    .replace(/[^ -~]+/g, ' ');
}

/** A name of at most `length` ASCII characters; `otherwise` if none remains (an Arabic name, for example). */
export function asciiName(text: string, length: number, otherwise: string): string {
  return toAscii(text).replace(/ +/g, ' ').trim().slice(0, length).trim() || otherwise;
}
