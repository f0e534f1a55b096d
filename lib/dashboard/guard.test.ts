import { expect, test } from 'vitest';
import { jsonLimits } from '../http/index.ts';
import { readBody } from './guard.ts';

const read = (body: string) =>
  readBody(
    new Request('http://localhost/dashboard/api/mids', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    }),
  );

test('a body is refused if it is nested more deeply than a request of a merchant may be', async () => {
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  expect(await read(nested(jsonLimits.depth))).toHaveProperty(Array(jsonLimits.depth).fill('a'), 1);
  expect(await read(nested(jsonLimits.depth + 1))).toBeUndefined();
  expect(await read(`{"a":${'['.repeat(jsonLimits.depth)}${']'.repeat(jsonLimits.depth)}}`)).toBeUndefined();
});
