// The sandbox provider: a simulated provider behind the same HTTP contract, with its own tables, bank and wallet. Not
// available in production.
import { sandboxCards, sandboxCode } from '../../core/sandbox-cards';
import { jsonResult, type Route } from '../../http';
import { bankRoutes } from './bank';
import { finishRoutes } from './finish';
import { providerRoutes } from './provider';
import { providerControlRoutes } from './test-controls';

/** GET /sandbox/cards.json: the table of sandbox cards, for documentation and tests. */
const cardsRoute: Route = {
  method: 'GET',
  path: '/sandbox/cards.json',
  only: 'sandbox',
  run: () => jsonResult({ code: sandboxCode, cards: sandboxCards }),
};

/** All routes of the sandbox provider. */
export const simulatorRoutes: Route[] = [
  ...providerRoutes,
  ...bankRoutes,
  ...finishRoutes,
  ...providerControlRoutes,
  cardsRoute,
];
