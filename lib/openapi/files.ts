// Serves the OpenAPI documents as public files.
import { createHash } from 'node:crypto';
import { type DocumentName, documentNames } from '../core/openapi';
import type { Route } from '../http';
import { documentOf } from './document';

type File = { text: string; etag: string };

const files = new Map<DocumentName, File>();

function fileOf(name: DocumentName): File {
  const cached = files.get(name);
  if (cached) return cached;
  const text = JSON.stringify(documentOf(name), null, 1);
  const file = { text, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 20)}"` };
  files.set(name, file);
  return file;
}

function serveFile(request: Request, name: DocumentName): Response {
  const { text, etag } = fileOf(name);
  const headers = { etag, 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*' };
  if (request.headers.get('if-none-match') === etag) return new Response(null, { status: 304, headers });
  return new Response(text, { headers: { ...headers, 'content-type': 'application/json; charset=utf-8' } });
}

/** GET /openapi/checkout.json, /openapi/s2s-card.json, /openapi/s2s-apm.json. */
export const openApiRoutes: Route[] = documentNames.map((name) => ({
  method: 'GET',
  path: `/openapi/${name}.json`,
  run: (request) => serveFile(request, name),
}));
