// Serves the OpenAPI documents as public files.
import { createHash } from 'node:crypto';
import { type DocumentFileName, documentFileNames } from '../core/openapi.ts';
import { type HttpResult, httpResult, type Route } from '../http/index.ts';
import { documentOf } from './document.ts';
import { providerDocument } from './provider.ts';

type File = { text: string; etag: string };

const files = new Map<DocumentFileName, File>();

function fileOf(name: DocumentFileName): File {
  const cached = files.get(name);
  if (cached) return cached;
  const text = JSON.stringify(name === 'provider' ? providerDocument() : documentOf(name), null, 1);
  const file = { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 20)}"` };
  files.set(name, file);
  return file;
}

function serveFile(request: Request, name: DocumentFileName): HttpResult {
  const { text, etag } = fileOf(name);
  const headers = { etag, 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' };
  if (request.headers.get('if-none-match') === etag) return httpResult(null, { status: 304, headers });
  return httpResult(text, { headers: { ...headers, 'content-type': 'application/json; charset=utf-8' } });
}

/** GET /openapi/checkout.json, /openapi/s2s-card.json, /openapi/s2s-apm.json, /openapi/provider.json. */
export const openApiRoutes: Route[] = documentFileNames.map((name) => ({
  method: 'GET',
  path: `/openapi/${name}.json`,
  run: (request) => serveFile(request, name),
}));
