// The Checkout protocol as a table: an address, and the action behind it. JSON in, JSON out (interface.md, Endpoints).
import type { Peer, Route } from '../route';
import { cardCredit } from './checkout-credit';
import { capturePayment, refundPayment, retry, voidWhole } from './checkout-follow';
import { openFields, openLink } from './checkout-open';
import { recurring } from './checkout-recurring';
import { status } from './checkout-status';
import { updateLink } from './checkout-update';
import { type Action, handle, type Protocol } from './handle';
import { decodeJson, type JsonObject, jsonLimits } from './json';

/** One operation of the protocol. */
type CheckoutRow = { method: 'POST' | 'PUT'; path: string; action: Action };

/** Every operation. */
const checkoutRows: readonly CheckoutRow[] = [
  { method: 'POST', path: '/api/v1/session', action: openLink },
  { method: 'POST', path: '/api/v1/session/token', action: openFields },
  { method: 'PUT', path: '/api/v1/session/update', action: updateLink },
  { method: 'POST', path: '/api/v1/payment/status', action: status },
  { method: 'POST', path: '/api/v1/payment/refund', action: refundPayment },
  { method: 'POST', path: '/api/v1/payment/capture', action: capturePayment },
  { method: 'POST', path: '/api/v1/payment/void', action: voidWhole },
  { method: 'POST', path: '/api/v1/payment/retry', action: retry },
  { method: 'POST', path: '/api/v1/payment/recurring', action: recurring },
  { method: 'POST', path: '/api/v1/payment/card/credit', action: cardCredit },
];

/** The protocol with the one action that its address has already named. */
function protocolOf(action: Action): Protocol<JsonObject> {
  return {
    name: 'checkout',
    decode: (request) => decodeJson(request, jsonLimits),
    find: () => action,
    keyOf: (body) => body.merchant_key,
    reply: (status, body) => Response.json(body, { status, headers: { 'cache-control': 'no-store' } }),
  };
}

/** The rows of the table of routes. */
export const checkoutRoutes: Route[] = checkoutRows.map(({ method, path, action }) => {
  const protocol = protocolOf(action);
  return {
    method,
    path,
    run: (request: Request, _params: Record<string, string>, peer: Peer) => handle(protocol, request, peer),
  };
});
