import { describe, expect, it } from 'vitest';
import { isSingle, keyName, makePairs } from './shortcuts.ts';

const none = { ctrlKey: false, metaKey: false, altKey: false };

const names = `
  j          |      | j           single
  J          |      | j           single
  ?          |      | ?           single
  s          | ctrl | ctrl+s      -
  s          | meta | ctrl+s      -
  Enter      | ctrl | ctrl+enter  -
  Escape     |      | escape      -
  ArrowDown  |      | arrowdown   -
  l          | alt  |             -`;

describe('names of keys', () => {
  it.each(names.trim().split('\n'))('%s', (line) => {
    const [key = '', held = '', expected = ''] = line.split('|').map((part) => part.trim());
    const isNamed = expected.includes(' ');
    const [name = '', single = ''] = isNamed ? expected.split(/\s+/) : ['', expected];
    const matches = keyName({ key, ...none, ...(held && { [`${held}Key`]: true }) });
    expect([matches, isSingle(matches)]).toEqual([name, single === 'single']);
  });
});

describe('two keys in sequence', () => {
  /** Keys with their times | the result. */
  const cases: [string, [string, number][], (string | null)[]][] = [
    [
      'g then p',
      [
        ['g', 0],
        ['p', 300],
      ],
      [null, 'payments'],
    ],
    [
      'g, a pause, then p',
      [
        ['g', 0],
        ['p', 2_000],
      ],
      [null, null],
    ],
    ['p alone', [['p', 0]], [null]],
    [
      'g then an unassigned key',
      [
        ['g', 0],
        ['x', 100],
        ['p', 200],
      ],
      [null, null, null],
    ],
    [
      'g g p: the second g completes the pair, which is unassigned',
      [
        ['g', 0],
        ['g', 100],
        ['p', 200],
      ],
      [null, null, null],
    ],
    [
      'twice',
      [
        ['g', 0],
        ['p', 100],
        ['g', 200],
        ['o', 300],
      ],
      [null, 'payments', null, 'overview'],
    ],
  ];

  it.each(cases)('%s', (_what, keys, expected) => {
    const press = makePairs('g', { p: 'payments', o: 'overview' });
    expect(keys.map(([name, at]) => press(name, at))).toEqual(expected);
  });
});
