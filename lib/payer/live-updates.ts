/**
 * Streams state changes to open pages: paid in another tab, settled by a notification, expired. All pages of a process
 * share one query, at most once a second; without open pages there is none.
 */
import { processWide } from '../core/process-wide.ts';
import { now } from '../db/clock.ts';
import { type HttpRequest, type HttpResult, httpResult, type Route } from '../http/index.ts';
import { versionsOf } from '../payments/index.ts';
import { log } from '../telemetry/index.ts';
import { privateJson } from './responses.ts';
import { isFinal } from './screen.ts';
import { findView, type View, viewOf } from './view.ts';

const pollMilliseconds = 1_000;
const heartbeatMilliseconds = 15_000;
/** A stream ends after this time and the browser opens a new one, so abandoned streams do not stay open for long. */
const streamMilliseconds = 10 * 60_000;
const streamsMax = 10_000;
const streamsPerPaymentMax = 20;
/** A stream with this many unread events is closed as abandoned. */
const unreadMax = 64;

type Watcher = { send: (text: string) => boolean; close: () => void; openedMs: number; sentMs: number };
/** A payment with at least one open page. */
type WatchedPayment = { version: string; rowVersion: number; expiresAt: Date; watchers: Set<Watcher> };
type LiveState = { watched: Map<string, WatchedPayment>; timer?: NodeJS.Timeout; looking: boolean; count: number };

const liveState = processWide('live', (): LiveState => ({ watched: new Map(), looking: false, count: 0 }));

const eventHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // Keeps reverse proxies from buffering events.
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
};

function eventOf(version: string): string {
  return `id: ${version}\nevent: state\ndata: ${JSON.stringify({ version })}\n\n`;
}

/** GET /pay/:token/events: one event at once, then one per change of the page, with heartbeats between. */
async function events(request: HttpRequest, params: Record<string, string>): Promise<HttpResult> {
  const view = await findView(params.token ?? '', now());
  if (!view) return httpResult(null, { status: 404 });
  if (isFinal(view.screen)) return lastEvent(request, view);
  if (request.method === 'HEAD') return httpResult(null, { headers: eventHeaders });
  const watchers = liveState.watched.get(view.payment.id)?.watchers.size ?? 0;
  if (liveState.count >= streamsMax || watchers >= streamsPerPaymentMax) {
    return httpResult(null, { status: 503, headers: { 'retry-after': '30' } });
  }
  return httpResult(streamOf(request, view), { headers: eventHeaders });
}

/** The event of a final state; a client that has it already gets 204, which ends reconnecting in every browser. */
function lastEvent(request: HttpRequest, view: View): HttpResult {
  if (request.headers.get('last-event-id') === view.version) return httpResult(null, { status: 204 });
  return httpResult(`retry: 5000\n${eventOf(view.version)}`, { headers: eventHeaders });
}

function streamOf(request: HttpRequest, view: View): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let leave = () => {};
  return new ReadableStream<Uint8Array>({
    start(controller) {
      let open = true;
      const watcher: Watcher = {
        openedMs: performance.now(),
        sentMs: performance.now(),
        send(text) {
          if ((controller.desiredSize ?? 0) < -unreadMax) return false;
          controller.enqueue(encoder.encode(text));
          watcher.sentMs = performance.now();
          return true;
        },
        close() {
          leave();
          if (open) controller.close();
          open = false;
        },
      };
      const quit = addWatcher(view, watcher);
      leave = () => {
        request.signal.removeEventListener('abort', watcher.close);
        quit();
      };
      request.signal.addEventListener('abort', watcher.close, { once: true });
      // Random delays, so that open pages do not all reconnect at once after a restart.
      watcher.send(`retry: ${1500 + Math.floor(Math.random() * 3000)}\n${eventOf(view.version)}`);
    },
    cancel: () => leave(),
  });
}

/** Adds a watcher and starts polling; the returned function removes the watcher. */
function addWatcher(view: View, watcher: Watcher): () => void {
  const { id, version } = view.payment;
  const watched = liveState.watched.get(id) ?? {
    version: view.version,
    rowVersion: version,
    expiresAt: view.session.expiresAt,
    watchers: new Set<Watcher>(),
  };
  watched.watchers.add(watcher);
  liveState.watched.set(id, watched);
  liveState.count += 1;
  liveState.timer ??= setInterval(() => void pollWatched(), pollMilliseconds).unref();
  return () => {
    if (!watched.watchers.delete(watcher)) return;
    liveState.count -= 1;
    if (watched.watchers.size === 0) liveState.watched.delete(id);
    if (liveState.watched.size > 0) return;
    clearInterval(liveState.timer);
    liveState.timer = undefined;
  };
}

/** Polls every watched payment once. A database error skips the poll and keeps the streams. */
async function pollWatched(): Promise<void> {
  if (liveState.looking) return;
  liveState.looking = true;
  try {
    const time = now();
    const versions = await versionsOf([...liveState.watched.keys()]);
    const changed = [...liveState.watched].filter(
      ([id, watched]) => versions.get(id) !== watched.rowVersion || watched.expiresAt <= time,
    );
    await Promise.all(changed.map(([id, watched]) => refresh(id, watched, time)));
  } catch (err) {
    log.warn({ err }, 'polling of the open pages failed');
  } finally {
    liveState.looking = false;
  }
  sendHeartbeats();
}

async function refresh(id: string, watched: WatchedPayment, time: Date): Promise<void> {
  const view = await viewOf(id, time);
  if (!view) return;
  watched.rowVersion = view.payment.version;
  // An attempt that outlives the session is still followed; its end changes the row.
  watched.expiresAt = view.session.expiresAt > time ? view.session.expiresAt : new Date(8.64e15);
  if (view.version === watched.version) return;
  watched.version = view.version;
  for (const watcher of [...watched.watchers]) {
    if (!watcher.send(eventOf(view.version)) || isFinal(view.screen)) watcher.close();
  }
}

/** Sends heartbeats, which keep proxies from closing the connection and reveal closed ones, and ends old streams. */
function sendHeartbeats(): void {
  const nowMs = performance.now();
  for (const { watchers } of liveState.watched.values()) {
    for (const watcher of [...watchers]) {
      const old = nowMs - watcher.openedMs > streamMilliseconds;
      const due = nowMs - watcher.sentMs > heartbeatMilliseconds;
      if (old || (due && !watcher.send(':\n\n'))) watcher.close();
    }
  }
}

/** GET /pay/:token/state: the same as JSON, for browsers and networks without event streams. */
async function state(_request: HttpRequest, params: Record<string, string>): Promise<HttpResult> {
  const time = now();
  const view = await findView(params.token ?? '', time);
  if (!view) return privateJson({ error: 'unknown' }, 404);
  return privateJson({ version: view.version, state: view.screen.kind, expired: view.session.expiresAt <= time });
}

export const liveRoutes: Route[] = [
  { method: 'GET', path: '/pay/:token/events', run: events },
  { method: 'GET', path: '/pay/:token/state', run: state },
];
