/**
 * The contract's parameter formats (AN100, N13, "2 letters"), which tables name by a short text: the check of a value,
 * its description as text, as JSON Schema and by a valid sample, and its input on a page. All methods share them, so
 * that a format means the same everywhere.
 */
import { digitsOf, numberError } from '../core/cards.ts';
import { isCountry } from '../core/countries.ts';
import { isDate } from '../core/dates.ts';
import { errors, fieldErrorTexts } from '../core/errors.ts';
import { bareNumber, documentError, documentFacts, isNumeric } from './documents.ts';
import { readPhone } from './phone.ts';

/** The result of a check: the value for the provider, or the error text. */
export type Checked = { value: unknown } | { fault: string };
export type Check = (value: unknown) => Checked;

/** The input of a format on a page: its kind, its choices, its minimum and maximum length. */
export type FormatInput = {
  input: 'text' | 'digits' | 'email' | 'phone' | 'choice' | 'secret';
  choices?: readonly string[];
  least: number;
  most: number;
  /** The national documents whose number it is: `cpf-or-cnpj`. */
  document?: string;
};

type Format = {
  text: string;
  sample: string;
  check: Check;
  schema: { readonly [name: string]: unknown };
  input: FormatInput;
};

/** Texts are passed on unchanged; `read` may normalise them. */
function shaped(
  fits: (text: string) => boolean,
  error: string = fieldErrorTexts.notValid,
  read = (text: string) => text,
): Check {
  return (value) => (typeof value === 'string' && fits(value) ? { value: read(value) } : { fault: error });
}

/** JSON numbers are accepted. The checked text is the one that is passed on. */
const orNumber =
  (check: Check): Check =>
  (value) =>
    check(typeof value === 'number' ? String(value) : value);

const string = { type: 'string' };
const number = { type: ['string', 'number'] };

/** The input of a number includes the characters with which it is grouped. */
const input = (kind: FormatInput['input'], least: number, most: number): FormatInput => ({ input: kind, least, most });
const anyText = input('text', 1, 255);

function format(text: string, sample: string, check: Check, more: Partial<Format> = {}): Format {
  return { text, sample, check, schema: string, input: anyText, ...more };
}

type Shape = { most?: number; numbers?: true; read?: (text: string) => string; input?: FormatInput };

/** A format of one pattern, with `most` up to a length. With `numbers`, JSON numbers are accepted too. */
function patterned(
  text: string,
  sample: string,
  pattern: RegExp,
  { most, numbers, read, ...more }: Shape = {},
): Format {
  const fits = (value: string) => (most === undefined || value.length <= most) && pattern.test(value);
  const check = shaped(fits, fieldErrorTexts.notValid, read);
  const limit = most === undefined ? {} : { maxLength: most };
  const schema = { ...(numbers ? number : string), pattern: pattern.source.replaceAll('\\/', '/'), ...limit };
  return format(text, sample, numbers ? orNumber(check) : check, { schema, ...more });
}

const upperCase = (text: string) => text.toUpperCase();
const span = (least = '', most = '') => (least === most ? least : `${least} to ${most}`);
/** A sample of a length between two measures, at most `usual` where they allow it. */
const lengthOf = (least = '', most = '', usual = 0) => Math.max(Number(least), Math.min(Number(most), usual));
const lengths = (least = '', most = '') => ({ ...string, minLength: Number(least), maxLength: Number(most) });
const measured = (least = '', most = '') => input('text', Number(least), Number(most));

const numbered = (fits: (number: string) => boolean) =>
  shaped((text) => fits(bareNumber(text)), fieldErrorTexts.notValid, bareNumber);

/** The number of a national document, with or without separators. */
function national(document: string, sample: string): Format {
  const { names, lengths, most } = documentFacts(document);
  const fits = (number: string) => documentError(document, number) === null;
  const shape = input(isNumeric(document) ? 'digits' : 'text', Math.min(...lengths), most);
  return format(names.join(' or '), sample, numbered(fits), { input: { ...shape, document } });
}

/** A valid ISO 8601 time in UTC: `2026-11-20T16:50:00Z`. */
function isMoment(text: string): boolean {
  const match = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]00:?00)$/.exec(text);
  return match !== null && isDate(match[1] as string);
}

const phoneOf = (country?: string): Check =>
  orNumber((text) => {
    const read = typeof text === 'string' ? readPhone(text, country) : null;
    return read === null ? { fault: fieldErrorTexts.notValid } : { value: read };
  });

/** Plausible numbers of each country. */
const phones: { readonly [country: string]: string } = {
  BJ: '+2290197000000',
  GH: '+233241234567',
  TG: '+22890112345',
  IN: '+918123456789',
  EG: '+201001234567',
  ID: '+62812345678',
  SA: '+966512345678',
  UG: '+256712345678',
  AE: '+971501234567',
  CI: '+2250701020304',
  CM: '+237671234567',
  TZ: '+255621234567',
};

const isCode = (text: string) => isCountry(upperCase(text));

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

/** Replaces a card number if the account belongs to no card (interface.md, CREDIT2CARD, set ERS). */
export const noAccount = '#NA';

const accountCheck = shaped(
  (text) => text === noAccount || numberError(text) === null,
  fieldErrorTexts.notValid,
  (text) => (text === noAccount ? text : digitsOf(text)),
);

/** Every format by its first word; the rest are its measures. */
const formats: { readonly [word: string]: (...measures: string[]) => Format } = {
  /** Any characters of any script, up to a maximum: the contract's AN. */
  text: (most) =>
    format(
      `text, up to ${most} characters`,
      'Sample text'.slice(0, Number(most)).trim(),
      shaped((text) => within(text, Number(most))),
      { schema: lengths('1', most), input: measured('1', most) },
    ),
  /** Digits, up to a maximum: the contract's N of counts and codes. */
  digits: (most) =>
    patterned(`digits, up to ${most}`, '3', new RegExp(`^[0-9]{1,${most}}$`), {
      numbers: true,
      input: input('digits', 1, Number(most)),
    }),
  /** A fixed number of digits; text only, because a number loses its leading zeros. */
  exactly: (count) => patterned(`${count} digits`, '1'.repeat(Number(count)), new RegExp(`^[0-9]{${count}}$`)),
  /** A decimal number with a maximum length, including the point: the contract's N of amounts. */
  decimal: (most) =>
    patterned(`decimal number, up to ${most} characters`, '1.00', /^[0-9]+(\.[0-9]+)?$/, {
      most: Number(most),
      numbers: true,
    }),
  /** A maximum of digits before and after the point: N10.N2. */
  money: (whole, parts) =>
    patterned(
      `decimal number, up to ${whole} digits and ${parts} decimals`,
      '1.00',
      new RegExp(`^[0-9]{1,${whole}}(\\.[0-9]{1,${parts}})?$`),
      { numbers: true },
    ),
  /** Digits with an optional plus sign, up to a maximum length. */
  phone: (most) =>
    patterned(`phone number, up to ${most} characters`, '51987654321', /^\+?[0-9]+$/, {
      most: Number(most),
      numbers: true,
      input: input('phone', 1, Number(most)),
    }),
  /** ISO 3166-1 alpha-2 in either case, passed on in upper case. */
  country: () =>
    format('country, alpha-2', 'GB', shaped(isCode, fieldErrorTexts.notValid, upperCase), {
      schema: { ...string, pattern: '^[A-Za-z]{2}$' },
    }),
  'country-or-digits': () =>
    format(
      'country, alpha-2 or three digits',
      'GB',
      shaped((text) => /^[0-9]{3}$/.test(text) || isCode(text), fieldErrorTexts.notValid, upperCase),
      { schema: { ...string, pattern: '^([A-Za-z]{2}|[0-9]{3})$' } },
    ),
  currency: () => patterned('currency, three letters', 'EUR', /^[A-Za-z]{3}$/, { read: upperCase }),
  one: (...choices) =>
    format(
      `one of ${choices.join(', ')}`,
      choices[0] ?? '',
      orNumber(shaped((text) => choices.includes(text), fieldErrorTexts.notChoice)),
      {
        schema: { ...number, anyOf: [{ enum: choices }, { type: 'number' }] },
        input: { ...input('choice', 1, 255), choices },
      },
    ),
  url: () =>
    format('http or https address', 'https://shop.example/p/1', shaped(isAddress, fieldErrorTexts.notUrl), {
      schema: { ...string, format: 'uri' },
    }),
  boolean: () =>
    format('true or false', 'true', booleanCheck, { schema: { enum: [true, false, 'true', 'false', '1', '0', 1, 0] } }),
  uuid: () =>
    format(
      'UUID',
      '019a8f5c-3d0e-7c41-9a52-6f1e0b7d2c88',
      shaped((text) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text), errors.notUuid.message),
      { schema: { ...string, format: 'uuid' } },
    ),
  month: () => patterned('month, two digits', '01', /^(0[1-9]|1[0-2])$/),
  /** Of this century. */
  year: () => patterned('year, four digits', '2038', /^20[0-9]{2}$/),
  expiry: () => patterned('MM/YYYY', '01/2038', /^(0[1-9]|1[0-2])\/20[0-9]{2}$/),
  /** Characters of any script, with minimum and maximum length. */
  between: (least, most) =>
    format(
      `text, ${least} to ${most} characters`,
      'a sentence of some length'.slice(0, lengthOf(least, most, 12)).trim(),
      shaped((text) => within(text, Number(most)) && [...text.trim()].length >= Number(least)),
      { schema: lengths(least, most), input: measured(least, most) },
    ),
  alnum: (least, most) =>
    patterned(
      `letters and digits, ${span(least, most)}`,
      'A1'.repeat(50).slice(0, lengthOf(least, most, 10)),
      new RegExp(`^[A-Za-z0-9]{${least},${most}}$`),
      { input: measured(least, most) },
    ),
  /** Without spaces, in any script: the answer to a security question. */
  answer: (least, most) =>
    format(
      `text without spaces, ${least} to ${most} characters`,
      'tulip',
      shaped((text) => new RegExp(`^\\S{${least},${most}}$`, 'u').test(text)),
      { schema: { ...lengths(least, most), pattern: '^\\S+$' }, input: measured(least, most) },
    ),
  /** One @, no spaces, and a domain with a dot. */
  email: () =>
    patterned('e-mail address', 'ana@example.com', /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/, {
      most: 255,
      input: input('email', 1, 255),
    }),
  /** A phone number of the country, or of any; passed on in international format. */
  msisdn: (country) =>
    format(
      country ? `phone number of ${country}` : 'phone number with country code',
      phones[country ?? ''] ?? '+254712345678',
      phoneOf(country),
      { schema: number, input: input('phone', 1, 24) },
    ),
  /** An address of India's UPI. */
  upi: () =>
    format(
      'UPI address, name@bank',
      'ana@okbank',
      shaped((text) => /^[A-Za-z0-9._-]{2,256}@[A-Za-z][A-Za-z0-9.-]{1,63}$/.test(text)),
      { schema: { ...string, pattern: '^[A-Za-z0-9._-]+@[A-Za-z][A-Za-z0-9.-]+$' }, input: input('text', 5, 255) },
    ),
  /** ISO 9362, passed on in upper case. */
  swift: () =>
    patterned('SWIFT code, 8 or 11 characters', 'MBBEMYKL', /^[A-Za-z]{6}[A-Za-z0-9]{2}([A-Za-z0-9]{3})?$/, {
      read: upperCase,
    }),
  coin: () => patterned('code of a currency or coin', 'USDT', /^[A-Za-z0-9]{2,10}$/, { read: upperCase }),
  datetime: () =>
    format('ISO 8601, UTC', '2020-01-31T10:00:00Z', shaped(isMoment), { schema: { ...string, format: 'date-time' } }),
  base64: () =>
    format(
      'Base64',
      'SGVsbG8=',
      shaped((text) => text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text)),
      { schema: { ...string, contentEncoding: 'base64' } },
    ),
  /** A voucher's code, with or without grouping blanks and dashes. */
  pin: (least, most) =>
    format(
      `digits and letters, ${span(least, most)}`,
      '4071'.repeat(20).slice(0, lengthOf(least, most, 16)),
      numbered((text) => new RegExp(`^[0-9A-Z]{${least},${most}}$`).test(text)),
      { input: input('secret', Number(least), Number(most) + 8) },
    ),
  /** An HTTP header value with a maximum length. */
  header: (most) => patterned(`visible ASCII without blanks, up to ${most}`, 'key-1', new RegExp(`^[!-~]{1,${most}}$`)),
  /** A text without blanks for each currency: `EUR=1234 RON=5678`. */
  'by-currency': () =>
    format(
      'a text for each currency',
      'EUR=1234',
      shaped((text) => /^[A-Z]{3}=[^\s=]+( [A-Z]{3}=[^\s=]+)*$/.test(text)),
    ),
  'cpf-or-cnpj': () => national('cpf-or-cnpj', '529.982.247-25'),
  cuil: () => national('cuil', '20-12345678-6'),
  rut: () => national('rut', '12.345.678-5'),
  tckn: () => national('tckn', '10000000146'),
  curp: () => national('curp', 'HEGG560427MVZRRL04'),
  cpf: () => national('cpf', '529.982.247-25'),
  /** A card number, or `#NA` if the account has none. */
  account: () => format('card number, or #NA', '#NA', accountCheck),
};

/** A format by its text: `text 100`, `one M CM KG`. Throws for an unknown one. */
export function formatOf(text: string): Format {
  const [word = '', ...measures] = text.split(' ');
  const make = formats[word];
  if (!make) throw new Error(`no such format: ${text}`);
  return make(...measures);
}

/** The check of a format. */
export const checkOf = (text: string): Check => formatOf(text).check;
