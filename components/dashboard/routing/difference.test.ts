import { describe, expect, test } from 'vitest';
import type { RoutingRule } from '../../../lib/dashboard/routing/contract.ts';
import { changeLines, difference } from './difference.ts';
import { amountText, conditionText, minorOf, targetText } from './labels.ts';

const rule = (id: string, changes: Partial<RoutingRule> = {}): RoutingRule => ({
  id,
  name: `Rule ${id}`,
  enabled: true,
  conditions: {},
  targets: [{ midId: 'A', weight: 1 }],
  ...changes,
});
const mids = [
  { id: 'A', name: 'Acquira EU' },
  { id: 'B', name: 'Baltpay EU' },
];
const rules = (ids: string) => [...ids].map((letter) => rule(letter));

describe('the difference of rules', () => {
  // The order before and after, the number of changed rules, and the moved ones with their former place.
  const table = `
    abcd | abcd | 0 |
    abcd | abdc | 1 | c3
    abcd | dabc | 1 | d4
    abcd | bcda | 1 | a1
    abcd | abc  | 1 |
    abcd | abcde | 1 |
    abcd | badc | 2 | a1 c3
    ab   |      | 2 |
  `;
  test.each(
    table
      .trim()
      .split('\n')
      .map((row) => row.split('|').map((cell) => cell.trim()) as [string, string, string, string]),
  )('from %s to %s', (before, after, count, moved) => {
    const matches = difference(rules(before), rules(after));
    const from = [...matches.rules].flatMap(([id, { movedFrom }]) => (movedFrom === null ? [] : `${id}${movedFrom}`));
    expect(matches.count).toBe(Number(count));
    expect(from.join(' ')).toBe(moved);
  });

  test('ignores the order of members', () => {
    const one = rule('a', { conditions: { currencies: ['EUR'], amountFrom: '1' } });
    const other = rule('a', { conditions: { amountFrom: '1', currencies: ['EUR'] } });
    expect(difference([one], [other]).count).toBe(0);
  });

  test('is listed line by line', () => {
    const before = [
      rule('a'),
      rule('b', { conditions: { currencies: ['JPY'], amountFrom: '1000' } }),
      rule('c'),
      rule('d'),
    ];
    const after = [
      rule('d', { enabled: false }),
      rule('a', {
        name: 'First',
        targets: [
          { midId: 'A', weight: 7 },
          { midId: 'B', weight: 3 },
        ],
      }),
      rule('b', { conditions: { currencies: ['EUR'], amountFrom: '1000' } }),
      rule('e'),
    ];
    const lines = changeLines(before, after, { mids });
    expect(lines.map(({ label, before, after }) => `${label}: ${before} → ${after}`)).toEqual([
      'Rule d, place: 4 → 1',
      'Rule d: on → off',
      'First, name: Rule a → First',
      'First, targets: Acquira EU → Acquira EU 70 % and Baltpay EU 30 %',
      'Rule b, conditions: Currency is JPY; Amount from 1,000 JPY → Currency is EUR; Amount from 10.00 EUR',
      'Rule e:  → All payments → Acquira EU',
      'Rule c: All payments → Acquira EU → removed',
    ]);
  });
});

describe('a rule as text', () => {
  const table = `
    {"currencies":["JPY"],"binCountries":["JP"]}            | Issuing country is JP; Currency is JPY
    {"methods":["card","ips"],"brands":["visa"]}            | Brand is Visa; Method in card, ips
    {"bins":["411111"]}                                     | BIN starts with 411111 
    {"amountFrom":"100000","currencies":["EUR"]}            | Currency is EUR; Amount from 1,000.00 EUR
    {"amountTo":"100000","currencies":["EUR","USD"]}        | Currency in EUR, USD; Amount up to 1,000.00
    {"amountFrom":"5","amountTo":"100000","currencies":["EUR","JPY"]} | Currency in EUR, JPY; Amount 0.05 – 1,000.00 EUR or as many minor units
    {}                                                      | All payments
  `;
  test.each(
    table
      .trim()
      .split('\n')
      .map((row) => row.split(' | ').map((cell) => cell.trim()) as [string, string]),
  )('%s', (conditions, words) => {
    expect(conditionText({ conditions: JSON.parse(conditions) })).toBe(words);
  });

  test('leaves out targets without a share', () => {
    expect(
      targetText(
        [
          { midId: 'A', weight: 0 },
          { midId: 'B', weight: 2 },
        ],
        { mids },
      ),
    ).toBe('Baltpay EU');
    expect(targetText([{ midId: 'gone', weight: 1 }], { mids })).toBe('a removed MID');
  });

  test('formats amounts with the decimals of its currencies', () => {
    expect(minorOf('10.50', ['EUR', 'USD'])).toBe('1050');
    expect(minorOf('10.50', ['JPY'])).toBeNull();
    expect(minorOf('10.50', undefined)).toBe('1050');
    expect(minorOf(' 1000 ', [])).toBe('100000');
    expect(minorOf('5,000', [])).toBeNull();
    expect(minorOf('', ['EUR'])).toBeUndefined();
    expect(amountText('1050', ['EUR'])).toBe('10.50');
    expect(amountText('1050', ['EUR', 'JPY'])).toBe('10.50');
    expect(amountText(undefined, ['EUR'])).toBe('');
  });
});
