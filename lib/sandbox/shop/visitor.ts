// Who is shopping: a random name in a cookie. It is all that opens an order, so that nobody sees another's.
import { randomBytes } from 'node:crypto';
import { env } from '../../config';
import { fieldsShopUrl } from '../../core/demo-request';

/** Where a browser sees the shop, and the address that it has. */
export type Visit = { origin: string; payerIp: string };

/** The cookie's name. */
export const visitorCookie = 'florin_shop';
/** As long as any order is kept. */
const keptDays = 10;

/** A visitor's name from the value of the cookie; null for a value that the shop has not made. */
export function readVisitor(value: string | undefined): string | null {
  return value !== undefined && /^[\w-]{22}$/.test(value) ? value : null;
}

/** The visitor whose browser sent this; null for who has none of the shop's cookies. */
export function visitorOf(request: Request): string | null {
  const pairs = (request.headers.get('cookie') ?? '').split(';').map((pair) => pair.trim().split('='));
  return readVisitor(pairs.find(([name]) => name === visitorCookie)?.[1]);
}

/** A visitor who has no name yet, and the header that gives it to the browser. */
export function newVisitor(): { visitor: string; header: string } {
  const visitor = randomBytes(16).toString('base64url');
  const secure = env.baseUrl.startsWith('https:') ? '; Secure' : '';
  const lasts = `Max-Age=${keptDays * 86_400}`;
  return { visitor, header: `${visitorCookie}=${visitor}; Path=/; ${lasts}; HttpOnly; SameSite=Lax${secure}` };
}

/** Runs for the visitor of a request, and names who has no name yet. */
export async function forVisitor(request: Request, run: (visitor: string) => Promise<Response>): Promise<Response> {
  const known = visitorOf(request);
  if (known) return run(known);
  const { visitor, header } = newVisitor();
  const response = await run(visitor);
  response.headers.append('set-cookie', header);
  return response;
}

/**
 * The origin under which a browser sees the shop: the service's own, or this machine's other name. A cookie is kept by
 * name, so that who came by the one is not led back by the other.
 */
export function originOf(request: Request): string {
  const other = new URL(fieldsShopUrl(env.baseUrl));
  return request.headers.get('host') === other.host ? other.origin : env.baseUrl;
}
