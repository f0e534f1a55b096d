// The demo shop's books: its orders and what happened to each. What an order is worth, what was refunded and what may
// follow is read from the callbacks that proved genuine, because that is all that a merchant's server can rely on.
import { randomBytes, randomInt } from 'node:crypto';
import { now } from '../clock';
import { formatAmount, parseAmount } from '../core/money';
import { query } from '../db';
import { env } from '../env';
import { type Action, actionsOf, type OrderForm, type OrderView, type Step, type StepData } from './model';

/** A row of shop_orders. */
export type Order = {
  id: string;
  number: string;
  item: string;
  description: string;
  amount: string;
  currency: string;
  authorize_only: boolean;
  recurring_init: boolean;
  request_token: boolean;
  language: string | null;
  page_url: string | null;
  payment_id: string | null;
  state: string | null;
  state_sequence: number;
  created_at: Date;
};

/** Whoever floods the sandbox is slowed down here; a person never notices. */
const ordersPerMinuteMax = 120;
export const eventsPerOrderMax = 200;
const keptHours = 24;

/** Writes down a new order; null when there are too many of them at the moment. */
export async function createOrder(
  form: Omit<OrderForm, 'currency'> & { currency: string },
  description: string,
): Promise<Order | null> {
  const time = now();
  const minuteAgo = new Date(time.getTime() - 60_000);
  const [recent] = await query<{ count: bigint }>(
    'shop-orders-recent',
    'select count(*) from shop_orders where created_at > $1',
    [minuteAgo],
  );
  if (Number(recent?.count ?? 0) >= ordersPerMinuteMax) return null;
  const id = randomBytes(16).toString('base64url');
  const { item, amount, currency, auth, recurring_init, req_token, language } = form;
  const values = [id, newNumber(), item, description, amount, currency, auth, recurring_init, req_token];
  const [order] = await query<Order>(
    'shop-order-create',
    `insert into shop_orders (id, number, item, description, amount, currency, authorize_only, recurring_init,
                              request_token, language, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning *`,
    [...values, language === '' ? null : language, time],
  );
  return order as Order;
}

// Short enough to read aloud, without letters that look like digits.
function newNumber(): string {
  const letters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
  return `DEMO-${Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('')}`;
}

/** The order with this id; null for any other. */
export async function findOrder(id: string): Promise<Order | null> {
  if (!/^[\w-]{22}$/.test(id)) return null;
  const [order] = await query<Order>('shop-order-find', 'select * from shop_orders where id = $1', [id]);
  return order ?? null;
}

/** Adds what happened. With `once`, only the first of its name; beyond the limit, nothing. */
export async function addStep(orderId: string, data: StepData, once: string | null = null): Promise<boolean> {
  const { kind, ...rest } = data;
  const added = await query(
    'shop-event-add',
    `insert into shop_events (order_id, kind, once, at, data)
     select $1, $2, $3, $4, $5
      where (select count(*) from shop_events where order_id = $1) < ${eventsPerOrderMax}
     on conflict (order_id, once) do nothing returning id`,
    [orderId, kind, once, now(), JSON.stringify(rest)],
  );
  return added.length > 0;
}

/** Remembers where the payer pays. */
export async function setPage(orderId: string, pageUrl: string): Promise<void> {
  await query('shop-order-page', 'update shop_orders set page_url = $2 where id = $1', [orderId, pageUrl]);
}

/** Takes over the payment's id, which the first genuine message tells. */
export async function setPayment(orderId: string, paymentId: string): Promise<void> {
  await query('shop-order-payment', 'update shop_orders set payment_id = $2 where id = $1 and payment_id is null', [
    orderId,
    paymentId,
  ]);
}

/** Takes over a state: from an answer at once, from a callback only when none with a higher sequence has come. */
export async function setState(orderId: string, state: string, sequence: number | null): Promise<void> {
  await query(
    'shop-order-state',
    `update shop_orders set state = $2, state_sequence = coalesce($3, state_sequence)
      where id = $1 and ($3::int is null or $3 > state_sequence)`,
    [orderId, state, sequence],
  );
}

type EventRow = { id: bigint; kind: string; at: Date; data: object };

async function stepsOf(orderId: string): Promise<Step[]> {
  const rows = await query<EventRow>(
    'shop-events',
    'select id, kind, at, data from shop_events where order_id = $1 order by id',
    [orderId],
  );
  return rows.map((row) => {
    const step = { id: String(row.id), at: row.at.toISOString(), kind: row.kind, ...row.data };
    return step as unknown as Step;
  });
}

/** Number that grows with every event of the order; 0 before the first. */
export async function lastEventOf(orderId: string): Promise<bigint> {
  const [row] = await query<{ last: bigint | null }>(
    'shop-events-last',
    'select max(id) as last from shop_events where order_id = $1',
    [orderId],
  );
  return row?.last ?? 0n;
}

/** Everything that the order's page shows. */
export async function viewOf(order: Order): Promise<OrderView> {
  const steps = await stepsOf(order.id);
  const { held, captured, refunded } = moneyOf(order.currency, steps);
  const whole = minorOf(order.amount, order.currency);
  const left = order.state === 'pending' ? whole : order.state === 'settled' ? captured - refunded : 0n;
  const text = (minor: bigint) => formatAmount(minor, order.currency);
  return {
    id: order.id,
    number: order.number,
    description: order.description,
    amount: order.amount,
    currency: order.currency,
    authorizeOnly: order.authorize_only,
    language: order.language,
    createdAt: order.created_at.toISOString(),
    pageUrl: order.page_url,
    paymentId: order.payment_id,
    state: order.state,
    held: text(held),
    captured: text(captured),
    refunded: text(refunded),
    left: text(left),
    actions: order.payment_id === null ? [] : (actionsOf(order.state, left, refunded) as Action[]),
    steps,
    version: `${steps.at(-1)?.id ?? 0}.${order.state ?? ''}.${order.state_sequence}`,
  };
}

// A callback may come twice, and what it says of money must count once.
function moneyOf(currency: string, steps: readonly Step[]): { held: bigint; captured: bigint; refunded: bigint } {
  let held = 0n;
  let captured = 0n;
  let refunded = 0n;
  for (const step of steps) {
    if (step.kind !== 'callback' || !step.hashValid || !step.headerValid || step.repeat) continue;
    const fields = new Map(step.fields);
    if (fields.get('status') !== 'success') continue;
    const minor = minorOf(fields.get('order_amount') ?? '', currency);
    const type = fields.get('type') ?? '';
    const moved = ['sale', 'recurring', 'debit', 'capture'].includes(type);
    if (moved && fields.get('order_status') === 'settled') captured = minor;
    if (moved && fields.get('order_status') === 'pending') held = minor;
    if (type === 'refund') refunded += minor;
  }
  return { held, captured, refunded };
}

function minorOf(text: string, currency: string): bigint {
  const parsed = parseAmount(text, currency);
  return parsed.ok ? parsed.minor : 0n;
}

let nextSweepMilliseconds = 0;

/** The job that removes orders older than a day, with all that belongs to them. Looks every ten minutes. */
export async function removeOldOrders(at: Date): Promise<number> {
  if (env.appEnv !== 'sandbox' || at.getTime() < nextSweepMilliseconds) return 0;
  nextSweepMilliseconds = at.getTime() + 10 * 60_000;
  const before = new Date(at.getTime() - keptHours * 3_600_000);
  const removed = await query('shop-orders-remove', 'delete from shop_orders where created_at < $1 returning id', [
    before,
  ]);
  return removed.length;
}
