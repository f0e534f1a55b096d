/** Routes of merchants and their keys. */
import type { GuardedRoute } from '../guard';
import { parseBody } from '../parse-body';
import { createKeyAction, endKeyAction, keyList, revealAction, rotateKeyAction } from './keys';
import { changeAction, createAction, merchantList, merchantPage, switchAction } from './merchants';
import { newMerchantInput } from './schema';

export const merchantRoutes: GuardedRoute[] = [
  { method: 'GET', path: '/merchants', right: 'settings.read', run: merchantList },
  {
    ...({ method: 'POST', path: '/merchants', right: 'merchants.create', confirmed: true } as const),
    validate: (body) => parseBody(newMerchantInput, body),
    run: createAction,
  },
  { method: 'GET', path: '/merchants/:id', right: 'settings.read', run: merchantPage },
  { method: 'POST', path: '/merchants/:id', right: 'settings.change', run: changeAction },
  { method: 'POST', path: '/merchants/:id/switch', right: 'settings.change', run: switchAction },
  { method: 'GET', path: '/merchants/:id/keys', right: 'keys.read', run: keyList },
  { method: 'POST', path: '/merchants/:id/keys', right: 'keys.change', confirmed: true, run: createKeyAction },
  {
    method: 'POST',
    path: '/merchants/:id/keys/:key/rotate',
    right: 'keys.change',
    confirmed: true,
    run: rotateKeyAction,
  },
  { method: 'POST', path: '/merchants/:id/keys/:key/end', right: 'keys.change', run: endKeyAction },
  { method: 'POST', path: '/merchants/:id/keys/:key/reveal', right: 'keys.change', confirmed: true, run: revealAction },
];
