import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { scrubWrittenText } from './card-secrets.ts';

test('codes are looked for in time that grows with the text only', () => {
  // Each value could go on to the end of the text.
  const parts = ['pin=1', 'cvv=cvv=', 'cvv="', 'track2:1', '"name":"cvv","value":', '\\"name\\"'];
  const texts = parts.map((part) => part.repeat(60_000));
  const search = () => texts.map((text) => scrubWrittenText(text));
  expect(runInNewContext('search()', { search }, { timeout: 15_000 })).toHaveLength(texts.length);
}, 60_000);

test('a track and a code are found at the end of a long text', () => {
  const track = `;4111111111111111=${'1'.repeat(21)}?`;
  expect(scrubWrittenText(`${'pin=1'.repeat(100)}&track2=${track}&cvv=917`)).not.toMatch(/111111111|917/);
});

test.each(['=', 'D', 'd'])('a track with the separator %s is masked', (separator) => {
  for (const number of ['4111111111111111', '4111 1111 1111 1111']) {
    expect(scrubWrittenText(`57: ${number}${separator}30122010000000123F`)).not.toMatch(/30122010|0000123/);
  }
});

test('an abbreviation with a number is a code only with a sign in between', () => {
  for (const text of ['Ticket CSC 2026', 'CVC 2025', 'Calle del Cid 123']) expect(scrubWrittenText(text)).toBe(text);
  for (const text of ['CVC: 202', 'cvv 202', 'security code 202']) expect(scrubWrittenText(text)).not.toContain('202');
});

test.each([
  ['cid=1234', null],
  ['CSC: 202', null],
  ['pin: 1100, verification code=4829', null],
  ['4111 1111 1111 1111 cid=1234', '411111******1111 cid=[scrubbed]'],
  ['4111 1111 1111 1111, csc 202', '411111******1111, csc [scrubbed]'],
  ['cvc=123&pin=1234', 'cvc=[scrubbed]&pin=[scrubbed]'],
  ['cvc: none, pin: 1234', 'cvc: none, pin: [scrubbed]'],
  ['<cvv>123</cvv><pin>1234</pin>', '<cvv>[scrubbed]</cvv><pin>[scrubbed]</pin>'],
  ['[{"name":"cvv","value":"123"}]', '[{"name":"cvv","value":"[scrubbed]"}]'],
  ["{'key': 'card_pin', 'value': 1234}", "{'key': 'card_pin', 'value': [scrubbed]}"],
  ['{\\"name\\":\\"cvv\\",\\"value\\":\\"123\\"}', '{\\"name\\":\\"cvv\\",\\"value\\":\\"[scrubbed]\\"}'],
  ['{"name":"cid","value":"4711"}', null],
  ['{"name":"size","value":"123"}', null],
])('a doubtful name in a text is a code only beside card data: %s', (text, scrubbed) => {
  expect(scrubWrittenText(text)).toBe(scrubbed ?? text);
});
