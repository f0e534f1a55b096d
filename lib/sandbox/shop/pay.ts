// Handles payments on the shop's own page: hosted fields, with the token and the processing request from the server,
// and the shop's forms over S2S CARD and S2S APM.
import { z } from 'zod';
import { now } from '../../db/clock';
import { type ClientIp, type HttpResult, isHttpResult } from '../../http';
import { createSessionToken, processFields, type Refused, refusalOf } from './checkout-requests';
import { saleForm, walletForm } from './form-schemas';
import { viewOf } from './order-view';
import { findOrder, type Order } from './orders';
import { answer, fail, fieldErrors, formOf, generalError, isForm, jsonOf, redirectTo } from './request-bodies';
import { sellByWallet } from './s2s-apm-requests';
import { sell, storeNextStep } from './s2s-card-requests';
import { originOf, type Visit } from './visitor';

const bankOf = (order: Order) => `/sandbox/shop/orders/${order.id}/bank`;
const paidAlready = () => fail(409, generalError('This order is not to be paid in this way any more.'));

const visitOf = (request: Request, clientIp: ClientIp): Visit => ({
  origin: originOf(request),
  payerIp: clientIp.address,
});

/** Reports whether the order's page offers this kind of payment now. */
async function offers(order: Order, kind: 'fields' | 's2s' | 'wallet'): Promise<boolean> {
  return (await viewOf(order)).toPay?.kind === kind;
}

/** The current order, the payer's next step, and the reason of a failure. */
async function outcome(id: string, order: Order, refused: Refused): Promise<HttpResult> {
  const after = (await findOrder(id)) ?? order;
  const go = after.next && !refused ? { go: bankOf(after) } : {};
  return answer({ order: await viewOf(after), error: refused, ...go }, refused ? 409 : 200);
}

/** POST /sandbox/shop/orders/:id/sale: the shop's form, `{number, expiry, cvv}`, or the wallet's `{identifier}`. */
export async function paySale(request: Request, order: Order, clientIp: ClientIp): Promise<HttpResult> {
  const body = isForm(request) ? await formOf(request) : await jsonOf(request);
  if (isHttpResult(body)) return body;
  const visit = visitOf(request, clientIp);
  const refused = order.way === 'wallet' ? await sellWallet(order, body, visit) : await sellCard(order, body, visit);
  if (isHttpResult(refused)) return refused;
  if (!isForm(request)) return outcome(order.id, order, refused);
  const after = await findOrder(order.id);
  return redirectTo(after?.next ? bankOf(after) : `/shop/${order.id}`);
}

async function sellCard(order: Order, body: object, visit: Visit): Promise<Refused | HttpResult> {
  const parsed = saleForm.safeParse(body);
  if (!parsed.success) return fieldErrors(parsed.error.issues);
  return (await offers(order, 's2s')) ? sell(order, { typed: parsed.data }, visit) : paidAlready();
}

async function sellWallet(order: Order, body: object, visit: Visit): Promise<Refused | HttpResult> {
  const parsed = walletForm.safeParse(body);
  if (!parsed.success) return fieldErrors(parsed.error.issues);
  return (await offers(order, 'wallet')) ? sellByWallet(order, parsed.data.identifier, visit) : paidAlready();
}

/** A session lasts an hour; afterwards the fields get a new one, unless their payment has begun. */
const tokenMinutes = 50;

/** POST /sandbox/shop/orders/:id/token: the token of the fields, created once. */
export async function giveToken(request: Request, order: Order, clientIp: ClientIp): Promise<HttpResult> {
  const body = await jsonOf(request);
  if (isHttpResult(body)) return body;
  if (!(await offers(order, 'fields'))) return paidAlready();
  const isFresh = now().getTime() - order.created_at.getTime() < tokenMinutes * 60_000;
  if (order.fields_token !== null && (isFresh || order.payment_id !== null)) {
    return answer({ token: order.fields_token });
  }
  const { origin, payerIp } = visitOf(request, clientIp);
  const returnUrl = `${origin}/shop/${order.id}?back=success`;
  const opened = await createSessionToken(order, { returnUrl, payerIp, methods: ['card'] });
  if ('refused' in opened) return fail(502, { error: opened.refused });
  return answer({ token: opened.token });
}

const processForm = z.object({
  name: z.string().trim().min(1).max(64),
  browser_info: z.record(z.string().max(32), z.union([z.string().max(512), z.number(), z.boolean()])).optional(),
});

/** POST /sandbox/shop/orders/:id/process: `{name, browser_info}`, after the fields have submitted the card. */
export async function payFields(request: Request, order: Order): Promise<HttpResult> {
  const body = await jsonOf(request);
  if (isHttpResult(body)) return body;
  const parsed = processForm.safeParse(body);
  if (!parsed.success) return fail(400, { errors: { name: 'Enter the name as it is on the card.' } });
  if (order.fields_token === null || !(await offers(order, 'fields'))) return paidAlready();
  const accept_headers = request.headers.get('accept') ?? undefined;
  const exchange = await processFields(order, {
    name: parsed.data.name,
    browser_info: { ...parsed.data.browser_info, accept_headers },
  });
  const { result, decline_message } = exchange.answer;
  await storeNextStep(order.id, exchange.answer);
  const declined = result === 'decline' ? { code: '', message: String(decline_message ?? 'Declined.') } : null;
  return outcome(order.id, order, declined ?? refusalOf(exchange));
}
