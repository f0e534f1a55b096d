// Isolation of names whose writing direction may differ from the page's.
import type { Translations } from './translations.ts';

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Wraps a name in Unicode isolates if its direction may differ from the page's; others can be searched as they are. */
export function isolate(name: string, words: Pick<Translations, 'dir'>): string {
  return words.dir === 'rtl' || rightToLeft.test(name) ? `\u2068${name}\u2069` : name;
}

/** Isolates a text in the page's language inside a field that is always left to right. */
export function inLatinField(text: string, words: Pick<Translations, 'dir'>): string {
  return words.dir === 'rtl' ? `\u2067${text}\u2069` : text;
}
