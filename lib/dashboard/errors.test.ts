import { expect, test } from 'vitest';
import { z } from 'zod';
import { parseBody } from './errors.ts';

test('a field with several issues shows its first', () => {
  const schema = z.object({ name: z.string().max(3, 'Enter at most 3 characters.').regex(/^a*$/, 'Enter only a.') });
  expect(() => parseBody(schema, { name: 'bbbb' })).toThrow(
    expect.objectContaining({ fields: { name: 'Enter at most 3 characters.' } }),
  );
});
