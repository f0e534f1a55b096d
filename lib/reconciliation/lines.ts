/** A line of a settlement report from its cells, or what is wrong with each of them. Pure. */
import { maskCardNumbers } from '../core/card-text.ts';
import { exponentOf } from '../core/currencies.ts';
import { isUuid } from '../core/ids.ts';
import { readAmount, readDay } from './amounts.ts';
import type { LineField, LineType, Mapping } from './mapping.ts';
import { transactionTypes, typesByWord } from './mapping.ts';

/**
 * Amounts in minor units. `gross` has the direction of the type, and is below zero only for a payout that the provider collects
 * from the bank; `fee` is what the provider kept besides; `net` is by how much the line increases what it owes.
 */
export type Line = {
  type: LineType;
  reference: string | null;
  providerReference: string | null;
  arn: string | null;
  rrn: string | null;
  batch: string | null;
  currency: string;
  grossMinor: bigint;
  /** Null: the report has no fees. */
  feeMinor: bigint | null;
  netMinor: bigint;
  /** `YYYY-MM-DD` in the provider's time zone. */
  day: string;
};

/** What is wrong with a line. `field` is the mapping's name, or `line`; `message` never quotes a whole cell. */
export type LineError = { line: number; field: LineField | 'line' | 'file'; message: string };

/** The cells of a line by the mapping's names; absent for fields without a column. */
export type Cells = Partial<Record<LineField, string>>;

type Problem = Omit<LineError, 'line'>;
export type ReadLine = { line: Line } | { errors: Problem[] };

/** Types whose amount increases what the provider pays out. */
const increases: ReadonlySet<LineType> = new Set(['sale', 'chargeback_won', 'fee_return']);
const earliest = '2000-01-01';

const patterns: Partial<Record<LineField, [RegExp, string]>> = {
  arn: [/^[0-9]{23}$/, 'An ARN has 23 digits.'],
  rrn: [/^[0-9A-Za-z]{1,12}$/, 'An RRN has up to 12 digits or letters.'],
};
const textMax = 255;

/** Returns a reader of lines by the mapping. `latest`: the last day that a line may have, `YYYY-MM-DD`. */
export function lineReader(mapping: Mapping, latest: string): (cells: Cells) => ReadLine {
  const words = typesByWord(mapping);
  return (cells) => {
    const errors: Problem[] = [];
    const bad = (field: Problem['field'], message: string) => {
      errors.push({ field, message });
      return null;
    };
    for (const [field, cell] of Object.entries(cells) as [LineField, string][]) checkText(field, cell, bad);
    if (errors.length > 0) return { errors };
    const type = words.get((cells.type ?? '').toLowerCase()) ?? bad('type', typeMessage(cells.type ?? ''));
    const currency = currencyOf(cells.currency ?? '') ?? bad('currency', 'There is no such currency.');
    const day = dayOf(cells.date ?? '', mapping, latest, bad);
    if (!['reference', 'providerReference', 'arn', 'rrn'].some((field) => cells[field as LineField]) && type !== null) {
      if (needsReference(type)) bad('reference', 'The line has no reference, provider reference, ARN or RRN.');
    }
    const amounts = type && currency ? readAmounts(cells, type, currency, mapping, bad) : null;
    if (errors.length > 0 || !type || !currency || !day || !amounts) return { errors };
    return { line: { currency, day, ...amounts, ...identifiersOf(cells) } };
  };
}

/** A number without information: terminals send zeros or nines if they do not have one. */
const isFiller = (text: string) => /^([0-9])\1{3,}$/.test(text);

/** An order number that reads like a card number is masked, and not found: no card number may be stored. */
function identifiersOf({ reference, providerReference, arn, rrn, batch }: Cells) {
  const masked = (text: string | undefined) => (!text || isUuid(text) ? text || null : maskCardNumbers(text));
  const known = (text: string | undefined) => (text && !isFiller(text) ? text : null);
  return {
    reference: masked(reference),
    providerReference: masked(known(providerReference) ?? undefined),
    batch: masked(batch),
    arn: known(arn),
    rrn: known(rrn),
  };
}

type Bad = (field: Problem['field'], message: string) => null;

const needsReference = (type: LineType) => transactionTypes.some((each) => each === type);

function checkText(field: LineField, cell: string, bad: Bad): void {
  if (cell.includes('\ufffd')) bad(field, 'The text is not in the encoding of the file.');
  else if (cell.includes('\0') || !cell.isWellFormed()) bad(field, 'The text has a character that cannot be stored.');
  else if (cell.length > textMax) bad(field, `The text has more than ${textMax} characters.`);
  else {
    const [pattern, message] = patterns[field] ?? [];
    if (pattern && message && cell !== '' && !pattern.test(cell)) bad(field, message);
  }
}

const typeMessage = (word: string) =>
  word === ''
    ? 'The line has no type.'
    : `The type “${maskCardNumbers(word).slice(0, 40)}” is not among the words of the mapping.`;

const currencyOf = (text: string) => (exponentOf(text.toUpperCase()) === null ? null : text.toUpperCase());

function dayOf(text: string, mapping: Mapping, latest: string, bad: Bad): string | null {
  const day = readDay(text, mapping);
  if (day === null) return bad('date', `The date is not a day in the format ${mapping.date}.`);
  return day < earliest || day > latest ? bad('date', 'The date is before 2000 or in the future.') : day;
}

type Amounts = Pick<Line, 'type' | 'grossMinor' | 'feeMinor' | 'netMinor'>;

function readAmounts(cells: Cells, named: LineType, currency: string, mapping: Mapping, bad: Bad): Amounts | null {
  const amountOf = (field: 'gross' | 'fee' | 'net') =>
    readAmount(cells[field] ?? '', currency, mapping.decimal) ??
    bad(field, `The amount is not one of ${currency} with “${mapping.decimal}” before its decimals.`);
  const gross = amountOf('gross');
  const fee = cells.fee ? amountOf('fee') : 0n;
  const net = cells.net ? amountOf('net') : undefined;
  if (gross === null || fee === null || net === null) return null;
  const effect = effectOf(named, gross, mapping, bad);
  if (effect === null) return null;
  const cost = mapping.feesNegative ? -fee : fee;
  const netMinor = effect - cost;
  if (net !== undefined && !isNet(net, netMinor, named, Boolean(cells.fee), mapping)) {
    return bad('net', 'The net amount is not the gross amount less the fee.');
  }
  const type = directed(named, netMinor);
  const grossMinor = type === 'payout' ? -effect : magnitude(effect);
  return { type, grossMinor, feeMinor: cells.fee ? cost : null, netMinor };
}

const magnitude = (minor: bigint) => (minor < 0n ? -minor : minor);

/** By how much the gross amount increases what the provider owes; null for a sign that the type cannot have. */
function effectOf(type: LineType, gross: bigint, { signed }: Mapping, bad: Bad): bigint | null {
  const expected = increases.has(type) ? magnitude(gross) : -magnitude(gross);
  if (signed) {
    if (gross === expected || !needsReference(type)) return gross;
    return bad(
      'gross',
      `With its sign, the amount of the type ${type} is not ${increases.has(type) ? 'below' : 'above'} zero.`,
    );
  }
  if (gross < 0n && (type === 'sale' || !needsReference(type))) {
    return bad('gross', `Without signs, the amount of the type ${type} is not below zero.`);
  }
  return expected;
}

/** A fee line is a fee or a returned one by its net amount. */
function directed(type: LineType, netMinor: bigint): LineType {
  if ((type !== 'fee' && type !== 'fee_return') || netMinor === 0n) return type;
  return netMinor < 0n ? 'fee' : 'fee_return';
}

/** Whether a report's net amount agrees. Without signs, providers write those of fees and payouts with either sign. */
function isNet(net: bigint, computed: bigint, type: LineType, hasFee: boolean, { signed }: Mapping): boolean {
  if (net === computed) return true;
  return !needsReference(type) && (!hasFee || (!signed && net === -computed));
}
