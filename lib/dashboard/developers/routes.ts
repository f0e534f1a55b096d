/** Routes of the developer pages. */

import { pauseAction, resendAll } from '../callbacks/actions';
import { callbackPage, callbackSummary } from '../callbacks/callbacks';
import { type GuardedRoute, route } from '../guard';
import { requestPage } from '../requests/requests';
import { verifyCallback } from './callback-verifier';
import { debuggerPage, debugPasted } from './hash-debugger';
import { builderPage, sendRequest, signRequest } from './request-builder';

const read = (path: string, run: GuardedRoute['run']): GuardedRoute => ({
  method: 'GET',
  path,
  right: 'developers.read',
  run,
});

const pasted = { right: 'developers.read', bodyBytesMax: 256 * 1024 } as const;

export const developersRoutes: GuardedRoute[] = [
  read('/requests/:id', requestPage),
  read('/callbacks/summary', callbackSummary),
  read('/callbacks/:id', callbackPage),
  route('POST /callbacks/resend', 'callbacks.resend', resendAll),
  route('POST /callbacks/hold', 'callbacks.hold', pauseAction),
  read('/hash-debugger', debuggerPage),
  { method: 'POST', path: '/hash-debugger', ...pasted, run: debugPasted },
  { method: 'POST', path: '/callback-verifier', ...pasted, run: verifyCallback },
  route('GET /request-builder', 'developers.send', builderPage),
  route('POST /request-builder/sign', 'developers.send', signRequest, { bodyBytesMax: 256 * 1024 }),
  route('POST /request-builder/send', 'developers.send', sendRequest, { bodyBytesMax: 256 * 1024 }),
];
