// The sandbox's bank (the 3-D Secure ACS) and its wallet: the pages that the payer is redirected to, and the effect of
// the payer's answers on the payment.
import { sandboxCode } from '../../core/sandbox-cards.ts';
import { now } from '../../db/clock.ts';
import { type HttpResult, httpResult, type Route } from '../../http/index.ts';
import { sandboxRoute } from '../routes.ts';
import { changeUnfinished, completeOperation, leavePending } from './completion.ts';
import { findById } from './operation-queries.ts';
import type { Operation } from './operation-row.ts';
import { declineOf, payerDeclined } from './outcomes.ts';
import { answeredPage, approvalPage, challengePage, missingPage } from './pages.ts';
import { threeDS } from './scenario.ts';
import { writeChallenge } from './wire.ts';

/** Wrong codes before the bank declines. */
const wrongCodesMax = 3;

const notConfirmed = declineOf('authentication_failed', 'The payer was not authenticated', 'unconfirmed', true);
const leftBank = declineOf('authentication_cancelled', 'The payer cancelled the authentication', 'unconfirmed', true);

/** Routes of the bank's and the wallet's pages. */
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
  run: (operation: Operation, request: Request) => Promise<HttpResult>,
): Route {
  return sandboxRoute(method, path, async (request, { id = '' }) => {
    const operation = await findById(id);
    return operation?.returnUrl && operation.kind === 'payment' ? run(operation, request) : missingPage();
  });
}

async function askPayer(operation: Operation, request: Request): Promise<HttpResult> {
  // A form with a `creq` must return the one it got; a link in a new window has none.
  const creq = request.method === 'POST' ? (await readForm(request)).get('creq') : null;
  if (creq !== null && creq !== writeChallenge(operation.id)) return missingPage();
  if (operation.status !== 'challenge') return answeredPage('bank', backUrl(operation));
  return challengePage(operation, false);
}

async function takeAnswer(operation: Operation, request: Request): Promise<HttpResult> {
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

async function takeApproval(operation: Operation, request: Request): Promise<HttpResult> {
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

/** The fields of a form. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  return new URLSearchParams(await request.text());
}
