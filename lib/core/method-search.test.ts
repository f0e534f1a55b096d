import { expect, it } from 'vitest';
import { isFound } from './method-search.ts';

// words | query | found
const searches = `
Przelewy24 Pay from your bank account online Poland | przelewy      | true
Przelewy24 Pay from your bank account online Poland | bank POLAND   | true
Przelewy24 Pay from your bank account online Poland | poland cash   | false
Transferência bancária Brasil                       | transferencia | true
تحويل مصرفي                                          | مصرفي         | true
iDEAL                                               |               | true
`;

it.each(
  searches
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()) as [string, string, string]),
)('%s, searched for "%s": %s', (words, query, expected) => {
  expect(isFound(words, query)).toBe(expected === 'true');
});
