/**
 * Chooses the language of a page. The payer's own choice comes first; the address and a hidden field of every form
 * carry it, so no cookie is needed. Then the contract's order applies: request, mapping, browser.
 */

import { findLocale, type LocaleCode, locales, resolveLocale } from '../core/locales';
import type { Language } from './contract';

/** The language of the session and of its mapping. */
export type Preset = { language: string | null; defaultLanguage: string | null };

/** The language of a page; `chosen` is the payer's choice in the menu and is ignored unless it is one of the 21. */
export function languageOf(preset: Preset, chosen: string | null, acceptLanguage: string | null): LocaleCode {
  const picked = chosen ? findLocale(chosen) : null;
  return picked?.code ?? resolveLocale(preset.language, preset.defaultLanguage, acceptLanguage);
}

/** The entries of the language menu. */
export const languages: Language[] = locales.map(({ code, bcp47, name }) => ({ code, lang: bcp47, name }));
