// The production server. It answers the addresses of the table itself, straight from node:http, because the same answer
// through a Next route handler costs many times as much; everything else goes to Next.
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

/** A server that takes requests, until `stop` has finished those under way and closed everything it opened. */
export type RunningServer = { stop: () => Promise<void> };

/** Starts serving on `env.port`; resolves when the first request may come. */
export async function startServer(root = process.cwd()): Promise<RunningServer> {
  // The instrumentation of Next sees this and leaves the jobs to this server.
  (globalThis as Record<symbol, unknown>)[Symbol.for('florin.server')] = true;
  const endTraces = await startTracing();
  // Next listens for upgrades at the server that it gets its first page from, and keeps their sockets. One that never listens
  // stands in for it: without a listener an upgrade is a request like any other, under the same limits of time.
  const app = next({ dev: false, dir: root, httpServer: createServer() });
  const [stopComparing] = await Promise.all([watchClock(), app.prepare(), warmPages()]);
  const closing = new AbortController();
  const answerPage = app.getRequestHandler();
  const answerSdk = sdkFiles(join(root, 'public', 'sdk'));
  const take = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    // No connection is kept for a next request that would come when nobody listens any more.
    if (isDraining()) outgoing.setHeader('connection', 'close');
    if (isUpgrade(incoming)) return rejectUpgrade(outgoing);
    const address = resolveClientIp(incoming, env.trustedProxyHops);
    if (incoming.url?.startsWith('/sdk/') && answerSdk(incoming, outgoing)) return;
    handleRequest(incoming, outgoing, address, closing.signal, answerPage).catch((err) =>
      sendServerError(err, incoming, outgoing),
    );
  };
  limitHeapGrowth();
  const servers = await listenMultiAccept(
    () => withTimeouts(createServer({ maxHeaderSize: 16 * 1024, noDelay: true }, take)),
    env.port,
  );
  const stopWatching = watchScripts(root, env.port);
  const stopJobs = env.jobs ? startJobs() : async () => {};
  const stopAll = () => {
    stopWatching();
    stopComparing();
    return stop(servers, closing, stopJobs, () => app.close()).then(() => withTimeout(2, endTraces()));
  };
  return { stop: stopAll };
}

// There is nothing to upgrade to. HTTP/2 is offered by clients that go on as they are where it is not taken.
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
  answerPage: PageHandler,
): Promise<void> {
  const { request, abort } = webRequest(incoming, env.baseUrl);
  outgoing.on('close', () => {
    if (!outgoing.writableFinished) abort();
  });
  const response = await serve(request, { address });
  if (response === null) return answerPage(incoming, outgoing);
  if (!outgoing.destroyed) await sendResponse(response, incoming, outgoing, closing);
}

function sendServerError(err: unknown, incoming: IncomingMessage, outgoing: ServerResponse): void {
  log.error({ err, method: incoming.method }, 'a request failed outside its handler');
  if (!outgoing.headersSent) outgoing.writeHead(500, { 'content-length': '0' });
  outgoing.end();
}

// On a machine with much memory V8 lets a heap of which 100 MB live grow to 400 before it looks what has died. The first look is
// what its later ones are measured by. Every look takes the second processor from the database for 60 ms. What a busy second
// has shown to live long, V8 would make among the old for good: there it holds whatever it refers to until the next look.
function limitHeapGrowth(): void {
  setFlagsFromString('--heap-growing-percent=60');
  setFlagsFromString('--no-allocation-site-pretenuring');
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

// Slow and silent clients are cut off; a balancer in front keeps its idle connections for about a minute.
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
  // A balancer hears of it at its next check; what it sends until then is still welcome.
  await pause(env.drainSeconds * 1000);
  const closed = Promise.all(servers.map((server) => new Promise<void>((done) => server.close(() => done()))));
  closing.abort();
  // What goes on behind answered requests ends too, so that its outcome is written down by this process.
  await withTimeout(finishSeconds, Promise.all([closed, jobsEnded]).then(backgroundDone));
  for (const server of servers) server.closeAllConnections();
  await withTimeout(2, flushRequests());
  await withTimeout(1, closePages());
  await withTimeout(1, closeDatabase());
}

async function withTimeout(seconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((done) => {
    timer = setTimeout(done, seconds * 1000);
  });
  await Promise.race([work.catch((err) => log.warn({ err }, 'stopping was not clean')), late]);
  clearTimeout(timer);
}

/** Serves until SIGTERM or SIGINT, then drains, runs `after` and ends the process. */
export async function serveUntilStopped(after: () => Promise<void> = async () => {}): Promise<void> {
  const end = async () => {
    // Ctrl-C reaches the whole process group, and npm passes the signal on: the second is the same wish.
    if (isDraining()) return;
    reportDraining();
    const running = await starting.catch(() => null);
    await running?.stop();
    await withTimeout(15, after());
    process.exit(0);
  };
  // Before the first handle listens: who has been answered once may ask for the end at once, while the others are being made.
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  const starting = startServer();
  await starting;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  serveUntilStopped().catch((err: unknown) => {
    console.error(err instanceof EnvError ? err.message : err);
    process.exit(1);
  });
}
