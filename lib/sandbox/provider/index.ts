// The sandbox provider: a simulated provider behind the same HTTP contract, with its own tables, bank and wallet. Not
// available in production.
import { sandboxCards, sandboxCode } from '../../core/sandbox-cards';
import { jsonResult, type Route } from '../../http';
import { sandboxRoute } from '../routes';
import { bankRoutes } from './bank';
import { bankingAppRoutes } from './banking-app';
import { providerRoutes } from './provider';
import { providerControlRoutes } from './test-controls';

/** All routes of the sandbox provider. */
export const simulatorRoutes: Route[] = [
  ...providerRoutes,
  ...bankRoutes,
  ...bankingAppRoutes,
  ...providerControlRoutes,
  // The table of sandbox cards, for documentation and tests.
  sandboxRoute('GET', '/sandbox/cards.json', () => jsonResult({ code: sandboxCode, cards: sandboxCards })),
];
