// Searches the documentation and ranks the results. It runs in the browser with the index of lib/docs/search.ts.

/** The terms of the documentation, each with the other words that readers type. */
const table: readonly (readonly [terms: readonly string[], words: string])[] = [
  [['callback'], 'webhook webhooks ipn notification postback'],
  [['frame'], 'iframe'],
  [['frame', 'hosted fields'], 'embed'],
  [['not valid'], 'mismatch invalid'],
  [['schedule', 'recurring'], 'subscription subscriptions'],
  [['recurring'], 'rebill'],
  [['authorisation'], 'authorization preauth preauthorization hold'],
  [['authorisation', 'capture'], 'pre-auth'],
  [['instalments'], 'installments installment'],
  [['custom_data'], 'metadata'],
  [['allowlist'], 'whitelist'],
  [['sha-256', 'digest'], 'sha256'],
  [['hosted checkout'], 'invoice'],
  [['lost response', 'retry'], 'timeout'],
  [['idempotency'], 'duplicate'],
  [['webhook-id'], 'dedupe'],
  [['void', 'end'], 'cancel'],
  [['deschedule'], 'unsubscribe'],
  [['payout'], 'withdrawal'],
  [['3-d secure'], 'sca 3ds 3ds2'],
  [['3-d'], '3d'],
  [['chargeback'], 'dispute disputes'],
  [['docker', 'container'], 'kubernetes'],
  [['docker'], 'container helm'],
  [['metrics'], 'prometheus grafana'],
  [['opentelemetry'], 'otel'],
  [['postgresql'], 'postgres'],
  [['tls'], 'https ssl'],
  [['content-security-policy'], 'csp'],
  [['languages'], 'localization translation i18n'],
  [['erasure'], 'gdpr'],
  [['data retention'], 'retention'],
  [['pci'], 'saq'],
  [['rate limits'], 'throttling'],
  [['sign-in', 'users'], 'login'],
  [['upgrade', 'migration'], 'migrate'],
  [['upgrade'], 'update'],
  [['roll back'], 'downgrade rollback'],
  [['environment variables'], 'env'],
  [['troubleshooting'], 'faq help'],
  [['client sdk'], 'sdk'],
  [['coin'], 'crypto bitcoin'],
];

const synonyms: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  table.flatMap(([terms, words]) => words.split(' ').map((word) => [word, terms])),
);

/** An index entry for a section of a page. `keys` are search words that its text does not contain. */
export type Entry = { href: string; page: string; section: string; text: string; keys?: string };

export type SearchResult = { href: string; title: string; excerpt: string };

const limit = 12;

/** Returns the matching sections, best first: titles weigh most, then headings, then text. */
export function searchEntries(entries: readonly Entry[], query: string): SearchResult[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const index = indexOf(entries);
  const terms = words.map((word) => termOf(word, index));
  const scored = index.sections.flatMap(({ entry, places }) => {
    const { weight, matched } = scoreOf(places, terms);
    return matched === 0 ? [] : [{ entry, weight, matched }];
  });
  // Without a section that has all words, those with the most words match.
  const most = Math.max(0, ...scored.map(({ matched }) => matched));
  if (most < Math.ceil(terms.length / 2)) return [];
  return scored
    .filter(({ matched }) => matched === most)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, limit)
    .map(({ entry }) => resultOf(entry, terms));
}

/** Lower-case words without surrounding punctuation (`#204005`), and without stop words unless there are no others. */
function wordsOf(query: string): string[] {
  const all = query
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(/^[#("'`]+|[?!,;:)"'`]+$/g, ''))
    .filter(Boolean);
  const significant = all.filter((word) => !stopWords.has(word));
  return significant.length > 0 ? significant : all;
}

const stopWords = new Set(['a', 'an', 'the', 'to', 'of', 'in', 'for', 'with', 'how', 'do', 'i', 'is', 'what', 'my']);

type Term = readonly string[];

function termOf(word: string, { sections, vocabulary }: Index): Term {
  const known = [word, ...(synonyms[word] ?? [])];
  const isKnown = sections.some(({ places: { title, heading, keys, body } }) =>
    [title, heading, keys, body].some((place) => place.includes(word)),
  );
  if (isKnown) return known;
  const near = nearest(word, vocabulary);
  return near === null ? known : [...known, near, ...(synonyms[near] ?? [])];
}

function scoreOf(places: Places, terms: readonly Term[]): { weight: number; matched: number } {
  let weight = places.heading === '' ? 1 : 0;
  let matched = 0;
  for (const term of terms) {
    // A synonym weighs less than the word itself.
    const best = Math.max(...term.map((word, at) => pointsOf(places, word) * (at === 0 ? 1 : 0.7)));
    if (best === 0) continue;
    matched += 1;
    weight += best;
  }
  return { weight, matched };
}

/** The texts in lower case, and the candidates for a misspelt word: words of titles, headings, keys and synonyms. */
type Index = { sections: { entry: Entry; places: Places }[]; vocabulary: ReadonlySet<string> };

const indexes = new WeakMap<readonly Entry[], Index>();

// Cached, because a search runs at each keystroke.
function indexOf(entries: readonly Entry[]): Index {
  const known = indexes.get(entries);
  if (known) return known;
  const sections = entries.map((entry) => ({
    entry,
    places: {
      title: entry.page.toLowerCase(),
      heading: entry.section.toLowerCase(),
      keys: ` ${(entry.keys ?? '').toLowerCase()} `,
      body: entry.text.toLowerCase(),
      // The identifier of a method ranks its page first.
      isIdentifier: entry.href.startsWith('/docs/methods/'),
    },
  }));
  const words = sections.flatMap(({ places: { title, heading, keys } }) =>
    `${title} ${heading} ${keys}`.split(/[^\p{L}\p{N}_]+/u),
  );
  const index = { sections, vocabulary: new Set([...Object.keys(synonyms), ...words]) };
  indexes.set(entries, index);
  return index;
}

type Places = { title: string; heading: string; keys: string; body: string; isIdentifier: boolean };

function pointsOf({ title, heading, keys, body, isIdentifier }: Places, word: string): number {
  const isPage = heading === '';
  const inTitle = title.includes(word);
  const points = [
    // Of two headings with the word, the shorter one weighs more.
    heading === word
      ? isIdentifier
        ? 65
        : 40
      : heading.includes(word)
        ? 14 + (8 * word.length) / Math.max(1, heading.length)
        : 0,
    !inTitle
      ? 0
      : !isPage
        ? 8
        : title === word
          ? 60
          : (isWhole(title, word) ? 42 : 30) + (2 * word.length) / title.length,
    keys.includes(` ${word} `) ? 45 : isPage && keys.includes(` ${word}`) ? 20 : 0,
    isWhole(body, word) ? 3 : body.includes(word) ? 1 : 0,
  ];
  return Math.max(...points);
}

/** Reports whether a text contains a whole word, without a letter, digit or hyphen next to it. */
function isWhole(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (!isPart(text[at - 1]) && !isPart(text[at + word.length])) return true;
  }
  return false;
}

const isPart = (sign: string | undefined) => sign !== undefined && /[\w-]/.test(sign);

/** The closest known word within one edit, or two for a long word; null if there is none. */
function nearest(word: string, vocabulary: ReadonlySet<string>): string | null {
  if (word.length < 4 || /\d/.test(word)) return null;
  const most = word.length >= 8 ? 2 : 1;
  let best: { word: string; edits: number } | null = null;
  for (const other of vocabulary) {
    if (other.length < 4 || Math.abs(other.length - word.length) > most) continue;
    const edits = editsBetween(word, other);
    if (edits <= most && (!best || edits < best.edits)) best = { word: other, edits };
  }
  return best?.word ?? null;
}

/** The Damerau-Levenshtein distance (optimal string alignment) of two words. */
function editsBetween(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, at) => at)];
  const cell = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= from.length; row += 1) {
    rows[row] = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const least = Math.min(
        cell(row - 1, column) + 1,
        cell(row, column - 1) + 1,
        cell(row - 1, column - 1) + (isSame ? 0 : 1),
        isSwapped ? cell(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
      rows[row]?.push(least);
    }
  }
  return cell(from.length, to.length);
}

const around = 60;

function resultOf({ href, page, section, text }: Entry, terms: readonly Term[]): SearchResult {
  const lower = text.toLowerCase();
  const places = terms.flat().map((word) => lower.indexOf(word));
  const at = Math.max(0, places.find((place) => place >= 0) ?? 0);
  // The excerpt does not cut words.
  const start = at > around ? text.indexOf(' ', at - around) + 1 : 0;
  const cut = text.indexOf(' ', at + around);
  const excerpt = `${start > 0 ? '…' : ''}${text.slice(start, cut === -1 ? undefined : cut)}${cut === -1 ? '' : '…'}`;
  return { href, title: section === '' ? page : `${page}: ${section}`, excerpt: text === '' ? '' : excerpt };
}
