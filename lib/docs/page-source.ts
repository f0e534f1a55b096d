// Reads the source of a page: a template in docs/templates if the page has examples, tables or values of the
// deployment, otherwise the file in docs/.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns the template of a page, or its text; null if neither exists. */
export async function sourceOf(slug: string): Promise<{ text: string; isTemplate: boolean } | null> {
  const template = await textAt(join(process.cwd(), 'docs', 'templates', `${slug}.md`));
  if (template !== null) return { text: template, isTemplate: true };
  const text = await textAt(join(process.cwd(), 'docs', `${slug}.md`));
  return text === null ? null : { text, isTemplate: false };
}

async function textAt(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Reads a file of the repository by its path from the root. */
export const fileText = (path: string) => readFileSync(join(/* turbopackIgnore: true */ process.cwd(), path), 'utf8');

let version: string | undefined;

/** The version in package.json: `0.2.0`. */
export function florinVersion(): string {
  version ??= String(JSON.parse(fileText('package.json')).version);
  return version;
}
