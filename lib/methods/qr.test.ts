import fc from 'fast-check';
import decodeQR from 'qr/decode.js';
import { describe, expect, it } from 'vitest';
import { paintPath, readPng } from './code-readers.test.support.ts';
import { qrImage, qrPng } from './qr.ts';

const payloads = {
  'a short text': 'florin',
  'an address': 'https://pay.example/p/0192f3a4-5b6c-7d8e-9f01-23456789abcd?method=upi-2',
  'an EMVCo payload': '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR',
  'Serbian letters and lines': 'K:PR|V:01|C:1|R:840000000095584510|N:Čigra doo\nĐorđa Vajferta 5\nBeograd|I:RSD1025,12',
  'a thousand characters': 'florin-'.repeat(143),
};

describe('the picture', () => {
  it('is drawn once for each payload', async () => {
    expect(await qrPng('drawn once')).toBe(await qrPng('drawn once'));
  });

  it.each(Object.entries(payloads))('is decoded: %s', async (_name, payload) => {
    const picture = readPng(await qrPng(payload));
    expect(picture.width).toBe(picture.height);
    expect(picture.width).toBeGreaterThanOrEqual(300);
    expect(decodeQR(picture)).toBe(payload);
  });

  it('has a quiet zone of four modules, and whole pixels', async () => {
    const { size } = qrImage('florin');
    const { width, data } = readPng(await qrPng('florin'));
    const scale = width / (size + 8);
    expect(Number.isInteger(scale)).toBe(true);
    const dark = (x: number, y: number) => data[(y * width + x) * 4] === 0;
    expect(dark(4 * scale, 4 * scale)).toBe(true);
    expect(dark(4 * scale - 1, 4 * scale)).toBe(false);
    expect(dark(width - 4 * scale - 1, 4 * scale)).toBe(true);
    expect(dark(width - 4 * scale, 4 * scale)).toBe(false);
  });
});

describe('the path', () => {
  it.each(Object.entries(payloads))('is decoded: %s', (_name, payload) => {
    const image = qrImage(payload);
    expect(decodeQR(paintPath(image, 4, 4))).toBe(payload);
  });

  it('consists of rectangles inside the box', () => {
    const { size, path } = qrImage(payloads['an address']);
    expect(path).toMatch(/^(M\d+ \d+h\d+v1H\d+z)+$/);
    for (const [, x, y, run, back] of path.matchAll(/M(\d+) (\d+)h(\d+)v1H(\d+)z/g)) {
      expect(Number(x) + Number(run)).toBeLessThanOrEqual(size);
      expect(Number(y)).toBeLessThan(size);
      expect(back).toBe(x);
    }
  });

  it('is decoded for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 120 }), (payload) => {
        expect(decodeQR(paintPath(qrImage(payload), 4, 4))).toBe(payload);
      }),
      { numRuns: 40 },
    );
  });
});

it('rejects text that exceeds a code', () => {
  expect(() => qrImage('x'.repeat(2332))).toThrow();
});
