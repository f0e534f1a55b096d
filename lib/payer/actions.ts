/**
 * What a payer does on a page that is no form: back to the shop, out of a step to another way to pay, a new code to scan,
 * the one-time code that they were sent.
 */

import { digitsOf } from '../core/cards';
import type { PayerReply } from '../core/presentation';
import { now } from '../db/clock';
import { cancelAttempt, cancelSession, submitPayerReply } from '../payments';
import { failurePage, seeOther, unknownLinkPage } from './document';
import { readSubmission } from './form';
import { isCrossSite, isGuardValid } from './guard';
import { attemptPath, pageContextOf, presetOf } from './page-context';
import type { Screen } from './screen';
import { readForm } from './submit';
import { findView, type View, viewOf } from './view';

type Act = (view: View, time: Date, fields: URLSearchParams) => Promise<{ leave: boolean }>;

/** Reads and checks the small form of an action, does it and leads to the page. Done twice, it is done once. */
async function perform(request: Request, params: Record<string, string>, act: Act): Promise<Response> {
  const time = now();
  const view = await findView(params.token ?? '', time);
  if (!view) return unknownLinkPage(request);
  const fields = await readForm(request);
  if (fields instanceof Response) return fields;
  const { attempt, guard, language } = readSubmission(fields, request.headers);
  if (isCrossSite(request) || !(await isGuardValid(view.payment, attempt, guard))) return failurePage(request, 403);
  const { leave } = await act(view, time, fields);
  const { lang } = pageContextOf(request, presetOf(view), time, language);
  const after = (await viewOf(view.payment.id, now(), view.token)) ?? view;
  return seeOther(attemptPath(after, { lang, leave }));
}

/**
 * POST /pay/:token/cancel: the payer goes back to the shop. An attempt that they are in the middle of is cancelled
 * first; one that they finish later elsewhere (payment data, a link, coins) stays open, as does one whose outcome is
 * uncertain, and then the payer leaves with the question open.
 */
export function cancel(request: Request, params: Record<string, string>): Promise<Response> {
  return perform(request, params, async (view, time) => {
    if (isCancellable(view.screen)) await cancelAttempt(view.payment, time);
    await cancelSession(view.payment.id, time);
    return { leave: true };
  });
}

function isCancellable(screen: Screen): boolean {
  if (screen.kind === 'present') return ['app', 'qr', 'confirm', 'code'].includes(screen.present.kind);
  return screen.kind === 'challenge' || screen.kind === 'redirecting';
}

/** POST /pay/:token/abandon: the payer leaves a step for another way to pay. */
export function chooseAnotherMethod(request: Request, params: Record<string, string>): Promise<Response> {
  return perform(request, params, async (view, time) => {
    await cancelAttempt(view.payment, time);
    return { leave: false };
  });
}

/** POST /pay/:token/renew: a new code to scan. */
export function renewCode(request: Request, params: Record<string, string>): Promise<Response> {
  return reply(request, params, () => ({ renew: true }));
}

/** POST /pay/:token/code: the one-time code that the payer has typed. */
export function submitCode(request: Request, params: Record<string, string>): Promise<Response> {
  return reply(request, params, codeReply);
}

/** Longer than any one-time code. */
const codeCharactersMax = 32;

/** The code that a form carries; null where none was typed. */
export function codeReply(fields: URLSearchParams): PayerReply | null {
  const code = digitsOf(fields.get('code') ?? '').slice(0, codeCharactersMax);
  return code === '' ? null : { code };
}

function reply(
  request: Request,
  params: Record<string, string>,
  of: (fields: URLSearchParams) => PayerReply | null,
): Promise<Response> {
  return perform(request, params, async (view, time, fields) => {
    const said = of(fields);
    // A form of an attempt that is over says nothing about the present one.
    const isCurrent = fields.get('attempt') === String(view.payment.attempts);
    if (said && isCurrent && view.screen.kind === 'present') await submitPayerReply(view.payment, said, time);
    return { leave: false };
  });
}
