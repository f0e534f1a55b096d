import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ApiError } from '../core/errors.ts';
import { busyMessage, notFound, parseBody, tooMany, waitMessage } from './errors.ts';

it('a field with several issues shows its first', () => {
  const schema = z.object({ name: z.string().max(3, 'Enter at most 3 characters.').regex(/^a*$/, 'Enter only a.') });
  expect(() => parseBody(schema, { name: 'bbbb' })).toThrow(
    expect.objectContaining({ fields: { name: 'Enter at most 3 characters.' } }),
  );
});

const busy = 'The dashboard is busy. Try again in a moment.';

describe('the message of a read that did not end in time', () => {
  it.each([
    ['its turn did not come', new ApiError('tooBusy', undefined, 1), busy],
    ['no connection was free', new Error('timeout exceeded when trying to connect'), busy],
    ['no connection was opened', new Error('Connection terminated due to connection timeout'), busy],
    ['a connection was not accepted', new Error('timeout expired'), busy],
    ['its statement was cancelled', Object.assign(new Error('canceling statement'), { code: '57014' }), busy],
    ['its statement is not valid', Object.assign(new Error('syntax error'), { code: '42601' }), null],
    ['its object does not exist', notFound(), null],
  ])('%s', (_reason, thrown, message) => {
    expect([busyMessage(thrown), waitMessage(thrown)]).toEqual([message, message]);
  });

  it('is on a page also that of too many requests', () => {
    expect([busyMessage(tooMany(3)), waitMessage(tooMany(3))]).toEqual([
      null,
      'Too many requests. Wait 3 seconds and try again.',
    ]);
  });
});
