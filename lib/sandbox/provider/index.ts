// The sandbox provider: a stand-in for a real one behind the same HTTP contract, with books, a bank and a wallet of its
// own. Nothing of it is reachable in production.
import { sandboxCards, sandboxCode } from '../../core/sandbox-cards';
import type { Route } from '../../http';
import { bankRoutes } from './bank';
import { providerControlRoutes } from './controls';
import { finishRoutes } from './finish';
import { providerRoutes } from './provider';

/** GET /sandbox/cards.json: the table of sandbox cards, for documentation and tests. */
const cardsRoute: Route = {
  method: 'GET',
  path: '/sandbox/cards.json',
  only: 'sandbox',
  run: () => Response.json({ code: sandboxCode, cards: sandboxCards }),
};

/** Every address of the sandbox provider. */
export const simulatorRoutes: Route[] = [
  ...providerRoutes,
  ...bankRoutes,
  ...finishRoutes,
  ...providerControlRoutes,
  cardsRoute,
];
