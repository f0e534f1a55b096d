/** Reads what a page request adds to the view: language, known attempt, return from the bank. Addresses keep it. */
import { findLocale, type LocaleCode, locales, resolveLocale } from '../core/locales.ts';
import type { HttpRequest } from '../http/index.ts';
import type { Language } from './contract.ts';
import { isFramed } from './csrf-guard.ts';
import { type Device, deviceOf } from './method-order.ts';
import { rememberedMethod } from './remembered-method.ts';
import type { View } from './view.ts';

/** Longer than any method's name. */
const findCharactersMax = 60;

export type PageContext = {
  language: LocaleCode;
  /** The language, if the payer chose it; the page's addresses preserve it. */
  lang: string | null;
  /** The attempt that this browser made (query `attempt`): its receipt leads on to the shop. */
  attempt: string | null;
  /** The payer is back from the bank, and the outcome is still unknown (query `back`). */
  cameBack: boolean;
  /** The payer leaves for the shop, by choice or after the last allowed attempt (query `leave`). */
  leaving: boolean;
  /** The page's address was just sent to the payer (query `reminded`). */
  isReminded: boolean;
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
  reminded?: boolean;
};

/** A path with its query. */
export function withQuery(path: string, { attempt, back, leave, reminded, lang, method }: PageQuery): string {
  const values = { attempt, back: back && '1', leave: leave && '1', reminded: reminded && '1', method, lang };
  const search = new URLSearchParams(Object.entries(values).flatMap(([name, text]) => (text ? [[name, text]] : [])));
  return search.size > 0 ? `${path}?${search}` : path;
}

/** The page's address for the browser that made the payment's latest attempt. */
export function attemptPath({ token, payment }: Pick<View, 'token' | 'payment'>, query: PageQuery = {}): string {
  return withQuery(pathOf(token), { ...query, attempt: payment.attempts > 0 ? String(payment.attempts) : null });
}

type Preset = { language: string | null; defaultLanguage: string | null };

/**
 * The language of a page. The payer's own choice in the menu comes first; the address and a hidden field of every form
 * carry it, so no cookie is needed. Then the contract's order applies: request, mapping, browser.
 */
export function languageOf(preset: Preset, chosen: string | null, acceptLanguage: string | null): LocaleCode {
  const picked = chosen ? findLocale(chosen) : null;
  return picked?.code ?? resolveLocale(preset.language, preset.defaultLanguage, acceptLanguage);
}

export const languages: Language[] = locales.map(({ code, bcp47, name }) => ({ code, lang: bcp47, name }));

/** Reads the context of a request; `language` is the value of the form's hidden field, if the request is a form. */
export function pageContextOf(
  request: HttpRequest,
  { session, caller }: Pick<View, 'session' | 'caller'>,
  now: Date,
  language?: string | null,
): PageContext {
  const preset = { language: session.language, defaultLanguage: caller.mapping.defaultLanguage };
  const query = new URL(request.url).searchParams;
  const attempt = query.get('attempt');
  const acceptLanguage = request.headers.get('accept-language');
  // The menu appends its choice to an address that may already have one.
  const chosen = languageOf(preset, language ?? query.getAll('lang').at(-1) ?? null, acceptLanguage);
  return {
    language: chosen,
    lang: chosen === languageOf(preset, null, acceptLanguage) ? null : chosen,
    attempt: attempt !== null && /^\d{1,4}$/.test(attempt) ? attempt : null,
    cameBack: query.get('back') === '1',
    leaving: query.get('leave') === '1',
    isReminded: query.get('reminded') === '1',
    framed: isFramed(request),
    test: query.get('test'),
    method: query.get('method'),
    find: (query.get('find') ?? '').trim().slice(0, findCharactersMax),
    remembered: rememberedMethod(request),
    device: deviceOf(request.headers),
    now,
  };
}
