/** Routes of merchants and their keys. */
import { type GuardedRoute, route } from '../guard';
import { parseBody } from '../parse-body';
import { createKeyAction, endKeyAction, keyList, revealAction, rotateKeyAction } from './keys';
import { changeAction, createAction, merchantPage, switchAction } from './merchants';
import { newMerchantInput } from './schema';

const validateNew: GuardedRoute['validate'] = (body) => parseBody(newMerchantInput, body);

export const merchantRoutes: GuardedRoute[] = [
  route('POST /merchants', 'merchants.create', createAction, { confirmed: true, validate: validateNew }),
  route('GET /merchants/:id', 'settings.read', merchantPage),
  route('POST /merchants/:id', 'settings.change', changeAction),
  route('POST /merchants/:id/switch', 'settings.change', switchAction),
  route('GET /merchants/:id/keys', 'keys.read', keyList),
  route('POST /merchants/:id/keys', 'keys.change', createKeyAction, { confirmed: true }),
  route('POST /merchants/:id/keys/:key/rotate', 'keys.change', rotateKeyAction, { confirmed: true }),
  route('POST /merchants/:id/keys/:key/end', 'keys.change', endKeyAction),
  route('POST /merchants/:id/keys/:key/reveal', 'keys.change', revealAction, { confirmed: true }),
];
