// Searches every byte of files for canaries. Digits are read as a stream, regardless of separators, so that spaced,
// dashed, grouped and UTF-16 formats match; other encodings are compared byte by byte. Codes of three or four digits
// occur by chance, so they are searched in named fields and counted everywhere.
import { closeSync, openSync, readSync } from 'node:fs';
import type { Canaries } from './canaries.ts';
import { type Form, numberForms, wordForms } from './forms.ts';

/** Groups of canaries, by name. */
export type Groups = { [group: string]: Canaries };

/**
 * A canary in a file. `what` is the masked number or the kind of canary, never the canary itself; `code` says which of the
 * group's codes.
 */
export type Finding = { group: string; file: string; offset: number; what: string; form: string; code?: number };

/** The maximum number of other bytes between two digits of one number. */
const gapBytes = 3;
const chunkBytes = 4 << 20;
// Longer than any encoding, so that none is cut in two.
const overlapBytes = 512;
const longest = 19;

export type Searcher = {
  /** Searches a whole file and returns the findings. */
  search(file: string): Finding[];
  /** How often each code of three or four digits occurs by itself in all files so far. */
  counts: Map<number, Uint32Array>;
  forms: number;
  bytes: number;
  files: number;
};

type Found = Omit<Finding, 'file'>;
type Pattern = Form & Pick<Found, 'group' | 'what'>;

/** Prepares the search for these canaries. */
export function prepareSearch(groups: Groups): Searcher {
  const all = Object.entries(groups);
  const patterns: Pattern[] = all.flatMap(([group, { numbers, words }]) => [
    ...numbers.flatMap((number) => numberForms(number).map((form) => ({ ...form, group, what: masked(number) }))),
    ...words.flatMap((word) => wordForms(word).map((form) => ({ ...form, group, what: 'a canary security code' }))),
  ]);
  const findPatterns = preparePatterns(patterns);
  const findDigits = prepareDigits(all.flatMap(([group, { numbers }]) => numbers.map((number) => ({ group, number }))));
  const codes = all.flatMap(([group, canaries]) => canaries.codes.map((code, at) => ({ group, code, at })));
  const counts = new Map([3, 4].map((length) => [length, new Uint32Array(10 ** length)]));
  const searcher: Searcher = {
    counts,
    forms: new Set(patterns.map(({ name }) => name)).size,
    bytes: 0,
    files: 0,
    search(file) {
      const findings: Finding[] = [];
      const chunk = Buffer.alloc(chunkBytes);
      const input = openSync(file, 'r');
      let carried = 0;
      let start = 0;
      for (;;) {
        const read = readSync(input, chunk, carried, chunkBytes - carried, null);
        const last = read === 0;
        const length = carried + read;
        const bytes = chunk.subarray(0, length);
        // A match that begins in the overlap is found in full with the next chunk.
        const end = last ? length : Math.max(0, length - overlapBytes);
        const found = [...findPatterns(bytes, end), ...findDigits(bytes, end), ...findNamedCodes(bytes, end, codes)];
        countCodes(bytes, end, counts);
        findings.push(...found.map((each) => ({ ...each, file, offset: start + each.offset })));
        searcher.bytes += read;
        if (last) break;
        chunk.copyWithin(0, end, length);
        carried = length - end;
        start += end;
      }
      closeSync(input);
      searcher.files += 1;
      return findings;
    },
  };
  return searcher;
}

/** A number as findings show it. */
export const masked = (number: string) => `${number.slice(0, 6)}…${number.slice(-4)}`;

// A bitmap of the first three bytes of all patterns rules out most positions at once.
function preparePatterns(patterns: Pattern[]) {
  const begins = new Uint8Array(1 << 24);
  const byBegin = new Map<number, Pattern[]>();
  for (const pattern of patterns) {
    const { bytes } = pattern;
    const begin = ((bytes[0] ?? 0) << 16) | ((bytes[1] ?? 0) << 8) | (bytes[2] ?? 0);
    begins[begin] = 1;
    byBegin.set(begin, [...(byBegin.get(begin) ?? []), pattern]);
  }
  return (bytes: Buffer, end: number): Found[] => {
    const found: Found[] = [];
    let begin = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
    for (let at = 0; at < end; at += 1) {
      begin = ((begin << 8) | (bytes[at + 2] ?? 0)) & 0xffffff;
      if (begins[begin] === 0) continue;
      for (const { bytes: wanted, group, what, name } of byBegin.get(begin) ?? []) {
        if (bytes.compare(wanted, 0, wanted.length, at, Math.min(bytes.length, at + wanted.length)) === 0) {
          found.push({ group, offset: at, what, form: name });
        }
      }
    }
    return found;
  };
}

// The last eight digits as a number; where they end a canary number, the others are compared too.
function prepareDigits(marked: { group: string; number: string }[]) {
  const byTail = new Map<number, { digits: string; group: string; what: string; form: string }[]>();
  for (const { group, number } of marked) {
    const what = masked(number);
    const reversed = [...number].reverse().join('');
    const ways = { digits: number, 'digits backwards': reversed };
    for (const [form, digits] of Object.entries(ways)) {
      const tail = Number(digits.slice(-8));
      byTail.set(tail, [...(byTail.get(tail) ?? []), { digits, group, what, form }]);
    }
  }
  return (bytes: Buffer, end: number): Found[] => {
    const found: Found[] = [];
    let run = '';
    let tail = 0;
    let gap = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      const digit = (bytes[at] as number) - 48;
      if (digit < 0 || digit > 9) {
        gap += 1;
        if (gap > gapBytes) {
          if (at >= end) break;
          run = '';
          tail = 0;
        }
        continue;
      }
      gap = 0;
      tail = (tail * 10 + digit) % 100_000_000;
      run = run.length > 64 ? run.slice(-longest) + digit : run + digit;
      const ending = byTail.get(tail);
      if (!ending) continue;
      for (const { digits, ...named } of ending) if (run.endsWith(digits)) found.push({ offset: at, ...named });
    }
    return found;
  };
}

const codeOf = (code: string) => `a security code of ${code.length} digits`;

/**
 * Whether a finding can be chance: digits after a name, out of random Base64, a port, or the end of a masked number beside
 * an identifier. `all` are the findings: three different codes of the same length in one file are no chance.
 */
export function canBeChance(finding: Finding, all: Finding[]): boolean {
  if (finding.form !== 'by name') return false;
  const beside = all.filter(
    ({ form, what, file }) => form === 'by name' && what === finding.what && file === finding.file,
  );
  return new Set(beside.map(({ code }) => code)).size < 3;
}

const codeNames = /cvv|cvc|csc|security.?code|card.?code|verification/gi;

// Anywhere in the 64 bytes after a field name, because jsonb stores texts without separators; but not in the next line
// of a log, whose time has three digits by chance.
function findNamedCodes(bytes: Buffer, end: number, codes: { group: string; code: string; at: number }[]): Found[] {
  const found: Found[] = [];
  const text = bytes.toString('latin1');
  for (const { index, 0: name } of text.matchAll(codeNames)) {
    if (index >= end) break;
    const [behind = ''] = text.slice(index + name.length, index + name.length + 64).split('\n{');
    for (const { group, code, at } of codes) {
      if (behind.includes(code)) found.push({ group, offset: index, what: codeOf(code), form: 'by name', code: at });
    }
  }
  return found;
}

function countCodes(bytes: Buffer, end: number, counts: Map<number, Uint32Array>): void {
  let value = 0;
  let length = 0;
  let before = 0;
  for (let at = 0; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (byte >= 48 && byte <= 57) {
      if (length === 0) before = at === 0 ? 0 : (bytes[at - 1] as number);
      value = length < 5 ? value * 10 + byte - 48 : value;
      length += 1;
      continue;
    }
    if ((length === 3 || length === 4) && !isWordByte(before) && !isWordByte(byte)) {
      const table = counts.get(length) as Uint32Array;
      table[value] = (table[value] ?? 0) + 1;
    }
    value = 0;
    length = 0;
  }
}

// Times, identifiers and fractions contain digits; a stored code has other bytes around it.
function isWordByte(byte: number): boolean {
  return (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122) || byte === 46 || byte === 58 || byte === 45;
}
