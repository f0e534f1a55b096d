// The notation of the S2S field test tables: a form with one field changed, and its field errors.
import type { z } from 'zod';
import type { Form } from '../../http/body.ts';
import { fieldErrorsOf } from '../../http/body.ts';

/** Splits a table into rows and cells at `|`. */
export function rowsOf(table: string): string[][] {
  return table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
}

/**
 * Parses a cell: `-` for undefined, `""` for an empty text, `{}` for JSON, `x*31` for a text of that length, else the
 * text.
 */
export function readCell(cell: string): unknown {
  if (cell === '-') return undefined;
  if (/^["{[]/.test(cell)) return JSON.parse(cell);
  const repeated = /^(\S)\*(\d+)(\S*)$/u.exec(cell);
  return repeated ? repeated[1]?.repeat(Number(repeated[2])) + (repeated[3] ?? '') : cell;
}

/** Applies changes to a form and removes prototypes, as the decoder does; undefined removes a field. */
export function changed(base: object, changes: object): Form {
  const fields = Object.entries({ ...base, ...changes }).filter(([, value]) => value !== undefined);
  return withoutPrototype(Object.fromEntries(fields)) as Form;
}

function withoutPrototype(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const copy: { [name: string]: unknown } = Object.create(null);
  for (const [name, inner] of Object.entries(value)) copy[name] = withoutPrototype(inner);
  return copy;
}

const shortTexts: { [text: string]: string } = {
  'This value should not be blank.': 'blank',
  'This value should be greater than 0.': 'positive',
  'This value is not valid.': 'not valid',
  'This value is not a valid URL.': 'no URL',
  'The value you selected is not a valid choice.': 'no choice',
  'This is not a valid UUID.': 'no UUID',
};

/** `path: error` for every field error, or `ok`. */
export function verdictOf(schema: z.ZodType, body: unknown): string {
  const parsed = schema.safeParse(body);
  if (parsed.success) return 'ok';
  return fieldErrorsOf(parsed.error)
    .map(({ path, text }) => `${path}: ${shortTexts[text] ?? text}`)
    .join(', ');
}
