// Serves the table of routes from inside of Next: app/ has one catch-all route handler for each protocol. Behind
// server.ts these handlers get no request, because it serves the table itself.
import { env, isInRanges } from '../config/index.ts';
import { clientIpBehind } from './node-adapter.ts';
import { serve } from './routes.ts';

/** Handles a request by the table and returns a web Response; 404 for an unknown path. */
export async function serveFromNext(request: Request): Promise<Response> {
  const result = await serve(request, { address: clientIpOf(request) });
  if (result === null) return new Response(null, { status: 404 });
  const headers = new Headers();
  for (const [name, value] of Object.entries(result.headers)) {
    for (const one of [value].flat()) headers.append(name, one);
  }
  return new Response(result.body as BodyInit | null, { status: result.status, headers });
}

// Next exposes no socket, so the nearest proxy's entry is the last one. Without a trusted proxy any client could have
// written the header: the address is unknown, and no IP allowlist accepts it.
function clientIpOf({ headers }: Request): string {
  if (env.trustedProxies.length === 0) return '';
  const entries = (headers.get('x-forwarded-for') ?? '').split(',');
  const nearest = entries.pop() ?? '';
  return clientIpBehind(entries.join(','), nearest, (address) => isInRanges(env.trustedProxies, address));
}
