// A document that browsers may cache: made once, and sent again only to those that have another version.
import { createHash } from 'node:crypto';
import { type HttpRequest, type HttpResult, httpResult } from './route.ts';

/** Returns what answers a request with the document; `more` are further headers, or another type than JSON. */
export function cacheableText(text: string, more: Record<string, string> = {}): (request: HttpRequest) => HttpResult {
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 20)}"`;
  // Bytes are compressed once (lib/server/node-adapter.ts), texts each time.
  const bytes = Buffer.from(text);
  const headers = { etag, 'cache-control': 'public, max-age=300', ...more };
  return (request) =>
    request.headers.get('if-none-match') === etag
      ? httpResult(null, { status: 304, headers })
      : httpResult(bytes, { headers: { 'content-type': 'application/json; charset=utf-8', ...headers } });
}
