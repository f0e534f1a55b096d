import { expect, it } from 'vitest';
import type { Symbology } from '../core/presentation.ts';
import { readItf } from './barcode.test-data.ts';
import { barcodeOf } from './barcode.ts';
import type { Screen } from './screen.ts';

const voucher = (barcode: string, symbology?: Symbology): Screen => ({
  kind: 'present',
  present: { kind: 'details', rows: [], barcode, symbology },
});

it('draws the bars of a voucher between its quiet zones', async () => {
  const barcode = await barcodeOf(voucher('4829130000008450'));
  expect(barcode?.text).toBe('4829130000008450');
  // Eight pairs of digits, start, check and stop, and ten modules of white on each side.
  expect(barcode?.bars?.modules).toBe(11 * 10 + 13 + 20);
  expect(barcode?.bars?.path).toMatch(/^M10 0h\d/);
});

it('draws the bars of ITF, which are read back', async () => {
  const text = '34196166700000123451101234567880057123457000';
  const { bars } = (await barcodeOf(voucher(text, 'itf'))) ?? {};
  // Pairs of six narrow and four wide elements, start, stop, and the quiet zones.
  expect(bars?.modules).toBe(22 * 15 + 4 + 4.25 + 20);
  expect(readItf((bars?.path ?? '').replace(/M(\S+) 0h(\S+)v1h-\S+?z/g, '$1 0 $2 1 re\n'))).toBe(text);
});

it('has the text of ITF alone for an odd number of digits, and for more bars than a scanner can read', async () => {
  for (const text of ['012', '0'.repeat(48)]) expect(await barcodeOf(voucher(text, 'itf'))).toEqual({ text });
  expect((await barcodeOf(voucher('0'.repeat(46), 'itf')))?.bars).toBeDefined();
});

it.each([
  ['a text that Code 128 cannot encode', '№ 4829'],
  ['more bars than a scanner can read on a phone', 'A'.repeat(48)],
])('has the text alone for %s', async (_, text) => {
  expect(await barcodeOf(voucher(text))).toEqual({ text });
});

it('is absent without a voucher', async () => {
  expect(await barcodeOf({ kind: 'form' })).toBeUndefined();
});
