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
  /** Numbers that fulfil the rule of the check digits and are not issued. */
  except?: RegExp;
};

/** The weights from a number down to 2. */
const down = (from: number) => Array.from({ length: from - 1 }, (_, place) => from - place);

const oneCharacter = /^(.)\1*$/;

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
  /** Argentina, persons and companies: ten digits and one check digit, never the eleventh. */
  cuil: {
    masks: ['00-00000000-0'],
    pattern: /^(20|2[3-7]|30|33|34)[0-9]{9}$/,
    weights: [[...down(5), ...down(7)]],
    digits: '0123456789-',
  },
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
};

const placesOf = (mask: string) => mask.replace(/[^0A]/g, '');

/** The documents of a format, `cpf-or-cnpj`. */
function documentsOf(format: string): [id: string, document: NationalDocument][] {
  return format.split('-or-').map((id) => {
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
};

/** The documents that a text parameter asks for, by the payer's country; no format is required of their numbers. */
const usualNames: { readonly [country: string]: readonly string[] } = {
  AR: ['DNI', 'CUIT'],
  BR: ['CPF', 'CNPJ'],
  CL: ['RUT'],
  CO: ['CC', 'NIT'],
  EC: ['CI', 'RUC'],
  IN: ['PAN'],
  MX: ['CURP', 'RFC'],
  PE: ['DNI', 'RUC'],
  TR: ['T.C. Kimlik No'],
  UY: ['CI', 'RUT'],
};

/** What people in a country (alpha-2) call the documents whose number is asked for; undefined where this is not known. */
export const usualDocumentNames = (country = ''): readonly string[] | undefined =>
  Object.hasOwn(usualNames, country) ? usualNames[country] : undefined;

/** The facts about the documents of a format that texts and fields tell. */
export function documentFacts(format: string) {
  const ids = documentsOf(format).map(([id]) => id);
  const masks = masksOf(format);
  return {
    ids,
    names: ids.map((id) => labels[id]?.name ?? id),
    examples: ids.map((id) => labels[id]?.example ?? ''),
    /** The numbers of characters without separators. */
    lengths: masks.map((mask) => placesOf(mask).length),
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
  const fitting = documentsOf(format).find(([, { masks }]) => masks.some(isWhole));
  if (!fitting) return error(isNumeric(format) ? 'digits' : 'characters');
  const [id, document] = fitting;
  if (!document.pattern.test(number)) return error('shape', id);
  return hasCheckDigits(number, document) ? null : error('checkDigits', id);
}

/** The characters of a number while it is typed: others are dropped, and so is what follows a complete number. */
export function documentNumber(format: string, text: string): string {
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

/** Shorter numbers have leading zeros for the check. */
function hasCheckDigits(number: string, { weights, digits, values, except }: NationalDocument): boolean {
  const worth = (character = '') => (values ? values.indexOf(character) : character.charCodeAt(0) - 48);
  const padded = number.padStart(weights[0] ? weights[0].length + weights.length : 0, '0');
  const isRight = (each: readonly number[]) => {
    const sum = each.reduce((total, weight, place) => total + weight * worth(padded[place]), 0);
    return padded[each.length] === digits.at(-(sum % digits.length));
  };
  return weights.every(isRight) && !except?.test(number);
}
