// The demo shop of the sandbox: a merchant's server that speaks to Florin over HTTP alone, so that whoever starts the
// sandbox sees the whole loop of a payment without writing a line. Production does not have these addresses.
import { parseAmount } from '../core/money';
import type { Route } from '../route';
import { fieldsShopRoutes } from './fields';
import { askStatus, follow, openSession, type Refused } from './florin';
import { receiveCallback } from './messages';
import { openMethod, readSession } from './methods';
import { type Action, actions, items, orderForm } from './model';
import { createOrder, findOrder, type Order, viewOf } from './orders';
import { streamOf } from './stream';

const formBytesMax = 4 * 1024;
const callbackBytesMax = 64 * 1024;
const noStore = { 'cache-control': 'no-store' };

/** `errors`: one sentence per field of the form. `error`: what is wrong with the request as a whole, or Florin's words. */
type Failure = { errors?: Record<string, string>; error?: { code: string; message: string } };

const fail = (status: number, failure: Failure) => Response.json(failure, { status, headers: noStore });
const told = (message: string): Failure => ({ error: { code: '', message } });

/**
 * POST /sandbox/shop/orders: opens a session for what was chosen. JSON is answered with `{id, page_url}`; the form of a
 * browser without script is sent on to the payment page.
 */
async function placeOrder(request: Request): Promise<Response> {
  const isForm = typeOf(request) === 'application/x-www-form-urlencoded';
  const body = isForm ? await formOf(request) : await jsonOf(request);
  if (body instanceof Response) return body;
  const parsed = orderForm.safeParse(body);
  if (!parsed.success) {
    const errors: Record<string, string> = {};
    for (const issue of parsed.error.issues) errors[issue.path.join('.')] ??= issue.message;
    return fail(400, { errors });
  }
  const item = items.find((each) => each.id === parsed.data.item);
  const order = await createOrder(parsed.data, item?.name ?? parsed.data.item);
  if (!order) return fail(429, told('The demo shop has too many orders at the moment. Try again in a minute.'));
  const opened = await openSession(order);
  if ('refused' in opened) return fail(502, { error: opened.refused });
  if (isForm) return new Response(null, { status: 303, headers: { location: opened.pageUrl, ...noStore } });
  return Response.json({ id: order.id, page_url: opened.pageUrl }, { status: 201, headers: noStore });
}

/** POST /sandbox/shop/methods: the form of a method's page in the documentation. */
async function tryMethod(request: Request): Promise<Response> {
  const form = await formOf(request);
  if (form instanceof Response) return form;
  const wanted = readSession((form as { request?: unknown }).request);
  if (!wanted) return fail(400, told('This is no session of one method.'));
  const made = await openMethod(wanted);
  if (!made) return fail(429, told('The demo shop has too many orders at the moment. Try again in a minute.'));
  // The order's page shows the refusal with its request.
  const location = 'refused' in made.opened ? `/shop/${made.order.id}` : made.opened.pageUrl;
  return new Response(null, { status: 303, headers: { location, ...noStore } });
}

type OrderRun = (request: Request, order: Order) => Promise<Response> | Response;

function withOrder(run: OrderRun): Route['run'] {
  return async (request, params) => {
    const order = await findOrder(params.id ?? '');
    return order ? run(request, order) : fail(404, told('The demo shop has no such order. Orders are kept for a day.'));
  };
}

/** GET /sandbox/shop/orders/:id. */
async function showOrder(_request: Request, order: Order): Promise<Response> {
  return Response.json(await viewOf(order), { headers: noStore });
}

/** POST /sandbox/shop/orders/:id/refund, /capture (`{amount?}`), /void and /status; answers the order after it. */
function act(name: Action | 'status'): OrderRun {
  return async (request, order) => {
    const body = await jsonOf(request);
    if (body instanceof Response) return body;
    const { amount } = body as { amount?: unknown };
    if (amount !== undefined && (typeof amount !== 'string' || !parseAmount(amount, order.currency).ok)) {
      return fail(400, { errors: { amount: `Write the amount as ${order.amount}.` } });
    }
    if (name !== 'status' && !order.payment_id) {
      return fail(409, told('The shop does not know of a payment of this order yet.'));
    }
    const refused: Refused = name === 'status' ? await askStatus(order) : await follow(order, name, amount);
    const after = await viewOf((await findOrder(order.id)) ?? order);
    return Response.json({ order: after, error: refused }, { status: refused ? 409 : 200, headers: noStore });
  };
}

/** POST /sandbox/shop/callbacks/:id: the notification_url of an order. Answers OK to what is genuine. */
async function takeCallback(request: Request, order: Order): Promise<Response> {
  const body = await bytesOf(request, callbackBytesMax);
  if (!body) return new Response('ERROR', { status: 413 });
  const genuine = await receiveCallback(order, request.headers, body);
  return new Response(genuine ? 'OK' : 'ERROR', { status: genuine ? 200 : 400 });
}

function typeOf(request: Request): string {
  return (request.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

// A form says what is checked by naming it. Pages of somebody else have no business to send one.
async function formOf(request: Request): Promise<object | Response> {
  if (request.headers.get('sec-fetch-site') === 'cross-site') return fail(403, told('Use the form of this shop.'));
  const bytes = await bytesOf(request, formBytesMax);
  if (!bytes) return fail(413, told('The body is too large.'));
  const form = Object.fromEntries(new URLSearchParams(new TextDecoder().decode(bytes)));
  const checked = Object.fromEntries(['auth', 'recurring_init', 'req_token'].map((name) => [name, name in form]));
  return { ...form, ...checked };
}

/** The body as an object, or the answer that says why it is none. JSON alone, so that no foreign form can send it. */
async function jsonOf(request: Request): Promise<object | Response> {
  if (typeOf(request) !== 'application/json') return fail(415, told('Send application/json.'));
  const bytes = await bytesOf(request, formBytesMax);
  if (!bytes) return fail(413, told('The body is too large.'));
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Answered below, as is JSON that is no object.
  }
  return fail(400, told('The body is not a JSON object.'));
}

async function bytesOf(request: Request, bytesMax: number): Promise<Uint8Array<ArrayBuffer> | null> {
  if (Number(request.headers.get('content-length') ?? 0) > bytesMax) return null;
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = request.body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done || !value) break;
    length += value.byteLength;
    if (length > bytesMax) {
      reader?.cancel().catch(() => undefined);
      return null;
    }
    chunks.push(value);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

const base = '/sandbox/shop';

/** Every address of the demo shop's server. */
export const shopRoutes: Route[] = [
  { method: 'POST', path: `${base}/orders`, run: placeOrder, only: 'sandbox' },
  { method: 'POST', path: `${base}/methods`, run: tryMethod, only: 'sandbox' },
  { method: 'GET', path: `${base}/orders/:id`, run: withOrder(showOrder), only: 'sandbox' },
  { method: 'GET', path: `${base}/orders/:id/events`, run: withOrder(streamOf), only: 'sandbox' },
  ...([...actions, 'status'] as const).map(
    (name): Route => ({
      method: 'POST',
      path: `${base}/orders/:id/${name}`,
      run: withOrder(act(name)),
      only: 'sandbox',
    }),
  ),
  ...fieldsShopRoutes,
  { method: 'POST', path: `${base}/callbacks/:id`, run: withOrder(takeCallback), only: 'sandbox' },
];
