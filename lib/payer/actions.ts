/** The two ways out of a payment's page: back to the shop, and out of a bank's step to another way to pay. */
import { now } from '../clock';
import { abandon } from '../payments/resume';
import { cancelSession } from '../payments/sessions';
import { failureOf, seeOther, unknownLink } from './document';
import { readSubmission } from './form';
import { isForeign, isGuarded } from './guard';
import { attemptPath, presetOf, visitOf } from './page';
import { readForm } from './submit';
import { findView, type View, viewOf } from './view';

type Act = (view: View, time: Date) => Promise<{ leave: boolean }>;

/** Reads and checks the small form of an action, does it and leads to the page. Done twice, it is done once. */
async function perform(request: Request, params: Record<string, string>, act: Act): Promise<Response> {
  const time = now();
  const view = await findView(params.token ?? '', time);
  if (!view) return unknownLink(request);
  const fields = await readForm(request);
  if (fields instanceof Response) return fields;
  const { attempt, guard, language } = readSubmission(fields, request.headers);
  if (isForeign(request) || !(await isGuarded(view.payment, attempt, guard))) return failureOf(request, 403);
  const { leave } = await act(view, time);
  const { lang } = visitOf(request, presetOf(view), time, language);
  const after = (await viewOf(view.payment.id, now(), view.token)) ?? view;
  return seeOther(attemptPath(after, { lang, leave }));
}

/**
 * POST /pay/:token/cancel: the payer goes back to the shop. With an attempt at the bank's page that attempt is
 * cancelled first; if its outcome is uncertain nothing is cancelled, and the payer leaves with the question open.
 */
export function cancel(request: Request, params: Record<string, string>): Promise<Response> {
  return perform(request, params, async (view, time) => {
    if (view.screen.kind === 'challenge' || view.screen.kind === 'redirecting') await abandon(view.payment, time);
    await cancelSession(view.payment.id, time);
    return { leave: true };
  });
}

/** POST /pay/:token/abandon: the payer leaves the bank's step for another way to pay. */
export function abandonAttempt(request: Request, params: Record<string, string>): Promise<Response> {
  return perform(request, params, async (view, time) => {
    await abandon(view.payment, time);
    return { leave: false };
  });
}
