/** Routes of protocol mappings. */
import type { GuardedRoute } from '../guard';
import { changeMappingAction, createMappingAction, mappingPage } from './mappings';

export const mappingRoutes: GuardedRoute[] = [
  { method: 'POST', path: '/mappings', right: 'settings.change', run: createMappingAction },
  {
    method: 'GET',
    path: '/mappings/:id',
    right: 'settings.read',
    run: ({ params, viewer, scope }) => mappingPage(params.id ?? '', viewer, scope),
  },
  { method: 'POST', path: '/mappings/:id', right: 'settings.change', run: changeMappingAction },
];
