// The view of an order's page. Amounts, refunds and allowed modifications come from genuine callbacks, because a
// merchant's server can rely on those only.
import { formatAmount } from '../../core/money';
import {
  actionsOf,
  type CallbackStep,
  noticeOf,
  type OrderView,
  type Step,
  type SubscriptionView,
  type ToPay,
} from './order-model';
import { chargesOf, findOrder, lastSaleOf, type Order, stepsOf } from './orders';
import { minorOf } from './products';
import { cardSavedWith } from './saved-cards';

/** The data of the order's page. */
export async function viewOf(order: Order): Promise<OrderView> {
  const [steps, again, savedCard, parent, sale] = await Promise.all([
    stepsOf(order.id),
    chargesOf(order.id),
    cardSavedWith(order),
    order.parent_id === null ? null : findOrder(order.parent_id),
    lastSaleOf(order.id),
  ]);
  const { held, captured, refunded } = moneyOf(order.currency, steps);
  const whole = minorOf(order.amount, order.currency);
  const left = order.state === 'pending' ? whole : order.state === 'settled' ? captured - refunded : 0n;
  const text = (minor: bigint) => formatAmount(minor, order.currency);
  const followed = order.payment_id !== null || (sale?.trans_id ?? null) !== null;
  const known = followed || sale !== null || order.page_url !== null || order.fields_token !== null;
  return {
    id: order.id,
    number: order.number,
    description: order.description,
    lines: order.lines ?? [],
    amount: order.amount,
    currency: order.currency,
    way: order.way,
    authorizeOnly: order.authorize_only,
    language: order.language,
    createdAt: order.created_at.toISOString(),
    toPay: toPayOf(order),
    known,
    paymentId: order.payment_id ?? sale?.trans_id ?? null,
    state: order.state,
    held: text(held),
    captured: text(captured),
    refunded: text(refunded),
    left: text(left),
    actions: followed ? actionsOf(order.state, left, refunded) : [],
    subscription: subscriptionOf(order),
    savedCard,
    parent: parent && { id: parent.id, number: parent.number },
    again,
    steps,
    version: `${steps.at(-1)?.id ?? 0}.${order.state ?? ''}.${order.state_sequence}`,
  };
}

const unpaid: (string | null)[] = [null, 'prepare', '3ds', 'redirect', 'decline'];

// A declined saved card may be followed by a typed one.
function toPayOf(order: Order): ToPay {
  if (!unpaid.includes(order.state) || order.parent_id !== null) return null;
  if (order.next && (order.state === '3ds' || order.state === 'redirect')) {
    return { kind: 'bank', url: `/sandbox/shop/orders/${order.id}/bank` };
  }
  if (order.page_url !== null) return { kind: 'page', url: order.page_url };
  if (order.way === 'fields') return { kind: 'fields' };
  // An unknown outcome is not charged again.
  if (order.way === 'page' || order.state === 'prepare') return null;
  return { kind: order.way === 'wallet' ? 'wallet' : 's2s' };
}

function subscriptionOf(order: Order): SubscriptionView | null {
  const { schedule_id: scheduleId, schedule_amount: amount, subscription, recurring_token } = order;
  if (scheduleId === null || amount === null) return null;
  const state = subscription ?? 'waiting';
  const able = recurring_token !== null && (state === 'active' || state === 'paused');
  const change = state === 'paused' ? 'run' : 'pause';
  const actions: SubscriptionView['actions'] = able ? ['again', change, 'deschedule'] : [];
  return { state, amount, scheduleId, firstDate: order.first_recurring, actions };
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
