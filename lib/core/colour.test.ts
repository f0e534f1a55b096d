import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  contrast,
  fromOklch,
  mix,
  parseHex,
  type Rgb,
  reachContrast,
  shiftLightness,
  toHex,
  toOklch,
} from './colour.ts';

const rgb = (hex: string): Rgb => parseHex(hex) as Rgb;
const anyColour = fc
  .tuple(fc.integer({ min: 0, max: 255 }), fc.integer({ min: 0, max: 255 }), fc.integer({ min: 0, max: 255 }))
  .map(([r, g, b]): Rgb => [r / 255, g / 255, b / 255]);

describe('hex', () => {
  it.each(['#000000', '#ffffff', '#24409c', '#f7c843'])('%s comes back as it is', (hex) => {
    expect(toHex(rgb(hex))).toBe(hex);
  });

  it('reads the short form', () => {
    expect(toHex(rgb('#fa0'))).toBe('#ffaa00');
  });

  it.each(['', 'red', '#12', '#12345', '#1234567', '#ggg', 'rgb(0,0,0)', '#000;}'])('refuses %j', (text) => {
    expect(parseHex(text)).toBeNull();
  });
});

// Ratios published with WCAG's own examples and by browsers' tools.
describe('contrast', () => {
  it.each([
    ['#000000', '#ffffff', 21],
    ['#ffffff', '#ffffff', 1],
    ['#767676', '#ffffff', 4.54],
    ['#0000ff', '#ffffff', 8.59],
    ['#ff0000', '#ffffff', 4],
    ['#1b1a17', '#ffffff', 17.4],
  ])('%s on %s is %d', (a, b, ratio) => {
    expect(contrast(rgb(a), rgb(b))).toBeCloseTo(ratio, 1);
    expect(contrast(rgb(b), rgb(a))).toBeCloseTo(ratio, 1);
  });
});

// Values of the CSS Color 4 specification and its sample code.
describe('OKLCH', () => {
  it.each([
    ['#ff0000', 0.628, 0.2577, 29.23],
    ['#00ff00', 0.8664, 0.2948, 142.5],
    ['#0000ff', 0.452, 0.3132, 264.05],
  ])('%s', (hex, l, c, h) => {
    const colour = toOklch(rgb(hex));
    expect(colour.l).toBeCloseTo(l, 3);
    expect(colour.c).toBeCloseTo(c, 3);
    expect(colour.h).toBeCloseTo(h, 1);
  });

  it('there and back changes nothing', () => {
    fc.assert(
      fc.property(anyColour, (colour) => {
        expect(toHex(fromOklch(toOklch(colour)))).toBe(toHex(colour));
      }),
    );
  });

  it('keeps the hue when a step leaves the gamut', () => {
    const darker = toOklch(shiftLightness(rgb('#24409c'), -0.1));
    expect(darker.h).toBeCloseTo(toOklch(rgb('#24409c')).h, 0);
    expect(darker.l).toBeLessThan(toOklch(rgb('#24409c')).l);
  });
});

describe('reach', () => {
  it('does not change a colour with enough contrast', () => {
    expect(reachContrast(rgb('#24409c'), [rgb('#ffffff')], 4.5, 'darker')).toEqual(rgb('#24409c'));
  });

  it('reaches the ratio on every ground, for every colour', () => {
    const grounds = [rgb('#ffffff'), rgb('#f6f4ef')];
    fc.assert(
      fc.property(anyColour, (colour) => {
        const found = reachContrast(colour, grounds, 4.5, 'darker');
        for (const ground of grounds) expect(contrast(found, ground)).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });
});

it('mixes as a browser paints a translucent colour', () => {
  expect(toHex(mix(rgb('#000000'), rgb('#ffffff'), 0.25))).toBe('#bfbfbf');
});
