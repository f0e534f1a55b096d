// Reads single variables of the environment.
import { readFileSync } from 'node:fs';

export type Source = Record<string, string | undefined>;

/** Reads variables: an absent one has the fallback, an invalid one is a problem with what is `expected`. */
export function readerOf(source: Source, problems: string[]) {
  const take = <T>(name: string, fallback: T, expected: string, parse: (text: string) => T | undefined): T => {
    const text = source[name]?.trim();
    if (text === undefined || text === '') return fallback;
    const value = parse(text);
    if (value === undefined) problems.push(`${name} should be ${expected}.`);
    return value === undefined ? fallback : value;
  };
  return {
    take,
    optional: <T>(name: string, expected: string, parse: (text: string) => T | undefined) =>
      take<T | null>(name, null, expected, parse),
    matching: (name: string, expected: string, pattern: RegExp) =>
      take<string | null>(name, null, expected, (text) => (pattern.test(text) ? text : undefined)),
    whole: (name: string, fallback: number, least: number, most: number, what = 'a whole number') =>
      take(name, fallback, `${what} from ${least} to ${most}`, (text) => {
        const value = Number(text);
        return /^\d+$/.test(text) && value >= least && value <= most ? value : undefined;
      }),
    flag: (name: string, fallback: boolean) => take(name, fallback, '"on" or "off"', parseSwitch),
    /** One of two words; the first is the fallback. */
    either: <T extends string>(name: string, one: T, other: T) =>
      take<T>(name, one, `"${one}" or "${other}"`, (text) => [one, other].find((word) => word === text)),
    file: <T>(name: string, expected: string, parse: (text: string) => T) =>
      take<T | null>(name, null, `the path of a file with ${expected}`, (path) => parsedFile(path, parse)),
  };
}

export type Reader = ReturnType<typeof readerOf>;

/** What a file has; undefined if it cannot be read or parsed. */
export function parsedFile<T>(path: string, parse: (text: string) => T): T | undefined {
  try {
    return parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** `on` and `off`, and words for them; undefined for any other text. */
export function parseSwitch(text: string): boolean | undefined {
  if (/^(on|true|1|yes)$/i.test(text)) return true;
  return /^(off|false|0|no)$/i.test(text) ? false : undefined;
}
