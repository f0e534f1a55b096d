// The connections of the server: how long a client may take for a request and a response, upgrades, and listening; and
// each request's way through the table of routes, or on to Next.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { env, isInRanges } from '../config/index.ts';
import { processWide } from '../core/process-wide.ts';
import { inTurn, isTooBusy, newTurns } from '../core/turns.ts';
import type { ClientIp, HttpRequest, HttpResult } from '../http/index.ts';
import { retryAfterForAddress } from '../risk/index.ts';
import { log, requestIdOf, withClient, withRequestId } from '../telemetry/index.ts';
import type { FileServer } from './built-files.ts';
import { type ConnectionLimit, limitConnections } from './connection-limit.ts';
import { normalTarget, resolveClientIp, sendResult, webRequest } from './node-adapter.ts';
import { defaultSecurityHeaders } from './security-headers.ts';

/**
 * How long a client may take, in seconds. A load balancer keeps idle connections for about a minute: the server keeps
 * them longer, so that it never closes one that the balancer is about to use.
 */
const defaultLimits = {
  /** For the headers of a request, from its first byte or from the connection. */
  headers: 10,
  /** For a complete request. Handlers refuse a late body before (node-adapter.ts). */
  request: 30,
  /** For any part of a response. */
  response: 30,
  /** Between two requests. */
  keepAlive: 65,
  /** How often the first two are checked. */
  check: 1,
};

/**
 * Connections that the kernel queues until they are accepted, limited by net.core.somaxconn (4,096 on Linux). With
 * Node's default of 511 it drops thousands of connections in half a minute at three times the peak load.
 */
const backlog = 4_096;

export type Upgrade = (incoming: IncomingMessage, socket: Duplex, head: Buffer) => void;

type ServerOptions = { limits?: Partial<typeof defaultLimits>; connections?: ConnectionLimit; hotReload?: Upgrade };

/**
 * Creates a server that closes slow clients, and refuses the connections of an address over the limit. `hotReload` gets the
 * upgrades of Next's addresses in development.
 */
export function createHttpServer(
  onRequest: (incoming: IncomingMessage, outgoing: ServerResponse) => void,
  { limits: given, connections, hotReload }: ServerOptions = {},
): Server {
  const limits = { ...defaultLimits, ...given };
  const options = {
    maxHeaderSize: 16 * 1024,
    noDelay: true,
    headersTimeout: limits.headers * 1000,
    requestTimeout: limits.request * 1000,
    keepAliveTimeout: limits.keepAlive * 1000,
    connectionsCheckingInterval: limits.check * 1000,
    // Where Node has no such option, any upgrade reaches the listener below.
    ...(hotReload && { shouldUpgradeCallback: isHotReload }),
  };
  const server = createServer(options, (incoming, outgoing) => {
    demandEncryption(outgoing);
    if (isOverLimit(incoming.socket)) return refuse(outgoing, 429);
    if (isUpgrade(incoming) || hasHostTwice(incoming)) return refuse(outgoing, 400);
    // From here on every part reads the same address, Next included.
    const target = normalTarget(incoming.url ?? '');
    if (target === null) return refuse(outgoing, 400);
    incoming.url = target;
    outgoing.on('timeout', closeSlowClient);
    onRequest(incoming, outgoing);
  });
  const isOverLimit = connections ? limitConnections(server, connections) : () => false;
  server.timeout = limits.response * 1000;
  // Without a listener, Node handles an upgrade as a normal request.
  if (hotReload) {
    server.on('upgrade', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
      if (isHotReload(incoming)) hotReload(incoming, socket, head);
      else socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
    });
  }
  return server;
}

// Called after a time without traffic. The server may still be working for the client, for example while a provider
// answers; a client that does not read its response is closed.
function closeSlowClient(this: ServerResponse): void {
  if ((this.socket?.writableLength ?? 0) > 0) this.destroy();
}

const isHotReload = ({ url }: IncomingMessage) => url?.startsWith('/_next/') ?? false;

// Clients that offer h2c continue with HTTP/1.1.
function isUpgrade({ headers }: IncomingMessage): boolean {
  return headers.upgrade !== undefined && !/^\s*h2c\s*$/i.test(headers.upgrade);
}

// Node takes the first of two hosts, a proxy in front of it may have taken the second (RFC 9112, 3.2).
function hasHostTwice({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1;
}

/** Refuses a request before its handler. */
function refuse(outgoing: ServerResponse, status: 400 | 429 | 503, seconds = 1): void {
  const retry = status !== 400 && { 'retry-after': String(seconds) };
  outgoing.writeHead(status, { ...bareHeaders(), connection: 'close', ...retry }).end();
}

/** The headers of a response without a body. */
const bareHeaders = () => ({ ...defaultSecurityHeaders, 'content-length': '0' });

/** With https, browsers use nothing else for this host. */
function demandEncryption(outgoing: ServerResponse): void {
  if (env.baseUrl.startsWith('https:'))
    outgoing.setHeader('strict-transport-security', 'max-age=63072000; includeSubDomains');
}

/**
 * Listens on an address, or on all without one.
 * @throws the error of `listen`, for example for a port in use
 */
export function listen(server: Server, port: number, host: string | null): Promise<void> {
  return new Promise((done, failed) => {
    server.once('error', failed);
    server.listen({ port, host: host ?? undefined, backlog }, () => {
      server.off('error', failed);
      done();
    });
  });
}

/** Whether an address is that of a reverse proxy of this deployment. */
export const isTrustedProxy = (address: string) => isInRanges(env.trustedProxies, address);

type PageHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

/** What answers requests. `closing` ends streams when the server stops. */
type Handlers = {
  serveFile: FileServer;
  /** The table of routes; null for an unknown path. */
  serve: (request: HttpRequest, clientIp: ClientIp) => Promise<HttpResult | null>;
  servePage: PageHandler;
  closing: AbortSignal;
};

const builtPath = /^\/(?:sdk|_next\/static)\//;

/** Returns the listener of a server's requests. */
export function requestListener(handlers: Handlers): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  return (incoming, outgoing) => {
    const address = resolveClientIp(incoming, isTrustedProxy);
    const client = { address, userAgent: incoming.headers['user-agent'] ?? null };
    const answered =
      (builtPath.test(incoming.url ?? '') && handlers.serveFile(incoming, outgoing)) ||
      withClient(client, () => handleRequest(incoming, outgoing, { address }, handlers));
    answered.catch((err) => sendServerError(err, incoming, outgoing));
  };
}

async function handleRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  clientIp: ClientIp,
  { serve, servePage, closing }: Handlers,
): Promise<void> {
  const { request, abort } = webRequest(incoming, outgoing, env.baseUrl);
  outgoing.on('close', () => {
    if (!outgoing.writableFinished) abort();
  });
  const result = await serve(request, clientIp);
  if (result === null && !isPageMethod(incoming)) return refuseMethod(incoming, outgoing);
  if (result === null) {
    if (hasManyParameters(incoming)) return refuse(outgoing, 400);
    const scope = renderedScope(incoming);
    const seconds = scope === null ? 0 : retryAfterForAddress(scope, clientIp.address);
    if (seconds > 0) return refuse(outgoing, 429, seconds);
    const id = requestIdOf(request.headers);
    outgoing.setHeader('x-request-id', id);
    const serveIt = () => {
      outgoing.once('finish', () => logFailedPage(id, outgoing));
      return servePage(incoming, outgoing);
    };
    return withRequestId(id, () => (scope === 'docs' ? serveInTurn(serveIt, outgoing) : serveIt()));
  }
  await sendResult(result, incoming, outgoing, closing);
}

const documentation = processWide('documentationTurns', newTurns);
/** Longer than the rendering of any page, so that a client that reads slowly keeps no other waiting. */
const turnMilliseconds = 250;

/**
 * Serves a page of the documentation, whose rendering occupies the process for tens of milliseconds, one at a time. The
 * next one begins after as long a pause: payments have half of the process.
 */
async function serveInTurn(serve: () => Promise<void>, outgoing: ServerResponse): Promise<void> {
  let served: Promise<void> | undefined;
  try {
    await inTurn(documentation, 1, async () => {
      const started = performance.now();
      await setImmediate();
      if (outgoing.destroyed) return;
      served = serve();
      await Promise.race([served, setTimeout(turnMilliseconds, undefined, { ref: false })]);
      await setTimeout(Math.min(performance.now() - started, turnMilliseconds));
    });
  } catch (thrown) {
    if (!isTooBusy(thrown)) throw thrown;
    refuse(outgoing, 503);
  }
  await served;
}

// Next reports only the errors of a page's own code: a page that cannot be loaded has no other line.
function logFailedPage(request: string, { statusCode: status }: ServerResponse): void {
  if (status >= 500) log.warn({ request, status }, 'a page was answered with an error');
}

// Next answers other methods with 500, or as if they were GET. Its tools in development use POST.
const isPageMethod = ({ method }: IncomingMessage) =>
  method === 'GET' || method === 'HEAD' || process.env.NODE_ENV === 'development';

/** Next reads the query of a page several times, and for each parameter all of its name. */
const parametersMax = 100;
const hasManyParameters = ({ url = '' }: IncomingMessage) => url.split('&', parametersMax + 1).length > parametersMax;

/** The rate limit of a page; null for a built file, which Next serves in development. */
function renderedScope({ url = '' }: IncomingMessage): 'docs' | 'page' | null {
  if (url.startsWith('/_next/static/')) return null;
  return /^\/docs(?:[/?]|$)/.test(url) ? 'docs' : 'page';
}

/** The start page, the pages and files below these folders, and the files beside them. */
const pagePath = /^\/(?:$|\?|(?:docs|dashboard|sdk|_next)(?:[/?]|$)|[^/?]+\.\w+(?:\?|$))/;

function refuseMethod({ url = '/' }: IncomingMessage, outgoing: ServerResponse): void {
  const isPage = pagePath.test(url);
  outgoing.writeHead(isPage ? 405 : 404, { ...bareHeaders(), ...(isPage && { allow: 'GET, HEAD' }) }).end();
}

function sendServerError(err: unknown, incoming: IncomingMessage, outgoing: ServerResponse): void {
  log.error({ err, method: incoming.method }, 'a request failed outside its handler');
  if (!outgoing.headersSent) outgoing.writeHead(500, bareHeaders());
  outgoing.end();
}
