/**
 * Instructions for a payer whose card numbers are masked. A provider can present the card number of a recipient
 * (`card_number` of payment data), or write one in a text, a link or the text of a code.
 */
import { isDeepStrictEqual } from 'node:util';
import { maskCardNumbers, withPlainDigits } from './card-text.ts';
import type { DetailRow, Presentation, StoredPresentation } from './presentation.ts';

/** The members that a provider writes freely; the other ones cannot be card numbers. */
const freeTexts = ['url', 'payload', 'sentTo', 'barcode', 'memo'];

/**
 * A presentation with its card numbers as in `411111******1111` and the mark `masked`; the same object if it has none, or
 * is masked already. Of a row that is named `card_number` the digits decide alone: the brands of all countries are not known.
 */
export function maskPresentation(present: StoredPresentation): StoredPresentation {
  const members = Object.entries(present).map(([name, value]): [string, unknown] =>
    freeTexts.includes(name) && typeof value === 'string' ? [name, maskCardNumbers(value)] : [name, value],
  );
  const rows = present.kind === 'details' ? { rows: present.rows.map(maskRow) } : {};
  const masked = { ...Object.fromEntries(members), ...rows } as Presentation;
  return isDeepStrictEqual(masked, present) ? present : { ...masked, masked: true };
}

function maskRow({ name, value }: DetailRow): DetailRow {
  const digits = name === 'card_number' ? withPlainDigits(value).replace(/[^0-9]+/g, '') : '';
  const masked = digits.length > shownDigits ? maskedNumber(digits) : maskCardNumbers(value);
  return { name: maskCardNumbers(name), value: masked };
}

/** First six and last four digits are the most that is shown of a card number. */
const shownDigits = 10;

/** A card number of at least eleven digits, without separators, as {@link maskPresentation} masks it. */
export const maskedNumber = (digits: string) =>
  `${digits.slice(0, 6)}${'*'.repeat(digits.length - shownDigits)}${digits.slice(-4)}`;
