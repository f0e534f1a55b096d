/** Reads what a page request adds to the view: language, known attempt, return from the bank. Addresses keep it. */
import { type LocaleCode, locales, resolveLocale } from '../core/locales.ts';
import type { Translations } from '../core/translations.ts';
import type { HttpRequest } from '../http/index.ts';
import type { Language } from './contract.ts';
import { formNumber, isFramed } from './csrf-guard.ts';
import { type Device, deviceOf } from './method-order.ts';
import { localeNamed, regionOf, regionOfTag, tagOf } from './region.ts';
import { translationsIn } from './regional-translations.ts';
import { rememberedMethod } from './remembered-method.ts';
import type { View } from './view.ts';

/** Longer than any method's name. */
const findCharactersMax = 60;

export type PageContext = {
  language: LocaleCode;
  /** The region that amounts, dates and words are in; null: none is known. */
  region: string | null;
  words: Translations;
  /** The language, or its tag with a region, if the payer chose it; the page's addresses preserve it. */
  lang: string | null;
  /** The attempt that this browser made (query `attempt`): its receipt leads on to the shop. */
  attempt: string | null;
  /** The payer is back from the bank, and the outcome is still unknown (query `back`). */
  cameBack: boolean;
  /** The payer leaves for the shop, by choice or after the last allowed attempt (query `leave`). */
  leaving: boolean;
  /** The number of the message that was just sent to the payer (query `reminded`); 0 for none. */
  reminded: number;
  framed: boolean;
  /** The sandbox's chosen outcome (query `test`). */
  test: string | null;
  /** The method whose row is open (query `method`). */
  method: string | null;
  /** The text that the payer searches for in the method list (query `find`). */
  find: string;
  /** The method that the payer's device remembers. */
  remembered: string | undefined;
  device: Device;
  now: Date;
};

/** The path of a link's page, or of an address below it. */
export function pathOf(token: string, below = ''): string {
  return `/pay/${token}${below}`;
}

type PageQuery = Partial<Pick<PageContext, 'attempt' | 'lang' | 'method'>> & {
  back?: boolean;
  leave?: boolean;
  /** The number of the message. */
  reminded?: number;
};

/** A path with its query. */
export function withQuery(path: string, { attempt, back, leave, reminded, lang, method }: PageQuery): string {
  const values = {
    attempt,
    back: back && '1',
    leave: leave && '1',
    reminded: reminded && String(reminded),
    method,
    lang,
  };
  const search = new URLSearchParams(Object.entries(values).flatMap(([name, text]) => (text ? [[name, text]] : [])));
  return search.size > 0 ? `${path}?${search}` : path;
}

/** The page's address for the browser that made the payment's latest attempt. */
export function attemptPath(view: Pick<View, 'token' | 'payment' | 'session'>, query: PageQuery = {}): string {
  const attempt = view.payment.attempts > 0 ? formNumber(view) : null;
  return withQuery(pathOf(view.token), { ...query, attempt });
}

export type Preset = { language: string | null; defaultLanguage: string | null };

/**
 * The language of a page. The payer's own choice in the menu comes first; the address and a hidden field of every form
 * carry it, so no cookie is needed. Then the contract's order applies: request, mapping, browser.
 */
function languageOf(preset: Preset, chosen: string | null, acceptLanguage: string | null): LocaleCode {
  return (
    (chosen ? localeNamed(chosen) : null) ?? resolveLocale(preset.language, preset.defaultLanguage, acceptLanguage)
  );
}

export const languages: Language[] = locales.map(({ code, bcp47, name }) => ({ code, lang: bcp47, name }));

/** Language and region of a page, with their translations, as a request asks for them. */
export function localeOfRequest(
  request: HttpRequest,
  preset: Preset,
  { chosen, country }: { chosen?: string | null; country?: string | null } = {},
): Pick<PageContext, 'language' | 'region' | 'words' | 'lang'> {
  const acceptLanguage = request.headers.get('accept-language');
  // The menu appends its choice to an address that may already have one.
  const named = chosen ?? new URL(request.url).searchParams.getAll('lang').at(-1) ?? null;
  const language = languageOf(preset, named, acceptLanguage);
  const region = regionOf(language, { tags: [named, preset.language], acceptLanguage, country });
  const namedRegion = named && regionOfTag(named, language);
  const isDefault = language === languageOf(preset, null, acceptLanguage);
  const lang = namedRegion ? tagOf(language, namedRegion) : isDefault ? null : language;
  return { language, region, words: translationsIn(language, region), lang };
}

/** Reads the context of a request; `language` is the value of the form's hidden field, if the request is a form. */
export function pageContextOf(
  request: HttpRequest,
  { session, caller, payment }: Pick<View, 'session' | 'caller' | 'payment'>,
  now: Date,
  language?: string | null,
): PageContext {
  const preset = { language: session.language, defaultLanguage: caller.mapping.defaultLanguage };
  const query = new URL(request.url).searchParams;
  const attempt = query.get('attempt');
  return {
    ...localeOfRequest(request, preset, { chosen: language, country: payment.payer.country }),
    attempt: attempt !== null && /^\d{1,4}$/.test(attempt) ? attempt : null,
    cameBack: query.get('back') === '1',
    leaving: query.get('leave') === '1',
    reminded: /^[1-3]$/.test(query.get('reminded') ?? '') ? Number(query.get('reminded')) : 0,
    framed: isFramed(request),
    test: query.get('test'),
    method: query.get('method'),
    find: (query.get('find') ?? '').trim().slice(0, findCharactersMax),
    remembered: rememberedMethod(request),
    device: deviceOf(request.headers),
    now,
  };
}
