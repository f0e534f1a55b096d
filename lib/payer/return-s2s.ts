/**
 * Serves the pages of a payment that the merchant's server makes (S2S). There is no payment page to return to: the
 * payer goes to the request's own address or, without one, sees a note to return to the shop. The only form is the one
 * for a one-time code, which only the payer receives.
 */

import { env } from '../config';
import type { LocaleCode } from '../core/locales';
import { textsFor } from '../core/page-texts';
import type { Payment, Transaction } from '../core/payment';
import { now } from '../db/clock';
import { type HttpResult, isHttpResult } from '../http';
import { callerOf } from '../merchants';
import { findMethod } from '../methods/catalog';
import { findPayment, findPaymentWithTransaction, lastAttempt, submitPayerReply } from '../payments';
import { codeReply } from './actions';
import type { LinkTarget, PageShell } from './contract';
import { hiddenFields, isCrossSite, isGuardValid, mayBeFramed } from './csrf-guard';
import { targetOf } from './exit';
import { languageOf, languages } from './language';
import { uploadedLogo } from './logo';
import { legalOf } from './page';
import { failurePage, render, seeOther, unknownLinkPage } from './responses';
import { readForm } from './submit';

type Caller = Awaited<ReturnType<typeof callerOf>>;

/** Sends a returning payer on, after the provider was polled about `before`. */
export async function returnDirect(request: Request, before: Transaction): Promise<HttpResult> {
  const [payment, latest] = await Promise.all([findPayment(before.paymentId), lastAttempt(before.paymentId)]);
  if (!payment || !latest) return unknownLinkPage(request);
  const caller = await callerOf(payment);
  const query = new URL(request.url).searchParams;
  const language = languageFor(request, payment, caller, query.getAll('lang').at(-1) ?? null);
  const { frameAncestors } = caller.merchant;
  const next = nextAction(before, latest);
  if (next) return render({ state: 'frameLeave', action: next }, language, { frameAncestors });
  if (latest.status === 'waiting' && latest.providerData.present?.kind === 'code') {
    return codePage(request, payment, latest, { caller, language });
  }
  const override = caller.mids.find((mid) => mid.id === latest.midId)?.overrideLinkTarget;
  const target = targetOf(override ?? payment.returnTarget);
  const url = payment.returnUrl ?? undefined;
  // After a form, the policy's form-action would check a redirect, and the shop's own next one.
  const typed = query.has(typedMark);
  if (url !== undefined && !typed && !needsContinue(request, target)) return seeOther(url);
  const headers =
    url !== undefined && !needsContinue(request, target) ? { refresh: `0; url=${new URL(url).href}` } : undefined;
  const frame = await shellOf(request, payment, { caller, language });
  return render({ ...frame, state: 'returned', url, target }, language, { frameAncestors, headers });
}

function languageFor(request: Request, payment: Payment, caller: Caller, chosen: string | null): LocaleCode {
  const preset = { language: payment.payer.language ?? null, defaultLanguage: caller.mapping.defaultLanguage };
  return languageOf(preset, chosen, request.headers.get('accept-language'));
}

async function shellOf(
  request: Request,
  payment: Payment,
  { caller, language }: { caller: Caller; language: LocaleCode },
  hidden: Record<string, string> = {},
): Promise<PageShell> {
  const { merchant } = caller;
  const { name, site, accent, radius } = merchant;
  return {
    merchant: {
      name,
      site: site ?? undefined,
      logo: merchant.logo ? await uploadedLogo(merchant.logo.digest) : undefined,
      accent: accent ?? undefined,
      radius: radius ?? undefined,
    },
    purpose: payment.operation === 'debit' ? 'debit' : undefined,
    order: orderOf(payment),
    pageUrl: new URL(request.url).pathname,
    hidden,
    languages,
    legal: legalOf(merchant),
    texts: textsFor(merchant.pageTexts, language),
  };
}

/** Marks an address as reached from the code's form. */
const typedMark = 'typed';

/** The form for the one-time code that the provider sent to the payer. */
async function codePage(
  request: Request,
  payment: Payment,
  attempt: Transaction,
  { caller, language }: { caller: Caller; language: LocaleCode },
): Promise<HttpResult> {
  const { present } = attempt.providerData;
  if (present?.kind !== 'code') throw new Error(`transaction ${attempt.id} does not wait for a code`);
  const frame = await shellOf(request, payment, { caller, language }, await hiddenFields(payment));
  const method = findMethod(attempt.method);
  const expiresAt = present.expiresAt === undefined ? undefined : new Date(present.expiresAt);
  const codeUrl = `/return/${attempt.id}/code`;
  return render(
    {
      ...frame,
      state: 'present',
      method: method?.name ?? attempt.method,
      kind: method?.kind ?? 'bank',
      step: { kind: 'code', expiresAt, sentTo: present.sentTo, wrong: present.wrong ?? false, codeUrl },
      testUrl: env.appEnv === 'sandbox' ? `/sandbox/finish/${attempt.id}` : undefined,
    },
    language,
    { frameAncestors: caller.merchant.frameAncestors },
  );
}

/** POST /return/:transaction/code: submits the one-time code that the payer entered. */
export async function submitCodeDirect(request: Request, params: Record<string, string>): Promise<HttpResult> {
  const both = await findPaymentWithTransaction(params.transaction ?? '');
  if (!both || both.payment.protocol === 'checkout') return unknownLinkPage(request);
  const fields = await readForm(request);
  if (isHttpResult(fields)) return fields;
  const { payment, transaction } = both;
  const attempt = fields.get('attempt') ?? '';
  if (isCrossSite(request) || !(await isGuardValid(payment, attempt, fields.get('guard') ?? ''))) {
    return failurePage(request, 403);
  }
  const reply = codeReply(fields);
  if (reply && attempt === String(payment.attempts)) await submitPayerReply(payment, reply, now());
  const language = fields.get('lang');
  const query = new URLSearchParams({ [typedMark]: '1', ...(language && { lang: language }) });
  return seeOther(`/return/${transaction.id}?${query}`);
}

/** The payer's next action at a bank: another challenge may follow, at the same provider or the next. */
function nextAction(before: Transaction, latest: Transaction): Transaction['action'] {
  if (latest.status !== 'challenge' && latest.status !== 'redirect') return null;
  const isSame = latest.id === before.id && JSON.stringify(latest.action) === JSON.stringify(before.action);
  return isSame ? null : latest.action;
}

// A new window requires a click: browsers block documents that open one by themselves.
function needsContinue(request: Request, target: LinkTarget | undefined): boolean {
  if (target === undefined || target === '_self') return false;
  return target === '_blank' || mayBeFramed(request);
}

function orderOf({ orderNumber, description, amountMinor, currency, payer }: Payment) {
  return { number: orderNumber, description, amount: { minor: amountMinor, currency }, email: payer.email };
}
