import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../../scripts/project.ts';
import { filesOf, mutated, mutations } from './index.ts';

it.each(mutations)('the mutation "$name" fits its file once', (mutation) => {
  for (const file of filesOf(mutation)) {
    const text = readFileSync(join(root, file), 'utf8');
    expect(mutated(file, text, mutation)).not.toBe(text);
  }
});

it('each mutation has its own name', () => {
  expect(new Set(mutations.map(({ name }) => name)).size).toBe(mutations.length);
});
