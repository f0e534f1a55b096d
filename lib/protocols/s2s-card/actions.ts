// The S2S CARD protocol as a table: the action's name, and what is behind it. Form-encoded in, JSON out (interface.md,
// S2S CARD and S2S APM). A name that is not here is answered with HTTP 404 and error_code 0, whatever its letter case.
import { decodeQuery, type Form, formLimits, type HttpRequest } from '../../http/index.ts';
import type { Action } from '../pipeline/handle.ts';
import { formProtocol } from '../shared/s2s-requests.ts';
import { chargeActions } from './charge.ts';
import { modificationActions } from './modifications.ts';
import { scheduleActions } from './schedule.ts';

/** Every action. */
export const cardActions: Readonly<Record<string, Action>> = {
  ...chargeActions,
  ...modificationActions,
  ...scheduleActions,
};

/** Only SCHEDULE_INFO may be a GET request: query strings end up in logs, so actions that move money are excluded. */
async function readQuery(request: HttpRequest): Promise<Form> {
  const fields = await decodeQuery(request, formLimits);
  return fields.action === 'SCHEDULE_INFO' ? fields : {};
}

/** The protocol's definition for the pipeline, and its routes. */
export const { protocol: cardProtocol, routes: cardRoutes } = formProtocol(
  's2s_card',
  cardActions,
  ['/s2s/card/post', '/s2s/card/v2/post'],
  readQuery,
);
