// Handles payments on the shop's own page: hosted fields, with the token and the processing request from the server,
// and the shop's forms over S2S CARD and S2S APM.
import { z } from 'zod';
import { now } from '../../db/clock.ts';
import { type ClientIp, type HttpRequest, type HttpResult, html, plainPage } from '../../http/index.ts';
import { createSessionToken, processFields } from './checkout-requests.ts';
import { type Refused, refusalOf } from './florin-http.ts';
import { saleForm, walletForm } from './form-schemas.ts';
import { viewOf } from './order-view.ts';
import { findOrder, type Order } from './orders.ts';
import { answer, fail, isForm, jsonOf, originOf, readBody, redirectTo } from './requests.ts';
import { type Instrument, sell, storeNextStep } from './s2s-requests.ts';

async function requireOffer(order: Order, kind: 'fields' | 's2s' | 'wallet'): Promise<void> {
  const { toPay } = await viewOf(order);
  if (toPay?.kind !== kind) fail(409, 'This order is not to be paid in this way any more.');
}

/** The payer's next page: the bank, if it is to be asked, or the order's. */
export function nextPageOf({ id, next }: Order): string {
  return next ? `/sandbox/shop/orders/${id}/bank` : `/shop/${id}`;
}

/** The current order, the payer's next step, and the reason of a failure. */
async function outcome(order: Order, refused: Refused): Promise<HttpResult> {
  const after = (await findOrder(order.id)) ?? order;
  const go = after.next && !refused ? { go: nextPageOf(after) } : {};
  return answer({ order: await viewOf(after), error: refused, ...go }, refused ? 409 : 200);
}

const typedForm = saleForm.transform((typed): Instrument => ({ typed }));

/** POST /sandbox/shop/orders/:id/sale: the shop's form, `{number, expiry, cvv}`, or the wallet's `{identifier}`. */
export async function paySale(request: HttpRequest, order: Order, clientIp: ClientIp): Promise<HttpResult> {
  const isWallet = order.way === 'wallet';
  const instrument = await readBody<Instrument>(request, isWallet ? walletForm : typedForm);
  await requireOffer(order, isWallet ? 'wallet' : 's2s');
  const refused = await sell(order, instrument, { origin: originOf(request), payerIp: clientIp.address });
  if (!isForm(request)) return outcome(order, refused);
  return redirectTo(nextPageOf((await findOrder(order.id)) ?? order));
}

/** A session lasts an hour; afterwards the fields get a new one, unless their payment has begun. */
const tokenMinutes = 50;

/** POST /sandbox/shop/orders/:id/token: the token of the fields, created once. */
export async function giveToken(request: HttpRequest, order: Order, clientIp: ClientIp): Promise<HttpResult> {
  await jsonOf(request);
  await requireOffer(order, 'fields');
  const isFresh = now().getTime() - order.createdAt.getTime() < tokenMinutes * 60_000;
  if (order.fieldsToken !== null && (isFresh || order.paymentId !== null)) return answer({ token: order.fieldsToken });
  const returnUrl = `${originOf(request)}/shop/${order.id}?back=success`;
  const { token } = await createSessionToken(order, { returnUrl, payerIp: clientIp.address, methods: ['card'] });
  return answer({ token });
}

const processForm = z.object({
  name: z.string().trim().min(1).max(64),
  browser_info: z.record(z.string().max(32), z.union([z.string().max(512), z.number(), z.boolean()])).optional(),
});

/** POST /sandbox/shop/orders/:id/process: `{name, browser_info}`, after the fields have submitted the card. */
export async function payFields(request: HttpRequest, order: Order): Promise<HttpResult> {
  const { success, data } = processForm.safeParse(await jsonOf(request));
  if (!success) return fail(400, { errors: { name: 'Enter the name as it is on the card.' } });
  await requireOffer(order, 'fields');
  const accept_headers = request.headers.get('accept') ?? undefined;
  const exchange = await processFields(order, {
    name: data.name,
    browser_info: { ...data.browser_info, accept_headers },
  });
  const { result, decline_message } = exchange.answer;
  await storeNextStep(order.id, exchange.answer);
  const declined = result === 'decline' ? { code: '', message: String(decline_message ?? 'Declined.') } : null;
  return outcome(order, declined ?? refusalOf(exchange));
}

const bankStyle = `:root{color-scheme:light dark}
body{display:grid;place-content:center;gap:16px;min-height:100dvh;margin:0;padding:24px;font:16px/24px system-ui,sans-serif;text-align:center;background:light-dark(#fff,#0e1012);color:light-dark(#14171a,#eceef0)}
p{margin:0}
button{min-height:44px;padding:8px 20px;border:0;border-radius:6px;background:light-dark(#14171a,#eceef0);color:light-dark(#fff,#14171a);font:inherit;font-weight:500}`;

/**
 * GET /sandbox/shop/orders/:id/bank: redirects the payer; to the order's page if there is no next step. An answer of S2S
 * CARD or of the hosted fields has an address, a method and parameters. A separate document, so that its policy allows a
 * form to that origin only and it works without script.
 */
export function leadToBank({ next, id }: Order): HttpResult {
  if (!next) return redirectTo(`/shop/${id}`);
  const params = Object.entries(next.params);
  const url = new URL(next.url);
  if (next.method === 'GET') {
    for (const [name, value] of params) url.searchParams.set(name, String(value));
    return redirectTo(url.href);
  }
  const inputs = params.map(([name, value]) => html`<input type="hidden" name="${name}" value="${String(value)}">`);
  return plainPage({
    title: 'To your bank',
    style: bankStyle,
    body: html`<body>
<main>
<h1>Your bank asks</h1>
<form method="post" action="${next.url}">
${inputs}
<button>Continue to your bank</button>
</form>
</main>
</body>`,
    script: "document.querySelector('form').submit()",
    policy: [`form-action ${url.origin}`, "frame-ancestors 'none'"],
  });
}
