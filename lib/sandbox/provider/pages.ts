// The pages of the sandbox's bank and wallet: plain HTML without script, in light colours, visibly separate from the
// gateway. They fit a frame of 390 by 400 pixels, 3-D Secure's smallest phone size.
import { brandById, brandOf } from '../../core/cards';
import { sandboxCode } from '../../core/sandbox-cards';
import { type Html, type HttpResult, html, plainPage } from '../../http';
import { findMethod } from '../../methods/catalog';
import type { Operation } from './operation-row';
import { amountText } from './wire';

const style = `
*{box-sizing:border-box}
html{color-scheme:light;background:#fff;color:#1d2b33;font:15px/1.5 "Helvetica Neue",Helvetica,Arial,sans-serif}
body{margin:0}
main{max-width:27rem;margin:0 auto;padding:28px 32px}
header{display:flex;justify-content:space-between;align-items:center;padding-bottom:12px;border-bottom:1px solid #cfd8dc}
.name{font-size:18px;font-weight:700;color:#00536b;letter-spacing:-.01em}
.brand{font:italic 800 15px/1 "Helvetica Neue",Helvetica,Arial,sans-serif;color:#1a3a8f}
h1{font-size:16px;line-height:1.45;font-weight:400;margin:16px 0 14px}
dl{display:grid;grid-template-columns:auto 1fr;gap:6px 16px;margin:0 0 18px}
dt{color:#4c5b63}
dd{margin:0;text-align:end;overflow-wrap:anywhere}
label{display:block;margin-bottom:4px}
input{width:100%;height:44px;padding:0 12px;border:1px solid #5f6f78;border-radius:0;background:#fff;color:inherit;font:18px/1 ui-monospace,monospace;letter-spacing:.2em}
button{display:block;width:100%;min-height:44px;margin-top:12px;border:1px solid #00536b;border-radius:0;font:inherit;font-weight:700;cursor:pointer;background:#fff;color:#00536b}
button:hover{background:#eef4f6}
button.main{background:#00536b;color:#fff}
button.main:hover{background:#003d4f}
a{color:#00536b}
:focus-visible{outline:3px solid #d18b00;outline-offset:2px}
.two{display:grid;grid-template-columns:1fr 1fr;gap:12px}
.app .name{color:#0b5d3b}
.app button{border-color:#0b5d3b;color:#0b5d3b}
.app button:hover{background:#eef6f1}
.app button.main{background:#0b5d3b;color:#fff}
.app button.main:hover{background:#07422a}
.app a{color:#0b5d3b}
h2{font-size:15px;margin:22px 0 6px}
ul{list-style:none;margin:0;padding:0}
li{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 12px;padding:8px 0;border-bottom:1px solid #cfd8dc}
li a{overflow-wrap:anywhere}
li span{color:#4c5b63}
.alert{margin:0 0 8px;color:#a3161f;font-weight:700}
.note{margin:16px 0 0;padding:6px 10px;background:#f5f1e0;font-size:13px;color:#4a4326}
.wallet .name,.wallet a{color:#4a2a7a}
.wallet button{border-color:#4a2a7a;color:#4a2a7a}
.wallet button:hover{background:#f3eff9}
.wallet button.main{background:#4a2a7a;color:#fff}
.wallet button.main:hover{background:#351c5b}
@media (max-width:430px){main{padding:20px}}
@media (max-height:430px){main{padding-top:12px;padding-bottom:8px}header{padding-bottom:8px}h1{margin:10px 0 6px}dl{gap:2px 16px;margin-bottom:8px}.note{margin-top:10px}}
@media (min-width:560px){html{background:#eef2f4}main{margin-top:56px;background:#fff;border:1px solid #cfd8dc}}
`;

/** A whole page. `site` selects the colours. */
export function page(site: 'bank' | 'wallet' | 'app', title: string, body: Html, status = 200): HttpResult {
  // The bank's page is framed by the checkout, which any site may frame. form-action is unrestricted, because browsers
  // apply it to the following redirects, which lead to the shop.
  const whole = html`<body class="${site}"><main>${body}</main></body>`;
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

function bankHeader(operation: Operation): Html {
  const brand = brandById(brandOf(operation.cardMask ?? '')?.id)?.name ?? '';
  return html`<header><span class="name">Example Bank</span><span class="brand">${brand}</span></header>`;
}

const walletHeader = html`<header><span class="name">Example Wallet</span></header>`;

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
    html`${bankHeader(operation)}
<h1>${question}</h1>
${facts(operation)}
<form method="post" action="${action}">
${field}
<div class="two"><button class="main" name="choice" value="submit">${code ? 'Submit' : 'Confirm'}</button>
<button name="choice" value="cancel">Cancel</button></div>
</form>
<p class="note">${note}</p>`,
  );
}

/** The wallet's question. */
export function approvalPage(operation: Operation): HttpResult {
  return page(
    'wallet',
    'Example Wallet: approve your payment',
    html`${walletHeader}
<h1>Do you approve this payment?</h1>
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
  const header = site === 'bank' ? html`<header><span class="name">Example Bank</span></header>` : walletHeader;
  return page(
    site,
    'Already answered',
    html`${header}<h1>You have answered already. Nothing more is needed here.</h1><p><a href="${backUrl}">Back to the payment</a></p>`,
  );
}

/** For an address without a question. */
export function missingPage(): HttpResult {
  const header = html`<header><span class="name">Example Bank</span></header>`;
  return page('bank', 'Nothing here', html`${header}<h1>There is nothing to confirm at this address.</h1>`, 404);
}
