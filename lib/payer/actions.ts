/** Handles the payer's actions besides paying: cancel, another method, a renewed or entered code, Apple's session. */

import { checkoutBaseUrl, env } from '../config/index.ts';
import { digitsOf } from '../core/cards.ts';
import type { PayerReply } from '../core/presentation.ts';
import type { Message } from '../core/translations.ts';
import { now } from '../db/clock.ts';
import { type HttpRequest, type HttpResult, isHttpResult, type Route } from '../http/index.ts';
import { normalizeField, typedFieldError } from '../methods/fields.ts';
import { hasAllMessages, queueMessage, queueReceipt, recipientOf } from '../outbox/index.ts';
import { cancelAttempt, cancelSession, submitPayerReply } from '../payments/index.ts';
import { appleSession } from '../protocols/index.ts';
import { retryAfterForMessage } from '../risk/index.ts';
import { log } from '../telemetry/index.ts';
import { barcodeOf } from './barcode.ts';
import { formNumber, ownOrigins } from './csrf-guard.ts';
import { offeredWallets } from './method-list.ts';
import { type PageExtras, pageOf } from './page.ts';
import { attemptPath, type PageContext, pageContextOf, pathOf, withQuery } from './page-context.ts';
import { reminderTarget } from './present.ts';
import { receiptEmail } from './receipt-texts.ts';
import { reminderTexts } from './reminder-texts.ts';
import { documentResponse, privateJson, seeOther, tooManyRequests, unknownLinkPage } from './responses.ts';
import { isCompletedLater, type Screen } from './screen.ts';
import { readPageForm } from './submit.ts';
import { findView, type View, viewOf } from './view.ts';

type Asked = { request: HttpRequest; context: PageContext };
type Act = (
  view: View,
  time: Date,
  fields: URLSearchParams,
  asked: Asked,
) => Promise<{ leave?: boolean; reminded?: number } | HttpResult>;

/**
 * Validates an action's form, runs the action and redirects to the page, unless the action has a response of its own.
 * Repeating an action has no further effect.
 */
const payerAction =
  (act: Act): Route['run'] =>
  async (request, params) => {
    const time = now();
    const view = await findView(params.token ?? '', time);
    if (!view) return unknownLinkPage(request);
    const form = await readPageForm(request, view.payment);
    if (isHttpResult(form)) return form;
    const context = pageContextOf(request, view, time, form.submission.language);
    const result = await act(view, time, form.fields, { request, context });
    if (isHttpResult(result)) return result;
    const after = (await viewOf(view.payment.id, now(), view.token)) ?? view;
    return seeOther(attemptPath(after, { lang: context.lang, ...result }));
  };

/** Whether a form belongs to the current attempt: in another tab the payer may have begun a later one. */
const isOfCurrentAttempt = (fields: URLSearchParams, view: View) => fields.get('attempt') === formNumber(view);

/**
 * POST /pay/:token/cancel: cancels the session and returns the payer to the shop. An attempt that is completed on the
 * page is cancelled first. An attempt that the payer completes later elsewhere (payment data, a link, coins), or whose
 * outcome is unknown, stays open.
 */
export const cancel = payerAction(async (view, time, fields) => {
  if (!isOfCurrentAttempt(fields, view)) return {};
  if (isCancellable(view.screen)) await cancelAttempt(view.payment, time);
  await cancelSession(view.payment.id, time);
  return { leave: true };
});

const isCancellable = (screen: Screen) =>
  ['challenge', 'redirecting', 'present'].includes(screen.kind) && !isCompletedLater(screen);

/**
 * POST /pay/:token/remind: sends the payment data and the page's address to the payer, once for an attempt: to the
 * payment's e-mail address or phone number, or without one to the form's address; three times for a payment. A receipt is
 * sent as a whole.
 */
export const remind = payerAction(async (view, time, fields, asked) => {
  const { screen, attempt, payment, token } = view;
  if (screen.kind === 'paid') return sendReceipt(view, time, fields, asked);
  if (attempt === null || screen.kind !== 'present') return {};
  const page = pageOf(view, asked.context, { ...plainExtras, barcode: await barcodeOf(screen) });
  if (page?.state !== 'present' || !page.reminder) return {};
  const typed = normalizeField('email', fields.get('email') ?? '');
  const target = reminderTarget(view) ?? { channel: 'email', to: typed };
  if (await recipientOf(attempt.id)) return { reminded: 1 };
  const error = page.reminder.to ? null : typedFieldError('email', typed, { now: time });
  if (error) return rejectedAddress(view, asked, typed, error);
  if (await hasAllMessages(payment.id)) return {};
  const seconds = await retryAfterForMessage(target.to);
  if (seconds > 0) return tooManyRequests(asked.request, seconds);
  const url = new URL(pathOf(token), checkoutBaseUrl()).href;
  const texts = reminderTexts(page, { channel: target.channel, url }, asked.context.words);
  const { expiresAt } = screen.present;
  const message = { ...target, ...texts, paymentId: payment.id, transactionId: attempt.id, url, expiresAt };
  return (await queueMessage(message, time)) ? { reminded: 1 } : {};
});

const plainExtras: PageExtras = { hidden: {}, savedCards: [], logo: undefined, sandbox: false };

/** Sends the receipt to the payment's e-mail address; a payment without one takes the form's. */
const sendReceipt: Act = async (view, time, fields, asked) => {
  const { context } = asked;
  const { email } = view.payment.payer;
  const to = email || normalizeField('email', fields.get('email') ?? '');
  const page = pageOf(view, context, plainExtras);
  if (page?.state !== 'receipt' || !page.email) return {};
  const url = new URL(withQuery(pathOf(view.token), { lang: context.lang }), checkoutBaseUrl()).href;
  const receipt = { ...receiptEmail(page, url, context.words), paymentId: view.payment.id, to, url };
  let error = email ? null : typedFieldError('email', to, { now: time });
  if (!error) {
    const reminded = await queueReceipt(receipt, time);
    if (reminded) return { reminded };
    error = { key: 'receipt.emailLimit' };
  }
  return rejectedAddress(view, asked, to, error);
};

/** The page with a rejected address in its form. */
function rejectedAddress(view: View, { request, context }: Asked, email: string, error: Message) {
  const refilled = { typed: { email }, errors: { email: error } };
  return documentResponse(request, view, context, { status: 422, refilled });
}

/** POST /pay/:token/abandon: cancels the current attempt and shows the form, for a choice of another method. */
export const chooseAnotherMethod = payerAction(async (view, time, fields) => {
  if (isOfCurrentAttempt(fields, view)) await cancelAttempt(view.payment, time);
  return {};
});

/** Longer than any one-time code. */
const codeCharactersMax = 32;

/** The one-time code in a form; null if the field is empty. */
export function codeReply(fields: URLSearchParams): PayerReply | null {
  const code = digitsOf(fields.get('code') ?? '').slice(0, codeCharactersMax);
  return code === '' ? null : { code };
}

const replyAction = (replyOf: (fields: URLSearchParams) => PayerReply | null) =>
  payerAction(async (view, time, fields) => {
    const reply = replyOf(fields);
    if (reply && isOfCurrentAttempt(fields, view) && view.screen.kind === 'present')
      await submitPayerReply(view.payment, reply, time);
    return {};
  });

/** POST /pay/:token/renew: requests a new code to scan. */
export const renewCode = replyAction(() => ({ renew: true }));

/** POST /pay/:token/code: submits the one-time code that the payer entered. */
export const submitCode = replyAction(codeReply);

/** POST /pay/:token/wallet/applepay/validate: Apple's opaque session for this page, from the address it named. */
export const validateApplePay: Route['run'] = async (request, params) => {
  const view = await findView(params.token ?? '', now());
  if (!view) return reload(404);
  const form = await readPageForm(request, view.payment);
  if (isHttpResult(form)) return reload(form.status);
  const offered = view.screen.kind === 'form' ? offeredWallets(view) : [];
  const wallet = offered.find(({ kind }) => kind === 'applepay');
  if (wallet?.kind !== 'applepay') return reload(409);
  const host = new URL(ownOrigins().at(-1) ?? env.baseUrl).hostname;
  const { merchant } = view.caller;
  const address = form.fields.get('validation_url') ?? '';
  const session = await appleSession(address, wallet.apple, { shop: merchant.name, host });
  if (session === 'foreign') {
    log.warn({ merchant: merchant.id }, 'a page named an address that is not Apple Pay');
    return reload(400);
  }
  return session === null ? reload(502) : privateJson(session);
};

const reload = (status: number) => privateJson({ next: 'reload' }, status);
