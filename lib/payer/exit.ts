/** Decides where the payer goes after the page: the shop's addresses with their signed query, and the window. */

import { parseWebUrl } from '../http/index.ts';
import { signedReturnUrl } from '../protocols/index.ts';
import { eligibleMids } from '../routing/index.ts';
import type { LinkTarget } from './contract.ts';
import type { View } from './view.ts';

/**
 * The shop's address for an outcome; undefined if the session has none. An undetermined outcome leads to `error_url`,
 * else to `cancel_url` (protocol.md 3). `later`: the payer completes the payment elsewhere, so it is not cancelled; the
 * mapping may have an address of its own. Every address has the signed query.
 */
export function exitUrl(
  view: View,
  reason: 'paid' | 'later' | 'cancelled' | 'undetermined' | 'expired',
): string | undefined {
  const { successUrl, cancelUrl, errorUrl, expiryUrl } = view.session;
  const url = {
    paid: successUrl,
    later: view.caller.mapping.pendingUrl ?? successUrl,
    cancelled: cancelUrl,
    undetermined: errorUrl ?? cancelUrl,
    expired: expiryUrl ?? cancelUrl,
  }[reason];
  return url === null ? undefined : signedReturnUrl(url, view.payment, view.caller);
}

/**
 * The origins that may frame the session's documents: those of the merchant's settings and, if the mapping allows it,
 * that of success_url. With hosted fields the merchant's page frames the bank's steps, so that of return_url is
 * included.
 */
export function frameAncestorsOf({ session, caller }: Pick<View, 'session' | 'caller'>): string[] {
  const { merchant, mapping } = caller;
  if (!mapping.frameBySuccessUrl) return merchant.frameAncestors;
  const urls = [session.successUrl, session.hostedFields ? session.returnUrl : null];
  return [...merchant.frameAncestors, ...urls.flatMap((url) => (url ? (parseWebUrl(url)?.origin ?? []) : []))];
}

/** The return address of a hosted-fields payment: the merchant's own page. */
export function fieldsReturnUrl({ payment, session, caller }: View): string | undefined {
  return session.returnUrl === null ? undefined : signedReturnUrl(session.returnUrl, payment, caller);
}

/** The window that links to the shop open in: the MID's override takes precedence over the session's url_target. */
export function linkTargetOf({ caller, payment, session, attempt }: View): LinkTarget | undefined {
  const attemptMid = attempt && caller.mids.find((mid) => mid.id === attempt.midId);
  const mid = attemptMid ?? eligibleMids(caller.mids, { ...payment, method: payment.method ?? undefined })[0];
  return targetOf(mid?.overrideLinkTarget ?? session.linkTarget);
}

const targets: readonly LinkTarget[] = ['_self', '_blank', '_parent', '_top'];

/** A text as one of the four windows; undefined for any other text. */
export function targetOf(text: string | null | undefined): LinkTarget | undefined {
  return targets.find((known) => known === text);
}
