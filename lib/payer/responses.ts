/** Builds the responses to payers' browsers: documents with their headers, redirects, and pages without a session. */
import { randomBytes, randomUUID } from 'node:crypto';
import { env } from '../config/index.ts';
import type { AlertText } from '../core/page-data.ts';
import type { Translations } from '../core/translations.ts';
import { now } from '../db/clock.ts';
import {
  type HttpRequest,
  type HttpResult,
  html,
  httpResult,
  jsonResult,
  type Route,
  readPayAssets,
} from '../http/index.ts';
import { hasAllMessages, receiptAddress, recipientOf } from '../outbox/index.ts';
import { recentSuccesses } from '../payments/index.ts';
import { agreementMark, agreementOf } from '../recurring/index.ts';
import { retryAfterForAddress } from '../risk/index.ts';
import { currentRequestId, log } from '../telemetry/index.ts';
import { barcodeOf } from './barcode.ts';
import type { PageModel, SubmitResult } from './contract.ts';
import { hiddenFields } from './csrf-guard.ts';
import { exitUrl, frameAncestorsOf } from './exit.ts';
import type { RefilledForm } from './form.ts';
import { logoOf } from './logo.ts';
import { keepsOrder } from './method-list.ts';
import { pageOf } from './page.ts';
import { languages, localeOfRequest, type PageContext, pathOf } from './page-context.ts';
import { renderPage } from './render.ts';
import { isCompletedLater } from './screen.ts';
import { originOf, pageHeaders } from './security-headers.ts';
import { savedCards, type View } from './view.ts';

type Handler = Route['run'];

/** A JSON response to a page's script. */
export function privateJson(body: object, status = 200, more: Record<string, string> = {}): HttpResult {
  const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', ...more };
  return jsonResult(body, { status, headers });
}

type DocumentOptions = {
  status?: number;
  /** That of the page that shows the document in its own place; absent: a new one. */
  nonce?: string;
  headers?: Record<string, string>;
  frameAncestors?: readonly string[];
  /** Banks' pages without https, on the local network. */
  frameSources?: readonly string[];
};

const newNonce = () => randomBytes(16).toString('base64url');

/** Whether a text has the form of our nonces. */
export const isNonce = (text: string) => /^[\w-]{22}$/.test(text);

/** Renders a model and adds its headers. */
export async function render(model: PageModel, words: Translations, answer: DocumentOptions = {}): Promise<HttpResult> {
  const { nonce = newNonce() } = answer;
  const frameAncestors = (answer.frameAncestors ?? []).filter((text) => originOf(text)[0] === text);
  const context = { words, now: now(), nonce, assets: readPayAssets() };
  const html = await renderPage(model, context);
  return httpResult(html, {
    status: answer.status ?? 200,
    headers: {
      ...pageHeaders(model, { nonce, frameAncestors, frameSources: answer.frameSources }),
      // The page may open a bank's page in a window, but a page that opened it gets no reference to it.
      'cross-origin-opener-policy': 'same-origin-allow-popups',
      'x-robots-tag': 'noindex, nofollow',
      ...answer.headers,
    },
  });
}

/** The address that the receipt, or the payment data, was just sent to. */
function sentToOf({ screen, payment, attempt }: View, number: number): Promise<string | undefined> | undefined {
  if (screen.kind === 'paid') return receiptAddress(payment.id, number);
  return attempt ? recipientOf(attempt.id) : undefined;
}

/** Renders the document of a view. */
export async function documentResponse(
  request: HttpRequest,
  view: View,
  context: PageContext,
  { status, nonce, refilled }: Pick<DocumentOptions, 'status' | 'nonce'> & { refilled?: RefilledForm } = {},
): Promise<HttpResult> {
  const isForm = view.screen.kind === 'form';
  const agreement = isForm ? await agreementOf(view, context.now) : undefined;
  const { merchant, mids } = view.caller;
  const [hidden, kept, successes, logo, sentTo, isFull] = await Promise.all([
    hiddenFields(view, agreementMark(agreement)),
    isForm ? savedCards(view, context.now) : [],
    isForm && !keepsOrder(view) ? recentSuccesses(merchant.id, mids, context.now) : undefined,
    logoOf(merchant, pathOf(view.token, '/logo')),
    context.reminded > 0 ? sentToOf(view, context.reminded) : undefined,
    view.screen.kind === 'present' && hasAllMessages(view.payment.id),
  ]);
  const extras = {
    hidden,
    agreement,
    savedCards: kept,
    successes,
    logo,
    sentTo,
    isFull,
    barcode: await barcodeOf(view.screen),
    sandbox: env.appEnv === 'sandbox',
  };
  const model = pageOf(view, context, extras, refilled);
  if (!model) return unknownLinkPage(request);
  const leaving = context.leaving && ['waiting', 'challenge', 'present'].includes(model.state);
  const away = leaving ? exitUrl(view, isCompletedLater(view.screen) ? 'later' : 'undetermined') : undefined;
  return render(model, context.words, {
    status,
    nonce,
    frameAncestors: frameAncestorsOf(view),
    frameSources: view.screen.kind === 'challenge' ? originOf(view.screen.action.url) : undefined,
    // A Refresh header, because the policy's form-action would check a redirect, and the shop's own next one, after a
    // form.
    headers: away === undefined ? undefined : { refresh: `0; url=${new URL(away).href}` },
  });
}

/** Renders one page at start, so that the rendering code is loaded before the first payer's request. */
export async function warmPages(): Promise<void> {
  await unknownLinkPage(new Request(`${env.baseUrl}/pay/`));
}

/** The page of an invalid link; it does not reveal whether the session ever existed. */
export function unknownLinkPage(request: HttpRequest): Promise<HttpResult> {
  const model: PageModel = { state: 'unknownLink', languages, pageUrl: new URL(request.url).pathname };
  return render(model, requestedWords(request), { status: 404 });
}

/** The page of an error: an internal one with the reference of its log line, or a request that fails the CSRF check. */
export function failurePage(request: HttpRequest, status: number, reference?: string): Promise<HttpResult> {
  return render({ state: 'error', reference, languages, pageUrl: pageUrlOf(request) }, requestedWords(request), {
    status,
  });
}

/** 429: a plain page in the payer's language, which costs nothing to render, or for the form's script an alert above the form. */
export function tooManyRequests(request: HttpRequest, seconds: number): HttpResult {
  const { t, lang, dir } = requestedWords(request);
  const [heading, text] = [t('limited.heading'), t('limited.text')];
  const retry = { 'retry-after': String(seconds) };
  if (request.method === 'POST' && request.headers.get('accept')?.includes('application/json')) {
    const formHeading = t('pay.headingRetry');
    const alert: AlertText = { kind: 'technical', heading, text, title: heading, formHeading, clears: [], errors: {} };
    return privateJson({ next: 'stay', errors: {}, alert } satisfies SubmitResult, 429, retry);
  }
  const page = html`<!doctype html>
<html lang="${lang}" dir="${dir}">
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${heading}</title>
<h1>${heading}</h1>
<p>${text}</p>
<p><a href="${pageUrlOf(request)}">${t('failure.reload')}</a></p>
</html>`;
  const headers = { 'content-type': 'text/html; charset=utf-8', 'referrer-policy': 'no-referrer', ...retry };
  return httpResult(page.html, { status: 429, headers });
}

/** Wraps a handler in a rate limit per client IP. */
export function withRateLimit(
  scope: 'pay' | 'pay_view' | 'pay_state' | 'pay_file' | 'fields_view',
  run: Handler,
): Handler {
  return (request, params, clientIp) => {
    const seconds = retryAfterForAddress(scope, clientIp.address);
    return seconds === 0 ? run(request, params, clientIp) : tooManyRequests(request, seconds);
  };
}

/** The path of the page that a form belongs to. */
const pageUrlOf = (request: HttpRequest) => new URL(request.url).pathname.replace(/(\/pay\/[^/]+)\/.*/, '$1');

function requestedWords(request: HttpRequest): Translations {
  return localeOfRequest(request, { language: null, defaultLanguage: null }).words;
}

/** Redirects with 303, so that a reload never resubmits the form. Other characters are encoded as browsers do. */
export function seeOther(address: string): HttpResult {
  const location = URL.canParse(address) ? new URL(address).href : address;
  return httpResult(null, { status: 303, headers: { location, 'cache-control': 'no-store' } });
}

/** Wraps a handler: an exception is logged under a reference, and the payer gets a page that shows the reference. */
export function withFailurePage(run: Handler): Handler {
  return async (request, params, clientIp) => {
    try {
      return await run(request, params, clientIp);
    } catch (err) {
      const reference = currentRequestId() ?? randomUUID();
      log.error({ err, reference, method: request.method }, 'a page failed');
      if (request.headers.get('accept')?.includes('application/json')) {
        return privateJson({ next: 'reload' }, 500);
      }
      return failurePage(request, 500, reference);
    }
  };
}
