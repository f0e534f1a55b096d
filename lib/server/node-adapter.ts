// Converts between node:http and the handlers: the client IP of a request, a web Request over an incoming message, and the
// result of a handler to the connection. The platform's Request would be the largest cost of a small response, so its
// parts are created on demand.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { ApiError } from '../core/errors.ts';
import type { HeaderFields, HttpRequest, HttpResult } from '../http/index.ts';

// Any client can send X-Forwarded-For, so only the entries of trusted reverse proxies count, and all other forwarding
// headers are removed. Next marks internal requests with the last header; an external request could use it to bypass checks.
const untrustedHeaders = [
  'forwarded',
  'x-real-ip',
  'x-client-ip',
  'cf-connecting-ip',
  'true-client-ip',
  'x-middleware-subrequest',
];
const proxied = ['x-forwarded-host', 'x-forwarded-proto', 'x-forwarded-port'];

type IsProxy = (address: string) => boolean;

/** The client IP behind trusted proxies, then the only X-Forwarded-For entry. */
export function resolveClientIp(request: IncomingMessage, isProxy: IsProxy): string {
  const { headers } = request;
  const own = normalizeAddress(request.socket.remoteAddress ?? '');
  const address = clientIpBehind(headers['x-forwarded-for'], own, isProxy);
  dropHeaders(headers, untrustedHeaders);
  if (!isProxy(own)) dropHeaders(headers, proxied);
  headers['x-forwarded-for'] = address;
  return address;
}

// Deleting an absent property would still slow down later reads of the object.
function dropHeaders(headers: IncomingMessage['headers'], names: string[]): void {
  for (const name of names) if (headers[name] !== undefined) delete headers[name];
}

/** Returns the last address of `forwarded` and the connection's own that is not a proxy; the first if all are. */
export function clientIpBehind(forwarded: string | string[] | undefined, own: string, isProxy: IsProxy): string {
  const nearest = normalizeAddress(own);
  if (!isProxy(nearest)) return nearest;
  const chain = String(forwarded ?? '')
    .split(',')
    .map((entry) => normalizeAddress(entry.trim()))
    .filter((entry) => entry !== '');
  return chain.findLast((address) => !isProxy(address)) ?? chain[0] ?? nearest;
}

// Removes IPv6-mapped notation, ports and brackets.
function normalizeAddress(text: string): string {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? (/^([\d.]+):\d+$/.exec(text)?.[1] || text);
  return bare.startsWith('::ffff:') && bare.includes('.') ? bare.slice(7) : bare;
}

/** The largest body; most handlers have a much lower limit. */
const bodyBytesMax = 2 * 1024 * 1024;
/** The most parts in which a body is received: each takes time, however short it is. */
const partsMax = 10_000;
/** A body that takes longer is refused like an incomplete one, before the server closes the connection. */
const bodySeconds = 20;

/** Returns the request that handlers get, with a URL under `origin` (scheme and host), and a function that aborts it. */
export function webRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  origin: string,
  seconds = bodySeconds,
): { request: HttpRequest; abort: () => void } {
  const request = new ServedRequest(incoming, origin, (bytesMax) => bytesOf(incoming, outgoing, { seconds, bytesMax }));
  return { request, abort: () => request.abort() };
}

class ServedRequest implements HttpRequest {
  readonly url: string;
  readonly method: string;
  readonly #incoming: IncomingMessage;
  readonly #readBody: (bytesMax: number) => Promise<Uint8Array<ArrayBuffer>>;
  #headers: Headers | undefined;
  #aborter: AbortController | undefined;
  #aborted = false;
  #read = false;

  constructor(
    incoming: IncomingMessage,
    origin: string,
    readBody: (bytesMax: number) => Promise<Uint8Array<ArrayBuffer>>,
  ) {
    this.#incoming = incoming;
    this.#readBody = readBody;
    this.method = incoming.method ?? 'GET';
    this.url = origin + incoming.url;
  }

  get headers(): Headers {
    this.#headers ??= headersOf(this.#incoming);
    return this.#headers;
  }

  get signal(): AbortSignal {
    this.#aborter ??= new AbortController();
    if (this.#aborted) this.#aborter.abort();
    return this.#aborter.signal;
  }

  abort(): void {
    this.#aborted = true;
    this.#aborter?.abort();
  }

  async bytes(bytesMax = bodyBytesMax): Promise<Uint8Array<ArrayBuffer>> {
    if (this.#read) throw new TypeError('Body is unusable: Body has already been read');
    this.#read = true;
    return hasBody(this.#incoming) ? this.#readBody(bytesMax) : new Uint8Array(0);
  }

  async text(): Promise<string> {
    return decoder.decode(await this.bytes());
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }
}

const decoder = new TextDecoder();

function hasBody({ method, headers }: IncomingMessage): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

type BodyLimits = { seconds: number; bytesMax: number };

function bytesOf(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { seconds, bytesMax }: BodyLimits,
): Promise<Buffer<ArrayBuffer>> {
  return new Promise((done, fail) => {
    const body = new JoinedParts();
    let parts = 0;
    const refuse = () => fail(new ApiError('requestDataInvalid'));
    /** Refuses the body, and closes the connection after the response: the rest would be taken for the next request. */
    function stop() {
      if (outgoing.headersSent) incoming.destroy();
      else outgoing.setHeader('connection', 'close');
      refuse();
    }
    const timer = setTimeout(stop, seconds * 1000);
    incoming.on('data', (chunk: Buffer) => {
      parts += 1;
      if (parts > partsMax) {
        incoming.pause();
        stop();
      } else if (body.length + chunk.length > bytesMax) refuse();
      else body.add(chunk);
    });
    incoming.on('end', () => {
      clearTimeout(timer);
      done(body.bytes());
    });
    incoming.on('error', fail);
    incoming.on('close', () => {
      clearTimeout(timer);
      fail(new Error('the client disconnected'));
    });
  });
}

/** Joins the parts of a body as they arrive: kept apart, each takes 500 bytes of memory, however short it is. */
class JoinedParts {
  length = 0;
  #buffer: Buffer = Buffer.alloc(0);

  add(part: Buffer): void {
    const end = this.length + part.length;
    if (this.length === 0) this.#buffer = part;
    else {
      if (end > this.#buffer.length) {
        const grown = Buffer.allocUnsafe(Math.max(end, 2 * this.#buffer.length));
        this.#buffer.copy(grown, 0, 0, this.length);
        this.#buffer = grown;
      }
      part.copy(this.#buffer, this.length);
    }
    this.length = end;
  }

  bytes(): Buffer<ArrayBuffer> {
    return this.#buffer.subarray(0, this.length) as Buffer<ArrayBuffer>;
  }
}

/**
 * The path and query of a request target. It can be a complete URL, and contain dot segments, also encoded, or special
 * characters: the URL parser normalises such targets. Null for `*` and for what is no URL.
 */
export function normalTarget(target: string): string | null {
  if (/^\/(?!\/)[\w\-.~/?=&%:+,]*$/.test(target) && !/\/(?:\.|%2e)/i.test(target)) return target;
  const url = target.startsWith('/') ? `http://host${target}` : target;
  if (!URL.canParse(url)) return null;
  const { pathname, search } = new URL(url);
  // Another scheme has no path here: `a://host?query`.
  return pathname.startsWith('/') ? pathname + search : null;
}

function headersOf(incoming: IncomingMessage): Headers {
  const headers = new Headers();
  for (const name in incoming.headers) {
    const value = incoming.headers[name];
    if (typeof value === 'string') headers.set(name, value);
    else for (const one of value ?? []) headers.append(name, one);
  }
  return headers;
}

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);
export type Encoding = 'br' | 'gzip';

const compress = (bytes: string | Uint8Array, encoding: Encoding): Promise<Buffer> =>
  encoding === 'br' ? brotli(bytes, brotliOptions) : gzipped(bytes);

/** The compressed forms of bodies that are sent again (cacheableText, builtFiles), made once. */
const compressed = new WeakMap<Uint8Array, Partial<Record<Encoding, Promise<Buffer>>>>();

/** Compresses bytes that do not change, at the first request only. */
export function compressOnce(bytes: Uint8Array, encoding: Encoding): Promise<Buffer> {
  const forms = compressed.get(bytes) ?? {};
  compressed.set(bytes, forms);
  forms[encoding] ??= compress(bytes, encoding);
  return forms[encoding];
}

const compressionMinBytes = 1024;
const compressible = /^(text\/|application\/(json|javascript|manifest\+json|problem\+json)|image\/svg)/;
// Quality 5 takes less than a millisecond per document and is within a few per cent of the best compression.
const brotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
};

/** Whether a body of this type and length becomes notably shorter. */
export const isCompressible = (type: string, length: number) =>
  length >= compressionMinBytes && compressible.test(type);

/** Returns the best supported encoding that `accepted` (the Accept-Encoding header) allows. */
export function chooseEncoding(accepted: string | undefined): Encoding | null {
  if (!accepted) return null;
  const refused = (name: string) => new RegExp(`\\b${name}\\s*;\\s*q=0(\\.0*)?\\s*(,|$)`).test(accepted);
  if (/\bbr\b/.test(accepted) && !refused('br')) return 'br';
  return /\bgzip\b/.test(accepted) && !refused('gzip') ? 'gzip' : null;
}

/**
 * Sends a result, compressed if accepted; resolves after that or a disconnection. `closing` ends a stream. After a
 * disconnection nothing is sent, and a stream is only cancelled.
 */
export async function sendResult(
  { status, headers, body }: HttpResult,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  closing: AbortSignal,
): Promise<void> {
  const list = headerList(headers);
  if (incoming.method === 'HEAD' || outgoing.destroyed) {
    if (!outgoing.destroyed) outgoing.writeHead(status, list).end();
    if (body instanceof ReadableStream) await body.cancel();
    return;
  }
  const type = String(headers['content-type'] ?? '');
  if (body instanceof ReadableStream) {
    outgoing.writeHead(status, list).flushHeaders();
    return stream(body, outgoing, closing, !type.startsWith('text/event-stream'));
  }
  let bytes = body ?? '';
  if (headers['content-encoding'] === undefined && isCompressible(type, bytes.length)) {
    list.push('vary', 'Accept-Encoding');
    const encoding = chooseEncoding(incoming.headers['accept-encoding']);
    if (encoding !== null) {
      bytes = await (typeof bytes === 'string' ? compress(bytes, encoding) : compressOnce(bytes, encoding));
      list.push('content-encoding', encoding);
    }
  }
  if (status !== 204 && status !== 304) list.push('content-length', String(Buffer.byteLength(bytes)));
  outgoing.writeHead(status, list).end(bytes);
}

// node:http expects names and values in turn. The server sets the headers of the connection itself.
function headerList(headers: HeaderFields): string[] {
  const list: string[] = [];
  for (const name in headers) {
    const value = headers[name] as string | string[];
    if (typeof value === 'string') list.push(name, value);
    else for (const one of value) list.push(name, one);
  }
  if (headers['x-content-type-options'] === undefined) list.push('x-content-type-options', 'nosniff');
  return list;
}

// A `finite` stream is aborted if the server stops, so that the client does not take it for complete.
async function stream(
  body: ReadableStream<Uint8Array>,
  outgoing: ServerResponse,
  closing: AbortSignal,
  finite: boolean,
): Promise<void> {
  const reader = body.getReader();
  const stop = () => {
    reader.cancel().catch(() => {});
  };
  const close = () => {
    if (finite) outgoing.destroy();
    stop();
  };
  outgoing.on('close', stop);
  closing.addEventListener('abort', close);
  if (closing.aborted) close();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || outgoing.destroyed) break;
      if (!outgoing.write(value))
        await new Promise((drained) => outgoing.once('drain', drained).once('close', drained));
    }
  } catch (error) {
    // The client must see that the response is incomplete.
    outgoing.destroy();
    throw error;
  } finally {
    closing.removeEventListener('abort', close);
    outgoing.end();
  }
}
