// The Checkout protocol as a table of paths and actions. JSON in, JSON out (interface.md, Endpoints).

import {
  decodeJson,
  type HeaderFields,
  httpResult,
  type JsonObject,
  jsonLimits,
  jsonResult,
  type Route,
} from '../../http/index.ts';
import { debitCard, purchaseCard } from '../hosted-fields/processing.ts';
import { applePay, wallets } from '../hosted-fields/wallets.ts';
import { type Action, handle, type Protocol } from '../pipeline/handle.ts';
import { cardCredit } from './credit.ts';
import { capturePayment, refundPayment, removeCardToken, retry, voidWhole } from './modifications.ts';
import { recurring } from './recurring.ts';
import { createFieldsSession, createPageSession } from './session.ts';
import { status } from './status.ts';
import { updatePageSession } from './update.ts';

/** One operation of the protocol. */
export type CheckoutRow = { method: 'POST' | 'PUT'; path: string; action: Action };

/** Every operation. */
export const checkoutRows: readonly CheckoutRow[] = [
  { method: 'POST', path: '/api/v1/session', action: createPageSession },
  { method: 'POST', path: '/api/v1/session/token', action: createFieldsSession },
  { method: 'PUT', path: '/api/v1/session/update', action: updatePageSession },
  { method: 'POST', path: '/api/v1/payment/status', action: status },
  { method: 'POST', path: '/api/v1/payment/refund', action: refundPayment },
  { method: 'POST', path: '/api/v1/payment/capture', action: capturePayment },
  { method: 'POST', path: '/api/v1/payment/void', action: voidWhole },
  { method: 'POST', path: '/api/v1/payment/retry', action: retry },
  { method: 'POST', path: '/api/v1/payment/recurring', action: recurring },
  { method: 'POST', path: '/api/v1/payment/card/credit', action: cardCredit },
  { method: 'POST', path: '/api/v1/card_token/remove', action: removeCardToken },
];

/** The operations that merchants' pages call too, with the header `Token`, from any origin and without cookies. */
export const pageRows: readonly CheckoutRow[] = [
  { method: 'POST', path: '/api/v1/processing/purchase/card', action: purchaseCard },
  { method: 'POST', path: '/api/v1/processing/debit/card', action: debitCard },
  { method: 'POST', path: '/api/v1/processing/wallets', action: wallets },
  { method: 'POST', path: '/api/v1/processing/wallets/applepay', action: applePay },
];

const corsHeaders = { 'access-control-allow-origin': '*', 'cache-control': 'no-store' };

const preflight = () =>
  httpResult(null, {
    status: 204,
    headers: {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'Content-Type, Token',
      'access-control-max-age': '86400',
    },
  });

/** The protocol with the one action of a path. */
export function protocolOf(
  action: Action,
  headers: HeaderFields = { 'cache-control': 'no-store' },
): Protocol<JsonObject> {
  return {
    name: 'checkout',
    rateLimitScope: action.fromPayers ? 'fields' : 'checkout',
    decode: (request) => decodeJson(request, jsonLimits),
    find: () => action,
    keyOf: (body) => body.merchant_key,
    reply: (status, body) => jsonResult(body, { status, headers }),
  };
}

function routeOf({ method, path, action }: CheckoutRow, headers?: HeaderFields): Route {
  const protocol = protocolOf(action, headers);
  return { method, path, run: (request, _params, clientIp) => handle(protocol, request, clientIp) };
}

/** The protocol's routes. */
export const checkoutRoutes: Route[] = [
  ...checkoutRows.map((row) => routeOf(row)),
  ...pageRows.flatMap((row) => [routeOf(row, corsHeaders), { method: 'OPTIONS', path: row.path, run: preflight }]),
];
