// The server in production and in development. It serves the table of routes directly from node:http, because a Next
// route handler costs many times as much, and passes all other requests to Next.
import cluster from 'node:cluster';
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIPv6 } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import next from 'next';
import { flushRefusals } from '../auth/index.ts';
import { checkoutBaseUrl, EnvError, env, productionWarnings } from '../config/index.ts';
import { closeDatabase } from '../db/index.ts';
import { backgroundDone } from '../jobs/index.ts';
import {
  DemoAccessError,
  isDraining,
  refuseDemoAccess,
  reportDraining,
  watchClock,
  watchScripts,
} from '../operations/index.ts';
import { warmPages } from '../payer/index.ts';
import { flushRequests } from '../request-log/index.ts';
import { log, startTracing } from '../telemetry/index.ts';
import { KmsError, loadDataKeys } from '../vault/index.ts';
import { builtFiles, nextFolder, sdkFolder } from './built-files.ts';
import { createHttpServer, isTrustedProxy, listen, requestListener } from './http-server.ts';
import { startJobs } from './jobs.ts';
import { serve } from './routes.ts';
import { startWorkers } from './workers.ts';

const development = process.env.NODE_ENV === 'development';
const finishSeconds = 8;

/** A running server. `stop` finishes running requests and closes all resources. */
export type RunningServer = { stop: () => Promise<void> };

/** Starts serving on `env.port`; resolves when the server accepts requests. */
export async function startServer(root = process.cwd()): Promise<RunningServer> {
  const endTraces = await startTracing();
  // Later the service runs without the key management service.
  if (env.vaultKms !== null) await loadDataKeys();
  await refuseDemoAccess(endProcess);
  // Next adds an upgrade listener to its server and keeps the sockets of upgrades. This server never listens.
  const httpServer = createServer();
  // The errors of pages are in the log (instrumentation.ts).
  const app = next({ dev: development, quiet: !development, dir: root, port: env.port, httpServer });
  const [stopClockCheck] = await Promise.all([watchClock(), app.prepare(), warmPages()]);
  const closing = new AbortController();
  const nextPage = app.getRequestHandler();
  const listener = requestListener({
    serveFile: builtFiles([sdkFolder(root), ...(development ? [] : [nextFolder(root)])]),
    serve,
    servePage: (incoming, outgoing) => {
      addPageHeaders(incoming, outgoing);
      return nextPage(incoming, outgoing);
    },
    closing: closing.signal,
  });
  const server = createHttpServer(listener, {
    ...(env.connectionsPerAddress > 0 && { connections: { max: env.connectionsPerAddress, isExempt: isTrustedProxy } }),
    ...(development && { hotReload: app.getUpgradeHandler() }),
  });
  await listen(server, env.port, env.listenAddress);
  const stopScriptCheck = watchScripts(root, ownOrigin());
  const stopJobs = env.jobs ? startJobs() : async () => {};
  const stopAll = () => {
    stopScriptCheck();
    stopClockCheck();
    return stop(server, closing, stopJobs, () => app.close()).then(() => withTimeout(2, endTraces()));
  };
  return { stop: stopAll };
}

/** The address at which this process reaches itself. */
function ownOrigin(): string {
  const host = env.listenAddress ?? '127.0.0.1';
  return `http://${isIPv6(host) ? `[${host}]` : host}:${env.port}`;
}

async function stop(
  server: Server,
  closing: AbortController,
  stopJobs: () => Promise<void>,
  closePages: () => Promise<void>,
): Promise<void> {
  const jobsEnded = stopJobs();
  // A draining server keeps no connections for further requests.
  server.prependListener('request', (_incoming, outgoing) => outgoing.setHeader('connection', 'close'));
  // A load balancer notices the draining at its next health check and sends requests until then.
  await pause(env.drainSeconds * 1000);
  const closed = new Promise<void>((done) => server.close(() => done()));
  closing.abort();
  // Background work of finished requests ends too, so that this process stores its outcome.
  await withTimeout(finishSeconds, Promise.all([closed, jobsEnded]).then(backgroundDone));
  server.closeAllConnections();
  await withTimeout(2, Promise.all([flushRequests(), flushRefusals()]));
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

/** Ends a process that cannot serve. The message of an expected error is for the operator. */
function endProcess(err: unknown): void {
  const isExpected = err instanceof EnvError || err instanceof KmsError || err instanceof DemoAccessError;
  console.error(isExpected ? err.message : err);
  process.exit(1);
}

/** Serves until SIGTERM or SIGINT, then drains, runs `after` and ends. WEB_CONCURRENCY starts workers of this file. */
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
  // Registered before the server listens: a signal can arrive during the start.
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  if (cluster.isPrimary) for (const warning of productionWarnings(env)) log.child({}, { level: 'warn' }).warn(warning);
  const isPrimary = cluster.isPrimary && env.webConcurrency > 1;
  const starting = isPrimary ? startWorkers(env.webConcurrency, fileURLToPath(import.meta.url)) : startServer();
  await starting;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  serveUntilStopped().catch(endProcess);
}

/** The origins of public pages on other hosts than this one: form-action also applies to the redirects of a form. */
function otherOrigins(): string {
  const origins = [env.dashboardHost && env.baseUrl, env.checkoutHost && checkoutBaseUrl()];
  return origins.map((origin) => (origin ? ` ${origin}` : '')).join('');
}

function policyOf(nonce: string): string {
  return [
    "default-src 'none'",
    // The development server evaluates scripts and sets inline styles.
    `script-src 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ''}`,
    // Dialogs disable scrolling by a style element with the nonce. Style attributes are not allowed.
    `style-src 'self' ${development ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    // The preview of the payment page.
    "frame-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    `form-action 'self'${otherOrigins()}`,
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Sets the headers of a page. Next reads the policy from the request and gives its scripts the nonce. */
function addPageHeaders(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const policy = policyOf(randomBytes(16).toString('base64'));
  incoming.headers['content-security-policy'] = policy;
  outgoing.setHeader('content-security-policy', policy);
  outgoing.setHeader('x-frame-options', 'DENY');
  outgoing.setHeader('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=()');
}
