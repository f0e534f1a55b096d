// The canaries of the card scan: random card numbers and security codes that occur nowhere else.
import { randomInt } from 'node:crypto';

/**
 * `numbers`: card numbers, digits only. `words`: texts sent as security codes, too unusual to occur by chance. `codes`:
 * security codes of 3 and 4 digits, which do occur by chance; `sent` counts how often each was sent.
 */
export type Canaries = { numbers: string[]; words: string[]; codes: string[]; sent: Map<string, number> };

/** Shapes of live numbers: correct length and check digit, no sandbox card. The sandbox declines them. */
export const liveShapes = [
  '4###############',
  '5###############',
  '34#############',
  '62#################',
  '6759############',
];

/** A card number of this shape: `#` is a random digit, the last one the check digit. */
export function drawNumber(shape: string): string {
  const body = shape.slice(0, -1).replaceAll('#', () => String(randomInt(10)));
  const last = [...Array(10).keys()].find((digit) => passesLuhn(body + digit));
  return `${body}${last}`;
}

/** A card number with a wrong check digit. */
export function drawWrongNumber(shape: string): string {
  const right = drawNumber(shape);
  return right.slice(0, -1) + ((Number(right.at(-1)) + 1 + randomInt(8)) % 10);
}

function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const value = place % 2 === 1 ? Number(digit) * 2 : Number(digit);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** Security codes that are no year, round number or example, and no part of the texts in `visible`. */
export function drawCodes(digits: 3 | 4, count: number, visible: string[] = []): string[] {
  const drawn = new Set<string>();
  while (drawn.size < count) {
    const code = String(randomInt(10 ** (digits - 1), 10 ** digits));
    const ordinary = /^(19|20|123)|00$|50$|(.)\2/.test(code) || visible.some((text) => text.includes(code));
    if (!ordinary) drawn.add(code);
  }
  return [...drawn];
}

/** Twelve letters that occur in no other text. Without a `c` they contain no name of a code, such as `cvc`. */
export function drawWord(): string {
  const letters = 'bdfghjkmnpqrstvwxz';
  return Array.from({ length: 12 }, () => letters[randomInt(letters.length)]).join('');
}
