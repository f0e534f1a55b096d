// Derives the variables of pay.css from a merchant's colours, radius and typeface. A merchant controls nothing else, and
// colours are moved until everything on them can be read.
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
} from '../../lib/core/colour.ts';
import { fontFamilies } from '../../lib/core/page-fonts.ts';

const rgb = (hex: string): Rgb => {
  const parsed = parseHex(hex);
  if (!parsed) throw new Error(`Not a colour: ${hex}`);
  return parsed;
};

/** The backgrounds and text colours that the derivation uses; a test compares them with pay.css. */
export const grounds = {
  light: { surface: '#ffffff', canvas: '#f6f4ef', sunken: '#faf9f6', 'ink-3': '#6b675f', 'line-field': '#8c877d' },
  dark: { surface: '#1b1b19', canvas: '#121211', sunken: '#232320', 'ink-3': '#9f9b91', 'line-field': '#7d796f' },
  ink: '#1b1a17',
} as const;

const white = rgb('#ffffff');
const ink = rgb(grounds.ink);
const black = rgb('#000000');

/** The colours that a theme sets in one of the two schemes, as '#rrggbb'. */
export type Accents = {
  accent: string;
  'accent-press': string;
  'on-accent': string;
  'accent-text': string;
  'accent-soft': string;
  /** Edge of the filled button: the accent, or accent-text if the accent has too little contrast with the sheet. */
  'accent-edge': string;
};

// Contrast is computed from the rounded colour, the one that CSS gets.
const rounded = (colour: Rgb): Rgb => rgb(toHex(colour));

/** The text on a filled button: white or ink by contrast; black for medium accents, where neither reaches 4.5. */
function textOn(accent: Rgb): Rgb {
  const best = contrast(white, accent) >= contrast(ink, accent) ? white : ink;
  return contrast(best, accent) >= 4.5 ? best : contrast(black, accent) >= 4.5 ? black : white;
}

type Scheme = 'light' | 'dark';

/** The colour behind the sheet: in the dark scheme the same hue, as dark as the style sheet's own colour. */
function canvasOf(background: Rgb, scheme: Scheme): Rgb {
  const dark = scheme === 'dark';
  const own = dark ? fromOklch({ ...toOklch(background), l: toOklch(rgb(grounds.dark.canvas)).l }) : background;
  const direction = dark ? 'darker' : 'lighter';
  const readable = reachContrast(rounded(own), [rgb(grounds[scheme]['ink-3'])], 4.5, direction);
  return reachContrast(readable, [rgb(grounds[scheme]['line-field'])], 3, direction);
}

function derive(accent: Rgb, scheme: Scheme, canvas: Rgb): Accents {
  const dark = scheme === 'dark';
  const { surface: sheet, sunken } = grounds[scheme];
  const surface = rgb(sheet);
  const soft = rounded(mix(accent, surface, dark ? 0.16 : 0.08));
  const text = reachContrast(accent, [surface, canvas, rgb(sunken), soft], 4.5, dark ? 'lighter' : 'darker');
  const on = textOn(accent);
  const towardsText = rounded(shiftLightness(accent, dark ? 0.08 : -0.08));
  const away = rounded(shiftLightness(accent, dark ? -0.08 : 0.08));
  // The label must stay readable while the button is pressed, so the step may go the other way.
  const press = [towardsText, away].find((colour) => contrast(on, colour) >= 4.5) ?? accent;
  return {
    accent: toHex(accent),
    'accent-press': toHex(press),
    'on-accent': toHex(on),
    'accent-text': toHex(text),
    'accent-soft': toHex(soft),
    'accent-edge': toHex(contrast(accent, surface) >= 3 ? accent : text),
  };
}

/** The colours that a merchant chooses, each as '#rrggbb'. */
export type Colours = { accent?: string | undefined; background?: string | undefined };

const parsedOr = (hex: string | undefined): Rgb | null => (hex === undefined ? null : parseHex(hex));

/** The colour behind the sheet, the style sheet's own without a background. */
const groundOf = (background: Rgb | null, scheme: Scheme): Rgb =>
  background ? canvasOf(background, scheme) : rgb(grounds[scheme].canvas);

/** Both schemes of an accent '#rrggbb'; null if it is not a colour. */
export function accentsOf(accent: string, background?: string): { light: Accents; dark: Accents } | null {
  const parsed = parseHex(accent);
  const ground = parsedOr(background);
  const of = (colour: Rgb, scheme: Scheme) => derive(colour, scheme, groundOf(ground, scheme));
  return parsed && { light: of(parsed, 'light'), dark: of(parsed, 'dark') };
}

/** The colour behind the sheet in both schemes; null if `background` is not a colour. */
export function canvasesOf(background: string): { light: string; dark: string } | null {
  const parsed = parseHex(background);
  return parsed && { light: toHex(canvasOf(parsed, 'light')), dark: toHex(canvasOf(parsed, 'dark')) };
}

/** A part of the page that is not shown in the colour as chosen, because the contrast `ratio` is less than `least`. */
export type Mending = {
  part: 'button' | 'links' | 'edge' | 'background';
  scheme: Scheme;
  ratio: number;
  least: number;
  /** The colour that is shown. */
  shown: string;
};

/** What a page shows otherwise than chosen, and why. The button's text is the same in both schemes. */
export function mendingsOf({ accent, background }: Colours): Mending[] {
  const schemes = ['light', 'dark'] as const;
  const ground = parsedOr(background);
  const chosen = parsedOr(accent);
  const mendings: Mending[] = [];
  const add = (part: Mending['part'], scheme: Scheme, [ratio, least]: [number, number], shown: string) => {
    if (ratio < least) mendings.push({ part, scheme, ratio, least, shown });
  };
  if (accent && chosen) {
    const accents = accentsOf(accent, background);
    add('button', 'light', [contrast(white, chosen), 4.5], accents?.light['on-accent'] ?? '');
    for (const scheme of schemes) {
      const surface = rgb(grounds[scheme].surface);
      const behind = [surface, groundOf(ground, scheme), rgb(grounds[scheme].sunken)];
      const ratio = Math.min(...behind.map((colour) => contrast(chosen, colour)));
      add('links', scheme, [ratio, 4.5], accents?.[scheme]['accent-text'] ?? '');
      add('edge', scheme, [contrast(chosen, surface), 3], accents?.[scheme]['accent-edge'] ?? '');
    }
  }
  if (ground) {
    const shown = toHex(canvasOf(ground, 'light'));
    const { 'ink-3': text, 'line-field': line } = grounds.light;
    const [forText, forLine] = [contrast(rgb(text), ground), contrast(rgb(line), ground)];
    add('background', 'light', forText < 4.5 ? [forText, 4.5] : [forLine, 3], shown);
  }
  return mendings;
}

const declarations = (values: object): string =>
  Object.entries(values)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');

/** What the style block of a merchant is made of. */
export type Theme = Colours & { radius?: number | undefined; font?: string | undefined };

// A typeface for Latin letters says nothing about these scripts, whose own ones are easier to read.
const ownScripts = ':not(:lang(ar),:lang(zh),:lang(ja))';

/** The style block of a merchant, or ''. Its values are parsed numbers and listed typefaces: no input reaches CSS. */
export function themeStyle({ accent, background, radius, font }: Theme): string {
  const accents = accent ? accentsOf(accent, background) : null;
  const canvases = background ? canvasesOf(background) : null;
  const families = fontFamilies(font);
  // Marks of cards keep their letters. Hints of short fields have no room for letters as wide as the widest.
  const fixed = font === 'mono' ? 'svg,::placeholder' : 'svg';
  const pixels = Number.isFinite(radius) ? Math.round(Math.min(14, Math.max(0, radius as number))) : null;
  const coloursIn = (scheme: Scheme) => ({ ...accents?.[scheme], ...(canvases && { canvas: canvases[scheme] }) });
  const light = declarations({ ...coloursIn('light'), ...(pixels !== null && { radius: `${pixels}px` }) });
  const dark = declarations(coloursIn('dark'));
  return [
    light && `:root{${light}}`,
    dark && `@media (prefers-color-scheme:dark){:root{${dark}}}`,
    // The narrow spacing of large letters suits the system's typeface only.
    families && `:root${ownScripts}{--font:${families};--tracking:0;--tracking-amount:0}`,
    families && `${fixed}{font-family:system-ui,sans-serif}`,
  ]
    .filter(Boolean)
    .join('');
}
