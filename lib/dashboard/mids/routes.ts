/** Routes of MIDs. */
import { type GuardedRoute, route } from '../guard';
import { checkAction } from './connection';
import { changeAction, createAction, switchAction } from './mids';
import { midPage } from './page';

export const midRoutes: GuardedRoute[] = [
  route('POST /mids', 'settings.change', createAction),
  // For a MID that is not created yet.
  route('POST /mids/check', 'settings.change', checkAction),
  route('GET /mids/:id', 'settings.read', midPage),
  route('POST /mids/:id', 'settings.change', changeAction),
  route('POST /mids/:id/switch', 'settings.change', switchAction),
  route('POST /mids/:id/check', 'settings.change', checkAction),
];
