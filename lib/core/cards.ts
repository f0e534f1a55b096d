/**
 * Card numbers, brands, expiry dates and names as pure functions, shared by the API, the payment page and its script.
 * The brand table is compact because it is part of the payer's script; a test compares it with the library
 * credit-card-type.
 */

export type BrandId = (typeof rows)[number][0];

export type Brand = {
  id: BrandId;
  /** The displayed name: 'Visa'. */
  name: string;
  /** Inclusive prefix ranges, both ends of equal length: [['2221', '2720']]. */
  ranges: [string, string][];
  /** The valid lengths of a complete number. */
  lengths: number[];
  /** Positions of the spaces in the printed number. */
  gaps: number[];
  /** The brand's name for the security code, and its number of digits. */
  code: { name: string; length: 3 | 4 };
};

/** `month` is 1..12, `year` has four digits. */
export type Expiry = { month: number; year: number };

type Row = readonly [
  id: string,
  name: string,
  ranges: string,
  lengths: string,
  codeName: string,
  codeLength?: 4,
  gaps?: string,
];

const fours = '4 8 12 16';

// id, name, prefix ranges, lengths, code name, code length if 4, gaps if not fours. Of two rows with equally long
// prefixes the first applies. Ranges that a scheme owns as a block are listed as the block: the eight-digit ranges of
// Troy and Hiper inside Discover's and Maestro's ranges only affect the logo and are omitted.
const rows = [
  ['visa', 'Visa', '4', '13 16 18 19', 'CVV'],
  ['mastercard', 'Mastercard', '51-55 2221-2720', '16', 'CVC'],
  ['amex', 'American Express', '34 37', '15', 'CID', 4, '4 10'],
  ['discover', 'Discover', '6011 644-649 65', '16 19', 'CID'],
  ['diners', 'Diners Club', '300-305 3095 36 38-39', '14 16 19', 'CVV', undefined, '4 10'],
  ['jcb', 'JCB', '3528-3589 2131 1800', '16 17 18 19', 'CVV'],
  ['unionpay', 'UnionPay', '62 8100-8171', '14 15 16 17 18 19', 'CVN'],
  ['maestro', 'Maestro', '50 56-69 493698', '12 13 14 15 16 17 18 19', 'CVC'],
  ['mir', 'Mir', '2200-2204', '16 17 18 19', 'CVP2'],
  [
    'troy',
    'Troy',
    '9792 650052 650082-650083 650092 650161 650170 650173 650175 650268 650271 650273-650274 650456-650457 650836 650846-650850 650923 650987 650990 654997 657366 657998 658758 658767-658768',
    '16',
    'CVV',
  ],
  [
    'elo',
    'Elo',
    '401178-401179 431274 438935 451416 457393 457631-457632 504175 506699-506778 509000-509999 627780 636297 636368 650031-650033 650035-650051 650405-650439 650485-650538 650541-650598 650700-650718 650720-650727 650901-650978 651652-651679 655000-655019 655021-655058',
    '16',
    'CVE',
  ],
  ['hipercard', 'Hipercard', '606282', '16', 'CVC'],
  ['hiper', 'Hiper', '637095 637568 637599 637609 637612', '16', 'CVC'],
  ['naranja', 'Naranja', '402918 527572 589562', '16', 'CVV'],
  ['verve', 'Verve', '506099-506198 507865-507964 650002-650027', '16 18 19', 'CVV'],
  ['rupay', 'RuPay', '508500-508999 606985-607984 608001-608500 652150-653149 817200-820199', '16', 'CVV'],
  ['dinacard', 'DinaCard', '9891 655670-655697 657371-657398', '16', 'CVV'],
  ['dankort', 'Dankort', '5019', '16', 'CVV'],
  ['uzcard', 'Uzcard', '8600', '16', 'CVV'],
  ['humo', 'Humo', '9860', '16', 'CVV'],
  ['belkart', 'Belkart', '9112', '16', 'CVV'],
  ['uatp', 'UATP', '1', '15', 'CVV', undefined, '4 9'],
] as const satisfies readonly Row[];

const numbers = (text: string): number[] => text.split(' ').map(Number);

/** Every brand, in the order of precedence. */
export const brands: readonly Brand[] = rows.map((row: Row) => ({
  id: row[0] as BrandId,
  name: row[1],
  ranges: row[2].split(' ').map((range): [string, string] => {
    const [low = '', high = low] = range.split('-');
    return [low, high];
  }),
  lengths: numbers(row[3]),
  gaps: numbers(row[6] ?? fours),
  code: { name: row[4], length: row[5] ?? 3 },
}));

/** The brand with this id; null if the id is unknown. */
export function brandById(id: string | null | undefined): Brand | null {
  return brands.find((brand) => brand.id === id) ?? null;
}

// Direction marks that bidirectional pages and copied texts contain; they have no width and no meaning in a number.
const directionMarks = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/**
 * Normalises a card number, code or date part that was typed or pasted: Arabic-Indic, Persian and fullwidth digits
 * become 0-9; spaces, dashes and direction marks are removed. Other characters remain, so that validation rejects them.
 */
export function digitsOf(text: string): string {
  return text
    .replace(/[٠-٩۰-۹０-９]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replace(directionMarks, '')
    .replace(/[\s\-\u2010-\u2015\u2212\ufe63\uff0d]/g, '');
}

/** True if the digits pass the check digit rule of ISO/IEC 7812; false for text that is empty or not all digits. */
export function luhn(digits: string): boolean {
  if (!/^\d+$/.test(digits)) return false;
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - place) - 48;
    const doubled = place % 2 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** The length of the longest prefix of `brand` that the digits match; 0 if none does. */
function prefixLength(brand: Brand, digits: string): number {
  let best = 0;
  for (const [low, high] of brand.ranges) {
    const head = digits.slice(0, low.length);
    if (head.length === low.length && head >= low && head <= high && head.length > best) best = head.length;
  }
  return best;
}

/**
 * The brand of a complete or partial number by its longest matching prefix; null if none matches. Maestro's and UATP's
 * one- and two-digit prefixes cover what other schemes leave, so they count from the sixth digit on: the field must not
 * show Maestro while a Discover number is typed.
 */
export function brandOf(number: string): Brand | null {
  const digits = digitsOf(number);
  let match: Brand | null = null;
  let best = 0;
  for (const brand of brands) {
    const length = prefixLength(brand, digits);
    const leftover = (brand.id === 'maestro' || brand.id === 'uatp') && length < 3;
    if (length > best && (!leftover || digits.length >= 6)) {
      match = brand;
      best = length;
    }
  }
  return match;
}

/**
 * A complete or partial number as printed on the card, '4111 1111 1111 1111'. Non-digits are removed and nothing is
 * appended, so the result can replace the field's value while the payer types.
 */
export function groupDigits(number: string): string {
  const digits = digitsOf(number).replace(/\D/g, '').slice(0, 19);
  const brand = brandOf(digits);
  // Diners numbers of 16 or 19 digits are printed in groups of four; only the 14-digit ones are 4-6-4.
  const gaps = brand && digits.length <= Math.min(...brand.lengths) ? brand.gaps : numbers(fours);
  let text = '';
  for (let place = 0; place < digits.length; place += 1) text += (gaps.includes(place) ? ' ' : '') + digits[place];
  return text;
}

export type NumberError = 'blank' | 'digits' | 'length' | 'check';

/**
 * The error of a card number, or null: it needs 14 to 19 digits, a valid length of its brand, and a valid check digit
 * (payer page rule). 'digits' means that it contains other characters.
 */
export function numberError(number: string): NumberError | null {
  const digits = digitsOf(number);
  if (digits === '') return 'blank';
  if (!/^\d+$/.test(digits)) return 'digits';
  if (digits.length < 14 || digits.length > 19) return 'length';
  const brand = brandOf(digits);
  if (brand && !brand.lengths.includes(digits.length)) return 'length';
  return luhn(digits) ? null : 'check';
}

/** Whether a text is the number of a card of a known brand. */
export function isCardNumber(text: string): boolean {
  return numberError(text) === null && brandOf(text) !== null;
}

/** No phone number has as many digits (E.164). */
const contactDigitsLeast = 16;

/** Whether a phone number, or what precedes the @ of an e-mail address, is a card number. */
export function isCardContact(text: string): boolean {
  const digits = digitsOf(text.split('@', 1)[0] ?? '').replace(/[()./_+]/g, '');
  return digits.length >= contactDigitsLeast && isCardNumber(digits);
}

/** The number of digits of the security code, 3 or 4 by brand; null while the brand is unknown. */
export function cvvLength(number: string): 3 | 4 | null {
  return brandOf(number)?.code.length ?? null;
}

/** Whether the text is a security code for this card: 3 or 4 digits by its brand, either for an unknown brand. */
export function isCvv(text: string, number: string): boolean {
  const digits = digitsOf(text);
  const length = cvvLength(number);
  return /^\d{3,4}$/.test(digits) && (length === null || digits.length === length);
}

/**
 * Reads an expiry date as payers type it and browsers fill it in: '05 / 38', '5/38', '0538', '05/2038', '052038',
 * '2038-05'; digits of other scripts as in `digitsOf`. Null if it is not one valid month and year.
 */
export function parseExpiry(text: string): Expiry | null {
  const parts = text
    .replace(directionMarks, '')
    .trim()
    .replace(/[\s\-\u2010-\u2015\u2212/／⁄∕.,٫،|\\]+/g, '/')
    .split('/')
    .map(digitsOf);
  if (parts.some((part) => !/^\d+$/.test(part)) || parts.length > 2) return null;
  let [month = '', year = ''] = parts;
  if (parts.length === 1) {
    if (month.length !== 4 && month.length !== 6) return null;
    [month, year] = [month.slice(0, 2), month.slice(2)];
  } else if (month.length === 4) {
    [month, year] = [year, month];
    if (year.length !== 4) return null;
  }
  if (month.length > 2 || (year.length !== 2 && year.length !== 4)) return null;
  const expiry = { month: Number(month), year: Number(year.length === 2 ? `20${year}` : year) };
  return expiry.month >= 1 && expiry.month <= 12 && expiry.year >= 2000 && expiry.year <= 2099 ? expiry : null;
}

/** 'MM/YYYY', the wire form of card_expiration_date. */
export function formatExpiry(expiry: Expiry): string {
  return `${String(expiry.month).padStart(2, '0')}/${expiry.year}`;
}

/**
 * True if the card's month is over in every time zone. A card is valid through the last day of its month; the last time
 * zone to end a month is twelve hours behind UTC. The bank decides on the hours between.
 */
export function isExpired(expiry: Expiry, now: Date): boolean {
  const latest = new Date(now.getTime() - 12 * 3_600_000);
  return expiry.year * 12 + expiry.month - 1 < latest.getUTCFullYear() * 12 + latest.getUTCMonth();
}

/** The first six and last four digits joined, '4111111111', as used in signatures. */
export function fragmentOf(number: string): string {
  const digits = digitsOf(number);
  return digits.slice(0, 6) + digits.slice(-4);
}

/** The last four digits of a complete number or of a mask (`411111****1111`, `•••• 1111`); null for other texts. */
export function searchableCard(text: string): string | null {
  const masked = /^(?:\d{6})?\s*[*•]{4,9}\s*(\d{4})$/.exec(text);
  if (masked) return masked[1] ?? null;
  const digits = digitsOf(text);
  return isCardNumber(digits) ? digits.slice(-4) : null;
}

/** The number as responses and callbacks show it, '411111****1111'; four stars always, to hide the length. */
export function maskOf(number: string): string {
  const digits = digitsOf(number);
  return `${digits.slice(0, 6)}****${digits.slice(-4)}`;
}

export type HolderNameError = 'blank' | 'characters' | 'length';

/** The name on the card with single spaces and composed letters: the form that is validated and sent to providers. */
export function tidyName(text: string): string {
  return text.normalize('NFC').replace(directionMarks, '').trim().replace(/\s+/g, ' ');
}

/**
 * The error of a name on a card, or null: up to 32 characters, letters of any script and the punctuation of names. One
 * word is a name ('Sukarno'). Up to three digits are allowed ('JOHN SMITH 2ND'); more indicate a card number in the wrong
 * field.
 */
export function holderNameError(text: string): HolderNameError | null {
  const name = tidyName(text);
  if (name === '') return 'blank';
  // The common case first: a browser compiles a pattern at its first use, and the Unicode pattern takes several
  // milliseconds on a slow phone.
  const isPlain = /^[a-z\d .,'`/&()-]+$/i.test(name);
  if (!isPlain && !/^(?:[\p{L}\p{M}\p{Nd} .,'’ʼ`´‐/&()·・-]|\u200c|\u200d)+$/u.test(name)) return 'characters';
  if (name.split(isPlain ? /\d/ : /[\p{Nd}]/u).length > 4) return 'characters';
  if (!(isPlain ? /[a-z]/i : /\p{L}/u).test(name)) return 'characters';
  return [...name].length > 32 ? 'length' : null;
}
