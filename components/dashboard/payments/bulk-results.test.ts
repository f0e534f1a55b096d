import { describe, expect, test } from 'vitest';
import { RequestFailed } from '../ui/request.ts';
import { allFinished, type BulkResult, resultOfError, resultOfResponse, summaryText } from './bulk-results.ts';

const waiting: BulkResult = { kind: 'waiting' };
const unsure: BulkResult = { kind: 'unsure', why: '' };
const refused: BulkResult = { kind: 'refused', why: '' };

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
    expect(resultOfError(new RequestFailed(status, 'A sentence.'), waiting)).toEqual({ kind, why: 'A sentence.' });
  });

  test('for an unexpected reason claims nothing about the outcome', () => {
    expect(resultOfError(new TypeError('x is not a function'), waiting).kind).toBe('unsure');
  });

  test('after one without a response does not reveal the outcome of that one', () => {
    expect(resultOfError(new RequestFailed(409, 'The payment has changed.'), unsure).kind).toBe('unsure');
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
  expect(resultOfResponse(action, { status, actions }).kind).toBe(kind);
});

test('a row without a response is counted separately', () => {
  expect(allFinished([unsure, { kind: 'working' }])).toBe(false);
  expect(allFinished([unsure, refused])).toBe(true);
  expect(summaryText([{ kind: 'done' }, { kind: 'taken' }])).toEqual({
    tone: 'ok',
    text: '1 done, 1 in progress at the provider.',
  });
  expect(summaryText([{ kind: 'done' }, refused, unsure])).toEqual({
    tone: 'warn',
    text: '1 done, 1 refused and unchanged, 1 without a response. It may or may not have happened: retry it, which never runs twice.',
  });
});
