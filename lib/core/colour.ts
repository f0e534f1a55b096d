// Colour arithmetic: contrast by WCAG 2.2 and lightness in OKLCH, whose steps are perceptually uniform across hues.
// Derives all colours of a page from a merchant's accent; the tests compute the contrast of every pair in the style
// sheet.

/** Red, green and blue of sRGB, each 0 to 1. */
export type Rgb = readonly [number, number, number];

/** Lightness 0 to 1, chroma 0 to about 0.4, hue in degrees. */
export type Oklch = { l: number; c: number; h: number };

/** Reads '#rrggbb' or '#rgb'; null for anything else. */
export function parseHex(text: string): Rgb | null {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(text);
  const long = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text);
  const digits = short ? short.slice(1).map((digit) => digit + digit) : long?.slice(1);
  if (!digits) return null;
  const [r = 0, g = 0, b = 0] = digits.map((pair) => Number.parseInt(pair, 16) / 255);
  return [r, g, b];
}

/** '#rrggbb', each channel rounded and clamped to 0 to 255. */
export function toHex(rgb: Rgb): string {
  const channels = rgb.map((value) => Math.round(Math.min(1, Math.max(0, value)) * 255));
  return `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

const linear = (value: number): number => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const gamma = (value: number): number => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055);

/** Relative luminance of WCAG 2.2, 0 to 1. */
export function luminance(rgb: Rgb): number {
  return 0.2126 * linear(rgb[0]) + 0.7152 * linear(rgb[1]) + 0.0722 * linear(rgb[2]);
}

/** Contrast ratio of WCAG 2.2, 1 to 21, independent of the order of the arguments. */
export function contrast(a: Rgb, b: Rgb): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

/** `share` (0 to 1) of `over` on `base`, mixed in sRGB as a browser paints a translucent colour. */
export function mix(over: Rgb, base: Rgb, share: number): Rgb {
  const one = (place: 0 | 1 | 2): number => over[place] * share + base[place] * (1 - share);
  return [one(0), one(1), one(2)];
}

/** To OKLCH, by the matrices of Björn Ottosson. */
export function toOklch(rgb: Rgb): Oklch {
  const [r, g, b] = [linear(rgb[0]), linear(rgb[1]), linear(rgb[2])];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const lightness = 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s;
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return { l: lightness, c: Math.hypot(a, bb), h: ((Math.atan2(bb, a) * 180) / Math.PI + 360) % 360 };
}

function unclipped({ l, c, h }: Oklch): Rgb {
  const a = c * Math.cos((h * Math.PI) / 180);
  const b = c * Math.sin((h * Math.PI) / 180);
  const x = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const y = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const z = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    gamma(4.0767416621 * x - 3.3077115913 * y + 0.2309699292 * z),
    gamma(-1.2684380046 * x + 2.6097574011 * y - 0.3413193965 * z),
    gamma(-0.0041960863 * x - 0.7034186147 * y + 1.707614701 * z),
  ];
}

/** Converts to sRGB. A colour outside the gamut loses chroma, never lightness or hue, until it fits. */
export function fromOklch(colour: Oklch): Rgb {
  const l = Math.min(1, Math.max(0, colour.l));
  const fits = (c: number): boolean =>
    unclipped({ ...colour, l, c }).every((value) => value >= -1e-4 && value <= 1.0001);
  let low = 0;
  let high = colour.c;
  if (fits(high)) low = high;
  for (let step = 0; step < 24 && high - low > 1e-5; step += 1) {
    const middle = (low + high) / 2;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  const [r, g, b] = unclipped({ ...colour, l, c: low });
  const clip = (value: number): number => Math.min(1, Math.max(0, value));
  return [clip(r), clip(g), clip(b)];
}

/**
 * The nearest colour of the same hue that reaches `ratio` on every ground, by moving the lightness in one direction:
 * 'darker' for light grounds, 'lighter' for dark ones. Returns the colour itself if it already reaches the ratio.
 */
export function reachContrast(colour: Rgb, grounds: Rgb[], ratio: number, direction: 'darker' | 'lighter'): Rgb {
  const enough = (candidate: Rgb): boolean => grounds.every((ground) => contrast(candidate, ground) >= ratio);
  const start = toOklch(colour);
  const step = direction === 'darker' ? -0.005 : 0.005;
  let candidate = colour;
  for (let l = start.l; !enough(candidate) && l > 0 && l < 1; l += step) {
    candidate = parseHex(toHex(fromOklch({ ...start, l }))) ?? colour;
  }
  if (enough(candidate)) return candidate;
  return direction === 'darker' ? [0, 0, 0] : [1, 1, 1];
}

/** The same hue and chroma with the lightness changed by `points` (0.08 is eight); negative is darker. */
export function shiftLightness(colour: Rgb, points: number): Rgb {
  const start = toOklch(colour);
  return fromOklch({ ...start, l: start.l + points });
}
