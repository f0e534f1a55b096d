import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvOf, localTimes } from './csv.ts';

describe('a table', () => {
  it.each([
    ['=1+2', "'=1+2"],
    ['+381 11', "'+381 11"],
    ['-5', "'-5"],
    ['@sum(a1)', "'@sum(a1)"],
    ['\tx', "'\tx"],
    ['\t=1', "'\t'=1"],
    ['|cmd', "'|cmd"],
    ['%1', "'%1"],
    ['＝1+2', "'＝1+2"],
    // A spreadsheet whose separator is ';' begins a cell there.
    [';=1+2;', ";'=1+2;"],
    ['two;=1;-2', "two;'=1;'-2"],
    ['1-2;3', '1-2;3'],
    // Such a cell may be quoted; this file doubles the quotes.
    ['Ann;"=1+1', `"Ann;""'=1+1"`],
    ['Ann;""=1+1', `"Ann;""""'=1+1"`],
    ['"=1+1', `"""'=1+1"`],
    ['Ann "=1+1"', '"Ann ""=1+1"""'],
    ['plain', 'plain'],
    ['a "b", c', '"a ""b"", c"'],
    ['two\nlines', '"two\nlines"'],
    ['', ''],
  ])('writes %j as %j', (text, wanted) => {
    expect(csvOf([[text, 1]])).toBe(`${wanted},1\r\n`);
  });

  it('has an apostrophe wherever a cell begins with a formula, behind any number of quotes', () => {
    const beginning = /(?<=(?:^|[;\t\r\n])"*)(?=[=+\-@|%\t\r\uFF1D\uFF0B\uFF0D\uFF20])/g;
    const unit = fc.constantFrom(...';\t\r\n"=+-@|%\uFF1D\uFF0B\uFF0D\uFF20x1 ,\'$');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 24 }), (text) => {
        // The comma makes the file quote the text.
        const written = csvOf([[`${text},`]]).slice(1, -3);
        expect(written.replaceAll('""', '"')).toBe(`${text.replace(beginning, "'")},`);
      }),
      { numRuns: 2_000 },
    );
  });

  it('takes time that grows with its quotes only', () => {
    const text = `x${'"'.repeat(300_000)}`;
    const write = () => csvOf([[text]]);
    // Takes milliseconds; with all quotes before each place read again it takes a minute.
    expect(runInNewContext('write()', { write }, { timeout: 15_000 })).toHaveLength(600_005);
  }, 60_000);

  it('is empty without rows', () => {
    expect(csvOf([])).toBe('');
  });
});

describe('a time in a zone', () => {
  it.each([
    ['UTC', '2026-11-20T12:51:08.123Z', '2026-11-20T12:51:08.123+00:00'],
    ['Europe/Belgrade', '2026-11-20T23:51:08.000Z', '2026-11-21T00:51:08.000+01:00'],
    ['Europe/Belgrade', '2026-03-29T00:59:59.999Z', '2026-03-29T01:59:59.999+01:00'],
    ['Europe/Belgrade', '2026-03-29T01:00:00.000Z', '2026-03-29T03:00:00.000+02:00'],
    ['Asia/Kathmandu', '2026-11-20T12:00:00.000Z', '2026-11-20T17:45:00.000+05:45'],
    ['America/St_Johns', '2026-11-20T01:00:00.000Z', '2026-11-19T21:30:00.000-03:30'],
  ])('%s: %s is %s', (zone, at, wanted) => {
    const text = localTimes(zone);
    expect(text(new Date(at))).toBe(wanted);
    expect(text(new Date(at))).toBe(wanted);
  });
});
