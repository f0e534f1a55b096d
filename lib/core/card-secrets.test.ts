import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { scrubWrittenText } from './card-secrets.ts';

test('codes are looked for in time that grows with the text only', () => {
  // Each value could go on to the end of the text.
  const texts = ['pin=1', 'cvv=cvv=', 'cvv="', 'track2:1'].map((part) => part.repeat(60_000));
  const search = () => texts.map(scrubWrittenText);
  expect(runInNewContext('search()', { search }, { timeout: 15_000 })).toHaveLength(texts.length);
}, 60_000);

test('a track and a code are found at the end of a long text', () => {
  const track = `;4111111111111111=${'1'.repeat(21)}?`;
  expect(scrubWrittenText(`${'pin=1'.repeat(100)}&track2=${track}&cvv=917`)).not.toMatch(/111111111|917/);
});

test('an abbreviation with a number is a code only with a sign in between', () => {
  for (const text of ['Ticket CSC 2026', 'CVC 2025', 'Calle del Cid 123']) expect(scrubWrittenText(text)).toBe(text);
  for (const text of ['CVC: 202', 'cvv 202', 'security code 202']) expect(scrubWrittenText(text)).not.toContain('202');
});
