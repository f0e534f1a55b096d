// What a search of the documentation finds, and in which order.

/** A section of a page, as the index has it. */
export type Entry = { href: string; page: string; section: string; text: string };

export type Found = { href: string; title: string; excerpt: string };

const most = 12;

/** The sections that have every word, the best first: named so before mentioned so. */
export function look(entries: readonly Entry[], asked: string): Found[] {
  const words = asked.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const found = entries.flatMap((entry) => {
    const weight = weightOf(entry, words);
    return weight === null ? [] : [{ entry, weight }];
  });
  return found
    .sort((a, b) => b.weight - a.weight)
    .slice(0, most)
    .map(({ entry }) => foundOf(entry, words));
}

/** Null where a word is missing. */
function weightOf({ page, section, text }: Entry, words: readonly string[]): number | null {
  const [title, heading, body] = [page, section, text].map((each) => each.toLowerCase());
  let weight = section === '' ? 1 : 0;
  for (const word of words) {
    const places: [number, string | undefined][] = [
      // Of two headings that have the word, the one that says little else is meant.
      [heading === word ? 40 : 12 + (8 * word.length) / Math.max(1, heading?.length ?? 0), heading],
      [title === word && section === '' ? 60 : 8, title],
      [new RegExp(`(?<![\\w-])${escaped(word)}(?![\\w-])`).test(body ?? '') ? 3 : 1, body],
    ];
    const best = places.filter(([, place]) => place?.includes(word)).map(([points]) => points);
    if (best.length === 0) return null;
    weight += Math.max(...best);
  }
  return weight;
}

const escaped = (word: string) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const around = 60;

function foundOf({ href, page, section, text }: Entry, words: readonly string[]): Found {
  const at = Math.max(0, text.toLowerCase().indexOf(words[0] ?? ''));
  // From one word to another.
  const start = at > around ? text.indexOf(' ', at - around) + 1 : 0;
  const cut = text.indexOf(' ', at + around);
  const excerpt = `${start > 0 ? '…' : ''}${text.slice(start, cut === -1 ? undefined : cut)}${cut === -1 ? '' : '…'}`;
  return { href, title: section === '' ? page : `${page}: ${section}`, excerpt: text === '' ? '' : excerpt };
}
