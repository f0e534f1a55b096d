// The index of the search: every section of every page, as plain text.
import { headingIds } from '../../components/docs/heading';
import { docPages } from '../../components/docs/pages';
import { readPage } from './page';

type Entry = { href: string; page: string; section: string; text: string };

let index: Promise<Entry[]> | undefined;

/** Made once in a process: it holds what everybody may see. */
export function searchIndex(): Promise<Entry[]> {
  index ??= Promise.all(docPages.map(({ slug, title }) => sectionsOf(slug, title))).then((pages) => pages.flat());
  return index;
}

const headingLine = /^#{2,6} (.+)$/;

async function sectionsOf(slug: string, page: string): Promise<Entry[]> {
  const text = (await readPage(slug))?.text ?? '';
  const entries: Entry[] = [{ href: `/docs/${slug}`, page, section: '', text: '' }];
  // What stands in blocks of code is the same on many pages.
  const lines = text.replace(/^```.*?^```$/gms, '').split('\n');
  const ids = headingIds(lines.flatMap((line) => /^#{1,6} (.+)$/.exec(line)?.[1] ?? [])).slice(1);
  for (const line of lines) {
    const [, heading] = headingLine.exec(line) ?? [];
    if (heading !== undefined) {
      entries.push({ href: `/docs/${slug}#${ids.shift()}`, page, section: plain(heading), text: '' });
    } else if (!line.startsWith('# ')) {
      const last = entries.at(-1) as Entry;
      last.text = `${last.text} ${plain(line)}`.trim();
    }
  }
  return entries;
}

/** Without the signs of Markdown. */
function plain(line: string): string {
  return line
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*|]|<[^>]*>|^[-\s]+$|-{3,}/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
