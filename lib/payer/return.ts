/**
 * Handles the payer's return from a provider or bank. The return itself proves nothing: the provider is polled and the
 * page shows the result. A repeated or late return has the same effect. A payment that the merchant's server makes (S2S)
 * has no payment page: the payer goes to the request's own address or, without one, sees a note to return to the shop.
 * The only form there is the one for a one-time code, which only the payer receives. A page that waits or shows payment
 * data polls too, on load ("Check now"); responses wait only briefly, because the page follows later changes anyway.
 */

import { env } from '../config/index.ts';
import type { Payment, Transaction } from '../core/payment.ts';
import { now } from '../db/clock.ts';
import { type HttpRequest, type HttpResult, isHttpResult, type Route } from '../http/index.ts';
import { runInBackground } from '../jobs/index.ts';
import { callerOf } from '../merchants/index.ts';
import {
  findPayment,
  findPaymentWithTransaction,
  handlePayerReturn,
  lastAttempt,
  pollTransaction,
  submitPayerReply,
} from '../payments/index.ts';
import { verifyLinkToken } from '../vault/index.ts';
import { codeReply } from './actions.ts';
import type { LinkTarget, PageShell, PresentPage } from './contract.ts';
import { formNumber, hiddenFields, mayBeFramed } from './csrf-guard.ts';
import { fieldsReturnUrl, frameAncestorsOf, targetOf } from './exit.ts';
import { uploadedLogo } from './logo.ts';
import { orderShell } from './page.ts';
import { attemptPath, localeOfRequest, type PageContext, pageContextOf } from './page-context.ts';
import { codeStep, presentedBy } from './present.ts';
import { render, seeOther, unknownLinkPage } from './responses.ts';
import { readPageForm } from './submit.ts';
import { type View, viewOf } from './view.ts';

type Caller = Awaited<ReturnType<typeof callerOf>>;

/**
 * GET and POST /return/:transaction: the token of a return address or, for payments by S2S, the id, as merchants have it.
 * The bank's POST body is not read: the outcome is read from the provider.
 */
export const returnFromBank: Route['run'] = async (request, params) => {
  const time = now();
  const named = params.transaction ?? '';
  const returned = await verifyLinkToken(named, 'return');
  const both = await findPaymentWithTransaction(returned ?? named);
  if (!both) return unknownLinkPage(request);
  const { transaction: before } = both;
  await pollReturned(before);
  if (both.payment.protocol !== 'checkout') return returnDirect(request, before);
  // Others know the id of a transaction: only the return address leads to the session's page.
  if (returned === null) return unknownLinkPage(request);
  const view = await viewOf(before.paymentId, now());
  if (!view) return unknownLinkPage(request);
  const { screen } = view;
  const back = screen.kind === 'challenge' || screen.kind === 'redirecting' || screen.kind === 'present';
  const pageUrl = view.session.hostedFields ? fieldsReturnUrl(view) : attemptPath(view, { back });
  if (pageUrl === undefined) return unknownLinkPage(request);
  // The provider's page was never in a frame of ours; an existing frame is the shop's and stays.
  if (!mayBeFramed(request) || before.status === 'redirect') return seeOther(pageUrl);
  const { words } = pageContextOf(request, view, time);
  return render({ state: 'frameReturn', pageUrl }, words, { frameAncestors: frameAncestorsOf(view) });
};

/** Sends the payer of a payment by S2S on, after the provider was polled about `before`. */
async function returnDirect(request: HttpRequest, before: Transaction): Promise<HttpResult> {
  const [payment, latest] = await Promise.all([findPayment(before.paymentId), lastAttempt(before.paymentId)]);
  if (!payment || !latest) return unknownLinkPage(request);
  const caller = await callerOf(payment);
  const query = new URL(request.url).searchParams;
  const locale = localeFor(request, payment, caller);
  const { frameAncestors } = caller.merchant;
  const next = nextAction(before, latest);
  if (next) return render({ state: 'frameLeave', action: next }, locale.words, { frameAncestors });
  if (latest.status === 'waiting' && latest.providerData.present?.kind === 'code') {
    return codePage(request, payment, latest, { caller, locale });
  }
  const override = caller.mids.find((mid) => mid.id === latest.midId)?.overrideLinkTarget;
  const target = targetOf(override ?? payment.returnTarget);
  const url = payment.returnUrl ?? undefined;
  // After a form, the policy's form-action would check a redirect, and the shop's own next one.
  const typed = query.has(typedMark);
  if (url !== undefined && !typed && !needsContinue(request, target)) return seeOther(url);
  const headers =
    url !== undefined && !needsContinue(request, target) ? { refresh: `0; url=${new URL(url).href}` } : undefined;
  const frame = await shellOf(request, payment, { caller, locale });
  return render({ ...frame, state: 'returned', returnUrl: url, target }, locale.words, { frameAncestors, headers });
}

type PageLocale = Pick<PageContext, 'language' | 'words'>;

function localeFor(request: HttpRequest, payment: Payment, caller: Caller): PageLocale {
  const { language = null, country } = payment.payer;
  return localeOfRequest(request, { language, defaultLanguage: caller.mapping.defaultLanguage }, { country });
}

async function shellOf(
  request: HttpRequest,
  payment: Payment,
  { caller, locale }: { caller: Caller; locale: PageLocale },
  hidden: Record<string, string> = {},
): Promise<PageShell> {
  const { logo } = caller.merchant;
  return {
    ...orderShell(payment, caller.merchant, logo ? await uploadedLogo(logo.digest) : undefined, locale.language),
    purpose: payment.operation === 'debit' ? 'debit' : undefined,
    pageUrl: new URL(request.url).pathname,
    hidden,
  };
}

/** Marks an address as reached from the code's form. */
const typedMark = 'typed';

/** The form for the one-time code that the provider sent to the payer. */
async function codePage(
  request: HttpRequest,
  payment: Payment,
  attempt: Transaction,
  { caller, locale }: { caller: Caller; locale: PageLocale },
): Promise<HttpResult> {
  const { present } = attempt.providerData;
  if (present?.kind !== 'code') throw new Error(`transaction ${attempt.id} does not wait for a code`);
  const frame = await shellOf(request, payment, { caller, locale }, await hiddenFields({ payment, session: null }));
  const step = codeStep(present, `/return/${attempt.id}/code`);
  const model: PresentPage = { ...frame, ...presentedBy(attempt, env.appEnv === 'sandbox'), step };
  return render(model, locale.words, { frameAncestors: caller.merchant.frameAncestors });
}

/** POST /return/:transaction/code: submits the one-time code that the payer entered. */
export const submitCodeDirect: Route['run'] = async (request, params) => {
  const both = await findPaymentWithTransaction(params.transaction ?? '');
  if (!both || both.payment.protocol === 'checkout') return unknownLinkPage(request);
  const { payment, transaction } = both;
  const form = await readPageForm(request, payment);
  if (isHttpResult(form)) return form;
  const { attempt, language } = form.submission;
  const reply = codeReply(form.fields);
  if (reply && attempt === formNumber({ payment, session: null })) await submitPayerReply(payment, reply, now());
  const query = new URLSearchParams({ [typedMark]: '1', ...(language && { lang: language }) });
  return seeOther(`/return/${transaction.id}?${query}`);
};

/** The payer's next action at a bank: another challenge may follow, at the same provider or the next. */
function nextAction(before: Transaction, latest: Transaction): Transaction['action'] {
  if (latest.status !== 'challenge' && latest.status !== 'redirect') return null;
  const isSame = latest.id === before.id && JSON.stringify(latest.action) === JSON.stringify(before.action);
  return isSame ? null : latest.action;
}

// A new window requires a click: browsers block documents that open one by themselves.
function needsContinue(request: HttpRequest, target: LinkTarget | undefined): boolean {
  if (target === undefined || target === '_self') return false;
  return target === '_blank' || mayBeFramed(request);
}

const pauseMilliseconds = 3_000;
const waitMilliseconds = { waiting: 2_000, returned: 8_000 };
const rememberedMax = 1_000;

const lastPolledMs = new Map<string, number>();

/** Polls the provider about an open attempt, at most once every few seconds; true if the view has to be read again. */
export async function pollAttempt({ screen, attempt }: View): Promise<boolean> {
  // The attempt was just sent; another request awaits the first response.
  const isOpen = screen.kind === 'waiting' || screen.kind === 'present';
  if (!isOpen || !attempt || attempt.status === 'sent') return false;
  const nowMs = performance.now();
  if (nowMs - (lastPolledMs.get(attempt.id) ?? Number.NEGATIVE_INFINITY) < pauseMilliseconds) return false;
  if (lastPolledMs.size >= rememberedMax) lastPolledMs.clear();
  lastPolledMs.set(attempt.id, nowMs);
  return pollWithin(() => pollTransaction(attempt.id, now()), waitMilliseconds.waiting);
}

const recentReturns = new Map<string, { atMs: number; polled: Promise<boolean> }>();

/**
 * Polls the provider after a return. Repeated returns from one step share a poll for a few seconds: the id of a transaction
 * is enough to return without end, and each poll is a request to the provider.
 */
function pollReturned({ id, status, action }: Transaction): Promise<boolean> {
  const step = JSON.stringify([id, status, action]);
  const nowMs = performance.now();
  const recent = recentReturns.get(step);
  if (recent && nowMs - recent.atMs < pauseMilliseconds) return recent.polled;
  if (recentReturns.size >= rememberedMax) recentReturns.clear();
  const polled = pollWithin(() => handlePayerReturn(id, now()), waitMilliseconds.returned);
  recentReturns.set(step, { atMs: nowMs, polled });
  return polled;
}

/** Whether the provider answered in time; a late answer is stored as well. */
function pollWithin(asking: () => Promise<unknown>, milliseconds: number): Promise<boolean> {
  return new Promise((done) => {
    const timer = setTimeout(() => done(false), milliseconds);
    runInBackground('asking for a payer', async () => {
      try {
        await asking();
        done(true);
      } finally {
        clearTimeout(timer);
        done(false);
      }
    });
  });
}
