// The quick half of `npm run chaos -- security`: the tests that the table names exist.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../../scripts/project.ts';
import { attacks } from './attacks.ts';

test.each(attacks)('$kind: $file, $title', ({ file, title }) => {
  expect(existsSync(join(root, file))).toBe(true);
  const source = readFileSync(join(root, file), 'utf8').replaceAll("\\'", "'");
  if (title !== '*') expect(source).toContain(title);
});

test('every finding of the reviews has an attack', () => {
  const ids = new Set(attacks.map(({ id }) => id));
  const majors = Array.from({ length: 8 }, (_, n) => `S-${n + 1}`);
  const minors = Array.from({ length: 17 }, (_, n) => `m${n + 1}`);
  expect([...majors, ...minors].filter((id) => !ids.has(id))).toEqual([]);
});
