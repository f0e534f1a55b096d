/**
 * Where a provider or a bank leads the payer back to. Coming back proves nothing: the provider is asked, and the page
 * shows what it says. Twice, late, or after a notification it does the same.
 */
import { now } from '../db/clock';
import { findPaymentWithTransaction } from '../payments';
import { render, seeOther, unknownLinkPage } from './document';
import { fieldsReturnUrl, frameAncestorsOf } from './exit';
import { mayBeFramed } from './guard';
import { attemptPath, pageContextOf, presetOf } from './page-context';
import { pollReturned } from './poll';
import { returnDirect } from './return-direct';
import { viewOf } from './view';

/** GET and POST /return/:transaction. What the bank posts is not read: its word is got from the provider. */
export async function returnFromBank(request: Request, params: Record<string, string>): Promise<Response> {
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
  // A redirect to the provider's page was never in a frame of ours: if there is a frame, it is the shop's, and it stays.
  if (!mayBeFramed(request) || before.status === 'redirect') return seeOther(pageUrl);
  const { language } = pageContextOf(request, presetOf(view), time);
  return render({ state: 'frameReturn', pageUrl }, language, { frameAncestors: frameAncestorsOf(view) });
}
