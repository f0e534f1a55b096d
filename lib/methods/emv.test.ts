import fc from 'fast-check';
import { decode, withCrcTag } from 'promptparse';
import { describe, expect, it } from 'vitest';
import { readFields, readPayload } from './code-readers.test.support.ts';
import { crc16, type EmvField, writeFields, writePayload } from './qr-payload.ts';

/** The example of a static code in the Manual de Padroes para Iniciacao do Pix. */
const manual =
  '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D';

const tag = fc.integer({ min: 1, max: 62 }).map((number) => String(number).padStart(2, '0'));
const value = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 99 });
const fields = fc.uniqueArray(fc.tuple(tag, value), { selector: ([name]) => name, minLength: 1, maxLength: 12 });

describe('the checksum', () => {
  it('equals the check value of the CRC register', () => {
    expect(crc16('123456789')).toBe('29B1');
    expect(crc16('')).toBe('FFFF');
  });

  it('keeps its leading zeros', () => {
    const texts = Array.from({ length: 400 }, (_, number) => crc16(`florin${number}`));
    expect(texts.every((text) => /^[0-9A-F]{4}$/.test(text))).toBe(true);
    expect(texts.some((text) => text.startsWith('0'))).toBe(true);
  });

  it('equals the result of another implementation, for any fields', () => {
    fc.assert(
      fc.property(fields, (input) => {
        const payload = writePayload(input);
        expect(withCrcTag(payload.slice(0, -8), '63')).toBe(payload);
      }),
    );
  });
});

describe('fields', () => {
  it('are parsed back, each with its length', () => {
    fc.assert(
      fc.property(fields, (input) => {
        const payload = writePayload(input);
        const read = readPayload(payload);
        expect(read).toEqual([
          { tag: '00', value: '01' },
          ...input.map(([name, text]) => ({ tag: name, value: text })),
        ]);
        expect(decode(payload)?.slice(1, -1)).toMatchObject(
          input.map(([id, text]) => ({ id, length: text.length, value: text })),
        );
      }),
    );
  });

  it('nest', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(tag, fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 20 })), {
          minLength: 1,
          maxLength: 4,
        }),
        (input) => {
          const inner = input.filter(([name], at) => input.findIndex(([other]) => other === name) === at) as EmvField[];
          const [outer] = readFields(writeFields([['26', inner]])) ?? [];
          expect(readFields(outer?.value ?? '')).toEqual(inner.map(([name, text]) => ({ tag: name, value: text })));
        },
      ),
    );
  });

  it('without a value are omitted', () => {
    expect(
      writeFields([
        ['01', undefined],
        ['02', ''],
        ['62', [['05', undefined]]],
        ['58', 'BR'],
      ]),
    ).toBe('5802BR');
  });

  it.each([
    ['a hundred characters', ['59', 'x'.repeat(100)]],
    ['a letter beyond ASCII', ['59', 'Čigra']],
    ['a line break', ['59', 'a\nb']],
    ['a tag of one digit', ['5', 'x']],
  ] as [string, EmvField][])('are rejected with %s', (_name, field) => {
    expect(() => writeFields([field])).toThrow(RangeError);
  });
});

describe('reading', () => {
  it('reads the example of the manual', () => {
    expect(readPayload(manual)?.map((entry) => entry.tag)).toEqual(['00', '26', '52', '53', '58', '59', '60', '62']);
  });

  it('detects every changed character', () => {
    for (let at = 0; at < manual.length; at += 1) {
      const other = manual[at] === '7' ? '8' : '7';
      expect(readPayload(manual.slice(0, at) + other + manual.slice(at + 1))).toBeNull();
    }
  });

  it.each(['', '0002', '000', '00020', '5802BR5802BR', '5800', 'ab02BR'])('rejects "%s"', (text) => {
    expect(text === '' ? readPayload(text) : readFields(text)).toBeNull();
  });
});
