/** The notation of the catalogue: methods as lines of a table under headings, and the tables inside a row. */
import type { QrScheme } from '../../core/presentation.ts';
import { experiences, type Method, type MethodKind, type RequiredPayerField } from '../method.ts';

/** A line of a parameter. lib/methods/method.ts explains R, C, A and O at `parameters`. */
export type ParameterLine = { name: string; format: string; need: string; where: string };

/** A setting of the MID; secret ones are encrypted and never shown again. `format` is one of formats.ts. */
export type CredentialLine = { name: string; secret: boolean; required: boolean; about: string; format: string };

/** The lines of `parameters`, `payout` or `fields` of a row. */
export function parameterLines(table: string | undefined): ParameterLine[] {
  return linesOf(table, ['name', 'format', 'need', 'where']);
}

/** The lines of `credentials` of a row. */
export function credentialLines(table: string | undefined): CredentialLine[] {
  return cellsOf(table).map(([name = '', kind, need, about = '', format = 'text 1024']) => ({
    name,
    secret: kind === 'secret',
    required: need === 'R',
    about,
    format,
  }));
}

/** The lines of a table as objects with these columns. */
export function linesOf<Column extends string>(table: string | undefined, columns: readonly Column[]) {
  return cellsOf(table).map((cells) => {
    return Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? ''])) as Record<Column, string>;
  });
}

/** The cells of a table's lines, separated by bars; blank lines are left out. */
export function cellsOf(table = ''): string[][] {
  return table
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.split('|').map((cell) => cell.trim()));
}

const charges = { operations: ['purchase', 'debit'], actions: ['SALE', 'DEBIT2VIRTUAL'] } as const;
const payout = { operations: ['credit'], actions: ['CREDIT2VIRTUAL'], experience: 'none' } as const;

/**
 * The methods of a table, one line each: `id | name | kind | currencies and countries | required payer fields`. The
 * last two are optional. Currencies (three capitals) and countries (two) after an `=` are in the contract; all others
 * are inferred from the method's name. A heading above the lines names what they have in common: the payer's
 * experience or `payout`, a prefix of the identifiers (`ppro-`), `voucher`, the scheme of the QR code. By default a
 * method supports purchases and debits.
 */
export function group(common: Partial<Method>, table: string): Method[] {
  let heading = headingOf('');
  return cellsOf(table).flatMap(([id = '', name = '', kind = '', places = '', asks = '']) => {
    if (id.endsWith(':')) {
      heading = headingOf(id.slice(0, -1));
      return [];
    }
    const { prefix, ...shared } = heading;
    const row = { ...charges, ...common, ...shared, id: prefix + id, name, kind: kind as MethodKind };
    const { experience } = row;
    if (name === '' || kind === '' || !experience) throw new Error(`no method: ${id} | ${name}`);
    const asked = asks === '' ? {} : { asks: asks.split(' ') as RequiredPayerField[] };
    return [{ ...row, experience, ...placesOf(places), ...asked }];
  });
}

function headingOf(text: string): Partial<Method> & { prefix: string } {
  let prefix = '';
  const properties = text.split(' ').map((word): Partial<Method> => {
    if (word.endsWith('-')) prefix = word;
    if (word === '' || word === prefix) return {};
    if (word === 'payout') return payout;
    if (word === 'voucher') return { voucher: true };
    const experience = experiences.find((each) => each === word);
    return experience ? { experience } : { qr: word as QrScheme };
  });
  return Object.assign({ prefix }, ...properties);
}

function placesOf(cell: string): Partial<Method> {
  if (cell === '') return {};
  const words = cell.split(' ');
  const named = words.map((word) => word.replace('=', ''));
  const currencies = named.filter((word) => word.length === 3);
  const countries = named.filter((word) => word.length === 2);
  return {
    ...(currencies.length > 0 ? { currencies } : {}),
    ...(countries.length > 0 ? { countries } : {}),
    ...(words.every((word) => word.startsWith('=')) ? {} : { inferred: true }),
  };
}
