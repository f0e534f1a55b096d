/**
 * Who sends a request: the person behind its session cookie. Asked anew at every request, so that somebody who was
 * switched off, or whose role has changed, is met by it at once.
 */
import { env } from '../config';
import { auth } from './auth';
import { enrolSeconds, isSessionExpired } from './limits';
import { type Role, seesEveryMerchant, type Viewer } from './roles';

/** The session of a request. */
export type Session = {
  id: string;
  /** When the person last proved who they are; null for never in this session. */
  confirmedAt: Date | null;
  /** Whether the person has a second factor. */
  secondFactor: boolean;
};

export type AuthState = {
  /** The person who has signed in, as far as they have everything that their role asks for. */
  viewer: Viewer | null;
  /** Somebody who has given the password and has to set up a second factor before anything else. */
  enrolling: Viewer | null;
  /** Of either. */
  session: Session | null;
  setCookie: string[];
};

const anonymous = { viewer: null, enrolling: null, session: null };

/** Whether whoever has this role goes nowhere without a second factor. */
export function secondFactorRequired(role: Role): boolean {
  return env.requireSecondFactor && seesEveryMerchant(role);
}

/**
 * The person who asks. With `renew` the session's end moves on, and the cookie that says so is given back in
 * `setCookie`; a page that cannot set cookies leaves it out.
 */
export async function authenticate(headers: Headers, { renew = false }: { renew?: boolean } = {}): Promise<AuthState> {
  // Most requests without a cookie are strangers': they cost no question to the database.
  if (!headers.has('cookie')) return { ...anonymous, setCookie: [] };
  const { api } = await auth();
  const asked = await api.getSession({ headers, query: { disableRefresh: !renew }, returnHeaders: true });
  const setCookie = asked.headers?.getSetCookie() ?? [];
  const { user, session: kept } = asked.response ?? {};
  if (!user || !kept || user.disabledAt) return { ...anonymous, setCookie };
  const role = user.role as Role;
  const at = new Date();
  if (isSessionExpired(role, kept.createdAt, at)) return { ...anonymous, setCookie };
  const secondFactor = user.twoFactorEnabled === true;
  const viewer: Viewer = { id: user.id, name: user.name, email: user.email, role, merchantId: user.merchantId ?? null };
  const session = { id: kept.id, confirmedAt: kept.confirmedAt ?? null, secondFactor };
  if (secondFactor || !secondFactorRequired(role)) return { viewer, enrolling: null, session, setCookie };
  const late = at.getTime() - kept.createdAt.getTime() > enrolSeconds * 1000;
  return late ? { ...anonymous, setCookie } : { viewer: null, enrolling: viewer, session, setCookie };
}
