import { describe, expect, it } from 'vitest';
import { changesOf, valueText } from './changes';

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

/** What stands in the form | field, label, before, after of each change */
const cases: [string, object, string[][]][] = [
  ['nothing', {}, []],
  ['a text', { name: 'Nord' }, [['name', 'Name', 'Nordkiosk', 'Nord']]],
  ['a text taken away', { name: '' }, [['name', 'Name', 'Nordkiosk', 'not set']]],
  ['a switch', { on: true }, [['on', 'On', 'off', 'on']]],
  ['a secret', { secret: 'hidden' }, [['secret', 'API secret', 'kept', 'replaced']]],
  ['a list', { tags: ['a', 'b'] }, [['tags', 'tags', 'a', 'a, b']]],
  ['a list in another order', { tags: ['b', 'a'] }, [['tags', 'tags', 'a', 'b, a']]],
  [
    'a field inside another one, by its own name',
    { limits: { most: '5000.00', least: '1.00' } },
    [['limits.most', 'Largest payment', '2500.00', '5000.00']],
  ],
  [
    'a field inside another one, by the name around it',
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
    const found = changesOf(stored, { ...stored, ...change }, words);
    expect(found.map(({ field, label, before, after }) => [field, label, before, after])).toEqual(expected);
  });

  it('takes nothing, an empty text and an empty list for the same', () => {
    expect(changesOf({ a: null, b: [], c: undefined }, { a: '', b: null, c: [] }, { labels: {} })).toEqual([]);
  });

  it('takes a number for its text, since fields hold texts', () => {
    expect(changesOf({ seconds: 30 }, { seconds: '30' }, { labels: {} })).toEqual([]);
  });

  it('shows a value in its own words', () => {
    const show = { mode: (value: unknown) => `mode ${value}` };
    expect(changesOf({ mode: 1 }, { mode: 2 }, { labels: { mode: 'Mode' }, show })).toEqual([
      { field: 'mode', label: 'Mode', before: 'mode 1', after: 'mode 2' },
    ]);
  });

  it('never shows what a secret was or will be', () => {
    const [change] = changesOf({ secret: 'old one' }, { secret: 'new one' }, words);
    expect(JSON.stringify(change)).not.toMatch(/old one|new one/);
  });

  it.each([
    [true, 'on'],
    [[], 'not set'],
    [['x', false], 'x, off'],
    [0, '0'],
  ])('writes %j as %s', (value, text) => {
    expect(valueText(value)).toBe(text);
  });
});
