/** Routes of the developer pages. */

import { pauseAction, resendAll } from '../callbacks/actions';
import { callbackPage, callbackSummary } from '../callbacks/callbacks';
import type { GuardedRoute } from '../guard';
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
  { method: 'POST', path: '/callbacks/resend', right: 'callbacks.resend', run: resendAll },
  { method: 'POST', path: '/callbacks/hold', right: 'callbacks.hold', run: pauseAction },
  read('/hash-debugger', debuggerPage),
  { method: 'POST', path: '/hash-debugger', ...pasted, run: debugPasted },
  { method: 'POST', path: '/callback-verifier', ...pasted, run: verifyCallback },
  { method: 'GET', path: '/request-builder', right: 'developers.send', run: builderPage },
  {
    method: 'POST',
    path: '/request-builder/sign',
    right: 'developers.send',
    bodyBytesMax: 256 * 1024,
    run: signRequest,
  },
  {
    method: 'POST',
    path: '/request-builder/send',
    right: 'developers.send',
    bodyBytesMax: 256 * 1024,
    run: sendRequest,
  },
];
