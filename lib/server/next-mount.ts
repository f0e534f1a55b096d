// The table of routes as Next route handlers: `next dev` and serverless hosting answer through these. Every route.ts
// under app/ that belongs to the table hands its methods over to `mount`.
import { env } from '../config';
import { clientIpBehind } from '../http';
import { serve } from './routes';

/** Answers a request by the table of routes; an address that the table does not know is not found. */
export async function mount(request: Request): Promise<Response> {
  const forwarded = request.headers.get('x-forwarded-for') ?? '';
  // Next gives no socket. Either settlePeer() has left one address here, or the hosting's proxy has appended to the list.
  const entries = forwarded.split(',');
  const own = entries.pop() ?? '';
  const address = clientIpBehind(entries.join(','), own, Math.max(0, env.trustedProxyHops - 1));
  const response = await serve(request, { address });
  if (response === null) return new Response(null, { status: 404 });
  const type = response.headers.get('content-type') ?? '';
  // Next would hold the events of a stream back until its compression has enough of them.
  if (type.startsWith('text/event-stream')) response.headers.set('cache-control', 'no-cache, no-transform');
  return response;
}
