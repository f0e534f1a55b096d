// The short form of `npm run chaos -- fuzz` for the parsers that are called directly.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parsersOf, targets } from './parsers.ts';

test.each(targets)('no mutated input of %s throws an undeclared exception', async (target) => {
  const parsers = Object.values(await parsersOf(target));
  expect(parsers.length).toBeGreaterThan(0);
  for (const { inputs, parse } of parsers) {
    const property = fc.asyncProperty(inputs, async (input) => {
      await parse(input);
    });
    await fc.assert(property, { numRuns: 40 });
  }
});
