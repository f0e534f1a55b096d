/**
 * Where a provider or a bank leads the payer back to. Coming back proves nothing: the provider is asked, and the page
 * shows what it says. Twice, late, or after a notification it does the same.
 */
import { now } from '../db/clock';
import { findBoth } from '../payments/queries';
import { render, seeOther, unknownLink } from './document';
import { mayBeFramed } from './guard';
import { framersOf, returnedAddress } from './leave';
import { returnedDirect } from './return-direct';
import { askReturned } from './soon';
import { viewOf } from './view';
import { attemptPath, presetOf, visitOf } from './visit';

/** GET and POST /return/:transaction. What the bank posts is not read: its word is got from the provider. */
export async function returned(request: Request, params: Record<string, string>): Promise<Response> {
  const time = now();
  const both = await findBoth(params.transaction ?? '');
  if (!both) return unknownLink(request);
  const { transaction: before } = both;
  await askReturned(before.id);
  if (both.payment.protocol !== 'checkout') return returnedDirect(request, before);
  const view = await viewOf(before.paymentId, now());
  if (!view) return unknownLink(request);
  const { screen } = view;
  const back = screen.kind === 'challenge' || screen.kind === 'redirecting' || screen.kind === 'present';
  const pageUrl = view.session.hostedFields ? returnedAddress(view) : attemptPath(view, { back });
  if (pageUrl === undefined) return unknownLink(request);
  // A redirect to the provider's page was never in a frame of ours: if there is a frame, it is the shop's, and it stays.
  if (!mayBeFramed(request) || before.status === 'redirect') return seeOther(pageUrl);
  const { language } = visitOf(request, presetOf(view), time);
  return render({ state: 'frameReturn', pageUrl }, language, { frameAncestors: framersOf(view) });
}
