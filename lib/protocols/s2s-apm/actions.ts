// The S2S APM protocol as a table of actions. Form-encoded in, JSON out (interface.md, S2S CARD and S2S APM). Other
// action names get HTTP 404 with error_code 0; names are case-sensitive.

import type { Action } from '../pipeline/handle.ts';
import { formProtocol } from '../shared/s2s-requests.ts';
import { creditCrypto, creditVirtual, debit, debitCalculation, sale } from './charge.ts';
import { captureAction, completeAction, creditVoid, statusAction, voidAction } from './modifications.ts';

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

/** The protocol's definition for the pipeline, and its routes. */
export const { protocol: apmProtocol, routes: apmRoutes } = formProtocol('s2s_apm', apmActions, [
  '/s2s/apm/post',
  '/s2s/apm/post-va',
]);
