// Serves the built files: the scripts and styles of payers' and merchants' pages under /sdk/, and those of Next's pages. They
// are few and small, so they are kept in memory with their compressed copies.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { chooseEncoding, compressOnce, type Encoding, isCompressible } from './node-adapter.ts';
import { defaultSecurityHeaders } from './security-headers.ts';

type BuiltFile = {
  headers: { readonly [name: string]: string };
  etag: string;
  plain: Buffer;
  /** The copies of the build. */
  copies: Partial<Record<Encoding, Buffer>>;
  compressible: boolean;
};

type Folder = {
  /** What the addresses begin with, such as `/sdk/`. */
  prefix: string;
  folder: string;
  /** Whether an address without a file is answered here: nothing else is below the prefix. */
  isComplete?: boolean;
  headers?: { readonly [name: string]: string };
};

/** Answers a request for a file; null for any other request. */
export type FileServer = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void> | null;

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

/** The scripts and styles of payers' and merchants' pages. */
export const sdkFolder = (root: string): Folder => ({
  prefix: '/sdk/',
  folder: join(root, 'public', 'sdk'),
  // Merchants' pages load these with an integrity hash, which browsers check only for CORS responses.
  headers: { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' },
});

/** The scripts, styles and fonts of Next's pages, which Next would compress for each request. */
export const nextFolder = (root: string): Folder => ({
  prefix: '/_next/static/',
  folder: join(root, process.env.NEXT_DIST_DIR || '.next', 'static'),
  isComplete: true,
  headers: { 'cache-control': 'public, max-age=31536000, immutable' },
});

/** Reads all files of the folders and returns the function that serves them. */
export function builtFiles(folders: Folder[]): FileServer {
  const files = new Map(folders.flatMap(readFiles));
  return (incoming, outgoing) => {
    const path = (incoming.url ?? '').split('?', 1)[0] ?? '';
    const owner = folders.find(({ prefix }) => path.startsWith(prefix));
    if (!owner || (incoming.method !== 'GET' && incoming.method !== 'HEAD')) return null;
    const file = files.get(path);
    if (file) return sendFile(file, incoming, outgoing);
    if (!owner.isComplete) return null;
    outgoing.writeHead(404, { ...defaultSecurityHeaders, 'content-length': 0 }).end();
    return Promise.resolve();
  };
}

async function sendFile(file: BuiltFile, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  if (incoming.headers['if-none-match'] === file.etag) {
    outgoing.writeHead(304, file.headers).end();
    return;
  }
  const accepted = chooseEncoding(incoming.headers['accept-encoding']);
  const encoding = accepted !== null && (file.copies[accepted] || file.compressible) ? accepted : null;
  const body = encoding === null ? file.plain : (file.copies[encoding] ?? (await compressOnce(file.plain, encoding)));
  const headers = { ...file.headers, ...(encoding && { 'content-encoding': encoding }), 'content-length': body.length };
  outgoing.writeHead(200, headers).end(incoming.method === 'HEAD' ? undefined : body);
}

function readFiles({ prefix, folder, headers }: Folder): [string, BuiltFile][] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => {
    const type = types[extname(entry.name)];
    if (!entry.isFile() || type === undefined) return [];
    const path = join(entry.parentPath, entry.name);
    const address = prefix + path.slice(folder.length + 1).replaceAll('\\', '/');
    return [[address, readBuilt(path, { 'content-type': type, ...headers })]];
  });
}

function readBuilt(path: string, headers: { 'content-type': string }): BuiltFile {
  const plain = readFileSync(path);
  const etag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 20)}"`;
  const cache = hashedName.test(path) ? 'public, max-age=31536000, immutable' : 'public, max-age=300';
  return {
    headers: { ...defaultSecurityHeaders, 'cache-control': cache, etag, vary: 'Accept-Encoding', ...headers },
    etag,
    plain,
    copies: {
      ...(existsSync(`${path}.br`) && { br: readFileSync(`${path}.br`) }),
      ...(existsSync(`${path}.gz`) && { gzip: readFileSync(`${path}.gz`) }),
    },
    compressible: isCompressible(headers['content-type'], plain.length),
  };
}
