/** The barcode and the digitable line of a boleto, the slip with which Brazilians pay at banks and shops (FEBRABAN). */
import { digitsOf } from './bank-details.ts';

/** A number that no bank has, with the digit of the Brazilian currency. */
const bank = '0009';
/** A slip without a due date has no factor, and one whose amount has too many digits is paid by its other data. */
const noFactor = '0000';
const amountMost = 10n ** 10n;

/** A boleto of an amount in centavos: 44 digits, and the 47 digits that a payer can type. */
export function boletoOf(minor: bigint, seed: string): { barcode: string; line: string } {
  const amount = (minor < amountMost ? minor : 0n).toString().padStart(10, '0');
  const free = digitsOf(`boleto ${seed}`, 25);
  const barcode = withCheckDigit(bank, `${noFactor}${amount}${free}`);
  return { barcode, line: digitableLine(barcode) };
}

// The check digit is in the fifth place; a remainder without a digit of its own counts as 1.
function withCheckDigit(before: string, after: string): string {
  const digits = [...before, ...after].reverse();
  const sum = digits.reduce((total, digit, place) => total + Number(digit) * (2 + (place % 8)), 0);
  const check = 11 - (sum % 11);
  return `${before}${check > 9 ? 1 : check}${after}`;
}

/** The digitable line of a barcode: the free field in three parts with a check digit each, then the other digits. */
export function digitableLine(barcode: string): string {
  const free = barcode.slice(19);
  const parts = [`${barcode.slice(0, 4)}${free.slice(0, 5)}`, free.slice(5, 15), free.slice(15)];
  const dotted = parts.map((part) => `${part}${checkDigit(part)}`.replace(/^.{5}/, '$&.'));
  return [...dotted, barcode[4], barcode.slice(5, 19)].join(' ');
}

/** The check digit of a part, with the weights 2 and 1 from the right. */
function checkDigit(part: string): number {
  const products = [...part].reverse().map((digit, place) => Number(digit) * (place % 2 === 0 ? 2 : 1));
  const sum = products.reduce((total, product) => total + (product > 9 ? product - 9 : product), 0);
  return (10 - (sum % 10)) % 10;
}
