// Mounts the table of routes as Next route handlers, for `next dev` and serverless hosting. The route.ts files under
// app/ export `mount` for their methods.
import { env } from '../config';
import { clientIpBehind } from '../http';
import { serve } from './routes';

/** Handles a request by the table of routes; 404 for an unknown path. */
export async function mount(request: Request): Promise<Response> {
  const forwarded = request.headers.get('x-forwarded-for') ?? '';
  // Next exposes no socket. The last entry comes from resolveClientIp() or from the hosting's proxy.
  const entries = forwarded.split(',');
  const own = entries.pop() ?? '';
  const address = clientIpBehind(entries.join(','), own, Math.max(0, env.trustedProxyHops - 1));
  const response = await serve(request, { address });
  if (response === null) return new Response(null, { status: 404 });
  const type = response.headers.get('content-type') ?? '';
  // Next's compression would delay the events of a stream.
  if (type.startsWith('text/event-stream')) response.headers.set('cache-control', 'no-cache, no-transform');
  return response;
}
