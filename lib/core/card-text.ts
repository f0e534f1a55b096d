/**
 * Card numbers in texts for people. Payers and shops write them where they do not belong; there they are masked before
 * they are stored or sent on (PCI DSS 3.5.1).
 */
import { brands } from './cards.ts';

/** What may stand between the groups of a number as people type it: at most three of them, as in `4111 - 1111`. */
const typed = '[\\s._/\\-\\u200b\\u2010-\\u2015\\u2212\\uff0d]{1,3}';
/** What may stand between the groups that are printed on a card: at most four signs, as in `4111|1111/1111, 1111`. */
const anySign = '(?:(?!\\*)[\\s\\p{P}\\p{S}\\u200b]\\0*){1,4}';
/** What can contain numbers: no letter or asterisk is in one. */
const groups = /[0-9][^A-Za-z*]*/g;
const isTyped = new RegExp(`^[0-9]+(?:${typed}[0-9]+)*$`);
const isPrinted = new RegExp(
  `^[0-9]{4}${anySign}(?:(?:[0-9]{4}${anySign}){2}[0-9]{1,4}(?:${anySign}[0-9]{1,3})?|[0-9]{6}${anySign}[0-9]{4,5})$`,
  'u',
);
/** Enough digits for a card number, with anything else in between: one way to match, so that long texts take linear time. */
const mayContain = /[0-9](?:(?:[^0-9\0]\0*){0,8}[0-9]){12}/;
/** A sign as URLs, HTML and JSON write it: `%20`, `&nbsp;`, `\n`. */
const escapes = /%[0-9a-f]{2}|&(?:[a-z]{2,8}|#x?[0-9a-f]{1,6});|\\(?:u[0-9a-f]{4}|x[0-9a-f]{2}|[a-z])/gi;
/** Characters without an image: of formats, of control, halves of a pair, and what a decoder writes for bytes it cannot read. */
const invisible = '[\\p{Cf}\\p{Cs}\\ufffd\\0-\\x08\\x0e-\\x1f\\x7f-\\x9f]';
const special = new RegExp(`${invisible}|(?![0-9])\\p{Nd}`, 'u');
const specials = new RegExp(`${invisible}+|((?![0-9])\\p{Nd})`, 'gu');
const invisibles = new RegExp(`${invisible}+`, 'gu');

/** A text without invisible characters, among which secrets would not be recognised. */
export const withoutInvisible = (text: string) => text.replace(invisibles, '');

/**
 * A text with the middle digits of its card numbers replaced: `411111******1111`. A card number is made of complete groups
 * of digits, has the prefix and the length of a brand, and passes the check digit; a longer number is left alone. The
 * other digits of a masked text are ASCII, too.
 */
export function maskCardNumbers(text: string): string {
  const plain = withPlainDigits(text);
  const masked = mayContain.test(plain) ? plain.replace(groups, (run) => maskRun(run, run)) : plain;
  // The NULs keep the places of what follows; a text with plain digits has none.
  const bare = masked.replace(escapes, (escaped) => '\u00b7'.padEnd(escaped.length, '\0'));
  const all = bare !== masked && mayContain.test(bare) ? maskRun(bare, masked) : masked;
  return all === plain ? text : all;
}

/** The beginning of a long text, without a number at its end: of a card number that is cut, most digits would be there. */
export function beginningOf(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).replace(/[^\p{L}]{1,64}$/u, '');
}

/** A text with the decimal digits of all scripts as ASCII, and one U+200B for invisible characters in a row. */
export function withPlainDigits(text: string): string {
  if (!special.test(text)) return text;
  return text.replace(specials, (_, digit?: string) => (digit === undefined ? '\u200b' : plainDigit(digit)));
}

// Single digits only: a longer part would keep its whole text in memory.
const plainDigits = new Map<string, string>();

function plainDigit(digit: string): string {
  const plain = plainDigits.get(digit) ?? String(digitValue(digit));
  plainDigits.set(digit, plain);
  return plain;
}

// Unicode's decimal digits are runs of 0 to 9, some of them one after the other.
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) as number;
  let first = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return (code - first) % 10;
}

function maskRun(run: string, written: string): string {
  const digits = run.replace(/[^0-9]+/g, '');
  if (digits.length < numberLeast) return written;
  // A run can have a hundred thousand groups: where each begins and ends in it, and where it begins in its digits.
  const groups = groupsOf(run);
  const passes = checkDigits(digits);
  let masked = '';
  let from = 0;
  for (let first = 0; first < groups.length; first += 1) {
    const { at, start } = groups[first] as Group;
    const ranges = rangesByStart[Number(digits.slice(at, at + 2))];
    if (ranges?.length === 0) continue;
    for (let last = first; last < groups.length; last += 1) {
      const { at: before, start: begin, end } = groups[last] as Group;
      const length = before + end - begin - at;
      if (length > numberMost) break;
      if (length < numberLeast || !passes(at, at + length)) continue;
      const number = digits.slice(at, at + length);
      if (!ranges?.some((range) => isInRange(number, range))) continue;
      const found = run.slice(start, end);
      if (!isTyped.test(found) && !isPrinted.test(found)) continue;
      masked += `${written.slice(from, start)}${number.slice(0, 6)}${'*'.repeat(length - 10)}${number.slice(-4)}`;
      from = end;
      first = last;
      break;
    }
  }
  return masked + written.slice(from);
}

/**
 * Whether a part of a row of digits passes the check digit rule, in constant time for each part: the sums of a part are
 * differences of the sums of all digits before, in which every second digit is doubled.
 */
export function checkDigits(digits: string): (start: number, end: number) => boolean {
  const sums = [new Uint32Array(digits.length + 1), new Uint32Array(digits.length + 1)] as const;
  for (let place = 0; place < digits.length; place += 1) {
    const digit = digits.charCodeAt(place) - 48;
    const doubled = digit > 4 ? digit * 2 - 9 : digit * 2;
    for (const parity of [0, 1] as const)
      sums[parity][place + 1] = (sums[parity][place] ?? 0) + (place % 2 === parity ? doubled : digit);
  }
  return (start, end) => {
    // The last digit is not doubled.
    const all = sums[end % 2 === 0 ? 0 : 1];
    return ((all[end] ?? 0) - (all[start] ?? 0)) % 10 === 0;
  };
}

type Group = { start: number; end: number; at: number };

function groupsOf(run: string): Group[] {
  const groups: Group[] = [];
  let at = 0;
  for (let place = 0; place < run.length; place += 1) {
    if (!isDigit(run.charCodeAt(place))) continue;
    const start = place;
    while (place < run.length && isDigit(run.charCodeAt(place))) place += 1;
    groups.push({ start, end: place, at });
    at += place - start;
  }
  return groups;
}

const isDigit = (code: number) => code >= 0x30 && code <= 0x39;

const numberLeast = 13;
const numberMost = 19;
type Range = { low: string; high: string; lengths: number[] };
const allRanges = brands.flatMap(({ ranges, lengths }) => ranges.map(([low, high]): Range => ({ low, high, lengths })));

/** The ranges of numbers that can begin with two digits. */
const rangesByStart = Array.from({ length: 100 }, (_, place) => {
  const two = String(place).padStart(2, '0');
  return allRanges.filter(({ low, high }) => two >= low.slice(0, 2) && two.slice(0, low.length) <= high.slice(0, 2));
});

function isInRange(number: string, { low, high, lengths }: Range): boolean {
  const head = number.slice(0, low.length);
  return lengths.includes(number.length) && head >= low && head <= high;
}

/**
 * Whether a member is named as a card's security code: `cvv`, `card_cvc2`, `securityCode`. The result of its check
 * (`cvv_result`) is not.
 */
export function isSecurityCodeName(name: string): boolean {
  const letters = name.toLowerCase().replace(/[^a-z]/g, '');
  return /(?:cvv|cvc|cvn|cvd|csc|(?:security|verification)(?:code|value)|cardcode)(?:code|value|number)?$|^(?:card)?(?:cid|cav|cve|cvp)$/.test(
    letters,
  );
}
