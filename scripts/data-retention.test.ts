// The page about data retention names every table of the database.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const schema = join(root, 'prisma', 'schema');

it('says of every table what it has and when it is deleted', () => {
  const models = readdirSync(schema).map((name) => readFileSync(join(schema, name), 'utf8'));
  const tables = models.flatMap((text) => [...text.matchAll(/@@map\("(\w+)"\)/g)].map(([, name = '']) => name));
  const page = readFileSync(join(root, 'docs', 'operations', 'data-retention.md'), 'utf8');
  expect(tables.length).toBeGreaterThan(50);
  expect(tables.filter((name) => !new RegExp(`\`${name}\\b`).test(page))).toEqual([]);
});
