// Next answers an address of the table only where a route.ts hands it over. A row whose file was forgotten is found here,
// and so is a file whose rows are gone.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { routes } from './routes';

// A host that a protocol has to itself leaves out that protocol's prefix.
// A page of the documentation as Markdown is rewritten (next.config.mjs).
const paths = new Set(
  routes
    .flatMap(({ path }) => [path, path.replace(/^\/s2s\/(card|apm)/, '')])
    .map((path) => path.replace(/^\/docs\/([\w/-]+\.md)$/, '/docs/text/$1')),
);
const app = join(import.meta.dirname, '..', '..', 'app');

/** The folders of Next's handlers as patterns of the table: groups left out, `[...path]` for the rest. */
const handlers = readdirSync(app, { recursive: true, encoding: 'utf8' })
  .filter((file) => /(^|\/)route\.ts$/.test(file.replaceAll('\\', '/')))
  .map((file) =>
    file
      .replaceAll('\\', '/')
      .replace(/\/?route\.ts$/, '')
      .split('/')
      .filter((segment) => !segment.startsWith('(')),
  );

function isHandledBy(path: string, handler: string[]): boolean {
  const segments = path.split('/').slice(1);
  const rest = handler.findIndex((segment) => segment.startsWith('[...'));
  const literal = rest === -1 ? handler : handler.slice(0, rest);
  const isLongEnough = rest === -1 ? segments.length === handler.length : segments.length > literal.length;
  return isLongEnough && literal.every((segment, place) => segments[place] === segment);
}

describe("Next's handlers", () => {
  it.each([...paths])('answer %s', (path) => {
    expect(handlers.filter((handler) => isHandledBy(path, handler))).toHaveLength(1);
  });

  it.each(handlers.map((handler) => handler.join('/')))('have rows for %s', (folder) => {
    expect([...paths].some((path) => isHandledBy(path, folder.split('/')))).toBe(true);
  });
});
