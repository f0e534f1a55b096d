/**
 * Handles the payer's return from a provider or bank. The return itself proves nothing: the provider is polled and the
 * page shows the result. A repeated or late return has the same effect.
 */
import { now } from '../db/clock';
import type { HttpResult } from '../http';
import { findPaymentWithTransaction } from '../payments';
import { mayBeFramed } from './csrf-guard';
import { fieldsReturnUrl, frameAncestorsOf } from './exit';
import { attemptPath, pageContextOf, presetOf } from './page-context';
import { pollReturned } from './poll-provider';
import { render, seeOther, unknownLinkPage } from './responses';
import { returnDirect } from './return-s2s';
import { viewOf } from './view';

/** GET and POST /return/:transaction. The bank's POST body is not read: the outcome is read from the provider. */
export async function returnFromBank(request: Request, params: Record<string, string>): Promise<HttpResult> {
  const time = now();
  const both = await findPaymentWithTransaction(params.transaction ?? '');
  if (!both) return unknownLinkPage(request);
  const { transaction: before } = both;
  await pollReturned(before.id);
  if (both.payment.protocol !== 'checkout') return returnDirect(request, before);
  const view = await viewOf(before.paymentId, now());
  if (!view) return unknownLinkPage(request);
  const { screen } = view;
  const back = screen.kind === 'challenge' || screen.kind === 'redirecting' || screen.kind === 'present';
  const pageUrl = view.session.hostedFields ? fieldsReturnUrl(view) : attemptPath(view, { back });
  if (pageUrl === undefined) return unknownLinkPage(request);
  // The provider's page was never in a frame of ours; an existing frame is the shop's and stays.
  if (!mayBeFramed(request) || before.status === 'redirect') return seeOther(pageUrl);
  const { language } = pageContextOf(request, presetOf(view), time);
  return render({ state: 'frameReturn', pageUrl }, language, { frameAncestors: frameAncestorsOf(view) });
}
