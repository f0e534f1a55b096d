// Statements name their parameters, composed ones by newSqlBuilder; named-parameters.ts numbers them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const others = /^(db\/named-parameters\.ts|prisma\/)|\.test\.tsx?$/;
const importsDb = /from '((\.\.\/)+db['/]|\.\/(db|named-parameters)\.ts)/;
const numbered = /\$(\d+\b|\$\{)/;
// The groups of a regular expression in its replacement.
const replacement = /\.replace(All)?\(/;

it('no statement numbers its parameters by hand', () => {
  const all = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'));
  const files = all
    .filter((file) => /\.tsx?$/.test(file) && !others.test(file))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
    .filter(({ text }) => importsDb.test(text));
  expect(files.length).toBeGreaterThan(50);
  const found = files.flatMap(({ file, text }) =>
    text
      .split('\n')
      .flatMap((line, at) => (numbered.test(line) && !replacement.test(line) ? [`${file}:${at + 1}`] : [])),
  );
  expect(found).toEqual([]);
});
