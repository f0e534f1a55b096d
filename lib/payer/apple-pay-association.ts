/** Serves the file by which Apple verifies that a host may request Apple Pay for a merchant. */
import { type HttpResult, httpResult } from '../http';
import { findServedFile } from '../merchants';

/** GET /.well-known/apple-developer-merchantid-domain-association: the file of the requested host. */
export async function association(request: Request): Promise<HttpResult> {
  const host = (request.headers.get('host') ?? '').toLowerCase().replace(/:\d+$/, '');
  const file = await findServedFile(host);
  if (file === null) return httpResult(null, { status: 404, headers: { 'cache-control': 'no-store' } });
  return httpResult(file, {
    headers: {
      // Served as plain text, so that an uploaded file is never interpreted as a document of this host.
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    },
  });
}
