// A shop's server that uses Checkout: builds and signs requests as the contract says, and returns answers as received,
// including API errors.
import { randomUUID } from 'node:crypto';
import { conform } from './conformance.ts';
import type { Credentials } from './merchants.ts';
import { sendRequest } from './send-request.ts';
import type { ShopServer } from './shop-server.ts';
import { type Order, signCheckout, signOrder } from './signatures.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are untyped, and the tests check their values.
export type Body = any;
export type Answer = { status: number; body: Body; headers: Headers };

/** Changes to a request: members replace, `undefined` removes, a plain object is merged into an existing object. */
export type Changes = Record<string, unknown>;

/** A created session with the values that later requests need. */
export type Opened = { order: Order; url: string; token: string; body: Record<string, unknown> };

export type Merchant = ReturnType<typeof merchantClient>;

let orders = 0;

/** An order number that is unique among tests, workers and runs. */
export function newOrderNumber(): string {
  orders += 1;
  // A letter separates the digits: a longer run of digits could be masked as a card number.
  const random = randomUUID();
  return `order-${random.slice(0, 8)}n${random.slice(9, 13)}-${orders}`;
}

/** Merges `changes` into a copy of `base`. */
export function changed(base: Record<string, unknown>, changes: Changes): Record<string, unknown> {
  const result = { ...base };
  for (const [name, value] of Object.entries(changes)) {
    const old = result[name];
    if (value === undefined) delete result[name];
    else result[name] = isPlain(value) && isPlain(old) ? changed(old, value) : value;
  }
  return result;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Acts as the merchant with these credentials at the server at `baseUrl`, with `shopServer` as its web shop. */
export function merchantClient(baseUrl: string, credentials: Credentials, shopServer: ShopServer) {
  const { key } = credentials;

  async function post(
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
    method = 'POST',
  ): Promise<Answer> {
    const received = await sendRequest(baseUrl + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const answer = { status: received.status, body: parse(received.text), headers: received.headers };
    await conform({ baseUrl, method, path, body, status: answer.status, answer: answer.body });
    return answer;
  }

  /** A complete session request without its hash. */
  function sessionBody(changes: Changes = {}): Record<string, unknown> {
    const number = newOrderNumber();
    const order = isPlain(changes.order) ? changes.order : {};
    const named = typeof order.number === 'string' && order.number ? order.number : number;
    const base = {
      merchant_key: key,
      operation: 'purchase',
      methods: ['card'],
      order: { number, amount: '84.50', currency: 'EUR', description: 'Two stoneware bowls' },
      success_url: `${shopServer.url}/success`,
      cancel_url: `${shopServer.url}/cancel`,
      notification_url: shopServer.addressFor(named),
      customer: { name: 'Ana Petrović', email: 'ana@example.com' },
    };
    return changed(base, changes);
  }

  /** Signs the values with the correct hash. */
  function signed(body: Record<string, unknown>): Record<string, unknown> {
    const order = (isPlain(body.order) ? body.order : {}) as Partial<Order>;
    return { ...body, hash: signOrder(order, credentials) };
  }

  /** Posts a session request with the correct hash; other fields may be invalid. */
  async function session(changes: Changes = {}): Promise<Answer> {
    return post('/api/v1/session', signed(sessionBody(changes)));
  }

  /** Opens a session that must be accepted. */
  async function open(changes: Changes = {}): Promise<Opened> {
    const body = signed(sessionBody(changes));
    const answer = await post('/api/v1/session', body);
    if (answer.status !== 200) throw new Error(`session rejected: ${answer.status} ${JSON.stringify(answer.body)}`);
    const url = String(answer.body.redirect_url);
    return { order: body.order as Order, url, token: url.split('/').at(-1) ?? '', body };
  }

  const follow = (
    path: string,
    fields: Record<string, string | undefined>,
    signedNames: string[],
    headers?: Record<string, string>,
  ) => {
    const values = signedNames.map((name) => fields[name]);
    return post(path, { merchant_key: key, ...fields, hash: signCheckout(values, credentials) }, headers);
  };

  /** A payout to a stored card. Its fields are flat. */
  function creditBody(changes: Changes = {}): Record<string, unknown> {
    const number = typeof changes.order_id === 'string' ? changes.order_id : newOrderNumber();
    const base = {
      merchant_key: key,
      order_id: number,
      order_amount: '40.00',
      order_currency: 'EUR',
      order_description: 'Refund of a deposit',
      notification_url: shopServer.addressFor(number),
    };
    const body = changed(base, changes);
    const values = [body.order_id, body.order_amount, body.order_currency, body.order_description];
    return { ...body, hash: signCheckout(values, credentials) };
  }

  /** A subsequent payment. */
  function recurringBody(
    chain: { firstTransId: string; token: string },
    changes: Changes = {},
  ): Record<string, unknown> {
    const changedOrder = isPlain(changes.order) ? changes.order : {};
    const number = typeof changedOrder.number === 'string' ? changedOrder.number : newOrderNumber();
    const base = {
      merchant_key: key,
      recurring_init_trans_id: chain.firstTransId,
      recurring_token: chain.token,
      order: { number, amount: '12.00', description: 'The second month' },
      notification_url: shopServer.addressFor(number),
    };
    const body = changed(base, changes);
    const order = (isPlain(body.order) ? body.order : {}) as Partial<Order>;
    const signedValues = [
      body.recurring_init_trans_id,
      body.recurring_token,
      order.number,
      order.amount,
      order.description,
    ];
    return { ...body, hash: signCheckout(signedValues, credentials) };
  }

  return {
    credentials,
    baseUrl,
    shopServer,
    post,
    creditBody,
    credit: (changes?: Changes) => post('/api/v1/payment/card/credit', creditBody(changes)),
    recurringBody,
    recurring: (chain: { firstTransId: string; token: string }, changes?: Changes) =>
      post('/api/v1/payment/recurring', recurringBody(chain, changes)),
    sessionBody,
    signed,
    session,
    open,
    status: (paymentId: string, more: Record<string, string> = {}) =>
      follow('/api/v1/payment/status', { payment_id: paymentId, ...more }, ['payment_id']),
    statusByOrder: (orderId: string, size?: unknown, more: Record<string, string> = {}) =>
      follow(
        '/api/v1/payment/status',
        { order_id: orderId, ...(size !== undefined && { size: size as string }), ...more },
        ['order_id'],
      ),
    refund: (paymentId: string, amount?: string, headers?: Record<string, string>) =>
      follow('/api/v1/payment/refund', { payment_id: paymentId, amount }, ['payment_id', 'amount'], headers),
    capture: (paymentId: string, amount?: string, headers?: Record<string, string>) =>
      follow('/api/v1/payment/capture', { payment_id: paymentId, amount }, ['payment_id', 'amount'], headers),
    void: (paymentId: string, headers?: Record<string, string>) =>
      follow('/api/v1/payment/void', { payment_id: paymentId }, ['payment_id'], headers),
    retry: (paymentId: string) => follow('/api/v1/payment/retry', { payment_id: paymentId }, ['payment_id']),
    update: (token: string, changes: Record<string, unknown>) =>
      post('/api/v1/session/update', changes, { token }, 'PUT'),
  };
}

function parse(text: string): Body {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
