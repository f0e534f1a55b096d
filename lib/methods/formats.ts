/**
 * The formats in which the contract writes its parameters (AN100, N13, "2 letters"), as small checks that a table names
 * by a short text. One reading for every method's parameters, so that AN means the same everywhere.
 */
import { digitsOf, numberFault } from '../core/cards';
import { isCountry } from '../core/countries';
import { errors, texts } from '../core/errors';

/** What a check makes of a value: the value as it is passed on, or the text of its fault. */
export type Checked = { value: unknown } | { fault: string };
export type Check = (value: unknown) => Checked;

/** Texts stay as they are, because they are the provider's to read; `read` may put one into its usual form. */
function shaped(fits: (text: string) => boolean, fault: string = texts.notValid, read = (text: string) => text): Check {
  return (value) => (typeof value === 'string' && fits(value) ? { value: read(value) } : { fault });
}

/** Numbers may come as such in JSON. The text that is checked is the one that is passed on. */
function numeric(fits: (text: string) => boolean, fault?: string): Check {
  const check = shaped(fits, fault);
  return (value) => check(typeof value === 'number' ? String(value) : value);
}

const matching = (pattern: RegExp) => (text: string) => pattern.test(text);
const upperCase = (text: string) => text.toUpperCase();
const isCode = (text: string) => isCountry(text.toUpperCase());

/** Characters, not UTF-16 units. */
function within(text: string, most: number): boolean {
  return text.trim() !== '' && (text.length <= most || (text.length <= 2 * most && [...text].length <= most));
}

function isAddress(text: string): boolean {
  // The URL parser drops or repairs blanks and control characters, so that the text would not be what it is read as.
  return /^https?:\/\/[^\s/]\S*$/i.test(text) && URL.canParse(text);
}

const truth: Check = (value) => {
  const found = ['true', 'false', '1', '0'].indexOf(String(value));
  return found < 0 || typeof value === 'object' ? { fault: texts.notChoice } : { value: found % 2 === 0 };
};

/** Every format by its first word; the rest are its measures. */
const makers: { [word: string]: (...measures: string[]) => Check } = {
  /** Any characters of any script, up to so many: the contract's AN. */
  text: (most) => shaped((text) => within(text, Number(most))),
  /** Digits, up to so many: the contract's N of counts and codes. */
  digits: (most) => numeric(matching(new RegExp(`^[0-9]{1,${most}}$`))),
  /** Exactly so many digits; as text only, because a number loses its leading zeros. */
  exactly: (count) => shaped(matching(new RegExp(`^[0-9]{${count}}$`))),
  /** A decimal number of up to so many characters, the point included: the contract's N of amounts. */
  decimal: (most) => numeric((text) => text.length <= Number(most) && /^[0-9]+(\.[0-9]+)?$/.test(text)),
  /** Up to so many digits before and after the point: N10.N2. */
  money: (whole, parts) => numeric(matching(new RegExp(`^[0-9]{1,${whole}}(\\.[0-9]{1,${parts}})?$`))),
  /** Digits with an optional plus sign, up to so many characters. */
  phone: (most) => numeric((text) => text.length <= Number(most) && /^\+?[0-9]+$/.test(text)),
  /** ISO 3166-1 alpha-2 in either case, capitals inside. */
  country: () => shaped(isCode, texts.notValid, upperCase),
  /** The same, or a numeric code of three digits. */
  'country-or-digits': () => shaped((text) => /^[0-9]{3}$/.test(text) || isCode(text), texts.notValid, upperCase),
  /** Three letters in either case, capitals inside. */
  currency: () => shaped(matching(/^[A-Za-z]{3}$/), texts.notValid, upperCase),
  one: (...words) => numeric((text) => words.includes(text), texts.notChoice),
  url: () => shaped(isAddress, texts.notUrl),
  boolean: () => truth,
  uuid: () => shaped(matching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i), errors.notUuid.message),
  /** 01..12. */
  month: () => shaped(matching(/^(0[1-9]|1[0-2])$/)),
  /** Four digits of this century. */
  year: () => shaped(matching(/^20[0-9]{2}$/)),
  /** MM/YYYY. */
  expiry: () => shaped(matching(/^(0[1-9]|1[0-2])\/20[0-9]{2}$/)),
  /** A card number, or `#NA` where the account is none. */
  account: () => shaped((text) => text === noAccount || numberFault(text) === null, texts.notValid, readAccount),
};

/** Stands for a card number where the account belongs to no card (interface.md, CREDIT2CARD, set ERS). */
export const noAccount = '#NA';

function readAccount(text: string): string {
  return text === noAccount ? text : digitsOf(text);
}

/** The check that a format names: `text 100`, `one M CM KG`. Throws for a format that nobody has written. */
export function checkOf(format: string): Check {
  const [word = '', ...measures] = format.split(' ');
  const make = makers[word];
  if (!make) throw new Error(`no such format: ${format}`);
  return make(...measures);
}
