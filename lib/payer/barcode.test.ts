import { expect, it } from 'vitest';
import { barcodeOf } from './barcode.ts';
import type { Screen } from './screen.ts';

const voucher = (barcode: string): Screen => ({ kind: 'present', present: { kind: 'details', rows: [], barcode } });

it('draws the bars of a voucher between its quiet zones', async () => {
  const barcode = await barcodeOf(voucher('4829130000008450'));
  expect(barcode?.text).toBe('4829130000008450');
  // Eight pairs of digits, start, check and stop, and ten modules of white on each side.
  expect(barcode?.bars?.modules).toBe(11 * 10 + 13 + 20);
  expect(barcode?.bars?.path).toMatch(/^M10 0h\d/);
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
