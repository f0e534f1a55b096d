import { expect, it } from 'vitest';
import { storable } from './storable.ts';

it.each([
  ['Ana Petrović 💳', 'Ana Petrović 💳'],
  ['a\0b', 'a\ufffdb'],
  ['\ud83d', '\ufffd'],
  ['💳'.slice(1), '\ufffd'],
  ['', ''],
])('%j is stored as %j', (text, stored) => {
  expect(storable(text)).toBe(stored);
});
