import { describe, expect, test } from 'vitest';
import { RequestFailed } from '../kit/request';
import { areOver, type Fate, fateOfAnswer, fateOfFailure, summaryOf } from './fates';

const waiting: Fate = { kind: 'waiting' };
const unsure: Fate = { kind: 'unsure', why: '' };
const refused: Fate = { kind: 'refused', why: '' };

describe('a request that failed', () => {
  test.each([
    [0, 'unsure'],
    [500, 'unsure'],
    [502, 'unsure'],
    [504, 'unsure'],
    [400, 'refused'],
    [403, 'refused'],
    [404, 'refused'],
    [409, 'refused'],
  ] as const)('with %i is %s', (status, kind) => {
    expect(fateOfFailure(new RequestFailed(status, 'A sentence.'), waiting)).toEqual({ kind, why: 'A sentence.' });
  });

  test('for a reason that nobody has foreseen says nothing of what was done', () => {
    expect(fateOfFailure(new TypeError('x is not a function'), waiting).kind).toBe('unsure');
  });

  test('after one without an answer is no news of that one', () => {
    expect(fateOfFailure(new RequestFailed(409, 'The payment has changed.'), unsure).kind).toBe('unsure');
  });
});

test.each([
  ['capture', 'settled', {}, 'done'],
  ['capture', 'pending', {}, 'taken'],
  ['capture', 'pending', { capture: { most: '1.00' } }, 'refused'],
  ['refund', 'settled', {}, 'taken'],
  ['refund', 'refund', {}, 'done'],
  ['refund', 'reversal', {}, 'done'],
] as const)('a %s that leaves %s with %j is %s', (action, status, actions, kind) => {
  expect(fateOfAnswer(action, { status, actions }).kind).toBe(kind);
});

test('a row that nobody has answered is counted for itself', () => {
  expect(areOver([unsure, { kind: 'working' }])).toBe(false);
  expect(areOver([unsure, refused])).toBe(true);
  expect(summaryOf([{ kind: 'done' }, { kind: 'taken' }])).toEqual({
    tone: 'ok',
    text: '1 done, 1 under way at the provider.',
  });
  expect(summaryOf([{ kind: 'done' }, refused, unsure])).toEqual({
    tone: 'warn',
    text: '1 done, 1 refused and unchanged, 1 without an answer. That one may or may not have happened: ask again, which does nothing twice.',
  });
});
