/**
 * What one request for a page brings along, and the addresses of the page that carry it on: the language, the attempt
 * that the browser knows of, the way by which it came.
 */
import type { LocaleCode } from '../core/locales';
import { isFramed } from './guard';
import { languageOf, type Preset } from './language';
import type { View } from './view';

/** What one request adds to the view. */
export type PageContext = {
  language: LocaleCode;
  /** The language if the payer chose it, so that the addresses of the page carry it on. */
  lang: string | null;
  /** The attempt that this browser made (query `attempt`): it is shown the receipt, others that the order is paid. */
  attempt: string | null;
  /** The payer has come back from the bank, but the bank has not said what became of it (query `back`). */
  cameBack: boolean;
  /** The payer has asked to go back to the shop, or may try no more (query `leave`). */
  leaving: boolean;
  /** The document is inside another page's frame. */
  framed: boolean;
  /** The sandbox's chosen outcome (query `test`). */
  test: string | null;
  /** The method whose row is to be open (query `method`). */
  method: string | null;
  now: Date;
};

/** The path of a link's page, and of its addresses below it. */
export function pathOf(token: string, below = ''): string {
  return `/pay/${token}${below}`;
}

/** What an address of the page may carry besides the link itself. */
export type PageQuery = {
  attempt?: string | null;
  back?: boolean;
  leave?: boolean;
  lang?: string | null;
  method?: string;
};

/** A path with what it is to carry. */
export function withQuery(path: string, { attempt, back, leave, lang, method }: PageQuery): string {
  const search = new URLSearchParams();
  if (attempt) search.set('attempt', attempt);
  if (back) search.set('back', '1');
  if (leave) search.set('leave', '1');
  if (method) search.set('method', method);
  if (lang) search.set('lang', lang);
  return search.size > 0 ? `${path}?${search}` : path;
}

/** The page's address for the browser that made this payment's latest attempt. */
export function attemptPath({ token, payment }: Pick<View, 'token' | 'payment'>, query: PageQuery = {}): string {
  return withQuery(pathOf(token), { ...query, attempt: payment.attempts > 0 ? String(payment.attempts) : null });
}

/** What the session and its mapping say about the page's language. */
export function presetOf({ session, caller }: Pick<View, 'session' | 'caller'>): Preset {
  return { language: session.language, defaultLanguage: caller.mapping.defaultLanguage };
}

/** Reads what the request adds to the view; `language` is what the form carried, if it was one. */
export function pageContextOf(request: Request, preset: Preset, now: Date, language?: string | null): PageContext {
  const query = new URL(request.url).searchParams;
  const attempt = query.get('attempt');
  const acceptLanguage = request.headers.get('accept-language');
  // The menu appends its choice to an address that may carry an earlier one.
  const chosen = languageOf(preset, language ?? query.getAll('lang').at(-1) ?? null, acceptLanguage);
  return {
    language: chosen,
    lang: chosen === languageOf(preset, null, acceptLanguage) ? null : chosen,
    attempt: attempt !== null && /^\d{1,4}$/.test(attempt) ? attempt : null,
    cameBack: query.get('back') === '1',
    leaving: query.get('leave') === '1',
    framed: isFramed(request),
    test: query.get('test'),
    method: query.get('method'),
    now,
  };
}
