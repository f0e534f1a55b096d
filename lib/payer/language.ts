/**
 * The language of a page. The payer's own choice comes first and travels in the address (and in a hidden field of every
 * form), so that no cookie is needed; then the contract's order: request, mapping, browser.
 */

import { findLocale, type LocaleCode, locales, resolveLocale } from '../core/locales';
import type { Language } from './contract';

/** What the session and its mapping say about the language. */
export type Preset = { language: string | null; defaultLanguage: string | null };

/** The language of a page; `chosen` is what the payer picked from the menu, ignored if it is none of the 21. */
export function languageOf(preset: Preset, chosen: string | null, acceptLanguage: string | null): LocaleCode {
  const picked = chosen ? findLocale(chosen) : null;
  return picked?.code ?? resolveLocale(preset.language, preset.defaultLanguage, acceptLanguage);
}

/** The entries of the language menu. */
export const languages: Language[] = locales.map(({ code, bcp47, name }) => ({ code, lang: bcp47, name }));
