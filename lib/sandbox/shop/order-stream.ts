// The event stream of an open page: sends the whole order as a server-sent event after every change. The shop has few
// visitors, so each stream polls the database itself.
import { ReadableStream as NodeStream } from 'node:stream/web';
import { setTimeout as delay } from 'node:timers/promises';
import { type HttpResult, httpResult } from '../../http/index.ts';
import { log } from '../../telemetry/index.ts';
import { viewOf } from './order-view.ts';
import { findOrder, lastEventOf, type Order } from './orders.ts';

const pollMilliseconds = 500;
const heartbeatMilliseconds = 15_000;
/** A stream ends after this time and the browser opens another. */
const streamMilliseconds = 10 * 60_000;
const streamsMax = 200;

let streams = 0;

/** The stream of an order, or 503 if too many are open, which makes the page poll. */
export function streamOf(request: Request, order: Order): HttpResult {
  if (streams >= streamsMax) return httpResult(null, { status: 503, headers: { 'retry-after': '30' } });
  const headers = {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  };
  if (request.method === 'HEAD') return httpResult(null, { headers });
  const events = NodeStream.from(eventsOf(order.id, request.headers.get('last-event-id') ?? '', request.signal));
  return httpResult(events as ReadableStream<Uint8Array>, { headers });
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

async function* eventsOf(id: string, seen: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const openedMs = performance.now();
  let sentMs = openedMs;
  let known = seen;
  streams += 1;
  try {
    yield bytesOf('retry: 2000\n\n');
    while (!signal.aborted && performance.now() - openedMs < streamMilliseconds) {
      // A database failure skips one poll and keeps the stream.
      const event = await eventAfter(known, id).catch((err: unknown) => {
        log.warn({ err }, 'an order of the demo shop could not be looked after');
        return null;
      });
      if (event === 'gone') return;
      const text = event?.text ?? (performance.now() - sentMs > heartbeatMilliseconds ? ':\n\n' : '');
      known = event?.version ?? known;
      if (text !== '') {
        yield bytesOf(text);
        sentMs = performance.now();
      }
      await delay(pollMilliseconds, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    streams -= 1;
  }
}

/** The order as an event, if it has changed since. */
async function eventAfter(seen: string, id: string): Promise<{ version: string; text: string } | null | 'gone'> {
  const version = String(await lastEventOf(id));
  if (version === seen) return null;
  const order = await findOrder(id);
  if (!order) return 'gone';
  return { version, text: `id: ${version}\nevent: order\ndata: ${JSON.stringify(await viewOf(order))}\n\n` };
}
