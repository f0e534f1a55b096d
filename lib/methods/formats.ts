/**
 * Checks of the contract's parameter formats (AN100, N13, "2 letters"), which tables name by a short text. All methods
 * share them, so that a format means the same everywhere.
 */
import { digitsOf, numberError } from '../core/cards';
import { isCountry } from '../core/countries';
import { isDate } from '../core/dates';
import { errors, fieldErrorTexts } from '../core/errors';
import { isCnpj, isCpf, isCuil, isCurp, isRut, isTckn } from './identity-numbers';
import { readPhone } from './phone';

/** The result of a check: the value for the provider, or the error text. */
export type Checked = { value: unknown } | { fault: string };
export type Check = (value: unknown) => Checked;

/** Texts are passed on unchanged; `read` may normalise them. */
function shaped(
  fits: (text: string) => boolean,
  error: string = fieldErrorTexts.notValid,
  read = (text: string) => text,
): Check {
  return (value) => (typeof value === 'string' && fits(value) ? { value: read(value) } : { fault: error });
}

/** JSON numbers are accepted. The checked text is the one that is passed on. */
function numeric(fits: (text: string) => boolean, error?: string): Check {
  const check = shaped(fits, error);
  return (value) => check(typeof value === 'number' ? String(value) : value);
}

const matching = (pattern: RegExp) => (text: string) => pattern.test(text);
const upperCase = (text: string) => text.toUpperCase();

/** A number for the check: without grouping dots, dashes and slashes, in upper case. */
const bare = (text: string) => upperCase(digitsOf(text).replace(/[./]/g, ''));
const numbered = (fits: (number: string) => boolean) =>
  shaped((text) => fits(bare(text)), fieldErrorTexts.notValid, bare);

/** A valid ISO 8601 time in UTC: `2026-11-20T16:50:00Z`. */
function isMoment(text: string): boolean {
  const match = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]00:?00)$/.exec(text);
  return match !== null && isDate(match[1] as string);
}

function phoneOf(country?: string): Check {
  return (value) => {
    const text = typeof value === 'number' ? String(value) : value;
    const read = typeof text === 'string' ? readPhone(text, country) : null;
    return read === null ? { fault: fieldErrorTexts.notValid } : { value: read };
  };
}
const isCode = (text: string) => isCountry(text.toUpperCase());

/** Counts characters, not UTF-16 units. */
function within(text: string, most: number): boolean {
  return text.trim() !== '' && (text.length <= most || (text.length <= 2 * most && [...text].length <= most));
}

function isAddress(text: string): boolean {
  // The URL parser drops or repairs blanks and control characters; the parsed address would differ from the text.
  return /^https?:\/\/[^\s/]\S*$/i.test(text) && URL.canParse(text);
}

const booleanCheck: Check = (value) => {
  const index = ['true', 'false', '1', '0'].indexOf(String(value));
  return index < 0 || typeof value === 'object' ? { fault: fieldErrorTexts.notChoice } : { value: index % 2 === 0 };
};

/** Every format by its first word; the rest are its arguments. */
const checkBuilders: { [word: string]: (...measures: string[]) => Check } = {
  /** Any characters of any script, up to a maximum: the contract's AN. */
  text: (most) => shaped((text) => within(text, Number(most))),
  /** Digits, up to a maximum: the contract's N of counts and codes. */
  digits: (most) => numeric(matching(new RegExp(`^[0-9]{1,${most}}$`))),
  /** A fixed number of digits; text only, because a number loses its leading zeros. */
  exactly: (count) => shaped(matching(new RegExp(`^[0-9]{${count}}$`))),
  /** A decimal number with a maximum length, including the point: the contract's N of amounts. */
  decimal: (most) => numeric((text) => text.length <= Number(most) && /^[0-9]+(\.[0-9]+)?$/.test(text)),
  /** A maximum of digits before and after the point: N10.N2. */
  money: (whole, parts) => numeric(matching(new RegExp(`^[0-9]{1,${whole}}(\\.[0-9]{1,${parts}})?$`))),
  /** Digits with an optional plus sign, up to a maximum length. */
  phone: (most) => numeric((text) => text.length <= Number(most) && /^\+?[0-9]+$/.test(text)),
  /** ISO 3166-1 alpha-2 in either case, passed on in upper case. */
  country: () => shaped(isCode, fieldErrorTexts.notValid, upperCase),
  /** The same, or a numeric code of three digits. */
  'country-or-digits': () =>
    shaped((text) => /^[0-9]{3}$/.test(text) || isCode(text), fieldErrorTexts.notValid, upperCase),
  /** Three letters in either case, passed on in upper case. */
  currency: () => shaped(matching(/^[A-Za-z]{3}$/), fieldErrorTexts.notValid, upperCase),
  one: (...words) => numeric((text) => words.includes(text), fieldErrorTexts.notChoice),
  url: () => shaped(isAddress, fieldErrorTexts.notUrl),
  boolean: () => booleanCheck,
  uuid: () => shaped(matching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i), errors.notUuid.message),
  /** 01..12. */
  month: () => shaped(matching(/^(0[1-9]|1[0-2])$/)),
  /** Four digits, of this century. */
  year: () => shaped(matching(/^20[0-9]{2}$/)),
  /** MM/YYYY. */
  expiry: () => shaped(matching(/^(0[1-9]|1[0-2])\/20[0-9]{2}$/)),
  /** Characters of any script, with minimum and maximum length. */
  between: (least, most) => shaped((text) => within(text, Number(most)) && [...text.trim()].length >= Number(least)),
  /** Letters and digits, with minimum and maximum length. */
  alnum: (least, most) => shaped(matching(new RegExp(`^[A-Za-z0-9]{${least},${most}}$`))),
  /** The same without spaces, in any script: the answer to a security question. */
  answer: (least, most) => shaped((text) => new RegExp(`^\\S{${least},${most}}$`, 'u').test(text)),
  /** One @, no spaces, and a domain with a dot, up to 255 characters. */
  email: () => shaped((text) => text.length <= 255 && /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text)),
  /** A phone number of the country, or of any; passed on in international format. */
  msisdn: (country) => phoneOf(country),
  /** An address of India's UPI: `name@bank`. */
  upi: () => shaped(matching(/^[A-Za-z0-9._-]{2,256}@[A-Za-z][A-Za-z0-9.-]{1,63}$/)),
  /** A SWIFT code (ISO 9362): 8 or 11 characters, passed on in upper case. */
  swift: () => shaped(matching(/^[A-Za-z]{6}[A-Za-z0-9]{2}([A-Za-z0-9]{3})?$/), fieldErrorTexts.notValid, upperCase),
  /** A currency or a coin: letters and digits, passed on in upper case. */
  coin: () => shaped(matching(/^[A-Za-z0-9]{2,10}$/), fieldErrorTexts.notValid, upperCase),
  datetime: () => shaped(isMoment),
  base64: () => shaped((text) => text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text)),
  /** A voucher's code, with or without grouping blanks and dashes. */
  pin: (least, most) => numbered(matching(new RegExp(`^[0-9A-Z]{${least},${most}}$`))),
  /** An HTTP header value with a maximum length: visible ASCII without blanks. */
  header: (most) => shaped(matching(new RegExp(`^[!-~]{1,${most}}$`))),
  /** A text without blanks for each currency: `EUR=1234 RON=5678`. */
  'by-currency': () => shaped(matching(/^[A-Z]{3}=[^\s=]+( [A-Z]{3}=[^\s=]+)*$/)),
  'cpf-or-cnpj': () => numbered((number) => isCpf(number) || isCnpj(number)),
  cuil: () => numbered(isCuil),
  rut: () => numbered(isRut),
  tckn: () => numbered(isTckn),
  curp: () => numbered(isCurp),
  cpf: () => numbered(isCpf),
  /** A card number, or `#NA` if the account has none. */
  account: () =>
    shaped((text) => text === noAccount || numberError(text) === null, fieldErrorTexts.notValid, readAccount),
};

/** Replaces a card number if the account belongs to no card (interface.md, CREDIT2CARD, set ERS). */
export const noAccount = '#NA';

function readAccount(text: string): string {
  return text === noAccount ? text : digitsOf(text);
}

/** The check of a format: `text 100`, `one M CM KG`. Throws for an unknown format. */
export function checkOf(format: string): Check {
  const [word = '', ...measures] = format.split(' ');
  const make = checkBuilders[word];
  if (!make) throw new Error(`no such format: ${format}`);
  return make(...measures);
}

/** The input of a format on a page: its kind, its choices, its minimum and maximum length. */
export type FormatInput = {
  input: 'text' | 'digits' | 'email' | 'phone' | 'choice' | 'secret';
  choices?: readonly string[];
  least: number;
  most: number;
};

const upTo = (input: FormatInput['input']) => (most?: string) => ({ input, least: 1, most: Number(most) });
const span = (input: FormatInput['input'], least: number, most: number) => () => ({ input, least, most });
const measured = (least?: string, most?: string): FormatInput => ({
  input: 'text',
  least: Number(least),
  most: Number(most),
});

// The maximum includes the characters with which numbers are grouped.
const inputs: { [word: string]: (...measures: string[]) => FormatInput } = {
  text: upTo('text'),
  digits: upTo('digits'),
  phone: upTo('phone'),
  msisdn: span('phone', 1, 24),
  email: span('email', 1, 255),
  one: (...choices) => ({ input: 'choice', choices, least: 1, most: 255 }),
  between: measured,
  alnum: measured,
  answer: measured,
  pin: (least, most) => ({ input: 'secret', least: Number(least), most: Number(most) + 8 }),
  'cpf-or-cnpj': span('text', 11, 18),
  cpf: span('digits', 11, 14),
  cuil: span('digits', 11, 13),
  tckn: span('digits', 11, 11),
  rut: span('text', 8, 12),
  curp: span('text', 18, 18),
  upi: span('text', 5, 255),
};

/** The input of a format; a text field by default. */
export function inputOf(format: string): FormatInput {
  const [word = '', ...measures] = format.split(' ');
  return (inputs[word] ?? span('text', 1, 255))(...measures);
}
