import { describe, expect, it } from 'vitest';
import { changesOf, valueText } from './changes.tsx';

const words = {
  labels: {
    name: 'Name',
    mode: 'Mode',
    limits: 'Limits',
    'limits.most': 'Largest payment',
    secret: 'API secret',
    on: 'On',
  },
  secrets: ['secret'],
};

const stored = {
  name: 'Nordkiosk',
  mode: 'SMS',
  limits: { most: '2500.00', least: '1.00' },
  secret: '',
  on: false,
  tags: ['a'],
};

/** Form values | field, label, before, after of each change */
const cases: [string, object, string[][]][] = [
  ['nothing', {}, []],
  ['a text', { name: 'Nord' }, [['name', 'Name', 'Nordkiosk', 'Nord']]],
  ['a removed text', { name: '' }, [['name', 'Name', 'Nordkiosk', 'not set']]],
  ['a switch', { on: true }, [['on', 'On', 'off', 'on']]],
  ['a secret', { secret: 'hidden' }, [['secret', 'API secret', 'stored', 'replaced']]],
  ['a list', { tags: ['a', 'b'] }, [['tags', 'tags', 'a', 'a, b']]],
  ['a list in another order', { tags: ['b', 'a'] }, [['tags', 'tags', 'a', 'b, a']]],
  [
    'a nested field with its own label',
    { limits: { most: '5000.00', least: '1.00' } },
    [['limits.most', 'Largest payment', '2500.00', '5000.00']],
  ],
  [
    'a nested field with the label of its parent',
    { limits: { most: '2500.00', least: '2.00' } },
    [['limits.least', 'Limits', '1.00', '2.00']],
  ],
  [
    'several, in the order of the labels',
    { on: true, mode: 'DMS' },
    [
      ['mode', 'Mode', 'SMS', 'DMS'],
      ['on', 'On', 'off', 'on'],
    ],
  ],
];

describe('the difference of a form', () => {
  it.each(cases)('%s', (_what, change, expected) => {
    const matches = changesOf(stored, { ...stored, ...change }, words);
    expect(matches.map(({ field, label, before, after }) => [field, label, before, after])).toEqual(expected);
  });

  it('treats null, an empty text and an empty list as equal', () => {
    expect(changesOf({ a: null, b: [], c: undefined }, { a: '', b: null, c: [] }, { labels: {} })).toEqual([]);
  });

  it('treats a number and its text as equal, since fields contain texts', () => {
    expect(changesOf({ seconds: 30 }, { seconds: '30' }, { labels: {} })).toEqual([]);
  });

  it('formats a value with its own function', () => {
    const show = { mode: (value: unknown) => `mode ${value}` };
    expect(changesOf({ mode: 1 }, { mode: 2 }, { labels: { mode: 'Mode' }, show })).toEqual([
      { field: 'mode', label: 'Mode', before: 'mode 1', after: 'mode 2' },
    ]);
  });

  it('never shows the value of a secret', () => {
    const [change] = changesOf({ secret: 'old one' }, { secret: 'new one' }, words);
    expect(JSON.stringify(change)).not.toMatch(/old one|new one/);
  });

  it.each([
    [true, 'on'],
    [[], 'not set'],
    [['x', false], 'x, off'],
    [0, '0'],
  ])('formats %j as %s', (value, text) => {
    expect(valueText(value)).toBe(text);
  });
});
