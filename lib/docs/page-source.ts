// Reads the source of a page: a template in docs/templates if the page has examples, tables or values of the
// deployment, otherwise the file in docs/.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the template of a page, or its text; null if neither exists. */
export function sourceOf(slug: string): { text: string; isTemplate: boolean } | null {
  const folder = ['docs/templates', 'docs'].find((each) => existsSync(pathOf(`${each}/${slug}.md`)));
  return folder === undefined
    ? null
    : { text: fileText(`${folder}/${slug}.md`), isTemplate: folder === 'docs/templates' };
}

const pathOf = (path: string) => join(/* turbopackIgnore: true */ process.cwd(), path);

/** Reads a file of the repository by its path from the root. */
export const fileText = (path: string) => readFileSync(pathOf(path), 'utf8');

let version: string | undefined;

/** The version in package.json: `0.2.0`. */
export function florinVersion(): string {
  version ??= String(JSON.parse(fileText('package.json')).version);
  return version;
}
