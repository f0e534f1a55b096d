// The payer's banking app: a user or a test acts as the payer of any sandbox payment, by the gateway's own reference.
// It approves payments presented as a code, an address or a waiting message, and lists open ones.
import { z } from 'zod';
import { env, isLocal } from '../../config/index.ts';
import { formatAmount } from '../../core/money.ts';
import { now } from '../../db/clock.ts';
import {
  type ClientIp,
  type Html,
  type HttpRequest,
  type HttpResult,
  html,
  isStorable,
  type Route,
} from '../../http/index.ts';
import { refuse, sandboxRoute } from '../routes.ts';
import { choices, facts, missingPage, page, readFormText, redirectBack } from './bank.ts';
import {
  completeDue,
  completeOperation,
  isPaidInParts,
  isUnfinished,
  leavePending,
  payAmount,
  receivedOf,
} from './completion.ts';
import { payerCode } from './modifications.ts';
import type { Operation } from './operation.ts';
import { forcedOutcomes, payerDeclined } from './operation.ts';
import { findById, findLatest, findLatestBy } from './operation-queries.ts';
import { chargeBack, leftOf } from './portal.ts';
import { threeDS } from './scenario.ts';
import { amountText, minorIn, parseJson, reject, say, writeAnswer } from './wire.ts';

const latestCount = 50;
/** The card schemes' reason for "not authorised by the cardholder", used without the bank's reason. */
const chargebackReason = '10.4';

export const bankingAppRoutes: Route[] = [
  sandboxRoute('GET', '/sandbox/provider/open', listOpen),
  sandboxRoute('GET', '/sandbox/finish/:reference', showFinish),
  sandboxRoute('POST', '/sandbox/finish/:reference', takeFinish),
];

/** The orders of every merchant, which are shown on the sandbox's own machine only. */
async function listOpen(request: HttpRequest, _params: object, clientIp: ClientIp): Promise<HttpResult> {
  if (!isLocal(request.headers, clientIp.address)) return openPage(null, []);
  const open = await findLatest(['challenge', 'redirect', 'processing'], latestCount);
  const done = await findLatest(['approved', 'authorized'], latestCount);
  return openPage(open, done);
}

async function find(request: HttpRequest, { reference = '' }: Record<string, string>): Promise<Operation> {
  const found = isStorable(reference) ? await findLatestBy({ key: reference }) : null;
  if (found) return completeDue(found, now());
  if (!wantsJson(request)) return refuse(missingPage());
  return reject(404, 'operation_not_found', 'There is no operation with this reference');
}

async function showFinish(request: HttpRequest, params: Record<string, string>): Promise<HttpResult> {
  const operation = await find(request, params);
  return wantsJson(request) ? replyWith(operation) : shownAfter(operation);
}

/** Applies `outcome` and returns the payment. `amount`: what the payer approves or sends; by default all missing. */
async function takeFinish(request: HttpRequest, params: Record<string, string>): Promise<HttpResult> {
  const { outcome, amount } = await saidBy(request);
  const operation = await find(request, params);
  const change = outcome !== null && Object.hasOwn(outcomes, outcome) ? outcomes[outcome] : undefined;
  if (!change)
    return reject(400, 'invalid_request', `The outcome should be one of ${Object.keys(outcomes).join(', ')}`);
  const after = await change(operation, now(), amount ? minorIn(amount, operation.currency) : null);
  if (wantsJson(request)) return replyWith(after);
  // A redirected payer is sent back; any other has the checkout open elsewhere.
  const wasSentAway = operation.status === 'redirect' || operation.status === 'challenge';
  return wasSentAway && operation.returnUrl ? redirectBack(after) : shownAfter(after);
}

type Finish = (operation: Operation, at: Date, minor: bigint | null) => Promise<Operation>;

const outcomes: { readonly [outcome: string]: Finish } = {
  approve: (operation, at, minor) => payAmount(operation, at, minor, authenticated(operation)),
  decline: (operation, at) => completeOperation(operation, at, payerDeclined),
  pending: (operation, at) => leavePending(operation, at, 'settled'),
  rejected: (operation, at) => leavePending(operation, at, 'declined'),
  chargeback: takeBack,
};

const authenticated = ({ status }: Operation) => (status === 'challenge' ? threeDS('Y', 'challenge') : {});

async function takeBack(operation: Operation, at: Date): Promise<Operation> {
  if (operation.kind !== 'payment' || !operation.capturedAt || operation.voidedAt) return operation;
  const amount = { minor: leftOf(operation), currency: operation.currency };
  if (amount.minor <= 0n) return operation;
  await chargeBack(operation, { amount, reasonCode: chargebackReason }, at);
  return (await findById(operation.id)) ?? operation;
}

// A payment left pending completes by itself.
function shownAfter(operation: Operation): HttpResult {
  const isLeft = operation.status === 'processing' && !operation.facts.present && operation.dueAt !== null;
  return isUnfinished(operation) && !isLeft ? finishPage(operation) : finishedPage(operation);
}

const wantsJson = (request: HttpRequest) => /\bapplication\/json\b/.test(request.headers.get('accept') ?? '');
const replyWith = (operation: Operation) => say(writeAnswer(operation, env.baseUrl));

async function saidBy(request: HttpRequest): Promise<{ outcome: string | null; amount: string | null }> {
  const isJson = /\bapplication\/json\b/.test(request.headers.get('content-type') ?? '');
  const text = await readFormText(request);
  const body: unknown = isJson ? parseJson(text) : Object.fromEntries(new URLSearchParams(text));
  const read = saidShape.safeParse(body);
  return read.success ? read.data : { outcome: null, amount: null };
}

const saidShape = z.object({
  outcome: z.string(),
  amount: z
    .string()
    .nullish()
    .transform((text) => text || null),
});

const note = html`<p class="note">Sandbox: no money moves.</p>`;

const pathOf = ({ key }: Operation) => `/sandbox/finish/${encodeURIComponent(key)}`;

function finishPage(operation: Operation): HttpResult {
  const { present } = operation.facts;
  const code = present?.kind === 'code' ? html`<p>The payer's code is <strong>${payerCode}</strong>.</p>` : html``;
  const { currency } = operation;
  const missing = formatAmount(operation.amountMinor - receivedOf(operation), currency);
  const amount = isPaidInParts(operation)
    ? html`<label for="amount">${currency} that arrive</label>
<input id="amount" name="amount" inputmode="decimal" autocomplete="off" value="${missing}">`
    : html``;
  return page(
    'app',
    'Example Bank app: approve the payment',
    html`<h1>Do you approve this payment?</h1>
${facts(operation)}
${code}<form method="post" action="${pathOf(operation)}">
${amount}
${choices('outcome', true)}
</form>
${note}`,
  );
}

const endings: { readonly [status in Operation['status']]: string } = {
  approved: 'This payment is settled.',
  authorized: 'The money for this payment is held.',
  declined: 'This payment is declined.',
  processing: 'This payment is pending. It ends by itself in a moment.',
  challenge: 'The bank asks the payer about this payment.',
  redirect: 'The payer was sent to another page for this payment.',
};

/** The result of a payment; the payer's bank can charge back a settled one. */
function finishedPage(operation: Operation): HttpResult {
  const { status, kind, capturedAt, voidedAt, facts: providerData } = operation;
  const isTakenBack = (providerData.chargebacks ?? []).some((each) => each.status === 'open');
  const mayBeTakenBack = kind === 'payment' && capturedAt !== null && voidedAt === null && !isTakenBack;
  const form = html`<form method="post" action="${pathOf(operation)}">
<button name="outcome" value="chargeback">Raise a chargeback</button>
</form>`;
  const text = isTakenBack ? "The payer's bank has taken this payment back." : endings[status];
  return page(
    'app',
    'Example Bank app',
    html`<h1>${text}</h1>
${facts(operation)}
${mayBeTakenBack ? form : html``}
<p>You can go back to the payment.</p>
${note}`,
  );
}

function openPage(open: readonly Operation[] | null, done: readonly Operation[]): HttpResult {
  const outcomes = Object.entries(forcedOutcomes).map(
    ([name, does]) => html`<li><span><code>${name}</code></span> <span>${does}</span></li>`,
  );
  return page(
    'app',
    'Sandbox: open payments',
    html`${open === null ? notLocal : listsOf(open, done)}
<h2>Outcomes of the parameter sandbox</h2>
<ul>${outcomes}</ul>
${note}`,
    { owner: 'Sandbox provider' },
  );
}

const notLocal = html`<p>The payments of this sandbox are listed for browsers on its own machine only. The page of a payment that waits has a
link to finish it.</p>`;

const listsOf = (open: readonly Operation[], done: readonly Operation[]) => html`<h2>Open payments</h2>
${listOf(open, 'No payment is waiting.')}
<h2>Settled payments</h2>
${listOf(done, 'No payment has settled yet.')}`;

function listOf(operations: readonly Operation[], none: string): Html {
  if (operations.length === 0) return html`<p>${none}</p>`;
  const lines = operations.map(
    (operation) => html`<li><a href="${pathOf(operation)}">Order ${operation.orderNumber}</a>
<span>${operation.method ?? ''} ${amountText(operation)}</span></li>`,
  );
  return html`<ul>${lines}</ul>`;
}
