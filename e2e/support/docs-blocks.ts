// The documentation in Markdown: the pages of the server under test and the README, and every code block in them with
// the attributes of its fence.
import { readdirSync, readFileSync } from 'node:fs';

export type Block = {
  page: string;
  /** Counted from 1 within the page. */
  place: number;
  language: string;
  /** The attributes of the fence: `says=SETTLED` as `{ says: 'SETTLED' }`, a single word as `{ word: '' }`. */
  rules: { [name: string]: string };
  text: string;
};

/** Generated from the OpenAPI documents, whose examples have tests of their own. */
const references = ['reference/checkout', 'reference/s2s-card', 'reference/s2s-apm'];

/** The slugs of the pages: the files in the folders of docs/. */
export const slugs = readdirSync('docs', { recursive: true, encoding: 'utf8' })
  .filter((file) => /^(guide|dashboard|operations|providers|reference|contributing)\/[\w-]+\.md$/.test(file))
  .map((file) => file.replace(/\.md$/, ''))
  .filter((slug) => !references.includes(slug));

/** A page as it is served, with its examples and values. */
export async function pageText(florin: string, slug: string): Promise<string> {
  if (slug === 'README') return readFileSync('README.md', 'utf8').replaceAll('http://localhost:3000', florin);
  const answer = await fetch(`${florin}/docs/${slug}.md`);
  if (answer.status !== 200) throw new Error(`/docs/${slug}.md: ${answer.status}`);
  return answer.text();
}

const fence = /^```([^\n]*)\n(.*?)^```$/gms;

/** Every fenced block of a page. */
export async function blocksOf(florin: string, page: string): Promise<Block[]> {
  const text = await pageText(florin, page);
  return [...text.matchAll(fence)].map(([, info = '', code = ''], at) => {
    const [language = '', ...words] = info.trim().split(' ');
    const rules = Object.fromEntries(
      words.map((word): [string, string] => {
        const end = word.indexOf('=');
        return end === -1 ? [word, ''] : [word.slice(0, end), word.slice(end + 1)];
      }),
    );
    return { page, place: at + 1, language, rules, text: code };
  });
}

/** The blocks that readers save as a file (`file=FlorinClient.php`), by name. */
export function filesIn(blocks: readonly Block[]): Record<string, string> {
  return Object.fromEntries(blocks.flatMap(({ rules: { file }, text }) => (file === undefined ? [] : [[file, text]])));
}
