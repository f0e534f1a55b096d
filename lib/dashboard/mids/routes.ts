/** Routes of MIDs. */
import type { GuardedRoute } from '../guard';
import { checkAction } from './connection';
import { changeAction, createAction, switchAction } from './mids';
import { midPage } from './page';

export const midRoutes: GuardedRoute[] = [
  { method: 'POST', path: '/mids', right: 'settings.change', run: createAction },
  // For a MID that is not created yet.
  { method: 'POST', path: '/mids/check', right: 'settings.change', run: checkAction },
  { method: 'GET', path: '/mids/:id', right: 'settings.read', run: midPage },
  { method: 'POST', path: '/mids/:id', right: 'settings.change', run: changeAction },
  { method: 'POST', path: '/mids/:id/switch', right: 'settings.change', run: switchAction },
  { method: 'POST', path: '/mids/:id/check', right: 'settings.change', run: checkAction },
];
