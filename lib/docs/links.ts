// Links between pages. In the files they are relative paths, `../reference/errors.md#error-204005`, which work in the
// repository and among the Markdown files of a deployment.

/** `reference/errors` for `../reference/errors.md` on the page `guide/callbacks`; null for any other link. */
export function pageLink(href: string, from: string): { slug: string; anchor: string } | null {
  const [, path, anchor = ''] = /^(?![a-z]+:|\/|#)([\w./-]+)\.md(#.*)?$/i.exec(href) ?? [];
  if (path === undefined) return null;
  const { pathname } = new URL(path, `http://docs.invalid/${from}`);
  return { slug: pathname.slice(1), anchor };
}

/** The path of one page's file as seen from another's: `../reference/errors.md`. */
export function fileLink(to: string, from: string): string {
  const folders = from.split('/').slice(0, -1);
  const parts = to.split('/');
  const common = folders.findIndex((folder, at) => folder !== parts[at]);
  const shared = common === -1 ? folders.length : common;
  return `${'../'.repeat(folders.length - shared)}${parts.slice(shared).join('/')}.md`;
}
