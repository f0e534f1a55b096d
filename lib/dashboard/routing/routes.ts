/** Routes of routing. The list is that of the mappings, which own the rules. */
import type { GuardedRoute } from '../guard';
import {
  discardAction,
  dryRunAction,
  publishAction,
  rebaseAction,
  routingPage,
  ruleHits,
  saveDraftAction,
} from './routing';

export const routingRoutes: GuardedRoute[] = [
  {
    method: 'GET',
    path: '/routing/:mappingId',
    right: 'settings.read',
    run: (request) => routingPage(request.params.mappingId ?? '', request),
  },
  {
    method: 'GET',
    path: '/routing/:mappingId/hits',
    right: 'settings.read',
    run: ({ params, scope, now }) => ruleHits(params.mappingId ?? '', scope, now),
  },
  {
    method: 'POST',
    path: '/routing/:mappingId/draft',
    right: 'settings.change',
    // Enough for a hundred rules with long lists of countries.
    bodyBytesMax: 512 * 1024,
    run: saveDraftAction,
  },
  { method: 'POST', path: '/routing/:mappingId/discard', right: 'settings.change', run: discardAction },
  { method: 'POST', path: '/routing/:mappingId/rebase', right: 'settings.change', run: rebaseAction },
  { method: 'POST', path: '/routing/:mappingId/dry-run', right: 'settings.change', run: dryRunAction },
  { method: 'POST', path: '/routing/:mappingId/publish', right: 'settings.change', run: publishAction },
];
