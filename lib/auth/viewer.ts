/** Who sends a request: the person behind its session cookie. */
import { auth } from './auth';
import type { Role, Viewer } from './roles';

/**
 * The person who has signed in, or null. With `renew` the session's end moves on, and the cookie that says so is given
 * back in `setCookie`; a page that cannot set cookies leaves it out.
 */
export async function viewerOf(
  headers: Headers,
  { renew = false }: { renew?: boolean } = {},
): Promise<{ viewer: Viewer | null; setCookie: string[] }> {
  // Most requests without a cookie are strangers': they cost no question to the database.
  if (!headers.has('cookie')) return { viewer: null, setCookie: [] };
  const { api } = await auth();
  const asked = await api.getSession({ headers, query: { disableRefresh: !renew }, returnHeaders: true });
  const setCookie = asked.headers?.getSetCookie() ?? [];
  const user = asked.response?.user;
  if (!user) return { viewer: null, setCookie };
  const { id, name, email, role, merchantId } = user;
  return { viewer: { id, name, email, role: role as Role, merchantId: merchantId ?? null }, setCookie };
}
