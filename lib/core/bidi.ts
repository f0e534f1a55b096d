// Foreign names inside of texts in either direction.
import type { Translations } from './words';

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * A foreign name for use inside a message: wrapped in Unicode isolates where its direction may differ
 * from the page's, untouched otherwise, so that ordinary names can be searched and compared.
 */
export function isolate(name: string, words: Pick<Translations, 'dir'>): string {
  return words.dir === 'rtl' || rightToLeft.test(name) ? `\u2068${name}\u2069` : name;
}

/** Words of the page's language inside a field that runs from left to right in every language. */
export function inLatinField(text: string, words: Pick<Translations, 'dir'>): string {
  return words.dir === 'rtl' ? `\u2067${text}\u2069` : text;
}
