// Hostile texts for patterns that process external input. With quadratic backtracking, a text of this length would
// block the process for minutes; each of these finishes well before the test's timeout.
import { describe, expect, it } from 'vitest';
import { deviceOf } from '../auth/sessions.ts';
import { amountTexts } from '../core/hash-causes/texts.ts';
import { readImageInfo } from '../core/image-info.ts';
import { readFormText } from '../http/body.ts';
import { scrubText } from '../telemetry/log.ts';

const length = 256 * 1024;
const long = (unit: string) => unit.repeat(Math.ceil(length / unit.length));

describe('the scrubber', () => {
  it.each([
    ['a word', 'z', ':'],
    ['digits', '3', ''],
    ['digits with blanks', '4 ', ':'],
    ['escapes', '%41', '='],
    ['names without values', 'a =', ''],
    ['blanks', ' ', '="'],
    ['quotes that nothing closes', `a="\n`, ''],
    ['backslashes', '\\', '"'],
    ['brackets', 'a[b]', ':'],
    ['schemes without credentials', 'basic  ', ''],
  ])('is fast with many of %s', (_what, unit, tail) => {
    expect(scrubText(`x:${long(unit)}${tail}; cvv=123`).slice(-16)).toMatch(/cvv=\[scrubbed\]$/);
  });

  it('finds a name directly after, inside of and in brackets of another', () => {
    expect(scrubText('a=b[token]=c')).toBe('a=b[token]=[scrubbed]');
    expect(scrubText('not sent: token=c')).toBe('not sent: token=[scrubbed]');
    expect(scrubText('url=https://a.test/?hash=c&b=d')).toBe('url=https://a.test/?hash=[scrubbed]&b=d');
    expect(scrubText('plain words, then card[cvv]=123')).toBe('plain words, then card[cvv]=[scrubbed]');
    expect(scrubText(`{"cvv":"12", "b": "c", 'token' : 'x y'}`)).toBe(
      `{"cvv":"[scrubbed]", "b": "c", 'token' : '[scrubbed]'}`,
    );
  });
});

it('is fast with a field name of many parts', () => {
  expect(readFormText(`a${long('.0')}]=1`)).toBeNull();
  expect(readFormText('a.b[c].d=1')).toEqual({ 'a.b': { c: { d: '1' } } });
});

it('is fast with a long User-Agent', () => {
  expect(deviceOf(`Version/0${long('0')}`)).toBe('Unknown browser');
});

it('is fast with many comments before an SVG image', () => {
  const comments = '\t<!---->'.repeat(60);
  expect(readImageInfo(Buffer.from(`${comments} `))).toBeNull();
  expect(readImageInfo(Buffer.from(`${comments}<svg viewBox="0 0 2 1">`))?.type).toBe('image/svg+xml');
});

it('finds no amount in a number that is too long', () => {
  expect(amountTexts(`1.${long('0')}1`)).toEqual([]);
});
