/** Finds the user of a request by its session cookie, read again each time, so that role changes apply at once. */
import { env } from '../config/index.ts';
import { auth } from './auth.ts';
import { knownDevice } from './known-devices.ts';
import type { Role, Viewer } from './roles.ts';
import { markUsed } from './sessions.ts';
import { enrolSeconds, idleSince, isUseStored } from './time-limits.ts';

export type Session = {
  id: string;
  /** That of the request's cookie. */
  token: string;
  /** When the user last proved their identity; null for never in this session. */
  confirmedAt: Date | null;
  secondFactor: boolean;
  /** The number of the browser, if the user has completed a sign-in with it; its wrong answers are counted apart. */
  device: string | null;
};

export type AuthState = {
  /** The signed-in user, with everything that the role requires. */
  viewer: Viewer | null;
  /** A user who has given the password and must set up a second factor first. */
  enrolling: Viewer | null;
  /** A user whose session is locked, because it was not used for a while. */
  locked: Viewer | null;
  session: Session | null;
};

const anonymous = { viewer: null, enrolling: null, locked: null, session: null };

/** Whether this role requires a second factor. */
export function secondFactorRequired(role: Role): boolean {
  return env.secondFactorRoles.includes(role);
}

/** The user of a request. An `unattended` one, which a page sends by itself, does not count as a use of the session. */
export async function authenticate(headers: Headers, { unattended = false } = {}): Promise<AuthState> {
  // Most requests without a cookie are anonymous: they cost no query.
  if (!headers.has('cookie')) return anonymous;
  const { api } = await auth();
  // Its deletion of an unknown token's cookie is not passed on: the browser may have a renewed one by then.
  const { user, session: stored } = (await api.getSession({ headers })) ?? {};
  if (!user || !stored || user.disabledAt) return anonymous;
  const role = user.role as Role;
  const at = new Date();
  const secondFactor = user.twoFactorEnabled === true;
  const viewer: Viewer = { id: user.id, name: user.name, email: user.email, role, merchantId: user.merchantId ?? null };
  const device = await knownDevice(headers, { email: user.email, devicesSince: user.devicesSince ?? null });
  const { id, token } = stored;
  const session = { id, token, confirmedAt: stored.confirmedAt ?? null, secondFactor, device };
  if (stored.usedAt <= idleSince(at)) return { ...anonymous, locked: viewer, session };
  if (!unattended && isUseStored(stored.usedAt, at)) await markUsed(stored.id, at);
  if (secondFactor || !secondFactorRequired(role)) return { ...anonymous, viewer, session };
  const late = at.getTime() - stored.createdAt.getTime() > enrolSeconds * 1000;
  return late ? anonymous : { ...anonymous, enrolling: viewer, session };
}
