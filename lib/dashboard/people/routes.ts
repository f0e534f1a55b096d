/** The people page's data. What opens an account or gives more than before asks for a fresh proof of who one is. */
import type { Asked, GuardedRoute } from '../guard';
import * as acts from './people';

type Run = (asked: Asked) => Promise<object | null>;

const post = (path: string, run: Run): GuardedRoute => ({ method: 'POST', path, right: 'people.change', run });
const confirmed = (path: string, run: Run): GuardedRoute => ({ ...post(path, run), confirmed: true });

export const peopleRoutes: GuardedRoute[] = [
  { method: 'GET', path: '/people', right: 'people.read', run: acts.peopleData },
  confirmed('/people/invite', acts.invitePerson),
  confirmed('/people/invitations/:id/resend', acts.resendInvitation),
  post('/people/invitations/:id/withdraw', acts.takeBackInvitation),
  confirmed('/people/:id/role', acts.changeRole),
  post('/people/:id/disable', acts.disablePerson),
  confirmed('/people/:id/enable', acts.enablePerson),
  post('/people/:id/sessions', acts.endPersonSessions),
  confirmed('/people/:id/second-factor', acts.resetSecondFactor),
];
