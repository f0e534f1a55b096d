// Derives the variables of pay.css from a merchant's accent and radius. A merchant controls nothing else, so that every
// page stays readable.
import { contrast, mix, parseHex, type Rgb, reachContrast, shiftLightness, toHex } from '../../lib/core/colour.ts';

const rgb = (hex: string): Rgb => {
  const parsed = parseHex(hex);
  if (!parsed) throw new Error(`Not a colour: ${hex}`);
  return parsed;
};

/** The backgrounds and text colours that the derivation uses; a test compares them with pay.css. */
export const grounds = {
  light: { surface: '#ffffff', canvas: '#f6f4ef', sunken: '#faf9f6' },
  dark: { surface: '#1b1b19', canvas: '#121211', sunken: '#232320' },
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

function derive(accent: Rgb, scheme: 'light' | 'dark'): Accents {
  const dark = scheme === 'dark';
  const { surface: sheet, canvas, sunken } = grounds[scheme];
  const surface = rgb(sheet);
  const soft = rounded(mix(accent, surface, dark ? 0.16 : 0.08));
  const text = reachContrast(accent, [surface, rgb(canvas), rgb(sunken), soft], 4.5, dark ? 'lighter' : 'darker');
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

/** Both schemes of an accent '#rrggbb'; null if it is not a colour. */
export function accentsOf(accent: string): { light: Accents; dark: Accents } | null {
  const parsed = parseHex(accent);
  return parsed && { light: derive(parsed, 'light'), dark: derive(parsed, 'dark') };
}

const declarations = (accents: Accents): string =>
  Object.entries(accents)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');

/** The style block of a merchant, or ''. Its values are parsed numbers, so that no merchant input reaches CSS. */
export function themeStyle(theme: { accent?: string; radius?: number }): string {
  const accents = theme.accent ? accentsOf(theme.accent) : null;
  const radius = Number.isFinite(theme.radius) ? Math.round(Math.min(14, Math.max(0, theme.radius as number))) : null;
  const light = [accents && declarations(accents.light), radius !== null && `--radius:${radius}px`].filter(Boolean);
  if (light.length === 0) return '';
  const dark = accents ? `@media (prefers-color-scheme:dark){:root{${declarations(accents.dark)}}}` : '';
  return `:root{${light.join(';')}}${dark}`;
}
