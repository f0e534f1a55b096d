/** Routes of the users page. Creating an account or granting more rights requires a recent proof of identity. */
import { type DashboardRequest, type GuardedRoute, route } from '../guard';
import { parseBody } from '../parse-body';
import * as acts from './users';

type Run = (request: DashboardRequest) => Promise<object | null>;

const post = (path: string, run: Run): GuardedRoute => ({ method: 'POST', path, right: 'users.change', run });
const confirmed = (path: string, run: Run): GuardedRoute => ({ ...post(path, run), confirmed: true });

export const userRoutes: GuardedRoute[] = [
  route('GET /people', 'users.read', acts.usersData),
  { ...confirmed('/people/invite', acts.inviteUser), validate: (body) => parseBody(acts.inviteForm, body) },
  confirmed('/people/invitations/:id/resend', acts.resendInvitation),
  post('/people/invitations/:id/withdraw', acts.withdrawInvitationAction),
  confirmed('/people/:id/role', acts.changeRole),
  post('/people/:id/disable', acts.disableUser),
  confirmed('/people/:id/enable', acts.enableUser),
  post('/people/:id/sessions', acts.endUserSessions),
  confirmed('/people/:id/second-factor', acts.resetSecondFactor),
];
