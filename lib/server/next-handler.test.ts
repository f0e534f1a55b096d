// Next serves a route of a protocol only if a route.ts file hands it to the table. These tests find routes without a file
// and files without routes.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { apmRoutes, cardRoutes, checkoutRoutes } from '../protocols/index.ts';

// A protocol's own host omits the prefix; those paths exist at the server only.
const paths = new Set([...checkoutRoutes, ...cardRoutes, ...apmRoutes].map(({ path }) => path));
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
