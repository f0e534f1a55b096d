/**
 * Handles a submit of the payer's form. Repeated submits pay at most once: payments allows one attempt at a time, and a
 * form that does not know the latest attempt gets the outcome of that attempt.
 */

import type { Agreement } from '../core/agreement.ts';
import { ApiError } from '../core/errors.ts';
import type { Operation, PartyDetails, Payment } from '../core/payment.ts';
import type { Message } from '../core/translations.ts';
import { now } from '../db/clock.ts';
import {
  addCookies,
  type ClientIp,
  type HttpRequest,
  type HttpResult,
  isHttpResult,
  type Route,
  readBytes,
  textOf,
} from '../http/index.ts';
import { findMethod } from '../methods/catalog.ts';
import { cardFieldsOf } from '../methods/fields.ts';
import type { Method } from '../methods/method.ts';
import {
  type CardInstrument,
  isRejectedByClock,
  type PayInput,
  type PaymentInstrument,
  type PayResult,
  pay as payWith,
} from '../payments/index.ts';
import { walletInstrument } from '../protocols/index.ts';
import { agreementMark, agreementOf, offersSaving, requiresConsent } from '../recurring/index.ts';
import { retryAfterForMerchant, retryAfterForPayment } from '../risk/index.ts';
import { acceptedBrands, type UsableWallet } from '../routing/index.ts';
import { addressForm } from './address-form.ts';
import { recordAgreedText } from './agreement.ts';
import type { DeclineAlert, FieldName, SubmitResult } from './contract.ts';
import { formNumber, hiddenFields, isCrossSite, isGuardValid, totalOf } from './csrf-guard.ts';
import { type AlertContext, alertText } from './decline-alert.ts';
import { errorText } from './error-text.ts';
import {
  type CheckedForm,
  checkMethodForm,
  checkSubmission,
  countryOf,
  type FormErrors,
  type RefilledForm,
  readSubmission,
  type Submission,
} from './form.ts';
import { isCardOnly, methodName, offeredMethods, offeredWallets } from './method-list.ts';
import { alertFor, pageTexts } from './page.ts';
import { attemptPath, type PageContext, pageContextOf } from './page-context.ts';
import { translationsFor } from './payout-texts.ts';
import { memoryCookies } from './remembered-method.ts';
import { cardFormFields, methodFormFields } from './required-fields.ts';
import {
  documentResponse,
  failurePage,
  isNonce,
  privateJson,
  seeOther,
  tooManyRequests,
  unknownLinkPage,
} from './responses.ts';
import { declineReasonOf, isFinal } from './screen.ts';
import { findView, type StoredCard, savedCards, type View, viewOf, viewState } from './view.ts';

/** Far more than any form of the page has. */
const bodyBytesMax = 32 * 1024;

type Submit = {
  request: HttpRequest;
  clientIp: ClientIp;
  view: View;
  submission: Submission;
  context: PageContext;
  agreement: Agreement | undefined;
  json: boolean;
};

/**
 * POST /pay/:token: JSON or a final page for the script (`Accept: application/json`), else a redirect or the page with
 * its errors. Without script a final page is redirected to as well: Back to the answer of a POST shows the browser's
 * question whether to send the card again.
 */
export const submit: Route['run'] = async (request, params, clientIp) => {
  const json = request.headers.get('accept')?.includes('application/json') ?? false;
  const time = now();
  const view = await findView(params.token ?? '', time);
  if (!view) return json ? jsonResponse({ next: 'reload' }, 404) : unknownLinkPage(request);
  const form = await readPageForm(request, view.payment);
  if (isHttpResult(form)) return json && form.status !== 429 ? jsonResponse({ next: 'reload' }, form.status) : form;
  const { submission } = form;
  const context = pageContextOf(request, view, time, submission.language);
  const agreement = await agreementOf(view, time);
  const result = await processSubmission({ request, clientIp, view, submission, context, agreement, json });
  const isOffered = view.screen.kind === 'form' && offeredMethods(view).includes(submission.method);
  addCookies(result, isOffered ? memoryCookies(submission, context.remembered) : []);
  return result;
};

async function processSubmission(submit: Submit): Promise<HttpResult> {
  const { view, submission, agreement } = submit;
  const seconds = retryAfterForMerchant('pay', view.payment.merchantId);
  if (seconds > 0) return tooManyRequests(submit.request, seconds);
  if (view.screen.kind !== 'form') return goToPage(submit, view);
  // Submitted twice, or from a tab that has missed an attempt: the form is outdated.
  if (submission.attempt !== formNumber(view)) return formWithAlert(submit, view);
  // The order or its schedule has changed since the form was rendered: the payer has to see the new amounts first.
  if (submission.total !== totalOf(view.payment, agreementMark(agreement))) return goToPage(submit, view);
  try {
    return await payAsSubmitted(submit);
  } catch (err) {
    // The next submit may reach another process, or this one with its clock correct again.
    if (!isRejectedByClock(err)) throw err;
    return formWithAlert(submit, view, { kind: 'technical' });
  }
}

async function payAsSubmitted(submit: Submit): Promise<HttpResult> {
  const { view, submission } = submit;
  const wallet = offeredWallets(view).find(({ kind }) => kind === submission.method);
  if (wallet) return payByWallet(submit, wallet);
  const offered = offeredMethods(view);
  if (offered.length === 0) return formWithAlert(submit, view, { kind: 'technical' });
  const method = offered.includes(submission.method) ? findMethod(submission.method) : undefined;
  // The merchant's MIDs have changed since the form was rendered.
  if (!method) return goToPage(submit, view);
  return method.id === 'card' ? payByCard(submit) : payByMethod(submit, method);
}

function consentErrors({ view, submission }: Submit): FormErrors {
  return requiresConsent(view) && submission.typed.consent !== '1' ? { consent: { key: 'error.consent' } } : {};
}

async function payByCard(submit: Submit): Promise<HttpResult> {
  const { view, submission, context } = submit;
  const offered = await savedCards(view, context.now);
  const saved = offered.find((card) => card.id === submission.savedCard && !card.expired) ?? null;
  if (submission.savedCard !== null && !saved) return goToPage(submit, view);
  const checked = checkSubmission(submission.typed, {
    fields: cardFormFields(view),
    cardFields: cardFieldsOf(view.payment.operation, saved !== null),
    accepted: acceptedBrands(view.caller.mids, view.payment),
    payer: view.payment.payer,
    saved: saved?.card ?? null,
    language: context.language,
    now: context.now,
  });
  const errors = { ...(checked.ok ? {} : checked.errors), ...consentErrors(submit) };
  if (!checked.ok || Object.keys(errors).length > 0) return formWithErrors(submit, errors);
  const { payeeCard } = checked;
  return outcomeResponse(submit, await pay(submit, cardOf(checked, saved), checked.person, { payeeCard }));
}

function cardOf({ card, cvv, expiry }: CheckedForm & { ok: true }, saved: StoredCard | null): CardInstrument {
  const instrument = card ?? (saved && { storedCard: { cardId: saved.card.id, token: saved.token, cvv, expiry } });
  if (!instrument) throw new Error('a valid submit has no card');
  return instrument;
}

async function payByMethod(submit: Submit, method: Method): Promise<HttpResult> {
  const { view, submission, context, json } = submit;
  const { payment } = view;
  const { typed } = submission;
  const country = countryOf(typed, { fields: methodFormFields(view, method).fields, payer: payment.payer });
  const required = methodFormFields(view, method, country || undefined);
  const { language, now: time } = context;
  const checked = checkMethodForm(typed, method, required, { payment, language, now: time });
  const consent = consentErrors(submit);
  if (!checked.ok || consent.consent) {
    const errors = checked.ok ? {} : checked.errors;
    // The chosen country requires fields that the page does not show yet; its next document has them.
    const isLacking = Object.keys(errors).some((name) => !(name in typed));
    return json && isLacking ? jsonResponse({ next: 'post' }) : formWithErrors(submit, { ...errors, ...consent });
  }
  const { parameters, secret } = checked;
  const instrument: PaymentInstrument = { method: method.id, parameters, shownFields: checked.shownFields };
  if (Object.keys(secret).length > 0) instrument.secret = secret;
  return outcomeResponse(submit, await pay(submit, instrument, checked.person));
}

/** Every token error gets the same answer, so that a forger cannot learn which check failed. */
async function payByWallet(submit: Submit, wallet: UsableWallet): Promise<HttpResult> {
  const { view, submission, context } = submit;
  const errors = consentErrors(submit);
  if (errors.consent) return formWithErrors(submit, errors);
  const walletPayment = await walletInstrument(view.payment, wallet, submission.walletToken ?? '', context.now);
  if (walletPayment && walletPayment !== 'repeated')
    return outcomeResponse(submit, await pay(submit, walletPayment.instrument, {}, { wallet: walletPayment.wallet }));
  const fresh = (await viewOf(view.payment.id, now(), view.token)) ?? view;
  // A repeated submit: the other one has paid.
  if (fresh.payment.attempts !== view.payment.attempts) return goToPage(submit, fresh);
  return formWithAlert(submit, fresh, { kind: 'technical', method: methodName(wallet.kind) });
}

async function pay(
  submit: Submit,
  instrument: PaymentInstrument,
  person: PartyDetails,
  more: Pick<PayInput, 'payeeCard' | 'wallet'> = {},
): Promise<PayResult> {
  const { view, submission, context, clientIp } = submit;
  const { payment, session, caller } = view;
  const isCard = submission.method === 'card' && !submission.savedCard;
  const keepsCard = isCard && submission.savesCard && offersSaving(view);
  await recordAgreed(submit, { isCharged: submission.method === 'card' || more.wallet !== undefined, keepsCard });
  const payer = payment.payer.ip ? person : { ...person, ip: clientIp.address };
  const { browser } = submission;
  const { address } = clientIp;
  return payWith({
    caller,
    payment,
    session,
    instrument,
    browser,
    payer,
    address,
    keepsCard,
    ...more,
    now: context.now,
  });
}

/** Records what the payer has agreed to besides the payment. Only a card, of a wallet too, is charged again or kept. */
function recordAgreed(
  { view, context, agreement }: Submit,
  { isCharged, keepsCard }: { isCharged: boolean; keepsCard: boolean },
): Promise<void> {
  const isTicked = requiresConsent(view);
  const agreed = { agreement: isCharged ? agreement : undefined, isTicked, isSaved: keepsCard };
  return recordAgreedText(view, agreed, translationsFor(view.payment.operation, context.words), context.now);
}

async function outcomeResponse(submit: Submit, payed: PayResult): Promise<HttpResult> {
  if (!('refused' in payed)) {
    const { payment, transaction: attempt } = payed;
    return attemptResponse(submit, await viewState({ ...submit.view, payment, attempt }, now()));
  }
  const view = await viewOf(payed.payment.id, now(), submit.view.token);
  if (!view) throw new Error(`payment ${payed.payment.id} no longer has a session`);
  // Nothing may show a card tester that this attempt was stopped.
  if (payed.refused === 'blocked') return attemptResponse(submit, view);
  if (payed.refused === 'unsent')
    return formWithAlert(submit, view, { kind: 'bank', method: methodName(submit.submission.method) });
  return payed.refused === 'unroutable' ? formWithAlert(submit, view, { kind: 'technical' }) : goToPage(submit, view);
}

function attemptResponse(submit: Submit, view: View): Promise<HttpResult> | HttpResult {
  if (view.screen.kind !== 'form') return goToPage(submit, view, view.screen.kind !== 'cancelled');
  const { declined } = view.screen;
  return formWithAlert(submit, view, declined && alertFor(declined, view));
}

/**
 * The page's state has changed: the browser loads it, or a script shows the final page that the response contains.
 * `isTaken`: the attempt was sent and not declined.
 */
function goToPage({ request, json, context }: Submit, view: View, isTaken?: boolean): Promise<HttpResult> | HttpResult {
  const leave = view.screen.kind === 'cancelled' && view.screen.reason === 'declines';
  const nonce = request.headers.get('page-nonce') ?? '';
  // A superseded session has no page of its own.
  if (json && isFinal(view.screen) && view.screen.kind !== 'superseded' && isNonce(nonce)) {
    const attempt = formNumber(view);
    return documentResponse(request, view, { ...context, attempt, method: null, leaving: leave }, { nonce });
  }
  const url = attemptPath(view, { lang: context.lang, leave });
  return json ? jsonResponse({ next: 'go', url, isTaken }) : seeOther(url);
}

/** Keeps the form, with the alert of the attempt that was just declined. */
async function formWithAlert(submit: Submit, view: View, alert?: DeclineAlert): Promise<HttpResult> {
  const { json, context, submission } = submit;
  const { attempt } = view;
  const declined = alert ?? (attempt?.status === 'fail' ? alertFor(declineReasonOf(attempt), view) : undefined);
  const words = translationsFor(view.payment.operation, context.words);
  const shown = declined && alertText(declined, alertContextOf(view, submit), words);
  if (!json && alert) {
    const kept = Object.entries(submission.typed).filter(([name]) => !shown?.clears.includes(name));
    return refilledPage(submit, view, {
      typed: Object.fromEntries(kept),
      errors: {},
      alert,
      chosen: submission.method,
    });
  }
  if (!json || view.screen.kind !== 'form') return goToPage(submit, view);
  const hidden = await hiddenFields(view, agreementMark(submit.agreement));
  return jsonResponse({ next: 'stay', errors: {}, alert: shown, hidden });
}

function alertContextOf(view: View, { context, submission: { typed } }: Submit): AlertContext {
  const { amountMinor: minor, currency } = view.payment;
  return {
    merchantName: view.caller.merchant.name,
    amount: { minor, currency },
    cardOnly: isCardOnly(view),
    buttonText: pageTexts(view.payment, view.caller.merchant, context.language).button,
    codeDigits: codeDigitsOf(typed),
  };
}

/** Digits of the security code that was entered, so that the error names the same count. */
function codeDigitsOf({ card_cvv }: Submission['typed']): 3 | 4 {
  return card_cvv?.length === 4 ? 4 : 3;
}

/** Invalid input: the script shows the errors in place; without script the page is rendered again with them. */
function formWithErrors(submit: Submit, errors: FormErrors): Promise<HttpResult> | HttpResult {
  const { json, view, context, submission } = submit;
  if (json) {
    const entries = Object.entries(errors) as [FieldName, Message][];
    const { typed } = submission;
    const fields = typed.country === undefined ? [] : (['country'] as const);
    const own = addressForm(context.language, countryOf(typed, { fields, payer: view.payment.payer })).errors;
    const textFor = (message: Message) => own[message.key.replace(/^error\./, '')] ?? errorText(message, context.words);
    const texts = entries.map(([name, message]) => [name, textFor(message)]);
    const [document] = entries.find(([, { key }]) => key.startsWith('error.document.')) ?? [];
    // What was pointed out once is accepted when it is sent again.
    const hidden = {
      ...(typed.zip !== undefined && { zip_checked: typed.zip }),
      ...(document && { document_checked: typed[document] ?? '' }),
    };
    const pointedOut = Object.keys(hidden).length > 0 ? { hidden } : {};
    return jsonResponse({ next: 'stay', errors: Object.fromEntries(texts), ...pointedOut }, 422);
  }
  const chosen = submission.savedCard ?? submission.method;
  const shown = submission.method === 'card' ? retypeErrors(submission, errors, view.payment.operation) : errors;
  return refilledPage(submit, view, { typed: submission.typed, errors: shown, chosen });
}

/** Numbers and codes are never redisplayed, so a page without script has to request them again. */
function retypeErrors({ typed, savedCard }: Submission, errors: FormErrors, operation: Operation): FormErrors {
  const emptyErrors: FormErrors = {
    card_number: { key: 'error.card_number.empty' },
    card_cvv: { key: 'error.card_cvv.again', values: { count: codeDigitsOf(typed) } },
    payee_card_number: { key: 'error.payee_card_number.empty' },
  };
  // The first error gets the focus, so the errors are in the order of the page.
  const required = cardFieldsOf(operation, savedCard !== null);
  const ofCard = required.map((name) => [name, errors[name] ?? emptyErrors[name]]);
  return { ...Object.fromEntries(ofCard.filter(([, error]) => error !== undefined)), ...errors };
}

function refilledPage(submit: Submit, view: View, back: RefilledForm): Promise<HttpResult> {
  return documentResponse(submit.request, view, submit.context, { status: 422, refilled: back });
}

/** The fields of a form of this payment's page, or an error response for any other body, and over the payment's limit. */
export async function readPageForm(
  request: HttpRequest,
  payment: Payment,
): Promise<{ fields: URLSearchParams; submission: Submission } | HttpResult> {
  const fields = await readForm(request);
  if (isHttpResult(fields)) return fields;
  const submission = readSubmission(fields, request.headers);
  const isOwn = !isCrossSite(request) && (await isGuardValid(payment, submission.attempt, submission.guard));
  if (!isOwn) return failurePage(request, 403);
  const seconds = retryAfterForPayment('pay', payment.id);
  return seconds > 0 ? tooManyRequests(request, seconds) : { fields, submission };
}

async function readForm(request: HttpRequest): Promise<URLSearchParams | HttpResult> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') return failurePage(request, 415);
  try {
    return new URLSearchParams(textOf(await readBytes(request, bodyBytesMax)));
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    return failurePage(request, Number(request.headers.get('content-length') ?? 0) > bodyBytesMax ? 413 : 400);
  }
}

const jsonResponse = (body: SubmitResult, status?: number) => privateJson(body, status);
