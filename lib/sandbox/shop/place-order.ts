// Places orders: a basket of the shop's page, a product of the start page, or the documentation's session. The server
// computes the prices and never takes them from a browser.
import { type ClientIp, type HttpResult, isHttpResult, type Route } from '../../http';
import { openSession } from './checkout-requests';
import { type Checkout, checkoutForm } from './form-schemas';
import { openMethod, readSession } from './methods';
import { items, orderForm } from './order-model';
import { createOrder, findOrder, type Order } from './orders';
import { products, quoteOf } from './products';
import {
  answer,
  fail,
  fieldErrors,
  formOf,
  generalError,
  isForm,
  jsonOf,
  redirectTo,
  tooManyOrders,
} from './request-bodies';
import { createSchedule, sell } from './s2s-card-requests';
import { findCard } from './saved-cards';
import { forVisitor, originOf, type Visit } from './visitor';

/**
 * POST /sandbox/shop/orders: creates a session for the product. JSON gets `{id, page_url}`; the form of a browser
 * without script is redirected to the payment page.
 */
async function placeOne(request: Request): Promise<HttpResult> {
  const body = isForm(request) ? await formOf(request, ['auth', 'recurring_init', 'req_token']) : await jsonOf(request);
  if (isHttpResult(body)) return body;
  const parsed = orderForm.safeParse(body);
  if (!parsed.success) return fieldErrors(parsed.error.issues);
  const { item: id, amount, currency, auth, recurring_init, req_token, language } = parsed.data;
  return forVisitor(request, async (visitor) => {
    const description = items.find((each) => each.id === id)?.name ?? id;
    const flags = { authorize_only: auth, recurring_init, request_token: req_token, language };
    const order = await createOrder(visitor, { item: id, description, amount, currency, ...flags });
    if (!order) return tooManyOrders();
    const opened = await openSession(order, originOf(request));
    if ('refused' in opened) return fail(502, { error: opened.refused });
    if (isForm(request)) return redirectTo(opened.pageUrl);
    return answer({ id: order.id, page_url: opened.pageUrl }, 201);
  });
}

/** POST /sandbox/shop/methods: the form of a method's documentation page. */
async function placeMethod(request: Request): Promise<HttpResult> {
  const form = await formOf(request);
  if (isHttpResult(form)) return form;
  const wanted = readSession(form.request);
  if (!wanted) return fail(400, generalError('This is no session of one method.'));
  return forVisitor(request, async (visitor) => {
    const made = await openMethod(visitor, originOf(request), wanted);
    if (!made) return tooManyOrders();
    // The order's page shows the rejected request.
    return redirectTo('refused' in made.opened ? `/shop/${made.order.id}` : made.opened.pageUrl);
  });
}

/**
 * POST /sandbox/shop/checkout: an order of a basket. JSON gets `{id, go}`, the payer's next page; a browser without
 * script is redirected there.
 */
async function placeBasket(request: Request, _params: Record<string, string>, clientIp: ClientIp): Promise<HttpResult> {
  const body = isForm(request) ? basketOf(await formOf(request, ['auth', 'save_card'])) : await jsonOf(request);
  if (isHttpResult(body)) return body;
  const parsed = checkoutForm.safeParse(body);
  if (!parsed.success) return fieldErrors(parsed.error.issues);
  return forVisitor(request, async (visitor) => {
    const visit = { origin: originOf(request), payerIp: clientIp.address };
    const placed = await place(visitor, parsed.data, visit);
    if (isHttpResult(placed)) return placed;
    if (isForm(request)) return redirectTo(placed.go);
    return answer(placed, 201);
  });
}

// A form without script has a quantity per product; `saved:ID` is a way to pay as well.
function basketOf(form: Record<string, unknown> | HttpResult): Record<string, unknown> | HttpResult {
  if (isHttpResult(form)) return form;
  const lines = products
    .map(({ id }) => ({ product: id, quantity: Number(form[`quantity.${id}`] ?? 0) }))
    .filter(({ quantity }) => quantity !== 0);
  const [way, card] = String(form.way ?? '').split(':', 2);
  return { ...form, lines, way, card };
}

/** Inserts the order and starts the chosen way to pay. */
async function place(
  visitor: string,
  wanted: Checkout,
  visit: Visit,
): Promise<{ id: string; go: string } | HttpResult> {
  const { lines, currency, way, auth, save_card, language } = wanted;
  const saved = way === 'saved' ? await findCard(visitor, wanted.card ?? '') : null;
  if (way === 'saved' && !saved) return fail(400, { errors: { card: 'This card is not saved any more.' } });
  const quote = quoteOf(lines, currency);
  const order = await createOrder(visitor, {
    ...{ item: lines.map(({ product }) => product).join(','), description: quote.description, amount: quote.total },
    ...{ currency, lines: quote.lines, way, authorize_only: auth, request_token: save_card, language },
    ...(quote.daily && { recurring_init: true, schedule_amount: quote.daily }),
  });
  if (!order) return tooManyOrders();
  const here = `/shop/${order.id}`;
  if (quote.daily) {
    const made = await createSchedule(order);
    if ('refused' in made) return fail(502, { error: made.refused });
  }
  // Reads the order again: the schedule belongs to the payment.
  const now = (await findOrder(order.id)) ?? order;
  if (saved) return { id: order.id, go: await payBySaved(now, saved, visit) };
  if (way !== 'page') return { id: order.id, go: here };
  const opened = await openSession(now, visit.origin);
  return { id: order.id, go: 'refused' in opened ? here : opened.pageUrl };
}

async function payBySaved(order: Order, saved: { token: string; card: string }, visit: Visit): Promise<string> {
  await sell(order, { saved }, visit);
  const after = await findOrder(order.id);
  return after?.next ? `/sandbox/shop/orders/${order.id}/bank` : `/shop/${order.id}`;
}

const base = '/sandbox/shop';

/** The routes for placing orders. */
export const placeOrderRoutes: Route[] = [
  { method: 'POST', path: `${base}/orders`, run: placeOne, only: 'sandbox' },
  { method: 'POST', path: `${base}/methods`, run: placeMethod, only: 'sandbox' },
  { method: 'POST', path: `${base}/checkout`, run: placeBasket, only: 'sandbox' },
];
