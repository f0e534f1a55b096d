/**
 * The pages of a payment that the merchant's server makes by itself. There is no page of ours to return to: the payer is
 * led to the request's own address, and without one told to look at the shop. Only a one-time code is typed here, because
 * it was sent to the payer and to nobody else.
 */

import { env } from '../config';
import type { LocaleCode } from '../core/locales';
import { textsFor } from '../core/page-texts';
import type { Payment, Transaction } from '../core/payment';
import { now } from '../db/clock';
import { callerOf } from '../merchants';
import { findMethod } from '../methods/catalog';
import { findPayment, findPaymentWithTransaction, lastAttempt, submitPayerReply } from '../payments';
import { codeReply } from './actions';
import type { LinkTarget, PageShell } from './contract';
import { failurePage, render, seeOther, unknownLinkPage } from './document';
import { targetOf } from './exit';
import { hiddenFields, isCrossSite, isGuardValid, mayBeFramed } from './guard';
import { languageOf, languages } from './language';
import { uploadedLogo } from './logo';
import { legalOf } from './page';
import { readForm } from './submit';

type Caller = Awaited<ReturnType<typeof callerOf>>;

/** Leads on a payer who has come back about `before`, of which the provider has just been asked. */
export async function returnDirect(request: Request, before: Transaction): Promise<Response> {
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
  // In answer to a form a redirect would have to pass the policy's form-action, as would the shop's own next.
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

/** Says that the payer comes from the form of their code. */
const typedMark = 'typed';

/** Where the payer types the code that the provider has sent them. */
async function codePage(
  request: Request,
  payment: Payment,
  attempt: Transaction,
  { caller, language }: { caller: Caller; language: LocaleCode },
): Promise<Response> {
  const { present } = attempt.providerData;
  if (present?.kind !== 'code') throw new Error(`transaction ${attempt.id} waits for no code`);
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

/** POST /return/:transaction/code: the one-time code that the payer has typed. */
export async function submitCodeDirect(request: Request, params: Record<string, string>): Promise<Response> {
  const both = await findPaymentWithTransaction(params.transaction ?? '');
  if (!both || both.payment.protocol === 'checkout') return unknownLinkPage(request);
  const fields = await readForm(request);
  if (fields instanceof Response) return fields;
  const { payment, transaction } = both;
  const attempt = fields.get('attempt') ?? '';
  if (isCrossSite(request) || !(await isGuardValid(payment, attempt, fields.get('guard') ?? ''))) {
    return failurePage(request, 403);
  }
  const said = codeReply(fields);
  if (said && attempt === String(payment.attempts)) await submitPayerReply(payment, said, now());
  const language = fields.get('lang');
  const query = new URLSearchParams({ [typedMark]: '1', ...(language && { lang: language }) });
  return seeOther(`/return/${transaction.id}?${query}`);
}

/** What the payer has to do next at a bank: a challenge may be followed by another, at the same provider or the next. */
function nextAction(before: Transaction, latest: Transaction): Transaction['action'] {
  if (latest.status !== 'challenge' && latest.status !== 'redirect') return null;
  const isSame = latest.id === before.id && JSON.stringify(latest.action) === JSON.stringify(before.action);
  return isSame ? null : latest.action;
}

// Another window opens only where the payer presses something: browsers stop documents that do it by themselves.
function needsContinue(request: Request, target: LinkTarget | undefined): boolean {
  if (target === undefined || target === '_self') return false;
  return target === '_blank' || mayBeFramed(request);
}

function orderOf({ orderNumber, description, amountMinor, currency, payer }: Payment) {
  return { number: orderNumber, description, amount: { minor: amountMinor, currency }, email: payer.email };
}
