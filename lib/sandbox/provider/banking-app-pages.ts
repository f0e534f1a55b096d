// The payer's banking app: approves payments presented as a code, an address or a waiting message, and lists open ones.

import { formatAmount } from '../../core/money';
import { type Html, type HttpResult, html } from '../../http';
import { isPaidInParts, receivedOf } from './completion';
import { payerCode } from './modifications';
import type { Operation } from './operation-row';
import { forcedOutcomes } from './outcomes';
import { choices, facts, page } from './pages';
import { amountText } from './wire';

const header = html`<header><span class="name">Example Bank app</span></header>`;
const note = html`<p class="note">Sandbox: no money moves.</p>`;

const pathOf = ({ key }: Operation) => `/sandbox/finish/${encodeURIComponent(key)}`;

/** The app's page of an unfinished payment. */
export function finishPage(operation: Operation): HttpResult {
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
    html`${header}
<h1>Do you approve this payment?</h1>
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
export function finishedPage(operation: Operation): HttpResult {
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
    html`${header}
<h1>${text}</h1>
${facts(operation)}
${mayBeTakenBack ? form : html``}
<p>You can go back to the payment.</p>
${note}`,
  );
}

/** The latest payments and payouts: open and finished ones. */
export function openPage(open: readonly Operation[], done: readonly Operation[]): HttpResult {
  const outcomes = Object.entries(forcedOutcomes).map(
    ([name, does]) => html`<li><span><code>${name}</code></span> <span>${does}</span></li>`,
  );
  return page(
    'app',
    'Sandbox: open payments',
    html`<header><span class="name">Sandbox provider</span></header>
<h2>Open payments</h2>
${listOf(open, 'No payment is waiting.')}
<h2>Settled payments</h2>
${listOf(done, 'No payment has settled yet.')}
<h2>Outcomes of the parameter sandbox</h2>
<ul>${outcomes}</ul>
${note}`,
  );
}

function listOf(operations: readonly Operation[], none: string): Html {
  if (operations.length === 0) return html`<p>${none}</p>`;
  const lines = operations.map(
    (operation) => html`<li><a href="${pathOf(operation)}">Order ${operation.orderNumber}</a>
<span>${operation.method ?? ''} ${amountText(operation)}</span></li>`,
  );
  return html`<ul>${lines}</ul>`;
}
