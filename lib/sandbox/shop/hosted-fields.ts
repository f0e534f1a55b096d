// The demo shop's hosted-fields page and its server. Boxes, labels, error texts and focus rings belong to the shop;
// only the three inputs are Florin's. The server creates the order and its token and verifies the return; it never
// receives the card.
import { env } from '../../config/index.ts';
import { groupDigits } from '../../core/cards.ts';
import { fieldsShopUrl } from '../../core/demo-request.ts';
import { sandboxCards } from '../../core/sandbox-cards.ts';
import { type Html, type HttpResult, html, plainPage, type Route, readAsset } from '../../http/index.ts';
import { sandboxRoute } from '../routes.ts';
import { createSessionToken } from './checkout-requests.ts';
import { checkoutOrigin } from './florin-http.ts';
import { receiveReturn } from './florin-messages.ts';
import { type Item, items } from './form-schemas.ts';
import { createOrder, findOwn } from './orders.ts';
import { answer, forVisitor, jsonOf, visitorOf } from './requests.ts';

const ceramics = items[0] as Item;

/** GET /sandbox/shop/fields: the page; the signed query of a returning payer is verified here. */
const showPage: Route['run'] = async (request) => {
  const query = Object.fromEntries(new URL(request.url).searchParams);
  const { order: id, ...returned } = query;
  const order = id === undefined ? null : await findOwn(id, visitorOf(request));
  const came = order && returned.hash !== undefined ? await receiveReturn(order, 'success', returned) : null;
  return fieldsPage(order && came && { id: order.id, genuine: came.genuine });
};

/** POST /sandbox/shop/fields/orders: creates an order and its token, `{id, number, token, step}`. */
const placeOrder: Route['run'] = async (request, _params, clientIp) => {
  await jsonOf(request);
  const { id: item, name: description, amount, currency } = ceramics;
  return forVisitor(request, async (visitor) => {
    const order = await createOrder(visitor, { item, description, amount, currency, way: 'fields' });
    const returnUrl = `${fieldsShopUrl(env.baseUrl)}?order=${order.id}`;
    const methods = ['card', 'applepay', 'googlepay'];
    const { token, exchange } = await createSessionToken(order, { returnUrl, payerIp: clientIp.address, methods });
    return answer({ id: order.id, number: order.number, token, step: exchange.step }, 201);
  });
};

export const fieldsShopRoutes: Route[] = [
  sandboxRoute('GET', '/sandbox/shop/fields', showPage),
  sandboxRoute('POST', '/sandbox/shop/fields/orders', placeOrder),
];

/** The page of a returning payer, or of a new order. It has a merchant page's policy: the service's script and frames, and requests to it. */
function fieldsPage(returned: { id: string; genuine: boolean } | null): HttpResult {
  const loader = readAsset('hosted-fields.js');
  const own = readAsset('shop-fields.js');
  const style = readAsset('shop-fields.css');
  const checkout = checkoutOrigin();
  const here = new URL(fieldsShopUrl(env.baseUrl)).origin;
  const total = `${ceramics.currency} ${ceramics.amount}`;
  const data = JSON.stringify({ checkout, returned }).replaceAll('<', '\\u003c');
  const body = html`<body>
<header>
<p class="name">Orme Ceramics</p>
<p class="where">${whereOf(here, checkout)}</p>
</header>
<div class="columns">
<main>
<h1>Checkout</h1>
<p class="order"><span>${ceramics.name}</span><b>${total}</b></p>
<section id="outcome" hidden aria-labelledby="outcome-title">
<h2 id="outcome-title" tabindex="-1"></h2>
<p id="outcome-text"></p>
<p class="next"><a id="outcome-order" href="/shop">What the shop received</a> <button type="button" id="again" class="plain">Another order</button></p>
</section>
${form(total)}
<noscript><p class="alert">This page needs a script: the fields are put into it.</p></noscript>
${testCards()}
</main>
${panel(here)}
</div>
<p id="said" class="unseen" role="status"></p>
<script type="application/json" id="data">${{ html: data }}</script>
<script src="${checkout}${loader.src}" integrity="${loader.integrity}" crossorigin="anonymous"></script>
<script src="${own.src}" integrity="${own.integrity}"></script>
</body>`;
  const policy = [
    `script-src 'self' ${checkout}`,
    `frame-src ${checkout}`,
    `connect-src 'self' ${checkout}`,
    `form-action ${checkout}`,
    "frame-ancestors 'none'",
  ];
  return plainPage({ title: 'Checkout: Orme Ceramics', style, body, policy });
}

function whereOf(here: string, checkout: string): Html {
  if (here === checkout) return html`This page and the card fields are both at <code>${here}</code>`;
  return html`This page is at <code>${here}</code>, the card fields in it at <code>${checkout}</code>`;
}

function form(total: string): Html {
  return html`<form id="pay" novalidate aria-label="Pay by card">
<div id="alert" class="alert" hidden><h2 id="alert-title" tabindex="-1"></h2><p>You have not been charged. Check the card, or use another one.</p></div>
<div id="wallets" hidden></div>
${field('card', 'Card number')}
<div class="pair">
${field('expiry', 'Expiry date')}
${field('cvv', 'Security code')}
</div>
<div class="field">
<label for="name">Name on card</label>
<input id="name" class="box" autocomplete="cc-name" aria-describedby="name-error" maxlength="32" spellcheck="false">
<p class="error" id="name-error"></p>
</div>
<button id="button" class="pay">Pay ${total}</button>
<p class="small">The card goes from its fields to the payment service. This page never has it.</p>
</form>`;
}

// The frame announces its errors to screen readers; this text is for display.
function field(name: 'card' | 'expiry' | 'cvv', label: string): Html {
  return html`<div class="field">
<label for="${name}">${label}</label>
<div id="${name}" class="box frame"></div>
<p class="error" id="${name}-error" aria-hidden="true"></p>
</div>`;
}

function testCards(): Html {
  const [{ number } = { number: '' }] = sandboxCards;
  const rows = sandboxCards.filter((card) => card.number === number);
  const lines = rows.map(
    ({ expiry, name }) => html`<tr><td>${(expiry ?? '').replace('/20', '/')}</td><td>${name}</td></tr>`,
  );
  return html`<details open>
<summary>Test cards</summary>
<p><code>${groupDigits(number)}</code>, any security code. The date decides:</p>
<table>
<thead><tr><th scope="col">Expiry date</th><th scope="col">What happens</th></tr></thead>
<tbody>${lines}</tbody>
</table>
</details>`;
}

function panel(here: string): Html {
  return html`<aside aria-label="What this page sees">
<h2>What this page sees</h2>
<p>For developers: everything that scripts on <code>${here}</code> can observe during a payment.</p>
<section aria-labelledby="messages-title">
<h3 id="messages-title">Messages from the fields</h3>
<p id="digits" class="verdict">None yet.</p>
<div class="log" role="region" aria-label="Messages" tabindex="0"><ol id="messages"></ol></div>
</section>
<section aria-labelledby="requests-title">
<h3 id="requests-title">Requests over the wire</h3>
<div class="log" role="region" aria-label="Requests" tabindex="0"><ol id="requests"></ol></div>
</section>
</aside>`;
}
