// The sandbox's demo shop: a merchant's server that uses Florin over HTTP only, to show a payment's whole life without
// writing code. Not available in production.
import { parseAmount } from '../../core/money.ts';
import {
  type ClientIp,
  type HttpRequest,
  type HttpResult,
  httpResult,
  type Route,
  readBytes,
} from '../../http/index.ts';
import { refuse, sandboxRoute } from '../routes.ts';
import { chargeAgain, forgetToken, modifyPayment, requestStatus } from './checkout-requests.ts';
import type { Refused } from './florin-http.ts';
import { receiveCallback } from './florin-messages.ts';
import { fieldsShopRoutes } from './hosted-fields.ts';
import { type Action, actions, type SubscriptionAction, subscriptionActions } from './order-model.ts';
import { streamOf, viewOf } from './order-view.ts';
import { createOrder, findCard, findOrder, findOwn, type Order, protocolOf, removeCard } from './orders.ts';
import { giveToken, leadToBank, payFields, paySale } from './pay.ts';
import { placeOrderRoutes } from './place-order.ts';
import { answer, fail, jsonOf, visitorOf } from './requests.ts';
import { changeSchedule, modifySale, requestSaleStatus, sellAgain } from './s2s-requests.ts';

const callbackBytesMax = 64 * 1024;

type OrderRun = (request: HttpRequest, order: Order, clientIp: ClientIp) => Promise<HttpResult> | HttpResult;

const rejectUnknown = () => fail(404, 'The demo shop has no such order. Orders are kept for a day.');

async function afterwards(order: Order, refused: Refused, more: object = {}): Promise<HttpResult> {
  const after = await viewOf((await findOrder(order.id)) ?? order);
  return answer({ order: after, error: refused, ...more }, refused ? 409 : 200);
}

/** POST /sandbox/shop/orders/:id/refund, /capture (`{amount?}`), /void and /status; returns the order afterwards. */
function act(name: Action | 'status'): OrderRun {
  return async (request, order) => {
    const { amount } = await jsonOf(request);
    if (amount !== undefined && (typeof amount !== 'string' || !parseAmount(amount, order.currency).ok)) {
      fail(400, { errors: { amount: `Write the amount as ${order.amount}.` } });
    }
    const isCheckout = protocolOf(order) === 'checkout';
    if (name === 'status') return afterwards(order, await (isCheckout ? requestStatus : requestSaleStatus)(order));
    const { paymentId } = await viewOf(order);
    if (paymentId === null) fail(409, 'The shop does not know of a payment of this order yet.');
    return afterwards(order, await (isCheckout ? modifyPayment : modifySale)(order, name, amount));
  };
}

/** POST /sandbox/shop/orders/:id/pause, /run, /deschedule and /again: actions on a subscription. */
function subscribe(name: SubscriptionAction): OrderRun {
  return async (request, order) => {
    await jsonOf(request);
    const able = (await viewOf(order)).subscription?.actions.includes(name) ?? false;
    if (!able) fail(409, 'This cannot be done with the subscription now.');
    if (name !== 'again') return afterwards(order, await changeSchedule(order, name));
    const made = await createOrder(order.visitor, {
      item: order.item,
      description: 'Sourdough loaf, one more day',
      amount: order.scheduleAmount ?? '',
      currency: order.currency,
      way: order.way,
      parentId: order.id,
      language: order.language,
    });
    const overCard = protocolOf(order) === 's2s_card';
    return afterwards(order, await (overCard ? sellAgain : chargeAgain)(order, made), { made: made.id });
  };
}

/** POST /sandbox/shop/cards/:id/forget: deletes the visitor's card, here and at Florin. */
const forget: Route['run'] = async (request, params) => {
  await jsonOf(request);
  const visitor = visitorOf(request);
  const card = visitor && (await findCard(visitor, params.id ?? ''));
  if (!card) return fail(404, 'The demo shop has no such card.');
  const refused = await forgetToken(card.orderId, card.token);
  if (refused) fail(409, { error: refused });
  await removeCard(card.id);
  return answer({ id: card.id });
};

/** POST /sandbox/shop/callbacks/:id: the notification_url of an order. Returns OK for genuine callbacks. */
const takeCallback: Route['run'] = async (request, params) => {
  const order = await findOrder(params.id ?? '');
  if (!order) return rejectUnknown();
  const body = await readBytes(request, callbackBytesMax).catch(() => refuse(httpResult('ERROR', { status: 413 })));
  const genuine = await receiveCallback(order, request.headers, body);
  return httpResult(genuine ? 'OK' : 'ERROR', { status: genuine ? 200 : 400 });
};

const base = '/sandbox/shop';

const ofOrder = (method: string, name: string, run: OrderRun): Route =>
  sandboxRoute(method, `${base}/orders/:id${name}`, async (request, params, clientIp) => {
    const order = await findOwn(params.id ?? '', visitorOf(request));
    return order ? run(request, order, clientIp) : rejectUnknown();
  });

export const shopRoutes: Route[] = [
  ...placeOrderRoutes,
  // GET /sandbox/shop/orders/:id: the order as its page shows it.
  ofOrder('GET', '', async (_request, order) => answer(await viewOf(order))),
  ofOrder('GET', '/events', streamOf),
  ofOrder('GET', '/bank', (_request, order) => leadToBank(order)),
  ofOrder('POST', '/sale', paySale),
  ofOrder('POST', '/token', giveToken),
  ofOrder('POST', '/process', payFields),
  ...([...actions, 'status'] as const).map((name) => ofOrder('POST', `/${name}`, act(name))),
  ...subscriptionActions.map((name) => ofOrder('POST', `/${name}`, subscribe(name))),
  ...fieldsShopRoutes,
  sandboxRoute('POST', `${base}/cards/:id/forget`, forget),
  sandboxRoute('POST', `${base}/callbacks/:id`, takeCallback),
];
