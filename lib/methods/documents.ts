/**
 * National documents with a number of a fixed form: names, masks and check digits, so that a typing error is reported at
 * once instead of by a provider's decline. The server and the page's script share them.
 */
import { digitsOf } from '../core/cards.ts';
import type { Message } from '../core/translations.ts';

type NationalDocument = {
  /** Separators between the characters, the shortest number first: `0` is a digit, `A` also a letter. */
  masks: readonly string[];
  /** A number of the right length without separators, apart from its check digits. */
  pattern: RegExp;
  /** The weights of the characters before each check digit. */
  weights: readonly (readonly number[])[];
  /** The check digit for each rest of the sum of the weighted characters, the rest counted down. */
  digits: string;
  /** The values of the characters; default: that of their ASCII code, from zero for `0`. */
  values?: string;
  /** The character that a shorter number begins with for the check; default: `0`. */
  filler?: string;
  /** Numbers that fulfil the rule of the check digits and are not issued. */
  except?: RegExp;
};

/** The weights from a number down to 2. */
const down = (from: number) => Array.from({ length: from - 1 }, (_, place) => from - place);

const oneCharacter = /^(.)\1*$/;

/** Argentina, persons and companies: ten digits and one check digit, never the eleventh. */
const cuil: NationalDocument = {
  masks: ['00-00000000-0'],
  pattern: /^(20|2[3-7]|30|33|34)[0-9]{9}$/,
  weights: [[...down(5), ...down(7)]],
  digits: '0123456789-',
};

/** A number without a check digit, or with one whose rule is not public. */
const unchecked = (pattern: RegExp, ...masks: string[]): NationalDocument => ({
  masks,
  pattern,
  weights: [],
  digits: '',
});

const documents: { readonly [id: string]: NationalDocument } = {
  /** Brazil, persons: nine digits and two check digits. */
  cpf: {
    masks: ['000.000.000-00'],
    pattern: /^[0-9]{11}$/,
    weights: [down(10), down(11)],
    digits: '01234567890',
    except: oneCharacter,
  },
  /** Brazil, companies: twelve characters (letters since 2026) and two check digits. */
  cnpj: {
    masks: ['AA.AAA.AAA/AAAA-00'],
    pattern: /^[0-9A-Z]{12}[0-9]{2}$/,
    weights: [
      [...down(5), ...down(9)],
      [...down(6), ...down(9)],
    ],
    digits: '01234567890',
    except: oneCharacter,
  },
  cuil,
  cuit: cuil,
  /** Argentina, persons. */
  dni: unchecked(/^[1-9][0-9]{6,7}$/, '0.000.000', '00.000.000'),
  /** Chile: seven or eight digits and a check digit, or K. */
  rut: {
    masks: ['0.000.000-A', '00.000.000-A'],
    pattern: /^[0-9]{7,8}[0-9K]$/,
    weights: [[...down(3), ...down(7)]],
    digits: '0123456789K',
  },
  /** Turkey: nine digits and two check digits, whose sums are counted up. */
  tckn: {
    masks: ['00000000000'],
    pattern: /^[1-9][0-9]{10}$/,
    weights: [[-7, 1, -7, 1, -7, 1, -7, 1, -7], Array(10).fill(-1)],
    digits: '0123456789',
  },
  /** Mexico, persons: letters of the name, date of birth, sex, state, letters, and a check digit. */
  curp: {
    masks: ['AAAAAAAAAAAAAAAAA0'],
    pattern:
      /^[A-Z][AEIOUX][A-Z]{2}[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])[HMX][A-Z]{2}[B-DF-HJ-NP-TV-ZÑ]{3}[0-9A-Z][0-9]$/,
    weights: [down(18)],
    digits: '0123456789',
    values: '0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ',
  },
  /** Mexico: letters of the name (persons four, companies three), date, two characters, and a check digit, or A. */
  rfc: {
    masks: ['AAAAAAAAAAAA', 'AAAAAAAAAAAAA'],
    pattern: /^[A-ZÑ&]{3,4}[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])[0-9A-Z]{2}[0-9A]$/,
    weights: [down(13)],
    digits: '0123456789A',
    values: '0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ Ñ',
    filler: ' ',
  },
  /** Peru, persons, and persons and companies with a check digit. */
  'dni-pe': unchecked(/^[0-9]{8}$/, '00000000'),
  'ruc-pe': {
    masks: ['00000000000'],
    pattern: /^(1[0567]|20)[0-9]{9}$/,
    weights: [[...down(5), ...down(7)]],
    digits: '11234567890',
  },
  /** Ecuador: the province first. The check digits of a RUC no longer follow one rule. */
  'ci-ec': unchecked(/^(0[1-9]|1[0-9]|2[0-4]|30)[0-9]{8}$/, '0000000000'),
  'ruc-ec': unchecked(/^(0[1-9]|1[0-9]|2[0-4]|30)[0-9]{8}[0-9]{2}[1-9]$/, '0000000000000'),
  /** Colombia, persons: no check digit. Companies: nine digits and a check digit. A CC can be as long as a NIT. */
  cc: unchecked(/^([1-9][0-9]{5,7}|1[0-9]{9})$/, '000000', '0000000', '00000000', '0000000000'),
  nit: {
    masks: ['0000000000'],
    pattern: /^[89][0-9]{9}$/,
    weights: [[41, 37, 29, 23, 19, 17, 13, 7, 3]],
    digits: '01234567891',
  },
  /** Uruguay, persons and companies. */
  ci: {
    masks: ['000.000-0', '0.000.000-0'],
    pattern: /^[1-9][0-9]{6,7}$/,
    weights: [[2, 9, 8, 7, 6, 3, 4]],
    digits: '0123456789',
  },
  'rut-uy': {
    masks: ['000000000000'],
    pattern: /^[0-9]{12}$/,
    weights: [[...down(4), ...down(9)]],
    digits: '0123456789-',
  },
  /** India: the fourth letter is the kind of holder. */
  pan: unchecked(/^[A-Z]{3}[ABCFGHJLPT][A-Z][0-9]{4}[A-Z]$/, 'AAAAAAAAAA'),
};

const placesOf = (mask: string) => mask.replace(/[^0A]/g, '');

/** The end of a format that accepts any number: what does not look like one of its documents is pointed out once. */
const orOther = '-or-other';

/** Whether a format accepts the numbers of other documents. */
export const acceptsOthers = (format: string) => format.endsWith(orOther);

/** The documents of a format, `cpf-or-cnpj`, `dni-or-cuit-or-other`. */
function documentsOf(format: string): [id: string, document: NationalDocument][] {
  const known = acceptsOthers(format) ? format.slice(0, -orOther.length) : format;
  return known.split('-or-').map((id) => {
    const document = documents[id];
    if (!document) throw new Error(`no such document: ${id}`);
    return [id, document];
  });
}

const masksOf = (format: string) => documentsOf(format).flatMap(([, { masks }]) => masks);

/** Whether the numbers of a format have digits only. */
export const isNumeric = (format: string) => masksOf(format).every((mask) => !mask.includes('A'));

/** What people call the documents, the same in every language, and what their numbers look like. */
const labels: { readonly [id: string]: { name: string; example: string } } = {
  cpf: { name: 'CPF', example: '000.000.000-00' },
  cnpj: { name: 'CNPJ', example: '00.000.000/0000-00' },
  cuil: { name: 'CUIL/CUIT', example: '20-12345678-6' },
  rut: { name: 'RUT', example: '12.345.678-5' },
  tckn: { name: 'T.C. Kimlik No', example: '10000000146' },
  curp: { name: 'CURP', example: 'HEGG560427MVZRRL04' },
  rfc: { name: 'RFC', example: 'GODE561231GR8' },
  cuit: { name: 'CUIT', example: '20-12345678-6' },
  dni: { name: 'DNI', example: '12.345.678' },
  'dni-pe': { name: 'DNI', example: '12345678' },
  'ruc-pe': { name: 'RUC', example: '20131312955' },
  'ci-ec': { name: 'CI', example: '1710034065' },
  'ruc-ec': { name: 'RUC', example: '1790016919001' },
  cc: { name: 'CC', example: '1020304050' },
  nit: { name: 'NIT', example: '900.123.456-8' },
  ci: { name: 'CI', example: '1.234.567-2' },
  'rut-uy': { name: 'RUT', example: '211003420017' },
  pan: { name: 'PAN', example: 'ABCPE1234F' },
};

/** The documents that a text parameter usually asks for, by the payer's country. The provider accepts others. */
const usual: { readonly [country: string]: string } = {
  AR: 'dni-or-cuit',
  BR: 'cpf-or-cnpj',
  CL: 'rut',
  CO: 'cc-or-nit',
  EC: 'ci-ec-or-ruc-ec',
  IN: 'pan',
  MX: 'curp-or-rfc',
  PE: 'dni-pe-or-ruc-pe',
  TR: 'tckn',
  UY: 'ci-or-rut-uy',
};

/** The format of the usual documents of a country (alpha-2), and others; undefined where it is not known. */
export const usualDocuments = (country = ''): string | undefined =>
  Object.hasOwn(usual, country) ? usual[country] + orOther : undefined;

/** The facts about the documents of a format that texts and fields tell. */
export function documentFacts(format: string) {
  const ids = documentsOf(format).map(([id]) => id);
  const masks = masksOf(format);
  return {
    ids,
    names: ids.map((id) => labels[id]?.name ?? id),
    examples: ids.map((id) => labels[id]?.example ?? ''),
    /** The numbers of characters without separators. */
    lengths: [...new Set(masks.map((mask) => placesOf(mask).length))],
    /** The most characters with separators. */
    most: Math.max(...masks.map((mask) => mask.length)),
  };
}

/** A number for the check and for the provider: without grouping blanks, dots, dashes and slashes, in upper case. */
export const bareNumber = (text: string) => digitsOf(text).replace(/[./]/g, '').toUpperCase();

/** The error of a typed document number, or null. Separators are optional. */
export function documentError(format: string, text: string): Message | null {
  const error = (kind: string, named = format): Message => ({
    key: `error.document.${kind}`,
    values: { document: named },
  });
  const number = bareNumber(text);
  if (number === '') return error('empty');
  const isWhole = (mask: string) => placesOf(mask).length === number.length;
  const fitting = documentsOf(format).filter(([, { masks }]) => masks.some(isWhole));
  if (!fitting[0]) return error(isNumeric(format) ? 'digits' : 'characters');
  const found = fitting.find(([, { pattern }]) => pattern.test(number));
  if (!found) return error('shape', fitting[0][0]);
  const [id, document] = found;
  return hasCheckDigits(number, document) ? null : error('checkDigits', id);
}

/**
 * The characters of a number while it is typed: others are dropped, and so is what follows a complete number. A number
 * of another document keeps all of them.
 */
export function documentNumber(format: string, text: string): string {
  if (acceptsOthers(format)) return bareNumber(text);
  const most = placesOf(masksOf(format).at(-1) ?? '').length;
  return bareNumber(text)
    .replace(isNumeric(format) ? /[^0-9]/g : /[^0-9A-ZÑ]/g, '')
    .slice(0, most);
}

/** A complete or partial number as printed on the document; nothing is appended, so it can replace what is being typed. */
export function maskDocument(format: string, text: string): string {
  const number = documentNumber(format, text);
  const mask = masksOf(format).find((each) => {
    const places = placesOf(each);
    return (
      number.length <= places.length && [...number].every((character, at) => places[at] === 'A' || /\d/.test(character))
    );
  });
  let masked = '';
  for (const character of number) {
    while (mask && /[^0A]/.test(mask[masked.length] ?? '')) masked += mask[masked.length];
    masked += character;
  }
  return masked;
}

/** Shorter numbers are filled at their start for the check. */
function hasCheckDigits(number: string, { weights, digits, values, filler, except }: NationalDocument): boolean {
  const worth = (character = '') => (values ? values.indexOf(character) : character.charCodeAt(0) - 48);
  const padded = number.padStart(weights[0] ? weights[0].length + weights.length : 0, filler ?? '0');
  const isRight = (each: readonly number[]) => {
    const sum = each.reduce((total, weight, place) => total + weight * worth(padded[place]), 0);
    return padded[each.length] === digits.at(-(sum % digits.length));
  };
  return weights.every(isRight) && !except?.test(number);
}
