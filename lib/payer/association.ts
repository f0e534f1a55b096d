/** The file by which Apple knows that a host asks for Apple Pay in a merchant's name. */
import { findServedFile } from '../merchants';

/** GET /.well-known/apple-developer-merchantid-domain-association: the file of the host that was asked. */
export async function association(request: Request): Promise<Response> {
  const host = (request.headers.get('host') ?? '').toLowerCase().replace(/:\d+$/, '');
  const file = await findServedFile(host);
  if (file === null) return new Response(null, { status: 404, headers: { 'cache-control': 'no-store' } });
  return new Response(file, {
    headers: {
      // Nothing but text: a file that a person has uploaded is never a document of this host.
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    },
  });
}
