// Handles payments on the shop's own page: hosted fields, with the token and the processing request from the server,
// and the shop's forms over S2S CARD and S2S APM.
import { z } from 'zod';
import { now } from '../../db/clock';
import type { ClientIp, HttpResult } from '../../http';
import { createSessionToken, processFields } from './checkout-requests';
import { type Refused, refusalOf } from './florin-http';
import { saleForm, walletForm } from './form-schemas';
import { viewOf } from './order-view';
import { findOrder, type Order } from './orders';
import { answer, fail, isForm, jsonOf, readBody, redirectTo } from './request-bodies';
import { type Instrument, sell, storeNextStep } from './s2s-requests';
import { originOf } from './visitor';

/** Rejects a kind of payment that the order's page does not offer now. */
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
export async function paySale(request: Request, order: Order, clientIp: ClientIp): Promise<HttpResult> {
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
export async function giveToken(request: Request, order: Order, clientIp: ClientIp): Promise<HttpResult> {
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
export async function payFields(request: Request, order: Order): Promise<HttpResult> {
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
