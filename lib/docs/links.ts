// Converts links between pages. Files contain relative paths (`../reference/errors.md#error-204005`), which work in the
// repository and in the Markdown that a deployment serves.

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
