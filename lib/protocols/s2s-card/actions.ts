// The S2S CARD protocol as a table: the action's name, and what is behind it. Form-encoded in, JSON out (interface.md,
// S2S CARD and S2S APM). A name that is not here is answered with HTTP 404 and error_code 0, whatever its letter case.
import { fieldErrorTexts, throwFieldErrors } from '../../core/errors.ts';
import type { Form } from '../../http/index.ts';
import type { Action } from '../pipeline/handle.ts';
import { formProtocol } from '../shared/s2s-requests.ts';
import { debit, payout, recurringDebit, recurringSale, sale, transfer } from './charge.ts';
import {
  captureAction,
  creditVoid,
  details,
  retryAction,
  statusAction,
  statusByOrder,
  voidAction,
} from './modifications.ts';
import {
  createAction,
  deleteAction,
  descheduleAction,
  infoAction,
  pauseAction,
  runAction,
  updateAction,
} from './schedule.ts';

/** Every action. */
export const cardActions: Readonly<Record<string, Action>> = {
  SALE: sale,
  DEBIT: debit,
  RECURRING_SALE: recurringSale,
  RECURRING_DEBIT: recurringDebit,
  CARD2CARD: transfer,
  CREDIT2CARD: payout,
  CAPTURE: captureAction,
  VOID: voidAction,
  CREDITVOID: creditVoid,
  RETRY: retryAction,
  GET_TRANS_STATUS: statusAction,
  GET_TRANS_DETAILS: details,
  GET_TRANS_STATUS_BY_ORDER: statusByOrder,
  CREATE_SCHEDULE: createAction,
  UPDATE_SCHEDULE: updateAction,
  DELETE_SCHEDULE: deleteAction,
  PAUSE_SCHEDULE: pauseAction,
  RUN_SCHEDULE: runAction,
  SCHEDULE_INFO: infoAction,
  DESCHEDULE: descheduleAction,
};

/** Only SCHEDULE_INFO may be a GET request: query strings end up in logs, so actions that move money are excluded. */
async function readQuery(request: Request): Promise<Form> {
  const { searchParams } = new URL(request.url);
  if (searchParams.get('action') !== 'SCHEDULE_INFO') return {};
  const fields = Object.fromEntries(searchParams);
  for (const name of Object.keys(fields)) {
    if (searchParams.getAll(name).length > 1) throwFieldErrors([{ path: name, text: fieldErrorTexts.notValid }]);
  }
  return fields;
}

/** The protocol's definition for the pipeline, and its routes. */
export const { protocol: cardProtocol, routes: cardRoutes } = formProtocol(
  's2s_card',
  cardActions,
  ['/s2s/card/post', '/s2s/card/v2/post'],
  readQuery,
);
