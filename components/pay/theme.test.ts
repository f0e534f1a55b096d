import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contrast, parseHex, type Rgb } from '../../lib/core/colour.ts';
import { type Accents, accentsOf, grounds, themeStyle } from './theme.ts';

const rgb = (hex: string): Rgb => {
  const colour = parseHex(hex);
  if (!colour) throw new Error(`no colour: ${hex}`);
  return colour;
};

/** The tokens of the style sheet itself, by scheme. */
function tokens(): Record<'light' | 'dark', Record<string, string>> {
  const css = readFileSync(join(import.meta.dirname, 'style', 'tokens.css'), 'utf8');
  const [light = '', dark = ''] = css.split('@media (prefers-color-scheme: dark)');
  const read = (text: string) =>
    Object.fromEntries([...text.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/g)].map(([, name, value]) => [name, value]));
  return { light: read(light), dark: { ...read(light), ...read(dark) } };
}

const schemes = ['light', 'dark'] as const;

// Text needs 4.5, edges and icons 3 (WCAG 2.2, 1.4.3 and 1.4.11).
const pairs = `
  ink          surface      4.5
  ink          canvas       4.5
  ink          sunken       4.5
  ink          error-soft   4.5
  ink          accent-soft  4.5
  ink-2        surface      4.5
  ink-2        canvas       4.5
  ink-3        surface      4.5
  ink-3        canvas       4.5
  ink-3        sunken       4.5
  on-accent    accent       4.5
  on-accent    accent-press 4.5
  accent-text  surface      4.5
  accent-text  canvas       4.5
  accent-text  sunken       4.5
  accent-text  accent-soft  4.5
  error        surface      4.5
  error        error-soft   4.5
  line-field   surface      3
  line-field   canvas       3
  accent-edge  surface      3
  ok           surface      3
  on-ok        ok           4.5
  rule         canvas       3
`
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/) as [string, string, string]);

describe.each(schemes)('the style sheet, %s', (scheme) => {
  const colours = tokens()[scheme];

  it.each(pairs)('%s on %s reaches %s', (text, ground, ratio) => {
    expect(contrast(rgb(colours[text] ?? ''), rgb(colours[ground] ?? ''))).toBeGreaterThanOrEqual(Number(ratio));
  });

  it('has the backgrounds that themes are derived from', () => {
    expect(colours).toMatchObject(grounds[scheme]);
    expect(tokens().light.ink).toBe(grounds.ink);
  });
});

/** A colour of the style sheet's `hsl(hue saturation% lightness%)`. */
function hsl(hue: number, saturation: number, lightness: number): Rgb {
  const chroma = (saturation / 100) * Math.min(lightness / 100, 1 - lightness / 100);
  const part = (offset: number) => {
    const at = (offset + hue / 30) % 12;
    return Math.round(255 * (lightness / 100 - chroma * Math.max(-1, Math.min(at - 3, 9 - at, 1))));
  };
  return [part(0), part(8), part(4)];
}

it('a lettered mark is readable in each of its eight colours', () => {
  const css = readFileSync(join(import.meta.dirname, 'style', 'ways.css'), 'utf8');
  const hues = [...css.matchAll(/\.t(\d) \{\s*--hue: (\d+);/g)].map(([, , hue]) => Number(hue));
  expect(hues).toHaveLength(8);
  const pairs = [
    ...css.matchAll(/\bcolor: hsl\(var\(--hue\) (\d+)% (\d+)%\);\s*background: hsl\(var\(--hue\) (\d+)% (\d+)%\)/g),
  ];
  expect(pairs).toHaveLength(2);
  for (const pair of pairs) {
    const [textSaturation = 0, text = 0, groundSaturation = 0, ground = 0] = pair.slice(1).map(Number);
    for (const hue of hues) {
      const ratio = contrast(hsl(hue, textSaturation, text), hsl(hue, groundSaturation, ground));
      expect(ratio, `${hue}`).toBeGreaterThanOrEqual(4.5);
    }
  }
});

/** Every pair of a theme that must be readable or visible. */
function expectReadable(accents: Accents, scheme: 'light' | 'dark'): void {
  const { surface, canvas, sunken } = grounds[scheme];
  for (const ground of [surface, canvas, sunken, accents['accent-soft']]) {
    expect(contrast(rgb(accents['accent-text']), rgb(ground))).toBeGreaterThanOrEqual(4.5);
  }
  for (const button of [accents.accent, accents['accent-press']]) {
    expect(contrast(rgb(accents['on-accent']), rgb(button))).toBeGreaterThanOrEqual(4.5);
  }
  expect(contrast(rgb(accents['accent-edge']), rgb(surface))).toBeGreaterThanOrEqual(3);
}

describe('a merchant’s accent', () => {
  it('is readable in every colour', () => {
    const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
    fc.assert(
      fc.property(hex, (accent) => {
        const both = accentsOf(accent);
        for (const scheme of schemes) expectReadable(both?.[scheme] as Accents, scheme);
      }),
      { numRuns: 300 },
    );
  });

  it.each(['#ffffff', '#000000', '#808080', '#f7c843', '#ff0000', '#00ff00', '#757575', '#777777'])('%s', (accent) => {
    for (const scheme of schemes) expectReadable(accentsOf(accent)?.[scheme] as Accents, scheme);
  });

  it('gets an edge only with too little contrast to the sheet', () => {
    expect(accentsOf('#f7c843')?.light['accent-edge']).toBe(accentsOf('#f7c843')?.light['accent-text']);
    expect(accentsOf('#24409c')?.light['accent-edge']).toBe('#24409c');
  });
});

describe('the style block', () => {
  it('is empty without settings', () => {
    expect(themeStyle({})).toBe('');
  });

  it('contains only parsed numbers', () => {
    expect(themeStyle({ accent: 'red;}*{display:none' })).toBe('');
    expect(themeStyle({ accent: '</style><script>', radius: 4 })).toBe(':root{--radius:4px}');
  });

  it.each([
    [-3, 0],
    [0, 0],
    [14, 14],
    [40, 14],
  ])('keeps a radius of %d at %d pixels', (radius, pixels) => {
    expect(themeStyle({ radius })).toBe(`:root{--radius:${pixels}px}`);
  });

  it('sets both schemes', () => {
    expect(themeStyle({ accent: '#f7c843' })).toMatch(
      /^:root\{--accent:#f7c843;.*@media \(prefers-color-scheme:dark\)/,
    );
  });
});
