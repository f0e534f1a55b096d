import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contrast, parseHex, type Rgb } from '../../lib/core/colour.ts';
import { pageFonts } from '../../lib/core/page-fonts.ts';
import { type Accents, accentsOf, canvasesOf, grounds, mendingsOf, themeStyle } from './theme.ts';

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
function expectReadable(accents: Accents, scheme: 'light' | 'dark', canvas: string = grounds[scheme].canvas): void {
  const { surface, sunken } = grounds[scheme];
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

/** Any colour as '#rrggbb'. */
const anyColour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

// Text and edges that lie on the canvas, from the table above.
const onCanvas = pairs.filter(([, ground]) => ground === 'canvas');

describe('a merchant’s background', () => {
  it('is moved until everything on it can be read, with any accent', () => {
    fc.assert(
      fc.property(anyColour, anyColour, (background, accent) => {
        for (const scheme of schemes) {
          const canvas = canvasesOf(background)?.[scheme] ?? '';
          const colours: Record<string, string> = { ...tokens()[scheme], ...accentsOf(accent, background)?.[scheme] };
          for (const [text, , ratio] of onCanvas) {
            expect(contrast(rgb(colours[text] ?? ''), rgb(canvas)), text).toBeGreaterThanOrEqual(Number(ratio));
          }
          expectReadable(colours as Accents, scheme, canvas);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('stays as chosen if it is light enough, and is dark in the dark scheme', () => {
    const canvases = canvasesOf('#f7ebdd');
    expect(canvases?.light).toBe('#f7ebdd');
    expect(contrast(rgb(canvases?.dark ?? ''), rgb('#ffffff'))).toBeGreaterThan(15);
  });

  it('leaves the default accent readable', () => {
    fc.assert(
      fc.property(anyColour, (background) => {
        for (const scheme of schemes) {
          const text = rgb(tokens()[scheme]['accent-text'] ?? '');
          expect(contrast(text, rgb(canvasesOf(background)?.[scheme] ?? ''))).toBeGreaterThanOrEqual(4.5);
        }
      }),
      { numRuns: 100 },
    );
  });
});

// colours | what is shown otherwise: part, scheme, contrast as chosen, shown colour
const mended = `
#24409c         | links dark 1.7 #6085e7, edge dark 1.9 #6085e7
#ff6600         | button light 2.9 #1b1a17, links light 2.7 #bf4b00, edge light 2.9 #bf4b00
#777777         | button light 4.5 #000000, links light 4.1 #707070, links dark 3.5 #909090
- #f7ebdd       |
- #0b1f3a       | background light 2.9 #dfedff
`
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()));

it.each(mended)('mends %s: %s', (colours = '', expected = '') => {
  const [accent = '', background = ''] = colours.split(/\s+/);
  const found = mendingsOf({ accent, background }).map(
    ({ part, scheme, ratio, shown }) => `${part} ${scheme} ${ratio.toFixed(1)} ${shown}`,
  );
  expect(found.join(', ')).toBe(expected);
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

  it('sets a listed typeface, but not for scripts that have their own', () => {
    expect(themeStyle({ font: 'serif' })).toMatch(
      /^:root:not\(:lang\(ar\),:lang\(zh\),:lang\(ja\)\)\{--font:ui-serif,/,
    );
    expect(themeStyle({ font: 'x;}*{display:none' })).toBe('');
    for (const { id, families } of pageFonts) {
      expect(themeStyle({ font: id })).toContain(families);
      expect(families).toMatch(/^[\w "',-]+$/);
    }
    expect(themeStyle({ font: 'mono' })).toContain('svg,::placeholder{font-family:system-ui');
  });

  it('sets both backgrounds without an accent', () => {
    expect(themeStyle({ background: '#f7ebdd' })).toMatch(
      /^:root\{--canvas:#f7ebdd\}@media \(prefers-color-scheme:dark\)\{:root\{--canvas:#[0-9a-f]{6}\}\}$/,
    );
    expect(themeStyle({ background: 'red;}' })).toBe('');
  });

  it('sets both schemes', () => {
    expect(themeStyle({ accent: '#f7c843' })).toMatch(
      /^:root\{--accent:#f7c843;.*@media \(prefers-color-scheme:dark\)/,
    );
  });
});
