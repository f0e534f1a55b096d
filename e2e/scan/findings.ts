// The findings as text. A code of three or four digits occurs by chance, so several of each length are sent: if codes
// are stored, all of a length occur about as often as they were sent.
import type { Canaries } from './canaries.ts';
import type { Finding } from './search.ts';

/** The codes of one length: how often each was sent and occurs; `usual` is how often most unsent ones occur. */
export type Counted = { digits: number; sent: number[]; counted: number[]; usual: number; leaked: boolean };

/** Fewer occurrences than this are not significant. */
const leastCount = 5;

/** Compares how often the codes were sent and counted. */
export function compareCodes(counts: Map<number, Uint32Array>, canaries: Canaries): Counted[] {
  return [3, 4].flatMap((digits) => {
    const codes = canaries.codes.filter(({ length }) => length === digits);
    if (codes.length === 0) return [];
    const table = counts.get(digits) ?? new Uint32Array(0);
    const ranked = table.slice(10 ** (digits - 1)).sort();
    const usual = ranked[Math.floor(ranked.length * 0.95)] ?? 0;
    const sent = codes.map((code) => canaries.sent.get(code) ?? 0);
    const counted = codes.map((code) => table[Number(code)] ?? 0);
    const leaked = counted.every((count, at) => count >= Math.max(leastCount, (sent[at] ?? 0) / 2));
    return [{ digits, sent, counted, usual, leaked }];
  });
}

/** One line per kind of finding and file, without the canaries themselves. */
export function describe(findings: Finding[]): string[] {
  const grouped = new Map<string, { count: number; offset: number }>();
  for (const { file, offset, what, form } of findings) {
    const key = `${what} as ${form} in ${file}`;
    const before = grouped.get(key);
    grouped.set(key, { count: (before?.count ?? 0) + 1, offset: before?.offset ?? offset });
  }
  return [...grouped].map(([key, { count, offset }]) => `${key}: ${count} times, first at byte ${offset}`);
}
