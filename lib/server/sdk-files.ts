// Serves the scripts and styles for payers' and merchants' pages under /sdk/. They are few and small, so they are kept
// in memory with their compressed copies from the build.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { chooseEncoding } from './node-adapter.ts';

type SdkFile = { type: string; etag: string; cache: string; plain: Buffer; br: Buffer | null; gzip: Buffer | null };

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.ts': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** A file with a content hash in its name never changes: `pay.3f9a1c0d.js`. */
const hashedName = /[.-][0-9a-zA-Z_]{8,}\.\w+$/;

/** Reads all files under `folder` and returns a function that serves `/sdk/...` and reports whether the file exists. */
export function sdkFiles(folder: string): (incoming: IncomingMessage, outgoing: ServerResponse) => boolean {
  const files = readFiles(folder);
  return (incoming, outgoing) => {
    const path = (incoming.url ?? '').split('?', 1)[0] ?? '';
    const file = files.get(path);
    if (!file || (incoming.method !== 'GET' && incoming.method !== 'HEAD')) return false;
    const accepted = chooseEncoding(incoming.headers['accept-encoding']);
    const encoding = accepted !== null && file[accepted] ? accepted : null;
    const body = encoding === null ? file.plain : (file[encoding] as Buffer);
    const headers: Record<string, string | number> = {
      'content-type': file.type,
      'cache-control': file.cache,
      etag: file.etag,
      vary: 'Accept-Encoding',
      'x-content-type-options': 'nosniff',
      // Merchants' pages load these with an integrity hash, which browsers check only for CORS responses.
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    };
    if (incoming.headers['if-none-match'] === file.etag) {
      outgoing.writeHead(304, headers).end();
      return true;
    }
    if (encoding !== null) headers['content-encoding'] = encoding;
    headers['content-length'] = body.length;
    outgoing.writeHead(200, headers).end(incoming.method === 'HEAD' ? undefined : body);
    return true;
  };
}

function readFiles(folder: string): Map<string, SdkFile> {
  const files = new Map<string, SdkFile>();
  if (!existsSync(folder)) return files;
  const names = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const entry of names) {
    const type = types[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const path = join(entry.parentPath, entry.name);
    const plain = readFileSync(path);
    files.set(`/sdk${path.slice(folder.length).replaceAll('\\', '/')}`, {
      type,
      plain,
      etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 20)}"`,
      cache: hashedName.test(entry.name) ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
      br: existsSync(`${path}.br`) ? readFileSync(`${path}.br`) : null,
      gzip: existsSync(`${path}.gz`) ? readFileSync(`${path}.gz`) : null,
    });
  }
  return files;
}
