/** Routes of protocol mappings. */
import { type GuardedRoute, route } from '../guard';
import { changeMappingAction, createMappingAction, mappingPage } from './mappings';

export const mappingRoutes: GuardedRoute[] = [
  route('POST /mappings', 'settings.change', createMappingAction),
  route('GET /mappings/:id', 'settings.read', ({ params, viewer, scope }) =>
    mappingPage(params.id ?? '', viewer, scope),
  ),
  route('POST /mappings/:id', 'settings.change', changeMappingAction),
];
