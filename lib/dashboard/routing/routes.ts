/** Routes of routing. The list is that of the mappings, which own the rules. */
import { type GuardedRoute, route } from '../guard';
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
  route('GET /routing/:mappingId', 'settings.read', (request) => routingPage(request.params.mappingId ?? '', request)),
  route('GET /routing/:mappingId/hits', 'settings.read', ({ params, scope, now }) =>
    ruleHits(params.mappingId ?? '', scope, now),
  ),
  // Enough for a hundred rules with long lists of countries.
  route('POST /routing/:mappingId/draft', 'settings.change', saveDraftAction, { bodyBytesMax: 512 * 1024 }),
  route('POST /routing/:mappingId/discard', 'settings.change', discardAction),
  route('POST /routing/:mappingId/rebase', 'settings.change', rebaseAction),
  route('POST /routing/:mappingId/dry-run', 'settings.change', dryRunAction),
  route('POST /routing/:mappingId/publish', 'settings.change', publishAction),
];
