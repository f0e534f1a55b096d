/**
 * A submit of the payer's form. It pays at most once whatever is pressed how often: payments allows one attempt at a
 * time, and a form that does not know of the latest attempt is answered with what became of that one.
 */

import { Refusal } from '../core/errors';
import type { Operation, Person } from '../core/payment';
import type { Message } from '../core/words';
import { isClockWrong, now } from '../db/clock';
import { readBytes, textOf } from '../http/body';
import { wordsOf } from '../http/i18n';
import type { Peer } from '../http/route';
import { findMethod } from '../methods/catalog';
import { cardFieldsOf } from '../methods/fields';
import type { Method } from '../methods/method';
import {
  type CardInstrument,
  type Means,
  type Payed,
  type PayInput,
  pay as payWith,
} from '../payments/attempt/execute';
import { walletMeans } from '../protocols/shared/wallet-instrument';
import { secondsForMerchant } from '../risk/request-rates';
import type { PayingWallet } from '../routing/wallet-offers';
import { type AlertSurroundings, alertText } from './alert';
import { askedOf, askedOfMethod, asksConsent } from './asked';
import type { DeclineAlert, SubmitAnswer } from './contract';
import { documentOf, failureOf, limitedUntil, seeOther, unknownLink } from './document';
import { type Checked, checkSubmission, countryOf, type Faults, readSubmission, type Submission } from './form';
import { hiddenFields, isForeign, isGuarded, totalOf } from './guard';
import { checkMethodForm } from './method-form';
import { alertFor, type Refilled } from './page';
import { wordsFor } from './purpose';
import { offeredMethods, offeredWallets } from './rows';
import { type Kept, keptCards } from './saved';
import { declinedOf } from './screen';
import { findView, seen, type View, viewOf } from './view';
import { attemptPath, presetOf, type Visit, visitOf } from './visit';
import { methodName } from './wallet-page';

/** Far more than any form of ours has. */
const bodyBytesMax = 32 * 1024;

/** One submit on its way through. */
type Submit = { request: Request; peer: Peer; view: View; submission: Submission; visit: Visit; json: boolean };

/** POST /pay/:token: with `Accept: application/json` for the script, else a redirect or the page with its errors. */
export async function submit(request: Request, params: Record<string, string>, peer: Peer): Promise<Response> {
  const json = request.headers.get('accept')?.includes('application/json') ?? false;
  const time = now();
  const view = await findView(params.token ?? '', time);
  if (!view) return json ? answer({ next: 'reload' }, 404) : unknownLink(request);
  const fields = await readForm(request);
  if (fields instanceof Response) return json ? answer({ next: 'reload' }, fields.status) : fields;
  const submission = readSubmission(fields, request.headers);
  const visit = visitOf(request, presetOf(view), time, submission.language);
  if (isForeign(request) || !(await isGuarded(view.payment, submission.attempt, submission.guard))) {
    return json ? answer({ next: 'reload' }, 403) : failureOf(request, 403);
  }
  return decide({ request, peer, view, submission, visit, json });
}

async function decide(submit: Submit): Promise<Response> {
  const { view, submission } = submit;
  const seconds = secondsForMerchant('pay', view.payment.merchantId);
  if (seconds > 0) return limitedUntil(submit.request, seconds);
  if (view.screen.kind !== 'form') return onward(submit, view);
  // Sent twice, or from a tab that has missed an attempt: this is about a form that is no more.
  if (submission.attempt !== String(view.payment.attempts)) return shown(submit, view);
  // The shop has changed the order since the form was shown: the payer sees the new amount first.
  if (submission.total !== totalOf(view.payment)) return onward(submit, view);
  // Another process takes the next try, or this one when its clock is right again.
  if (isClockWrong()) return shown(submit, view, { kind: 'technical' });
  const wallet = offeredWallets(view).find(({ kind }) => kind === submission.method);
  if (wallet) return decideWallet(submit, wallet);
  const offered = offeredMethods(view);
  if (offered.length === 0) return shown(submit, view, { kind: 'technical' });
  const method = offered.includes(submission.method) ? findMethod(submission.method) : undefined;
  // The merchant's accounts have changed since the form was shown.
  if (!method) return onward(submit, view);
  return method.id === 'card' ? decideCard(submit) : decideOther(submit, method);
}

/** The fault of a box that has to be ticked and is not. */
function consentFault({ view, submission }: Submit): Faults {
  return asksConsent(view) && submission.typed.consent !== '1' ? { consent: { key: 'error.consent' } } : {};
}

async function decideCard(submit: Submit): Promise<Response> {
  const { view, submission, visit } = submit;
  const kept = await keptCards(view, visit.now);
  const saved = kept.find((card) => card.id === submission.savedCard && !card.expired) ?? null;
  if (submission.savedCard !== null && !saved) return onward(submit, view);
  const checked = checkSubmission(submission.typed, {
    fields: askedOf(view),
    cardFields: cardFieldsOf(view.payment.operation, saved !== null),
    payer: view.payment.payer,
    saved: saved?.card ?? null,
    language: visit.language,
    now: visit.now,
  });
  const faults = { ...(checked.ok ? {} : checked.faults), ...consentFault(submit) };
  if (!checked.ok || Object.keys(faults).length > 0) return faulty(submit, faults);
  const { payeeCard } = checked;
  return answered(submit, await pay(submit, cardOf(checked, saved), checked.person, { payeeCard }));
}

function cardOf({ card, cvv, expiry }: Checked & { ok: true }, saved: Kept | null): CardInstrument {
  const instrument = card ?? (saved && { kept: { cardId: saved.card.id, token: saved.token, cvv, expiry } });
  if (!instrument) throw new Error('a submit that was checked has no card');
  return instrument;
}

async function decideOther(submit: Submit, method: Method): Promise<Response> {
  const { view, submission, visit, json } = submit;
  const { payment } = view;
  const { typed } = submission;
  const country = countryOf(typed, { fields: askedOfMethod(view, method).fields, payer: payment.payer });
  const asked = askedOfMethod(view, method, country || undefined);
  const { language, now: time } = visit;
  const checked = checkMethodForm(typed, method, asked, { payment, language, now: time });
  const consent = consentFault(submit);
  if (!checked.ok || consent.consent) {
    const faults = checked.ok ? {} : checked.faults;
    // The country that was chosen has fields which the page does not show yet: its next document does.
    const isLacking = Object.keys(faults).some((name) => !(name in typed));
    return json && isLacking ? answer({ next: 'post' }) : faulty(submit, { ...faults, ...consent });
  }
  const { parameters, secret } = checked;
  const means: Means = { method: method.id, parameters, asked: checked.asked };
  if (Object.keys(secret).length > 0) means.secret = secret;
  return answered(submit, await pay(submit, means, checked.person));
}

/** One answer for whatever is wrong with a token: whoever forges them must not learn which check stopped them. */
async function decideWallet(submit: Submit, wallet: PayingWallet): Promise<Response> {
  const { view, submission, visit } = submit;
  const faults = consentFault(submit);
  if (faults.consent) return faulty(submit, faults);
  const means = await walletMeans(view.payment, wallet, submission.walletToken ?? '', visit.now);
  if (means && means !== 'repeated')
    return answered(submit, await pay(submit, means.means, {}, { wallet: means.wallet }));
  const fresh = (await viewOf(view.payment.id, now(), view.token)) ?? view;
  // The same press has come twice, and the other one has paid.
  if (fresh.payment.attempts !== view.payment.attempts) return onward(submit, fresh);
  return shown(submit, fresh, { kind: 'technical', method: methodName(wallet.kind) });
}

function pay(
  { view, submission, visit, peer }: Submit,
  means: Means,
  person: Person,
  more: Pick<PayInput, 'payeeCard' | 'wallet'> = {},
): Promise<Payed> {
  const { payment, session, caller } = view;
  const payer = payment.payer.ip ? person : { ...person, ip: peer.address };
  const { browser } = submission;
  const { address } = peer;
  return payWith({ caller, payment, session, means, browser, payer, address, ...more, now: visit.now });
}

async function answered(submit: Submit, payed: Payed): Promise<Response> {
  if (!('refused' in payed)) {
    const { payment, transaction: attempt } = payed;
    const view = seen({ ...submit.view, payment, attempt }, now());
    if (view.screen.kind === 'form') return shown(submit, view);
    return onward(submit, view, view.screen.kind !== 'cancelled');
  }
  const view = await viewOf(payed.payment.id, now(), submit.view.token);
  if (!view) throw new Error(`payment ${payed.payment.id} has no session any more`);
  return payed.refused === 'unroutable' ? shown(submit, view, { kind: 'technical' }) : onward(submit, view);
}

/** The page has another state now: the browser loads it. `isTaken`: the payment has gone out and was not declined. */
function onward({ json, visit }: Submit, view: View, isTaken?: boolean): Response {
  const leave = view.screen.kind === 'cancelled' && view.screen.reason === 'declines';
  const url = attemptPath(view, { lang: visit.lang, leave });
  return json ? answer({ next: 'go', url, isTaken }) : seeOther(url);
}

/** The form stays, with the alert of the attempt that was just declined. */
async function shown(submit: Submit, view: View, alert?: DeclineAlert): Promise<Response> {
  const { json, visit, submission } = submit;
  const { attempt } = view;
  const declined = alert ?? (attempt?.status === 'fail' ? alertFor(declinedOf(attempt), view) : undefined);
  if (!json && alert)
    return refilled(submit, view, { typed: submission.typed, faults: {}, alert, chosen: submission.method });
  if (!json || view.screen.kind !== 'form') return onward(submit, view);
  return answer({
    next: 'stay',
    errors: {},
    alert:
      declined &&
      alertText(declined, surroundings(view, submission), wordsFor(view.payment.operation, wordsOf(visit.language))),
    hidden: await hiddenFields(view.payment),
  });
}

function surroundings(view: View, { typed }: Submission): AlertSurroundings {
  const { amountMinor: minor, currency } = view.payment;
  const codeDigits = codeDigitsOf(typed);
  const cardOnly = offeredMethods(view).every((id) => id === 'card') && offeredWallets(view).length === 0;
  return { merchantName: view.caller.merchant.name, amount: { minor, currency }, cardOnly, codeDigits };
}

/** Digits of the code that was typed, so that the same number is asked for again. */
function codeDigitsOf({ card_cvv }: Submission['typed']): 3 | 4 {
  return card_cvv?.length === 4 ? 4 : 3;
}

/** Something typed is wrong: the script shows it in place, without script the page comes back with it. */
function faulty(submit: Submit, faults: Faults): Promise<Response> | Response {
  const { json, view, visit, submission } = submit;
  if (json) {
    const { t } = wordsOf(visit.language);
    const found = Object.entries(faults) as [string, Message][];
    const texts = found.map(([name, message]) => [name, t(message.key, message.values)]);
    return answer({ next: 'stay', errors: Object.fromEntries(texts) }, 422);
  }
  const chosen = submission.savedCard ?? submission.method;
  const again = submission.method === 'card' ? askedAgain(submission, faults, view.payment.operation) : faults;
  return refilled(submit, view, { typed: submission.typed, faults: again, chosen });
}

/** Numbers and code never come back, so a page without script has to say that they are wanted once more. */
function askedAgain({ typed, savedCard }: Submission, faults: Faults, operation: Operation): Faults {
  const wanted: Faults = {
    card_number: { key: 'error.card_number.empty' },
    card_cvv: { key: 'error.card_cvv.again', values: { count: codeDigitsOf(typed) } },
    payee_card_number: { key: 'error.payee_card_number.empty' },
  };
  // The first of them takes the focus, so they stand in the order of the page.
  const asked = cardFieldsOf(operation, savedCard !== null);
  const ofCard = asked.map((name) => [name, faults[name] ?? wanted[name]]);
  return { ...Object.fromEntries(ofCard.filter(([, fault]) => fault !== undefined)), ...faults };
}

function refilled(submit: Submit, view: View, back: Refilled): Promise<Response> {
  return documentOf(submit.request, view, submit.visit, { status: 422, refilled: back });
}

/** The fields of a form, or the answer to a body that is none. */
export async function readForm(request: Request): Promise<URLSearchParams | Response> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') return failureOf(request, 415);
  try {
    return new URLSearchParams(textOf(await readBytes(request, bodyBytesMax)));
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    return failureOf(request, Number(request.headers.get('content-length') ?? 0) > bodyBytesMax ? 413 : 400);
  }
}

function answer(body: SubmitAnswer, status = 200): Response {
  return Response.json(body, {
    status,
    headers: { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
  });
}
