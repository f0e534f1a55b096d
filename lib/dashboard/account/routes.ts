/** Routes of the user's own account. Every role has one, so the routes require only the right to it. */
import { type DashboardRequest, type GuardedRoute, route } from '../guard';
import * as own from './account';

type Run = (request: DashboardRequest) => Promise<object | null>;

const post = (path: string, run: Run): GuardedRoute => ({ method: 'POST', path, right: 'own.change', run });

export const accountRoutes: GuardedRoute[] = [
  route('GET /account', 'own.change', own.account),
  route('GET /confirm', 'own.change', async () => ({}), { confirmed: true }),
  post('/confirm', own.confirmAction),
  post('/account/password', own.changePassword),
  post('/account/sessions/end-others', own.endOtherSessions),
  post('/account/sessions/:id/end', own.endOwnSession),
  { ...post('/account/second-factor/begin', own.beginSecondFactor), enrolling: true },
  { ...post('/account/second-factor/finish', own.finishSecondFactor), enrolling: true },
  post('/account/second-factor/codes', own.regenerateCodes),
  post('/account/second-factor/switch-off', own.disableSecondFactor),
];
