/** Finds the user of a request by its session cookie, read again each time, so that role changes apply at once. */
import { env } from '../config/index.ts';
import { auth } from './auth.ts';
import { type Role, seesEveryMerchant, type Viewer } from './roles.ts';
import { enrolSeconds, isSessionExpired } from './time-limits.ts';

export type Session = {
  id: string;
  /** When the user last proved their identity; null for never in this session. */
  confirmedAt: Date | null;
  secondFactor: boolean;
};

export type AuthState = {
  /** The signed-in user, with everything that the role requires. */
  viewer: Viewer | null;
  /** A user who has given the password and must set up a second factor first. */
  enrolling: Viewer | null;
  session: Session | null;
  setCookie: string[];
};

const anonymous = { viewer: null, enrolling: null, session: null };

/** Whether this role requires a second factor. */
export function secondFactorRequired(role: Role): boolean {
  return env.requireSecondFactor && seesEveryMerchant(role);
}

/** The user of a request. With `renew` the session is extended; a page that cannot set cookies omits it. */
export async function authenticate(headers: Headers, { renew = false }: { renew?: boolean } = {}): Promise<AuthState> {
  // Most requests without a cookie are anonymous: they cost no query.
  if (!headers.has('cookie')) return { ...anonymous, setCookie: [] };
  const { api } = await auth();
  const requested = await api.getSession({ headers, query: { disableRefresh: !renew }, returnHeaders: true });
  const setCookie = requested.headers?.getSetCookie() ?? [];
  const { user, session: stored } = requested.response ?? {};
  if (!user || !stored || user.disabledAt) return { ...anonymous, setCookie };
  const role = user.role as Role;
  const at = new Date();
  if (isSessionExpired(role, stored.createdAt, at)) return { ...anonymous, setCookie };
  const secondFactor = user.twoFactorEnabled === true;
  const viewer: Viewer = { id: user.id, name: user.name, email: user.email, role, merchantId: user.merchantId ?? null };
  const session = { id: stored.id, confirmedAt: stored.confirmedAt ?? null, secondFactor };
  if (secondFactor || !secondFactorRequired(role)) return { viewer, enrolling: null, session, setCookie };
  const late = at.getTime() - stored.createdAt.getTime() > enrolSeconds * 1000;
  return late ? { ...anonymous, setCookie } : { viewer: null, enrolling: viewer, session, setCookie };
}
