// Next serves a route of the table only if a route.ts file mounts it. These tests find routes without a file and files
// without routes.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { routes } from './routes';

// A protocol's own host omits the protocol's prefix. Markdown pages of the documentation are rewritten
// (next.config.mjs).
const paths = new Set(
  routes
    .flatMap(({ path }) => [path, path.replace(/^\/s2s\/(card|apm)/, '')])
    .map((path) => path.replace(/^\/docs\/([\w/-]+\.md)$/, '/docs/text/$1')),
);
const app = join(import.meta.dirname, '..', '..', 'app');

/** The folders of Next's handlers as route patterns, without groups and with `[...path]` for the rest. */
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
  it.each([...paths])('exist for %s', (path) => {
    expect(handlers.filter((handler) => isHandledBy(path, handler))).toHaveLength(1);
  });

  it.each(handlers.map((handler) => handler.join('/')))('have routes for %s', (folder) => {
    expect([...paths].some((path) => isHandledBy(path, folder.split('/')))).toBe(true);
  });
});
