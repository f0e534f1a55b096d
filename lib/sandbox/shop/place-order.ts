// Places orders: a basket of the shop's page, a product of the start page, or the documentation's session. The server
// computes the prices and never takes them from a browser.
import { z } from 'zod';
import { parseAmount } from '../../core/money.ts';
import type { Route } from '../../http/index.ts';
import { sandboxRoute } from '../routes.ts';
import { openSession } from './checkout-requests.ts';
import { checkoutForm, items, orderForm } from './form-schemas.ts';
import { createOrder, findCard, findOrder } from './orders.ts';
import { nextPageOf } from './pay.ts';
import { products, quoteOf } from './products.ts';
import { answer, fail, formOf, forVisitor, isForm, originOf, readBody, redirectTo, type Visit } from './requests.ts';
import { createSchedule, sell } from './s2s-requests.ts';

/** POST /sandbox/shop/orders: creates the product's session. JSON gets `{id, page_url}`, a form a redirect. */
const placeOne: Route['run'] = async (request) => {
  const form = await readBody(request, orderForm, ['auth', 'recurring_init', 'req_token']);
  const { item, amount, currency, auth, recurring_init, req_token, language } = form;
  return forVisitor(request, async (visitor) => {
    const description = items.find((each) => each.id === item)?.name ?? item;
    const flags = { authorizeOnly: auth, recurringInit: recurring_init, requestToken: req_token, language };
    const order = await createOrder(visitor, { item, description, amount, currency, ...flags });
    const opened = await openSession(order, originOf(request));
    if ('refused' in opened) return fail(502, { error: opened.refused });
    if (isForm(request)) return redirectTo(opened.pageUrl);
    return answer({ id: order.id, page_url: opened.pageUrl }, 201);
  });
};

const text = z.string().max(1024);

/** The session of a method's documentation page; the shop adds the addresses, so that the payer returns to an order. */
const methodSession = z
  .object({
    operation: z.enum(['purchase', 'debit', 'credit', 'transfer']),
    methods: z.tuple([z.string().regex(/^[\w-]{1,64}$/)]),
    parameters: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
    order: z.object({ amount: z.string().max(20), currency: z.string().max(6), description: text }),
    customer: z.record(z.string(), text).optional(),
    billing_address: z.record(z.string(), text).optional(),
    payee_first_name: text.optional(),
    payee_last_name: text.optional(),
  })
  .refine(({ order }) => parseAmount(order.amount, order.currency).ok);

/** POST /sandbox/shop/methods: the form of a method's documentation page, with the session as JSON. */
const placeMethod: Route['run'] = async (request) => {
  const { request: session } = await formOf(request);
  const json: unknown = await new Response(String(session)).json().catch(() => null);
  const { data } = methodSession.safeParse(json);
  if (!data) return fail(400, 'This is no session of one method.');
  return forVisitor(request, async (visitor) => {
    const { order: orderFields, ...more } = data;
    const order = await createOrder(visitor, { item: data.methods[0], ...orderFields });
    const opened = await openSession(order, originOf(request), more);
    // The order's page shows the rejected request.
    return redirectTo('refused' in opened ? `/shop/${order.id}` : opened.pageUrl);
  });
};

/** POST /sandbox/shop/checkout: an order of a basket. JSON gets `{id, go}`, the next page; a form a redirect. */
const placeBasket: Route['run'] = async (request, _params, clientIp) => {
  const schema = isForm(request) ? basketForm : checkoutForm;
  const wanted = await readBody(request, schema, ['auth', 'save_card']);
  return forVisitor(request, async (visitor) => {
    const visit = { origin: originOf(request), payerIp: clientIp.address };
    const placed = await place(visitor, wanted, visit);
    if (isForm(request)) return redirectTo(placed.go);
    return answer(placed, 201);
  });
};

// A form without script has a quantity per product; `saved:ID` is a way to pay as well.
const basketForm = z.preprocess((body) => {
  const form = body as Record<string, unknown>;
  const lines = products
    .map(({ id }) => ({ product: id, quantity: Number(form[`quantity.${id}`] ?? 0) }))
    .filter(({ quantity }) => quantity !== 0);
  const [way, card] = String(form.way ?? '').split(':', 2);
  return { ...form, lines, way, card };
}, checkoutForm);

async function place(
  visitor: string,
  wanted: z.output<typeof checkoutForm>,
  visit: Visit,
): Promise<{ id: string; go: string }> {
  const { lines, currency, way, auth, save_card, language } = wanted;
  const saved = way === 'saved' ? await findCard(visitor, wanted.card ?? '') : null;
  if (way === 'saved' && !saved) fail(400, { errors: { card: 'This card is not saved any more.' } });
  const quote = quoteOf(lines, currency);
  const order = await createOrder(visitor, {
    item: lines.map(({ product }) => product).join(','),
    description: quote.description,
    amount: quote.total,
    currency,
    lines: quote.lines,
    way,
    authorizeOnly: auth,
    requestToken: save_card,
    language,
    ...(quote.daily && { recurringInit: true, scheduleAmount: quote.daily }),
  });
  const { id } = order;
  if (quote.daily) await createSchedule(order);
  // Reads the order again: the schedule belongs to the payment.
  const scheduled = (await findOrder(id)) ?? order;
  if (saved) {
    await sell(scheduled, { saved }, visit);
    return { id, go: nextPageOf((await findOrder(id)) ?? order) };
  }
  if (way !== 'page') return { id, go: nextPageOf(scheduled) };
  const opened = await openSession(scheduled, visit.origin);
  return { id, go: 'refused' in opened ? `/shop/${id}` : opened.pageUrl };
}

export const placeOrderRoutes: Route[] = [
  sandboxRoute('POST', '/sandbox/shop/orders', placeOne),
  sandboxRoute('POST', '/sandbox/shop/methods', placeMethod),
  sandboxRoute('POST', '/sandbox/shop/checkout', placeBasket),
];
