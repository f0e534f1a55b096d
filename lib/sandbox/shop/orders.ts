// The demo shop's tables: orders, their payment attempts and events. The visitor's cookie gives access; only a signed
// callback finds an order by id alone.
import { randomBytes, randomInt } from 'node:crypto';
import { env } from '../../config';
import { statement } from '../../db';
import { now } from '../../db/clock';
import type { Way } from './form-schemas';
import type { OrderLink, OrderRow, Step, StepData } from './order-model';
import type { PricedLine } from './products';

/** A row of shop_orders. */
export type Order = {
  id: string;
  visitor: string;
  number: string;
  item: string;
  description: string;
  lines: PricedLine[] | null;
  amount: string;
  currency: string;
  way: Way;
  parent_id: string | null;
  authorize_only: boolean;
  recurring_init: boolean;
  request_token: boolean;
  language: string | null;
  page_url: string | null;
  next: { url: string; method: 'GET' | 'POST'; params: Record<string, string> } | null;
  fields_token: string | null;
  schedule_id: string | null;
  schedule_amount: string | null;
  subscription: 'active' | 'paused' | 'cancelled' | null;
  first_trans_id: string | null;
  recurring_token: string | null;
  first_recurring: string | null;
  payment_id: string | null;
  state: string | null;
  state_sequence: number;
  created_at: Date;
};

/** The Florin protocol of an order. */
export function protocolOf({ way }: Order): 'checkout' | 's2s_card' | 's2s_apm' {
  if (way === 'wallet') return 's2s_apm';
  return way === 's2s' || way === 'saved' ? 's2s_card' : 'checkout';
}

/** The fields of a new order; absent ones are not requested. */
export type NewOrder = Pick<Order, 'item' | 'description' | 'amount' | 'currency'> &
  Partial<
    Pick<
      Order,
      'way' | 'parent_id' | 'authorize_only' | 'recurring_init' | 'request_token' | 'language' | 'schedule_amount'
    >
  > & { lines?: PricedLine[] };

/** Limits floods of the sandbox; normal use stays below. */
const ordersPerMinuteMax = 120;
export const eventsPerOrderMax = 200;
const keptHours = 24;
/** An order with an active subscription is kept until all its charges are made. */
const subscribedHours = keptHours * 10;
const listedMax = 8;

type OrderParams = Pick<Order, 'id' | 'visitor' | 'number' | 'item' | 'description' | 'amount' | 'currency' | 'way'> & {
  lines: string | null;
  parentId: string | null;
  scheduleAmount: string | null;
  language: string | null;
  authorizeOnly: boolean;
  recurringInit: boolean;
  requestToken: boolean;
  at: Date;
};
const insertOrder = statement<OrderParams, Order>(
  'shop-order-create',
  `insert into shop_orders (id, visitor, number, item, description, amount, currency, lines, way, parent_id,
                            schedule_amount, language, authorize_only, recurring_init, request_token, created_at)
   values (:id, :visitor, :number, :item, :description, :amount, :currency, :lines, :way, :parentId,
           :scheduleAmount, :language, :authorizeOnly, :recurringInit, :requestToken, :at) returning *`,
);

const countOrders = statement<{ since: Date }, { count: bigint }>(
  'shop-orders-recent',
  'select count(*) from shop_orders where created_at > :since',
);

/** Inserts a visitor's order; null if there are too many. */
export async function createOrder(visitor: string, made: NewOrder): Promise<Order | null> {
  const time = now();
  const minuteAgo = new Date(time.getTime() - 60_000);
  const [recent] = await countOrders({ since: minuteAgo });
  if (Number(recent?.count ?? 0) >= ordersPerMinuteMax) return null;
  const id = randomBytes(16).toString('base64url');
  const [order] = await insertOrder({
    id,
    visitor,
    number: newNumber(),
    item: made.item,
    description: made.description,
    amount: made.amount,
    currency: made.currency,
    lines: made.lines ? JSON.stringify(made.lines) : null,
    way: made.way ?? 'page',
    parentId: made.parent_id ?? null,
    scheduleAmount: made.schedule_amount ?? null,
    language: made.language || null,
    authorizeOnly: made.authorize_only ?? false,
    recurringInit: made.recurring_init ?? false,
    requestToken: made.request_token ?? false,
    at: time,
  });
  return order ?? null;
}

// Short, without letters that look like digits.
function newNumber(): string {
  const letters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
  return `DEMO-${Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('')}`;
}

const orderById = statement<{ id: string }, Order>('shop-order-find', 'select * from shop_orders where id = :id');

/** The order with this id of any visitor; null if unknown. */
export async function findOrder(id: string): Promise<Order | null> {
  if (!/^[\w-]{22}$/.test(id)) return null;
  const [order] = await orderById({ id });
  return order ?? null;
}

/** The visitor's order with this id; null for others. */
export async function findOwn(id: string, visitor: string | null): Promise<Order | null> {
  const order = visitor === null ? null : await findOrder(id);
  return order?.visitor === visitor ? order : null;
}

const ordersByVisitor = statement<{ visitor: string }, Order>(
  'shop-orders-of',
  `select * from shop_orders where visitor = :visitor order by created_at desc, id limit ${listedMax}`,
);

/** The visitor's latest orders, newest first. */
export async function ordersOf(visitor: string | null): Promise<OrderRow[]> {
  if (visitor === null) return [];
  const rows = await ordersByVisitor({ visitor });
  return rows.map(({ id, number, description, amount, currency, way, state, created_at }) => {
    return { id, number, description, amount, currency, way, state, createdAt: created_at.toISOString() };
  });
}

const chargesByOrder = statement<{ orderId: string }, OrderLink>(
  'shop-orders-again',
  `select id, number from shop_orders where parent_id = :orderId order by created_at limit ${listedMax}`,
);

/** The orders that charge this one's chain, oldest first. */
export async function chargesOf(orderId: string): Promise<OrderLink[]> {
  return chargesByOrder({ orderId });
}

const insertEvent = statement<{ orderId: string; kind: string; once: string | null; at: Date; data: string }>(
  'shop-event-add',
  `insert into shop_events (order_id, kind, once, at, data)
   select :orderId, :kind, :once, :at, :data
    where (select count(*) from shop_events where order_id = :orderId) < ${eventsPerOrderMax}
   on conflict (order_id, once) do nothing returning id`,
);

/** Adds an event. With `once`, only the first of its name; nothing beyond the limit. */
export async function addStep(orderId: string, data: StepData, once: string | null = null): Promise<boolean> {
  const { kind, ...rest } = data;
  const added = await insertEvent({ orderId, kind, once, at: now(), data: JSON.stringify(rest) });
  return added.length > 0;
}

type Changes = Partial<
  Record<
    | 'page_url'
    | 'fields_token'
    | 'schedule_id'
    | 'subscription'
    | 'first_trans_id'
    | 'recurring_token'
    | 'first_recurring'
    | 'next',
    string | null
  >
>;

/** Updates an order. `next` is JSON. */
export async function changeOrder(orderId: string, changes: Changes): Promise<void> {
  const names = Object.keys(changes);
  const set = names.map((name) => `${name} = :${name}`).join(', ');
  const update = statement<Changes & { orderId: string }>(
    `shop-order-change-${names.join('-')}`,
    `update shop_orders set ${set} where id = :orderId`,
  );
  await update({ ...changes, orderId });
}

const setPaymentId = statement<{ orderId: string; paymentId: string }>(
  'shop-order-payment',
  'update shop_orders set payment_id = :paymentId where id = :orderId and payment_id is null',
);

/** Stores the payment's id from the first genuine message. */
export async function setPayment(orderId: string, paymentId: string): Promise<void> {
  await setPaymentId({ orderId, paymentId });
}

const updateState = statement<{ orderId: string; state: string; sequence: number | null }>(
  'shop-order-state',
  `update shop_orders set state = :state, state_sequence = coalesce(:sequence, state_sequence)
    where id = :orderId and (:sequence::int is null or :sequence > state_sequence)`,
);

/** Stores a state: from a response at once, from a callback unless one with a higher sequence has arrived. */
export async function setState(orderId: string, state: string, sequence: number | null): Promise<void> {
  await updateState({ orderId, state, sequence });
}

const updateAnsweredState = statement<{ orderId: string; state: string }>(
  'shop-order-answered',
  'update shop_orders set state = :state where id = :orderId and state_sequence = -1',
);

/** Stores the result of a sale's response, unless a callback has reported more. */
export async function setAnsweredState(orderId: string, state: string): Promise<void> {
  await updateAnsweredState({ orderId, state });
}

/** A payment attempt over S2S. `number` is its order_id; `card` is masked, empty for a wallet. */
export type SaleRow = { number: string; order_id: string; card: string; trans_id: string | null };

const insertSale = statement<{ orderId: string; number: string; card: string; at: Date }, SaleRow>(
  'shop-sale-begin',
  `with free as (update shop_orders set state = 'prepare', state_sequence = -1, next = null
                  where id = :orderId and (state is null or state = 'decline') returning id)
   insert into shop_sales (number, order_id, card, created_at)
   select :number || coalesce(
            (select '-' || count(*) + 1 from shop_sales where order_id = :orderId having count(*) > 0), ''),
          free.id, :card, :at from free
   returning *`,
);

/**
 * Inserts an attempt before its request; null while another one is in flight or not declined, because an unknown
 * outcome must not be charged again. Each attempt is a payment of its own, with its own callback sequence.
 */
export async function beginSale(order: Order, card: string): Promise<SaleRow | null> {
  const [sale] = await insertSale({ orderId: order.id, number: order.number, card, at: now() });
  return sale ?? null;
}

const resetOrder = statement<{ orderId: string }>(
  'shop-sale-refused',
  `update shop_orders set state = null where id = :orderId and state = 'prepare' and state_sequence = -1`,
);

/** Removes an attempt that Florin rejected. */
export async function endSale(orderId: string): Promise<void> {
  await resetOrder({ orderId });
}

const setTransaction = statement<{ number: string; transId: string }>(
  'shop-sale-transaction',
  'update shop_sales set trans_id = :transId where number = :number',
);

/** Stores the transaction of a response. */
export async function setSaleTransaction(number: string, transId: string): Promise<void> {
  await setTransaction({ number, transId });
}

const lastSale = statement<{ orderId: string }, SaleRow>(
  'shop-sale-last',
  'select * from shop_sales where order_id = :orderId order by created_at desc, number desc limit 1',
);

/** The latest attempt of an order. */
export async function lastSaleOf(orderId: string): Promise<SaleRow | null> {
  const [sale] = await lastSale({ orderId });
  return sale ?? null;
}

const saleByNumber = statement<{ orderId: string; number: string }, SaleRow>(
  'shop-sale-find',
  'select * from shop_sales where number = :number and order_id = :orderId',
);

/** The attempt of an order with this order_id. */
export async function findSale(orderId: string, number: string): Promise<SaleRow | null> {
  const [sale] = await saleByNumber({ orderId, number });
  return sale ?? null;
}

type EventRow = { id: bigint; kind: string; at: Date; data: object };

const eventsByOrder = statement<{ orderId: string }, EventRow>(
  'shop-events',
  'select id, kind, at, data from shop_events where order_id = :orderId order by id',
);

/** The events of an order, oldest first. */
export async function stepsOf(orderId: string): Promise<Step[]> {
  const rows = await eventsByOrder({ orderId });
  return rows.map((row) => {
    const step = { id: String(row.id), at: row.at.toISOString(), kind: row.kind, ...row.data };
    return step as unknown as Step;
  });
}

const lastEvent = statement<{ orderId: string }, { last: bigint | null }>(
  'shop-events-last',
  'select max(id) as last from shop_events where order_id = :orderId',
);

/** A number that grows with every event of the order; 0 before the first. */
export async function lastEventOf(orderId: string): Promise<bigint> {
  const [row] = await lastEvent({ orderId });
  return row?.last ?? 0n;
}

let nextSweepMilliseconds = 0;

const deleteOrders = statement<{ before: Date; long: Date }>(
  'shop-orders-remove',
  `delete from shop_orders where created_at < :before
      and (subscription is null or subscription = 'cancelled' or created_at < :long) returning id`,
);

const deleteCards = statement<{ before: Date }>(
  'shop-cards-remove',
  'delete from shop_cards where created_at < :before',
);

/** The job that removes orders and saved cards older than a day, with dependent rows. Runs every ten minutes. */
export async function removeOldOrders(at: Date): Promise<number> {
  if (env.appEnv !== 'sandbox' || at.getTime() < nextSweepMilliseconds) return 0;
  nextSweepMilliseconds = at.getTime() + 10 * 60_000;
  const hoursBefore = (hours: number) => new Date(at.getTime() - hours * 3_600_000);
  const before = hoursBefore(keptHours);
  const removed = await deleteOrders({ before, long: hoursBefore(subscribedHours) });
  await deleteCards({ before });
  return removed.length;
}
