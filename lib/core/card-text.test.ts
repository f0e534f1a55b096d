import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { beginningOf, maskCardNumbers } from './card-text.ts';

describe('a card number in a text', () => {
  test.each([
    ['4111111111111111', '411111******1111'],
    ['card 4111 1111 1111 1111, 12/38', 'card 411111******1111, 12/38'],
    ['4111-1111-1111-1111 12/38 123', '411111******1111 12/38 123'],
    ['12/38 4111 - 1111 - 1111 - 1111', '12/38 411111******1111'],
    ['pan:378282246310005;next=5555555555554444', 'pan:378282*****0005;next=555555******4444'],
    ['3782 822463 10005', '378282*****0005'],
    ['٤١١١١١١١١١١١١١١١', '411111******1111'],
    ['４１１１ １１１１ １１１１ １１１１', '411111******1111'],
    ['o4111111111111111x', 'o411111******1111x'],
    ['4111.1111.1111.1111', '411111******1111'],
    ['4111111111111111 4111111111111111', '411111******1111 411111******1111'],
    ['(4111)(1111)(1111)(1111)', '(411111******1111)'],
    ['3782|822463|10005', '378282*****0005'],
    ...[
      ',',
      ', ',
      '+',
      '|',
      ':',
      '=',
      '    ',
      '\u200b\u200b',
      '\u00ad',
      '\u2060',
      '\ufeff',
      '\0',
      '\u0001\u0002',
      '\ufffd',
      '\ud800',
    ].map((separator) => [
      `2 cards: ${['4111', '1111', '1111', '1111'].join(separator)}.`,
      '2 cards: 411111******1111.',
    ]),
    ...[
      '’',
      '，',
      '…',
      '\u{1f4b3}',
      '%20',
      '%C2%A0',
      '&nbsp;',
      '&#160;',
      '&#xA0;',
      '\\n',
      '\\\\n',
      '\\u00a0',
      '%20%2D%20',
    ].map((separator) => [`x%20${['4111', '1111', '1111', '1111'].join(separator)}%20y`, 'x%20411111******1111%20y']),
    ['4111|1111/1111-1111', '411111******1111'],
    ['4111,&nbsp;1111%201111 - 1111 of 10%2F29&nbsp;9', '411111******1111 of 10%2F29&nbsp;9'],
    ['4111111111111111 3782%20822463%2010005', '411111******1111 378282*****0005'],
    ['4111%1111%1111%1111', '411111******1111'],
    ...[0x0966, 0x09e6, 0x1d7ce, 0x1d7f6].map((zero) => [
      '4111111111111111'.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit))),
      '411111******1111',
    ]),
  ])('%s', (text, masked) => {
    expect(maskCardNumbers(text)).toBe(masked);
  });

  test.each([
    ['another check digit', '4111111111111112'],
    ['no brand', '0000000000000000'],
    ['a longer number', '41111111111111110000'],
    ['a part of a longer number', '14111111111111111'],
    ['a phone number', '+49 151 23456789'],
    ['a UUID', '0199d0f4-7c11-7c7e-9a52-0d6f5a1e2b3c'],
    ['a masked number', '411111******1111'],
    ['a date and a time', '30.10.2026 12:30:48'],
    ['sizes', '36, 37, 38, 39, 40, 41, 49'],
    ['amounts', '5,105,105,105,105.10|0.00'],
    ['amounts of two decimals', '4111.11, 1111.11, 1111.11'],
    ['amounts in a URL', '41%2C11%2C11%2C11%2C11%2C11%2C11%2C11'],
    ['digits of another script', '٤١١١ ١١١١'],
    ['invisible characters', 'Family \u{1f468}\u200d\u{1f469}\u200d\u{1f467}, 2 pieces'],
    ['words', 'Blue mug, 2 pieces, order 20261128'],
    ['nothing', ''],
  ])('is not: %s', (_what, text) => {
    expect(maskCardNumbers(text)).toBe(text);
  });

  test('is masked once, and the text has no complete number afterwards', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.constantFrom(' ', '-', '.', ' - '), (before, after, separator) => {
        const text = `${before} a${['5555', '5555', '5555', '4444'].join(separator)}z ${after}`;
        const masked = maskCardNumbers(text);
        expect(masked).toContain('555555******4444');
        expect(maskCardNumbers(masked)).toBe(masked);
      }),
    );
  });

  test('is looked for in time that grows with the text only', () => {
    const text = `${'4 '.repeat(100_000)}${'4111 '.repeat(50_000)}${'4'.repeat(200_000)}`;
    expect(maskCardNumbers(text).length).toBeGreaterThan(0);
  });

  test('is looked for in escapes in time that grows with the text only', () => {
    const texts = ['4111%20', '%20', '1%%%%', '1&aaaaaaaa', '1\\u00a'].map((part) => part.repeat(300_000));
    const search = () => texts.map(maskCardNumbers);
    expect(runInNewContext('search()', { search }, { timeout: 15_000 })).toEqual(texts);
  }, 60_000);

  test('is looked for once at each place: groups of twelve digits have many ways to be none', () => {
    const almost = '123456789012, or '.repeat(1_000_000);
    const search = () => maskCardNumbers(almost);
    // Takes a quarter of a second; with all ways tried it takes three quarters of a minute.
    expect(runInNewContext('search()', { search }, { timeout: 15_000 })).toBe(almost);
  }, 60_000);
});

test('the beginning of a long text has no part of a number at its end', () => {
  expect(beginningOf('Paid with 4111|1111|1111|1111.', 28)).toBe('Paid with');
  expect(beginningOf('Paid in 2026', 12)).toBe('Paid in 2026');
});

test('groups of one digit are looked through once', () => {
  const many = '0.'.repeat(3_000_000);
  const search = () => maskCardNumbers(many);
  // Takes half a second; with a number made of each nineteen groups it takes half a minute.
  expect(runInNewContext('search()', { search }, { timeout: 15_000 })).toBe(many);
}, 60_000);

test('no text is kept in memory for its invisible characters', () => {
  setFlagsFromString('--expose-gc');
  const used = () => {
    runInNewContext('gc')();
    return process.memoryUsage().heapUsed;
  };
  const before = used();
  for (let length = 20; length < 120; length += 1) maskCardNumbers(`${'x'.repeat(500_000)}${'\u200b'.repeat(length)}y`);
  // With each run of characters remembered there are a hundred texts of a megabyte.
  expect(used() - before).toBeLessThan(30e6);
});
