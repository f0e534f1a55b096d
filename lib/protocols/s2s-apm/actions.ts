// The S2S APM protocol as a table: the action's name, and what is behind it. Form-encoded in, JSON out (interface.md, S2S
// CARD and S2S APM). A name that is not here is answered with HTTP 404 and error_code 0, whatever its letter case.

import { type ClientIp, decodeForm, type Form, formLimits, type Route } from '../../http';
import { type Action, handle, type Protocol } from '../pipeline/handle';
import { creditCrypto, creditVirtual, debit, debitCalculation, sale } from './charge';
import { captureAction, completeAction, creditVoid, statusAction, voidAction } from './modifications';

/** Every action. */
export const apmActions: Readonly<Record<string, Action>> = {
  SALE: sale,
  CAPTURE: captureAction,
  CREDITVOID: creditVoid,
  VOID: voidAction,
  GET_TRANS_STATUS: statusAction,
  CREDIT2VIRTUAL: creditVirtual,
  CREDIT2CRYPTO: creditCrypto,
  DEBIT2VIRTUAL: debit,
  DEBIT2VIRTUAL_CALC: debitCalculation,
  DEBIT2VIRTUAL_COMPLETE: completeAction,
};

/** The protocol as the pipeline knows it. */
export const apmProtocol: Protocol<Form> = {
  name: 's2s_apm',
  rateLimitScope: 's2s',
  decode: (request) => decodeForm(request, formLimits),
  find: ({ action }) =>
    typeof action === 'string' && Object.hasOwn(apmActions, action) ? (apmActions[action] ?? null) : null,
  keyOf: (body) => body.client_key,
  reply: (status, body) => Response.json(body, { status, headers: { 'cache-control': 'no-store' } }),
};

const run = (request: Request, _params: Record<string, string>, peer: ClientIp) => handle(apmProtocol, request, peer);

/** The rows of the table of routes. */
export const apmRoutes: Route[] = ['/s2s/apm/post', '/s2s/apm/post-va'].map((path) => ({ method: 'POST', path, run }));
