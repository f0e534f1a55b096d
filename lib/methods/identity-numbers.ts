/**
 * Numbers of persons, companies and bank accounts with check digits: typing errors are reported at once instead of by a
 * provider's decline. Every function takes the bare number in upper case.
 */

const weighted = (digits: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, place) => sum + weight * (digits.charCodeAt(place) - 48), 0);

/** Brazil: two check digits after the first ones; the second also covers the first, with the weight `more`. */
function hasCheckDigits(text: string, weights: readonly number[], more: number): boolean {
  const check = (all: readonly number[]) => {
    const rest = weighted(text, all) % 11;
    return String(rest < 2 ? 0 : 11 - rest);
  };
  return !/^(.)\1*$/.test(text) && text.slice(weights.length) === check(weights) + check([more, ...weights]);
}

/** Brazil, persons: nine digits and two check digits. */
export function isCpf(text: string): boolean {
  return /^[0-9]{11}$/.test(text) && hasCheckDigits(text, [10, 9, 8, 7, 6, 5, 4, 3, 2], 11);
}

/** Brazil, companies: twelve characters (letters since 2026, with their ASCII values) and two check digits. */
export function isCnpj(text: string): boolean {
  return /^[0-9A-Z]{12}[0-9]{2}$/.test(text) && hasCheckDigits(text, [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2], 6);
}

/** Argentina, persons and companies (CUIL, CUIT): ten digits and one check digit. */
export function isCuil(text: string): boolean {
  if (!/^(20|2[3-7]|30|33|34)[0-9]{9}$/.test(text)) return false;
  const rest = (11 - (weighted(text, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
  return rest === Number(text[10]);
}

/** Chile (RUT): seven or eight digits and a check digit, or K. */
export function isRut(text: string): boolean {
  if (!/^[0-9]{7,8}[0-9K]$/.test(text)) return false;
  const body = [...text.slice(0, -1)].reverse();
  const sum = body.reduce((total, digit, place) => total + Number(digit) * (2 + (place % 6)), 0);
  const check = (11 - (sum % 11)) % 11;
  return (check === 10 ? 'K' : String(check)) === text.at(-1);
}

/** Turkey (T.C. kimlik no): nine digits and two check digits. */
export function isTckn(text: string): boolean {
  if (!/^[1-9][0-9]{10}$/.test(text)) return false;
  const digits = [...text].map(Number);
  const sum = (places: readonly number[]) => places.reduce((total, place) => total + (digits[place] ?? 0), 0);
  const tenth = (7 * sum([0, 2, 4, 6, 8]) - sum([1, 3, 5, 7]) + 100) % 10;
  return tenth === digits[9] && sum([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) % 10 === digits[10];
}

/** Mexico, persons (CURP): letters of the name, date of birth, sex, state, letters, and a check digit. */
export function isCurp(text: string): boolean {
  const shape =
    /^[A-Z][AEIOUX][A-Z]{2}[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])[HMX][A-Z]{2}[B-DF-HJ-NP-TV-ZÑ]{3}[0-9A-Z][0-9]$/;
  if (!shape.test(text)) return false;
  const alphabet = '0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ';
  const sum = [...text.slice(0, 17)].reduce(
    (total, letter, place) => total + alphabet.indexOf(letter) * (18 - place),
    0,
  );
  return (10 - (sum % 10)) % 10 === Number(text[17]);
}
