// Every encoding of a canary is found at any place of a file; lookalikes are not.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type Canaries, drawCodes, drawNumber, drawWord, drawWrongNumber } from './canaries.ts';
import { drawControls, insertControls } from './control-canaries.ts';
import { compareCodes } from './findings.ts';
import { canBeChance, prepareSearch } from './search.ts';

const folder = mkdtempSync(join(tmpdir(), 'florin-search-'));
afterAll(() => rmSync(folder, { recursive: true }));

const canaries: Canaries = {
  numbers: ['4929876543210128', '371449635398431'],
  words: ['kqvbxwzmtrpd'],
  codes: ['7381', '629'],
  sent: new Map([
    ['7381', 10],
    ['629', 10],
  ]),
};

function formsIn(bytes: Buffer | string, sent = canaries): string[] {
  const file = join(folder, 'file');
  writeFileSync(file, bytes);
  return [
    ...new Set(
      prepareSearch({ sent })
        .search(file)
        .map(({ form }) => form),
    ),
  ];
}

const utf16 = (text: string) => Buffer.from(text, 'utf16le');

const written: [name: string, bytes: Buffer | string, form: string][] = [
  ['alone', '4929876543210128', 'digits'],
  ['among other digits', '0004929876543210128999', 'digits'],
  ['in groups', 'x4929 8765 4321 0128x', 'digits'],
  ['with dashes', '4929-8765-4321-0128', 'digits'],
  ['with hard spaces', '4929\u00a08765\u00a04321\u00a00128', 'digits'],
  ['digit by digit', [...'371449635398431'].join(', '), 'digits'],
  ['in UTF-16', utf16('4929 8765 4321 0128'), 'digits'],
  ['backwards', '8210123456789294', 'digits backwards'],
  ['percent-encoded', '%34%39%32%39%38%37%36%35%34%33%32%31%30%31%32%38', 'percent-encoded digits'],
  ['in an address', 'n=4929%208765%204321%200128', 'percent-encoded separators'],
  ['in HTML', [...'4929876543210128'].map((digit) => `&#${48 + Number(digit)};`).join(''), 'character references'],
  ['in Arabic digits', '٤٩٢٩٨٧٦٥٤٣٢١٠١٢٨', 'digits of other scripts'],
  ['in Base64', Buffer.from('4929876543210128').toString('base64'), 'Base64'],
  ['in Base64, one further', Buffer.from('-4929876543210128+').toString('base64'), 'Base64'],
  ['in Base64, two further', Buffer.from('--4929 8765 4321 0128++').toString('base64'), 'Base64'],
  ['in hexadecimal', Buffer.from('4929876543210128').toString('hex'), 'hexadecimal'],
  ['packed', Buffer.from('004929876543210128ff', 'hex'), 'packed decimal'],
  ['as a canary word', '"cvv":"kqvbxwzmtrpd"', 'the word'],
  ['as an odd code in capitals', 'KQVBXWZMTRPD', 'capitals'],
  ['as a code by its name', '{"card_cvv2": "7381"}', 'by name'],
  ['as a code in jsonb', 'cvvamount62984.50', 'by name'],
];

describe('a mark', () => {
  test.each(written)('%s', (_name, bytes, form) => {
    expect(formsIn(bytes)).toContain(form);
  });

  test('on the edge of what is read at once', () => {
    for (const shift of [-600, -512, -511, -20, -8, -1, 0, 7]) {
      const bytes = Buffer.alloc(9 << 20, 'x');
      bytes.write('4929-8765-4321-0128', (4 << 20) + shift);
      bytes.write(Buffer.from('4929876543210128').toString('hex'), (8 << 20) - 512 + shift - 100);
      expect(formsIn(bytes), String(shift)).toEqual(expect.arrayContaining(['digits', 'hexadecimal']));
    }
  });
});

test.each([
  ['another number', '4929876543210127'],
  ['a masked one', '492987******0128'],
  ['digits too far apart', '4929 8765 and then 4321 0128'],
  ['a code without a name', '7381 629'],
  ['the time of the log line after a name', '"fields":["card_cvv2"]}\n{"time":"2026-11-23T20:15:32.629Z"}'],
])('nothing is found in %s', (_name, text) => {
  expect(formsIn(text)).toEqual([]);
});

test('only a code by name can be chance, and three different ones of a length in one file cannot', () => {
  const file = join(folder, 'chance');
  const chances = (text: string, sent = canaries) => {
    writeFileSync(file, text);
    const found = prepareSearch({ sent }).search(file);
    return found.map((each) => canBeChance(each, found));
  };
  expect(chances('kQcVv0Zt629bX')).toEqual([true]);
  expect(chances('cvv: [scrubbed]629456*********273819f8-bb3d')).toEqual([true, true]);
  for (const text of ['4929876543210128', 'KQVBXWZMTRPD']) {
    expect(chances(text), text).toContain(false);
    expect(chances(text), text).not.toContain(true);
  }
  const three = { ...canaries, codes: ['629', '847', '518'] };
  const apart = 'x'.repeat(64);
  expect(chances(['cvv 629', 'cvv 629', 'cvc 847'].join(apart), three)).toEqual([true, true, true]);
  expect(chances(['cvv 629', 'cvc 847', 'csc 518'].join(apart), three)).toEqual([false, false, false]);
  const four = { ...canaries, codes: ['7381', '8472', '5183', '629'] };
  expect(chances(['cvv 7381', 'cvc 8472', 'csc 629'].join(apart), four)).toEqual([true, true, true]);
  expect(chances(['cvv 7381', 'cvc 8472', 'csc 5183'].join(apart), four)).toEqual([false, false, false]);
});

test('no code is a part of a masked card number', () => {
  const visible = ['411111', '341313', '8217'];
  const drawn = new Set(Array.from({ length: 500 }, () => drawCodes(3, 3, visible)).flat());
  for (const part of ['341', '413', '131', '313', '821', '217']) expect(drawn).not.toContain(part);
});

test('codes that occur as often as they were sent are distinguished from chance', () => {
  const file = join(folder, 'codes');
  const search = prepareSearch({ sent: canaries });
  writeFileSync(file, '(7381) at 12.629 and 629Z\n'.repeat(12));
  search.search(file);
  const [three, four] = compareCodes(search.counts, canaries);
  expect(three).toMatchObject({ digits: 3, counted: [0], leaked: false });
  expect(four).toMatchObject({ digits: 4, counted: [12], leaked: true });
});

test('drawn numbers have the length and the check digit of cards, or on purpose not', () => {
  const sum = (number: string) =>
    [...number].reverse().reduce((total, digit, place) => {
      const value = Number(digit) * (place % 2 ? 2 : 1);
      return total + (value > 9 ? value - 9 : value);
    }, 0) % 10;
  for (let round = 0; round < 50; round += 1) {
    expect(drawNumber('34#############')).toMatch(/^34\d{13}$/);
    expect(sum(drawNumber('4###############'))).toBe(0);
    expect(sum(drawWrongNumber('4###############'))).not.toBe(0);
  }
});

test('a drawn word contains no name of a code', () => {
  const words = Array.from({ length: 3000 }, drawWord).join(' ');
  expect(words).not.toMatch(/cvv|cvc|csc/);
});

test('the controls contain no code of the canaries by chance', async () => {
  for (let round = 0; round < 50; round += 1) {
    const drawn = { ...canaries, codes: drawCodes(3, 20) };
    const texts: unknown[] = [];
    const sql = async (_text: string, values: unknown[] = []) => texts.push(...values);
    await insertControls(drawControls(drawn), sql, join(folder, 'log'));
    const [inOrder, stored] = [texts.join('|'), texts.toReversed().join('|')];
    expect([...formsIn(inOrder, drawn), ...formsIn(stored, drawn)]).toEqual([]);
  }
});
