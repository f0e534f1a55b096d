/**
 * The way back from the bank for a payment that the merchant's server makes by itself. There is no page of ours to
 * return to: the payer is led to `term_url_3ds`, and without one told to look at the shop.
 */
import type { LinkTarget } from '../../components/pay/model';
import { findPayment, lastAttempt } from '../payments/find';
import { callerOf } from '../payments/merchants';
import type { Payment, Transaction } from '../payments/payment';
import { render, seeOther, unknownLink } from './document';
import { mayBeFramed } from './guard';
import { languageOf, languages } from './language';
import { targetOf } from './leave';

/** Leads on a payer who has come back about `before`, of which the provider has just been asked. */
export async function returnedDirect(request: Request, before: Transaction): Promise<Response> {
  const [payment, latest] = await Promise.all([findPayment(before.paymentId), lastAttempt(before.paymentId)]);
  if (!payment || !latest) return unknownLink(request);
  const caller = await callerOf(payment);
  const chosen = new URL(request.url).searchParams.getAll('lang').at(-1) ?? null;
  const preset = { language: payment.payer.language ?? null, defaultLanguage: caller.mapping.defaultLanguage };
  const language = languageOf(preset, chosen, request.headers.get('accept-language'));
  const { merchant } = caller;
  const { frameAncestors } = merchant;
  const next = nextAction(before, latest);
  if (next) return render({ state: 'frameLeave', action: next }, language, { frameAncestors });
  const override = caller.mids.find((mid) => mid.id === latest.midId)?.overrideLinkTarget;
  const target = targetOf(override ?? payment.returnTarget);
  const url = payment.returnUrl ?? undefined;
  if (url !== undefined && !needsContinue(request, target)) return seeOther(url);
  const { name, site, accent, radius, privacyUrl, termsUrl } = merchant;
  return render(
    {
      state: 'returned',
      merchant: { name, site: site ?? undefined, accent: accent ?? undefined, radius: radius ?? undefined },
      order: orderOf(payment),
      pageUrl: new URL(request.url).pathname,
      hidden: {},
      languages,
      legal: { privacy: privacyUrl ?? undefined, terms: termsUrl ?? undefined },
      url,
      target,
    },
    language,
    { frameAncestors },
  );
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
