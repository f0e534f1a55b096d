// The S2S APM protocol as a table of actions. Form-encoded in, JSON out (interface.md, S2S CARD and S2S APM). Other
// action names get HTTP 404 with error_code 0; names are case-sensitive.

import { type ClientIp, decodeForm, type Form, formLimits, jsonResult, type Route } from '../../http';
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

/** The protocol's definition for the pipeline. */
export const apmProtocol: Protocol<Form> = {
  name: 's2s_apm',
  rateLimitScope: 's2s',
  decode: (request) => decodeForm(request, formLimits),
  find: ({ action }) =>
    typeof action === 'string' && Object.hasOwn(apmActions, action) ? (apmActions[action] ?? null) : null,
  keyOf: (body) => body.client_key,
  reply: (status, body) => jsonResult(body, { status, headers: { 'cache-control': 'no-store' } }),
};

const run = (request: Request, _params: Record<string, string>, clientIp: ClientIp) =>
  handle(apmProtocol, request, clientIp);

/** The protocol's routes. */
export const apmRoutes: Route[] = ['/s2s/apm/post', '/s2s/apm/post-va'].map((path) => ({ method: 'POST', path, run }));
