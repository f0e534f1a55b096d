// The part for the merchant's server, which has the password: a handler that signs and forwards the calls of pages and
// apps, and the check of a return address. It uses the web-standard Request and Response, so it fits Node frameworks,
// workers and Next.

import type { Outcome } from './address.ts';
import { type CallName, type Order, paths } from './contract.ts';
import { asObject, FlorinError, throwArgumentError } from './errors.ts';
import { baseOf, type Fetch, sendCall } from './send.ts';
import { type Body, type Credentials, hashOfReturn } from './sign.ts';

/** A call from a page or an app. `body` is untrusted. */
export type ForwardedCall = { operation: CallName; body: Body; request: Request };

export type BackendOptions = Credentials & {
  /** The address of the payment service. */
  florinUrl: string;
  /**
   * Returns the body to sign and send, or null to reject the call (HTTP 403). Here the shop authenticates the caller,
   * takes amounts from its own order, and allows refunds and status requests only for the caller's own payments.
   */
  allow: (call: ForwardedCall) => Body | null | Promise<Body | null>;
  /** Default: 30. */
  timeoutSeconds?: number;
  fetch?: Fetch;
};

const bodyBytesMax = 100_000;

/**
 * A handler for the client's four paths, mounted under any path. Forwards the payment service's responses; its own
 * errors have the same shape: 403, 404, 405, 413, 415, 400, and 502 or 504 if the service does not respond.
 */
export function createBackend(options: BackendOptions): (request: Request) => Promise<Response> {
  const base =
    baseOf(options.florinUrl ?? '') ?? throwArgumentError('florinUrl must be a web address without a query.');
  if (!options.merchantKey || !options.password) throwArgumentError('merchantKey and password are required.');
  return async (request) => {
    const operation = operationOf(request);
    if (operation === null) return errorResponse(404, 'There is nothing at this address.');
    if (request.method !== 'POST') return errorResponse(405, 'Only POST is allowed.', { allow: 'POST' });
    // A form of another site can send cookies, but no JSON.
    if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? '')) {
      return errorResponse(415, 'The body must be JSON.');
    }
    const text = await request.text();
    if (text.length > bodyBytesMax) return errorResponse(413, 'The body is too large.');
    const body = bodyOf(text);
    if (body === null) return errorResponse(400, 'The body must be a JSON object.');
    const allowed = await options.allow({ operation, body, request });
    if (allowed === null) return errorResponse(403, 'This is not allowed.');
    return forward(base, operation, allowed, options, request.headers.get('idempotency-key'));
  };
}

/**
 * Whether the payer returned from the payment of this order: checks the hash of an outcome, or of the query of the
 * success or cancel address, against the shop's own record of the order, in constant time. It does not prove that the
 * payment was paid.
 */
export function verifyReturn(
  returned: Pick<Outcome, 'paymentId' | 'orderId' | 'hash'> | URLSearchParams,
  order: Order,
  by: Pick<Credentials, 'password' | 'digest'>,
): boolean {
  const { paymentId, orderId, hash } =
    returned instanceof URLSearchParams
      ? { paymentId: returned.get('payment_id'), orderId: returned.get('order_id'), hash: returned.get('hash') }
      : returned;
  if (typeof paymentId !== 'string' || typeof hash !== 'string' || orderId !== order.number) return false;
  return isSame(hashOfReturn(paymentId, order, by), hash.toLowerCase());
}

async function forward(
  base: string,
  operation: CallName,
  body: Body,
  options: BackendOptions,
  key: string | null,
): Promise<Response> {
  try {
    // A repetition by the page or the app under its key moves the money once.
    const headers: Record<string, string> = key === null ? {} : { 'idempotency-key': key };
    const { status, text } = await sendCall(base, operation, body, options, headers);
    return new Response(text, { status, headers: { 'content-type': 'application/json', 'cache-control': 'no-store' } });
  } catch (error) {
    if (!(error instanceof FlorinError)) throw error;
    if (error.code === 'argument') return errorResponse(400, error.message);
    return errorResponse(error.code === 'timeout' ? 504 : 502, 'The payment service does not respond.');
  }
}

function operationOf(request: Request): CallName | null {
  const { pathname } = new URL(request.url);
  const operations = Object.keys(paths) as CallName[];
  return operations.find((operation) => pathname.endsWith(paths[operation])) ?? null;
}

// The caller's key and hash are ignored; signing adds both.
function bodyOf(text: string): Body | null {
  try {
    const body = asObject(JSON.parse(text));
    if (body === null) return null;
    const { merchant_key: _key, hash: _hash, ...fields } = body;
    return fields;
  } catch {
    return null;
  }
}

function errorResponse(status: number, message: string, headers: Record<string, string> = {}): Response {
  const body = { result: 'ERROR', error_code: status, error_message: message };
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...headers, 'content-type': 'application/json', 'cache-control': 'no-store' },
  });
}

function isSame(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let place = 0; place < one.length; place += 1) difference |= one.charCodeAt(place) ^ other.charCodeAt(place);
  return difference === 0;
}
