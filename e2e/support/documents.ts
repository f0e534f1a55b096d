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

/** The names of the pages, from the files in docs/. */
export const slugs = readdirSync('docs')
  .filter((file) => file.endsWith('.md') && file !== 'README.md')
  .map((file) => file.replace(/\.md$/, ''));

/** A page as readers receive it, with examples and values filled in. */
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
