import { expect, it } from 'vitest';
import { requestIdOf } from './index.ts';

const idOf = (received: string) => requestIdOf(new Headers({ 'x-request-id': received }));

it.each(['0192f3a4-5b6c-7d8e-9f01-23456789abcd', 'lb-7.00012345', 'a1b2c3d4'])(
  'keeps the id %s of a proxy',
  (received) => {
    expect(idOf(received)).toBe(received);
  },
);

it.each(['4111111111111111', '4111-1111-1111-1111', 'id.4111_1111_1111_1111', 'short', 'with blanks in it'])(
  'replaces %s',
  (received) => {
    expect(idOf(received)).toMatch(/^[0-9a-f-]{36}$/);
  },
);
