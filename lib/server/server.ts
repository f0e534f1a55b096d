// The production server. It serves the table of routes directly from node:http, because a Next route handler costs many
// times as much, and passes all other requests to Next.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import next from 'next';
import { EnvError, env } from '../config';
import { closeDatabase } from '../db';
import { resolveClientIp } from '../http';
import { backgroundDone } from '../jobs';
import { isDraining, reportDraining, watchClock, watchScripts } from '../operations';
import { warmPages } from '../payer';
import { flushRequests } from '../request-log';
import { log, startTracing } from '../telemetry';
import { startJobs } from './job-loop';
import { listenMultiAccept } from './multi-accept';
import { webRequest } from './node-request';
import { sendResponse } from './node-response';
import { serve } from './routes';
import { sdkFiles } from './sdk-files';

const finishSeconds = 8;

/** A running server. `stop` finishes running requests and closes all resources. */
export type RunningServer = { stop: () => Promise<void> };

/** Starts serving on `env.port`; resolves when the server accepts requests. */
export async function startServer(root = process.cwd()): Promise<RunningServer> {
  // Next's instrumentation checks this and leaves the jobs to this server.
  (globalThis as Record<symbol, unknown>)[Symbol.for('florin.server')] = true;
  const endTraces = await startTracing();
  // Next adds an upgrade listener to its server and keeps the sockets of upgrades. This server never listens, so that
  // an upgrade is handled as a normal request with its timeouts.
  const app = next({ dev: false, dir: root, httpServer: createServer() });
  const [stopClockCheck] = await Promise.all([watchClock(), app.prepare(), warmPages()]);
  const closing = new AbortController();
  const servePage = app.getRequestHandler();
  const serveSdk = sdkFiles(join(root, 'public', 'sdk'));
  const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    // A draining server keeps no connections for further requests.
    if (isDraining()) outgoing.setHeader('connection', 'close');
    if (isUpgrade(incoming)) return rejectUpgrade(outgoing);
    const address = resolveClientIp(incoming, env.trustedProxyHops);
    if (incoming.url?.startsWith('/sdk/') && serveSdk(incoming, outgoing)) return;
    handleRequest(incoming, outgoing, address, closing.signal, servePage).catch((err) =>
      sendServerError(err, incoming, outgoing),
    );
  };
  limitHeapGrowth();
  const servers = await listenMultiAccept(
    () => withTimeouts(createServer({ maxHeaderSize: 16 * 1024, noDelay: true }, onRequest)),
    env.port,
  );
  const stopScriptCheck = watchScripts(root, env.port);
  const stopJobs = env.jobs ? startJobs() : async () => {};
  const stopAll = () => {
    stopScriptCheck();
    stopClockCheck();
    return stop(servers, closing, stopJobs, () => app.close()).then(() => withTimeout(2, endTraces()));
  };
  return { stop: stopAll };
}

// No upgrades are supported. Clients that offer h2c continue with HTTP/1.1.
function isUpgrade({ headers }: IncomingMessage): boolean {
  return headers.upgrade !== undefined && !/^\s*h2c\s*$/i.test(headers.upgrade);
}

function rejectUpgrade(outgoing: ServerResponse): void {
  outgoing.writeHead(400, { connection: 'close', 'content-length': '0' });
  outgoing.end();
}

type PageHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

async function handleRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  address: string,
  closing: AbortSignal,
  servePage: PageHandler,
): Promise<void> {
  const { request, abort } = webRequest(incoming, env.baseUrl);
  outgoing.on('close', () => {
    if (!outgoing.writableFinished) abort();
  });
  const response = await serve(request, { address });
  if (response === null) return servePage(incoming, outgoing);
  if (!outgoing.destroyed) await sendResponse(response, incoming, outgoing, closing);
}

function sendServerError(err: unknown, incoming: IncomingMessage, outgoing: ServerResponse): void {
  log.error({ err, method: incoming.method }, 'a request failed outside its handler');
  if (!outgoing.headersSent) outgoing.writeHead(500, { 'content-length': '0' });
  outgoing.end();
}

// On a machine with much memory, V8 lets a heap with 100 MB of live objects grow to 400 MB before a full collection,
// which takes a processor from the database for 60 ms. The initial collection sets the base for the growth limit.
// Pretenuring is disabled because it allocates short-lived objects in the old generation after a busy second.
function limitHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=60');
  setFlagsFromString('--no-allocation-site-pretenuring');
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

// Closes slow and idle connections. Load balancers keep idle connections for about a minute.
function withTimeouts(server: Server): Server {
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  server.keepAliveTimeout = 65_000;
  server.maxRequestsPerSocket = 0;
  return server;
}

async function stop(
  servers: Server[],
  closing: AbortController,
  stopJobs: () => Promise<void>,
  closePages: () => Promise<void>,
): Promise<void> {
  const jobsEnded = stopJobs();
  // A load balancer notices the draining at its next health check and sends requests until then.
  await pause(env.drainSeconds * 1000);
  const closed = Promise.all(servers.map((server) => new Promise<void>((done) => server.close(() => done()))));
  closing.abort();
  // Background work of finished requests ends too, so that this process stores its outcome.
  await withTimeout(finishSeconds, Promise.all([closed, jobsEnded]).then(backgroundDone));
  for (const server of servers) server.closeAllConnections();
  await withTimeout(2, flushRequests());
  await withTimeout(1, closePages());
  await withTimeout(1, closeDatabase());
}

async function withTimeout(seconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((done) => {
    timer = setTimeout(done, seconds * 1000);
  });
  await Promise.race([work.catch((err) => log.warn({ err }, 'stopping was not clean')), timeout]);
  clearTimeout(timer);
}

/** Serves until SIGTERM or SIGINT, then drains, runs `after` and ends the process. */
export async function serveUntilStopped(after: () => Promise<void> = async () => {}): Promise<void> {
  const onSignal = async () => {
    // Ctrl-C reaches the whole process group, and npm forwards the signal too: the second one is ignored.
    if (isDraining()) return;
    reportDraining();
    const running = await starting.catch(() => null);
    await running?.stop();
    await withTimeout(15, after());
    process.exit(0);
  };
  // Registered before the first handle listens, because a signal can arrive while the others are created.
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  const starting = startServer();
  await starting;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  serveUntilStopped().catch((err: unknown) => {
    console.error(err instanceof EnvError ? err.message : err);
    process.exit(1);
  });
}
