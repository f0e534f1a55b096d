/**
 * Instructions for a payer whose card numbers are masked. A provider can present the card number of a recipient: a row of
 * payment data, usually `card_number`. Links and codes are passed on as they are: a masked one does not work.
 */
import { isDeepStrictEqual } from 'node:util';
import { maskCardNumbers, withPlainDigits } from './card-text.ts';
import type { DetailRow, StoredPresentation } from './presentation.ts';

/**
 * A presentation with its card numbers as in `411111******1111` and the mark `masked`; the same object if it has none, or
 * is masked already. Of a row that is named `card_number` the digits decide alone: the brands of all countries are not known.
 */
export function maskPresentation(present: StoredPresentation): StoredPresentation {
  if (present.kind !== 'details') return present;
  const rows = present.rows.map(maskRow);
  return isDeepStrictEqual(rows, present.rows) ? present : { ...present, rows, masked: true };
}

/** Rows with numbers of accounts and orders, which can have the form of a card number by chance. */
const noCards = /iban|clabe|bban|account|reference|order|invoice|phone/i;

function maskRow({ name, value }: DetailRow): DetailRow {
  const digits = name === 'card_number' ? withPlainDigits(value).replace(/[^0-9]+/g, '') : '';
  if (digits.length > shownDigits) return { name, value: maskedNumber(digits) };
  return noCards.test(name) && !/card/i.test(name) ? { name, value } : { name, value: maskCardNumbers(value) };
}

/** First six and last four digits are the most that is shown of a card number. */
const shownDigits = 10;

/** A card number of at least eleven digits, without separators, as {@link maskPresentation} masks it. */
export const maskedNumber = (digits: string) =>
  `${digits.slice(0, 6)}${'*'.repeat(digits.length - shownDigits)}${digits.slice(-4)}`;
