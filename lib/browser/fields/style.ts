// The style that a merchant may give to the input inside a frame: a closed list of properties and of value patterns.
// None can load a resource, cover the page or leak the input.
import type { HostedFieldStyle } from './hosted-fields.d.ts';

const length = /^-?(\d{1,4}(\.\d{1,3})?)(px|rem|em|%|pt|vw)?$/;
const lengths = /^(\d{1,3}(\.\d{1,3})?(px|rem|em)?)( \d{1,3}(\.\d{1,3})?(px|rem|em)?){0,3}$/;
const colour = /^(#[0-9a-f]{3,8}|[a-z]{3,24}|(rgb|rgba|hsl|hsla|oklch|oklab|lab|lch)\([0-9a-z.,%/ +-]{1,60}\))$/i;
const word = /^[a-z-]{2,24}$/;

const shapes: { [property: string]: RegExp } = {
  color: colour,
  'caret-color': colour,
  '-webkit-text-fill-color': colour,
  direction: /^(ltr|rtl)$/,
  'font-family': /^[\w\s,'"-]{1,200}$/,
  'font-size': length,
  'font-style': word,
  'font-variant': /^[a-z -]{2,60}$/,
  'font-variant-numeric': /^[a-z -]{2,60}$/,
  'font-weight': /^(\d{3}|[a-z]{4,8})$/,
  'letter-spacing': length,
  'line-height': length,
  opacity: /^(0|1|0?\.\d{1,3})$/,
  padding: lengths,
  'padding-bottom': length,
  'padding-left': length,
  'padding-right': length,
  'padding-top': length,
  'text-align': word,
  'text-shadow': /^none$/,
  transition: /^(none|(color|opacity) \d{1,4}m?s( [a-z-]+)?)$/,
  '-webkit-font-smoothing': word,
};

const selectors: { [selector: string]: string } = {
  input: '.field,.line,.words',
  'input:focus': '.field:focus',
  ':focus': '.field:focus',
  'input.invalid': '.field[aria-invalid]',
  '.invalid': '.field[aria-invalid]',
  'input.valid': '.field[data-valid]',
  '.valid': '.field[data-valid]',
  '::placeholder': '.field::placeholder',
  'input::placeholder': '.field::placeholder',
  '::selection': '.field::selection',
  agreement: '.words',
};

const dashed = (name: string) => name.trim().replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The rules of a style as style sheet texts; anything not on the lists is dropped. */
export function rulesOf(style: unknown): string[] {
  if (typeof style !== 'object' || style === null) return [];
  return Object.entries(style as HostedFieldStyle).flatMap(([selector, properties]) => {
    const target = Object.hasOwn(selectors, selector) ? selectors[selector] : undefined;
    if (!target || typeof properties !== 'object' || properties === null) return [];
    const declarations = Object.entries(properties).flatMap(([name, value]) => {
      const property = dashed(name);
      const shape = Object.hasOwn(shapes, property) ? shapes[property] : undefined;
      const text = typeof value === 'number' ? String(value) : value;
      return shape && typeof text === 'string' && shape.test(text.trim()) ? [`${property}:${text.trim()}`] : [];
    });
    return declarations.length > 0 ? [`${target}{${declarations.join(';')}}`] : [];
  });
}
