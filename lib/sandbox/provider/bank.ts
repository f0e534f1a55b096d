// The sandbox's bank (the 3-D Secure ACS) and its wallet: the pages that the payer is redirected to, and the effect of
// the payer's answers on the payment. The pages are plain HTML without script, in light colours, visibly separate from
// the gateway, and fit a frame of 390 by 400 pixels, 3-D Secure's smallest phone size.
import { brandById, brandOf } from '../../core/cards.ts';
import { sandboxCode } from '../../core/sandbox-cards.ts';
import { now } from '../../db/clock.ts';
import {
  type Html,
  type HttpRequest,
  type HttpResult,
  html,
  httpResult,
  plainPage,
  type Route,
  readBytes,
} from '../../http/index.ts';
import { findMethod } from '../../methods/catalog.ts';
import { sandboxRoute } from '../routes.ts';
import { changeUnfinished, completeOperation, leavePending } from './completion.ts';
import type { Operation } from './operation.ts';
import { declineOf, payerDeclined } from './operation.ts';
import { findById } from './operation-queries.ts';
import { threeDS } from './scenario.ts';
import { amountText, writeChallenge } from './wire.ts';

const wrongCodesMax = 3;

const notConfirmed = declineOf('authentication_failed', 'The payer was not authenticated', 'unconfirmed', true);
const leftBank = declineOf('authentication_cancelled', 'The payer cancelled the authentication', 'unconfirmed', true);

export const bankRoutes: Route[] = [
  row('POST', '/sandbox/acs/:id', askPayer),
  row('GET', '/sandbox/acs/:id', askPayer),
  row('POST', '/sandbox/acs/:id/answer', takeAnswer),
  row('GET', '/sandbox/redirect/:id', askApproval),
  row('POST', '/sandbox/redirect/:id/answer', takeApproval),
];

function row(
  method: string,
  path: string,
  run: (operation: Operation, request: HttpRequest) => Promise<HttpResult>,
): Route {
  return sandboxRoute(method, path, async (request, { id = '' }) => {
    const operation = await findById(id);
    return operation?.returnUrl && operation.kind === 'payment' ? run(operation, request) : missingPage();
  });
}

async function askPayer(operation: Operation, request: HttpRequest): Promise<HttpResult> {
  // A form with a `creq` must return the one it got; a link in a new window has none.
  const creq = request.method === 'POST' ? (await readForm(request)).get('creq') : null;
  if (creq !== null && creq !== writeChallenge(operation.id)) return missingPage();
  if (operation.status !== 'challenge') return answeredPage('bank', backUrl(operation));
  return challengePage(operation, false);
}

async function takeAnswer(operation: Operation, request: HttpRequest): Promise<HttpResult> {
  const form = await readForm(request);
  if (operation.status !== 'challenge') return redirectBack(operation);
  const at = now();
  if (form.get('choice') === 'cancel') {
    return redirectBack(await completeOperation(operation, at, leftBank, threeDS('U', 'challenge')));
  }
  if (!operation.scenario.code || form.get('code')?.trim() === sandboxCode) {
    return redirectBack(await completeOperation(operation, at, null, threeDS('Y', 'challenge')));
  }
  const after = await changeUnfinished(operation, ({ wrongCodes }) => {
    return { change: { wrongCodes: wrongCodes + 1 }, notifications: [] };
  });
  if (after.wrongCodes < wrongCodesMax) return challengePage(operation, true);
  return redirectBack(await completeOperation(operation, at, notConfirmed, threeDS('N', 'challenge')));
}

async function askApproval(operation: Operation): Promise<HttpResult> {
  if (operation.status !== 'redirect') return answeredPage('wallet', backUrl(operation));
  return approvalPage(operation);
}

async function takeApproval(operation: Operation, request: HttpRequest): Promise<HttpResult> {
  const choice = (await readForm(request)).get('choice');
  if (operation.status !== 'redirect') return redirectBack(operation);
  if (choice === 'pending') return redirectBack(await leavePending(operation, now(), 'settled'));
  if (choice === 'rejected') return redirectBack(await leavePending(operation, now(), 'declined'));
  // A card whose redirect ends in a decline is declined for that reason whatever the payer chooses.
  const decline = choice === 'approve' || operation.scenario.outcome === 'declined' ? null : payerDeclined;
  return redirectBack(await completeOperation(operation, now(), decline));
}

/** Redirects the payer's browser to the gateway's return address. */
export function redirectBack(operation: Operation): HttpResult {
  return httpResult(null, { status: 303, headers: { location: backUrl(operation), 'cache-control': 'no-store' } });
}

function backUrl(operation: Operation): string {
  const url = new URL(operation.returnUrl ?? '');
  url.searchParams.set('reference', operation.key);
  return url.href;
}

/** A form of a bank or an app has a few short fields. */
const formBytesMax = 4 * 1024;

/** The body of a form; empty for a larger one, whose fields would take seconds to read. */
export async function readFormText(request: HttpRequest): Promise<string> {
  const bytes = await readBytes(request, formBytesMax).catch(() => new Uint8Array());
  return new TextDecoder().decode(bytes);
}

/** The fields of a form. */
export async function readForm(request: HttpRequest): Promise<URLSearchParams> {
  return new URLSearchParams(await readFormText(request));
}

const owners = { bank: 'Example Bank', wallet: 'Example Wallet', app: 'Example Bank app' };
type PageOptions = { owner?: string; brand?: string; status?: number };

/** A whole page. `site` selects the colours, and the owner that its header names. */
export function page(site: keyof typeof owners, title: string, body: Html, more: PageOptions = {}): HttpResult {
  const { owner = owners[site], brand, status = 200 } = more;
  const badge = brand === undefined ? html`` : html`<span class="brand">${brand}</span>`;
  // The bank's page is framed by the checkout, which any site may frame. form-action is unrestricted, because browsers
  // apply it to the following redirects, which lead to the shop.
  const whole = html`<body class="${site}"><main><header><span class="name">${owner}</span>${badge}</header>
${body}</main></body>`;
  const style = { src: '/sdk/sandbox-bank.css' };
  return plainPage({ title, style, body: whole, policy: ['frame-ancestors *'], status });
}

/** Payee, amount and means of payment. */
export function facts(operation: Operation): Html {
  const method = operation.cardMask === null && operation.method ? findMethod(operation.method) : undefined;
  const named = method ? html`<dt>Method</dt><dd>${method.name}</dd>` : html``;
  const card = operation.cardMask ? html`<dt>Card</dt><dd>**** ${operation.cardMask.slice(-4)}</dd>` : html``;
  return html`<dl>
<dt>Merchant</dt><dd>${operation.descriptor || 'Sandbox merchant'}</dd>
<dt>Amount</dt><dd>${amountText(operation)}</dd>
${card}${named}</dl>`;
}

/** The bank's challenge: a code or a confirmation. `wrong` marks a wrong previous code. */
export function challengePage(operation: Operation, wrong: boolean): HttpResult {
  const action = `/sandbox/acs/${operation.id}/answer`;
  const { code = false } = operation.scenario;
  const alert = wrong ? html`<p class="alert" id="wrong" role="alert">This is not the code that we sent.</p>` : html``;
  const described = wrong ? html` aria-invalid="true" aria-describedby="wrong"` : html``;
  const field = code
    ? html`${alert}<label for="code">Code</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="8"${described}>`
    : html``;
  const question = code
    ? html`We sent a code to your phone ending <strong>88</strong>.`
    : html`Do you want to make this payment?`;
  const note = code ? html`Sandbox: the code is ${sandboxCode}. No money moves.` : html`Sandbox: no money moves.`;
  // Enter submits the first button.
  return page(
    'bank',
    'Example Bank: confirm your payment',
    html`<h1>${question}</h1>
${facts(operation)}
<form method="post" action="${action}">
${field}
<div class="two"><button class="main" name="choice" value="submit">${code ? 'Submit' : 'Confirm'}</button>
<button name="choice" value="cancel">Cancel</button></div>
</form>
<p class="note">${note}</p>`,
    { brand: brandById(brandOf(operation.cardMask ?? '')?.id)?.name ?? '' },
  );
}

/** The wallet's question. */
export function approvalPage(operation: Operation): HttpResult {
  return page(
    'wallet',
    'Example Wallet: approve your payment',
    html`<h1>Do you approve this payment?</h1>
${facts(operation)}
<form method="post" action="/sandbox/redirect/${operation.id}/answer">
${choices('choice', operation.cardMask === null)}
</form>
<p class="note">Sandbox: no money moves.</p>`,
  );
}

/** The payer's choices as form buttons; other providers than a card's may also leave a payment pending. */
export function choices(name: 'choice' | 'outcome', withWaiting: boolean): Html {
  const waiting = html`<button name="${name}" value="pending">Leave it pending, then settle</button>
<button name="${name}" value="rejected">Leave it pending, then reject</button>`;
  return html`<div class="two"><button class="main" name="${name}" value="approve">Approve</button>
<button name="${name}" value="decline">Decline</button></div>
${withWaiting ? waiting : html``}`;
}

/** For a payer who returns to an answered page. */
export function answeredPage(site: 'bank' | 'wallet', backUrl: string): HttpResult {
  return page(
    site,
    'Already answered',
    html`<h1>You have answered already. Nothing more is needed here.</h1><p><a href="${backUrl}">Back to the payment</a></p>`,
  );
}

/** For an address without a question. */
export function missingPage(): HttpResult {
  return page('bank', 'Nothing here', html`<h1>There is nothing to confirm at this address.</h1>`, { status: 404 });
}
