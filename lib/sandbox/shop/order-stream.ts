// The event stream of an open page: sends the whole order as a server-sent event after every change. The shop has few
// visitors, so each stream polls the database itself.
import { type HttpResult, httpResult } from '../../http';
import { log } from '../../telemetry';
import { viewOf } from './order-view';
import { findOrder, lastEventOf, type Order } from './orders';

const lookMilliseconds = 500;
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
  let stop = () => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      stop = follow(request, order.id, controller);
    },
    cancel: () => stop(),
  });
  return httpResult(body, { headers });
}

function follow(request: Request, id: string, controller: ReadableStreamDefaultController<Uint8Array>): () => void {
  const encoder = new TextEncoder();
  const openedMs = performance.now();
  let sentMs = openedMs;
  let seen = request.headers.get('last-event-id') ?? '';
  let open = true;
  let timer: NodeJS.Timeout;
  streams += 1;
  const send = (text: string) => {
    controller.enqueue(encoder.encode(text));
    sentMs = performance.now();
  };
  const poll = async () => {
    const version = String(await lastEventOf(id));
    if (!open || version === seen) return;
    const order = await findOrder(id);
    if (!order) return stop();
    const view = await viewOf(order);
    if (!open) return;
    seen = version;
    send(`id: ${version}\nevent: order\ndata: ${JSON.stringify(view)}\n\n`);
  };
  const round = async () => {
    // A database failure skips one poll and keeps the stream.
    await poll().catch((err: unknown) => log.warn({ err }, 'an order of the demo shop could not be looked after'));
    if (!open) return;
    if (performance.now() - openedMs > streamMilliseconds || (controller.desiredSize ?? 0) < -64) return stop();
    if (performance.now() - sentMs > heartbeatMilliseconds) send(':\n\n');
    timer = setTimeout(round, lookMilliseconds);
  };
  const stop = () => {
    if (!open) return;
    open = false;
    streams -= 1;
    clearTimeout(timer);
    request.signal.removeEventListener('abort', stop);
    try {
      controller.close();
    } catch {
      // The reader has cancelled: the stream is closed already.
    }
  };
  request.signal.addEventListener('abort', stop, { once: true });
  send('retry: 2000\n\n');
  void round();
  return stop;
}
