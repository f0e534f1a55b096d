// Texts that come from outside and are looked through by a pattern. One that is looked at again from each of its places
// takes minutes at this length, and nothing else is answered meanwhile; each of these is over long before the test's end.
import { describe, expect, it } from 'vitest';
import { deviceOf } from '../auth/device';
import { amountTexts } from '../core/hash-causes/texts';
import { readImageInfo } from '../core/image-info';
import { readFormText } from '../http/form';
import { scrubText } from '../telemetry/log';

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
  ])('is soon through with many of %s', (_what, unit, tail) => {
    expect(scrubText(`x:${long(unit)}${tail}; cvv=123`).slice(-16)).toMatch(/cvv=\[scrubbed\]$/);
  });

  it('finds a name right behind the value of another, in it, and in a word of brackets', () => {
    expect(scrubText('a=b[token]=c')).toBe('a=b[token]=[scrubbed]');
    expect(scrubText('not sent: token=c')).toBe('not sent: token=[scrubbed]');
    expect(scrubText('url=https://a.test/?hash=c&b=d')).toBe('url=https://a.test/?hash=[scrubbed]&b=d');
    expect(scrubText('plain words, then card[cvv]=123')).toBe('plain words, then card[cvv]=[scrubbed]');
    expect(scrubText(`{"cvv":"12", "b": "c", 'token' : 'x y'}`)).toBe(
      `{"cvv":"[scrubbed]", "b": "c", 'token' : '[scrubbed]'}`,
    );
  });
});

it('reads the name of a field once, however many parts it has', () => {
  expect(readFormText(`a${long('.0')}]=1`)).toBeNull();
  expect(readFormText('a.b[c].d=1')).toEqual({ 'a.b': { c: { d: '1' } } });
});

it('looks at the beginning of a browser that says much of itself', () => {
  expect(deviceOf(`Version/0${long('0')}`)).toBe('Unknown browser');
});

it('reads the comments before a drawing once', () => {
  const comments = '\t<!---->'.repeat(60);
  expect(readImageInfo(Buffer.from(`${comments} `))).toBeNull();
  expect(readImageInfo(Buffer.from(`${comments}<svg viewBox="0 0 2 1">`))?.type).toBe('image/svg+xml');
});

it('takes no amount for one that is longer than any', () => {
  expect(amountTexts(`1.${long('0')}1`)).toEqual([]);
});
