// The view of an order's page, and the event stream that keeps it current. Amounts, refunds and allowed modifications
// come from genuine callbacks, because a merchant's server can rely on those only.
import { ReadableStream as NodeStream } from 'node:stream/web';
import { setTimeout as delay } from 'node:timers/promises';
import { formatAmount } from '../../core/money.ts';
import { type HttpRequest, type HttpResult, httpResult } from '../../http/index.ts';
import { log } from '../../telemetry/index.ts';
import {
  actionsOf,
  type CallbackStep,
  noticeOf,
  type OrderView,
  type Step,
  type SubscriptionView,
  type ToPay,
} from './order-model.ts';
import { cardSavedWith, chargesOf, findOrder, lastEventOf, lastSaleOf, type Order, stepsOf } from './orders.ts';
import { minorOf } from './products.ts';

/** The data of the order's page. */
export async function viewOf(order: Order): Promise<OrderView> {
  const { id, number, description, amount, currency, way, authorizeOnly, state, paymentId } = order;
  const [steps, again, savedCard, parent, sale] = await Promise.all([
    stepsOf(id),
    chargesOf(id),
    cardSavedWith(order),
    order.parentId === null ? null : findOrder(order.parentId),
    lastSaleOf(id),
  ]);
  const { held, captured, refunded } = moneyOf(currency, steps);
  const whole = minorOf(amount, currency);
  const left = state === 'pending' ? whole : state === 'settled' ? captured - refunded : 0n;
  const text = (minor: bigint) => formatAmount(minor, currency);
  const followed = (paymentId ?? sale?.transId ?? null) !== null;
  const known = followed || sale !== null || order.pageUrl !== null || order.fieldsToken !== null;
  return {
    id,
    number,
    description,
    amount,
    currency,
    way,
    authorizeOnly,
    state,
    savedCard,
    again,
    steps,
    lines: order.lines ?? [],
    toPay: toPayOf(order),
    known,
    paymentId: paymentId ?? sale?.transId ?? null,
    held: text(held),
    captured: text(captured),
    refunded: text(refunded),
    left: text(left),
    actions: followed ? actionsOf(state, left, refunded) : [],
    subscription: subscriptionOf(order),
    parent: parent && { id: parent.id, number: parent.number },
  };
}

const unpaid: (string | null)[] = [null, 'prepare', '3ds', 'redirect', 'decline'];

// A declined saved card may be followed by a typed one.
function toPayOf(order: Order): ToPay {
  if (!unpaid.includes(order.state) || order.parentId !== null) return null;
  if (order.next && (order.state === '3ds' || order.state === 'redirect')) {
    return { kind: 'bank', url: `/sandbox/shop/orders/${order.id}/bank` };
  }
  if (order.pageUrl !== null) return { kind: 'page', url: order.pageUrl };
  if (order.way === 'fields') return { kind: 'fields' };
  // An unknown outcome is not charged again.
  if (order.way === 'page' || order.state === 'prepare') return null;
  return { kind: order.way === 'wallet' ? 'wallet' : 's2s' };
}

function subscriptionOf(order: Order): SubscriptionView | null {
  const { scheduleId, scheduleAmount: amount, subscription, recurringToken } = order;
  if (scheduleId === null || amount === null) return null;
  const state = subscription ?? 'waiting';
  const able = recurringToken !== null && (state === 'active' || state === 'paused');
  const change = state === 'paused' ? 'run' : 'pause';
  const actions: SubscriptionView['actions'] = able ? ['again', change, 'deschedule'] : [];
  return { state, amount, scheduleId, firstDate: order.firstRecurring, actions };
}

function counts(step: Step): step is Step & CallbackStep {
  return step.kind === 'callback' && step.hashValid && step.headerValid && !step.repeat && !step.scheduled;
}

// A repeated callback counts once. A scheduled charge is a payment of its own.
function moneyOf(currency: string, steps: readonly Step[]): { held: bigint; captured: bigint; refunded: bigint } {
  let authorised = 0n;
  let captured = 0n;
  let refunded = 0n;
  for (const step of steps) {
    if (!counts(step)) continue;
    const { type, status, state, amount } = noticeOf(step.fields);
    if (status !== 'success') continue;
    const minor = minorOf(amount, currency);
    const moved = ['sale', 'recurring', 'debit', 'capture'].includes(type);
    if (moved && state === 'settled') captured = minor;
    if (moved && state === 'pending') authorised = minor;
    if (type === 'refund' && state !== 'reversal') refunded += minor;
  }
  return { held: authorised, captured, refunded };
}

const pollMilliseconds = 500;
const heartbeatMilliseconds = 15_000;
/** A stream ends after this time and the browser opens another. */
const streamMilliseconds = 10 * 60_000;
const streamsMax = 200;

let streams = 0;

/** The stream of an order, or 503 if too many are open, which makes the page poll. */
export function streamOf(request: HttpRequest, order: Order): HttpResult {
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

async function eventAfter(seen: string, id: string): Promise<{ version: string; text: string } | null | 'gone'> {
  const version = String(await lastEventOf(id));
  if (version === seen) return null;
  const order = await findOrder(id);
  if (!order) return 'gone';
  return { version, text: `id: ${version}\nevent: order\ndata: ${JSON.stringify(await viewOf(order))}\n\n` };
}
