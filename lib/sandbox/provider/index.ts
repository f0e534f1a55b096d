// The sandbox provider: a simulated provider behind the same HTTP contract, with its own tables, bank and wallet. Not
// available in production.
import { sandboxCards, sandboxCode } from '../../core/sandbox-cards.ts';
import { jsonResult, type Route } from '../../http/index.ts';
import { sandboxRoute } from '../routes.ts';
import { bankRoutes } from './bank.ts';
import { bankingAppRoutes } from './banking-app.ts';
import { providerRoutes } from './provider.ts';
import { providerControlRoutes } from './test-controls.ts';

/** All routes of the sandbox provider. */
export const simulatorRoutes: Route[] = [
  ...providerRoutes,
  ...bankRoutes,
  ...bankingAppRoutes,
  ...providerControlRoutes,
  // The table of sandbox cards, for documentation and tests.
  sandboxRoute('GET', '/sandbox/cards.json', () => jsonResult({ code: sandboxCode, cards: sandboxCards })),
];
