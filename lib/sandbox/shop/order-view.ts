// The view of an order's page. Amounts, refunds and allowed modifications come from genuine callbacks, because a
// merchant's server can rely on those only.
import { formatAmount } from '../../core/money.ts';
import {
  actionsOf,
  type CallbackStep,
  noticeOf,
  type OrderView,
  type Step,
  type SubscriptionView,
  type ToPay,
} from './order-model.ts';
import { cardSavedWith, chargesOf, findOrder, lastSaleOf, type Order, stepsOf } from './orders.ts';
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
    ...{ id, number, description, amount, currency, way, authorizeOnly, state, savedCard, again, steps },
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

/** Whether a callback is genuine and not a repeat. */
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
