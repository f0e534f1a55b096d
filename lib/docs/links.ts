// The ids of headings, and links between pages. Files contain relative paths (`../reference/errors.md#error-204005`),
// which work in the repository and in the Markdown that a deployment serves; ids are those of Git hosts.
import GithubSlugger, { slug } from 'github-slugger';

/** `reference/errors` for `../reference/errors.md` on the page `guide/callbacks`; null for any other link. */
export function pageLink(href: string, from: string): { slug: string; anchor: string } | null {
  const [, path, anchor = ''] = /^(?![a-z]+:|\/|#)([\w./-]+)\.md(#.*)?$/i.exec(href) ?? [];
  if (path === undefined) return null;
  const { pathname } = new URL(path, `http://docs.invalid/${from}`);
  return { slug: pathname.slice(1), anchor };
}

/** The relative path from one page's file to another's: `../reference/errors.md`. */
export function fileLink(to: string, from: string): string {
  const folders = from.split('/').slice(0, -1);
  const parts = to.split('/');
  const common = folders.findIndex((folder, at) => folder !== parts[at]);
  const shared = common === -1 ? folders.length : common;
  return `${'../'.repeat(folders.length - shared)}${parts.slice(shared).join('/')}.md`;
}

/** Removes the Markdown markup of a heading. */
export function plainHeading(text: string): string {
  return text.replace(/`|\*\*/g, '');
}

/** The id of a heading within its page. */
export function headingId(text: string): string {
  return slug(plainHeading(text));
}

/** The ids of all headings of a page in order; ids of repeated headings are numbered. */
export function headingIds(texts: readonly string[]): string[] {
  const slugger = new GithubSlugger();
  return texts.map((text) => slugger.slug(plainHeading(text)));
}
