import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../../scripts/project.ts';
import { mutated, mutations } from './index.ts';

it.each(mutations)('the mutation "$name" fits its file once', (mutation) => {
  const text = readFileSync(join(root, mutation.file), 'utf8');
  expect(mutated(text, mutation)).not.toBe(text);
});

it('each mutation has its own name', () => {
  expect(new Set(mutations.map(({ name }) => name)).size).toBe(mutations.length);
});
