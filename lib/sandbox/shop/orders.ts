// The demo shop's tables: orders, their payment attempts and events, and saved cards. The visitor's cookie gives
// access; only a signed callback finds an order by id alone.
import { randomBytes, randomInt } from 'node:crypto';
import { env } from '../../config/index.ts';
import { now } from '../../db/clock.ts';
import { prisma } from '../../db/index.ts';
import { Prisma, type ShopCard, type ShopOrder, type ShopSale } from '../../prisma/client.ts';
import type { Way } from './form-schemas.ts';
import type { CardView, OrderLink, OrderRow, Step, StepData } from './order-model.ts';
import type { PricedLine } from './products.ts';
import { fail } from './requests.ts';

export type Order = Omit<ShopOrder, 'lines' | 'way' | 'next' | 'subscription'> & {
  lines: PricedLine[] | null;
  way: Way;
  next: { url: string; method: 'GET' | 'POST'; params: Record<string, string> } | null;
  subscription: 'active' | 'paused' | 'cancelled' | null;
};

/** The Florin protocol of an order. */
export function protocolOf({ way }: Order): 'checkout' | 's2s_card' | 's2s_apm' {
  if (way === 'wallet') return 's2s_apm';
  return way === 's2s' || way === 'saved' ? 's2s_card' : 'checkout';
}

/** The fields of a new order; absent ones are not requested. */
export type NewOrder = Pick<Order, 'item' | 'description' | 'amount' | 'currency'> &
  Partial<
    Pick<Order, 'way' | 'parentId' | 'authorizeOnly' | 'recurringInit' | 'requestToken' | 'language' | 'scheduleAmount'>
  > & { lines?: PricedLine[] };

/** Limits floods of the sandbox; normal use stays below. */
const ordersPerMinuteMax = 120;
const eventsPerOrderMax = 200;
const keptHours = 24;
/** An order with an active subscription is kept until all its charges are made. */
const subscribedHours = keptHours * 10;
const listedMax = 8;

/** Inserts a visitor's order. Rejects the request if there are too many. */
export async function createOrder(visitor: string, made: NewOrder): Promise<Order> {
  const createdAt = now();
  const minuteAgo = new Date(createdAt.getTime() - 60_000);
  const recent = await prisma().shopOrder.count({ where: { createdAt: { gt: minuteAgo } } });
  if (recent >= ordersPerMinuteMax)
    fail(429, 'The demo shop has too many orders at the moment. Try again in a minute.');
  const id = randomBytes(16).toString('base64url');
  const off = { authorizeOnly: false, recurringInit: false, requestToken: false };
  const language = made.language || null;
  const data = { ...off, ...made, id, visitor, number: newNumber(), language, createdAt };
  return (await prisma().shopOrder.create({ data })) as Order;
}

// Short, without letters that look like digits.
function newNumber(): string {
  const letters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
  return `DEMO-${Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('')}`;
}

/** The order with this id of any visitor; null if unknown. */
export async function findOrder(id: string): Promise<Order | null> {
  if (!/^[\w-]{22}$/.test(id)) return null;
  return (await prisma().shopOrder.findUnique({ where: { id } })) as Order | null;
}

/** The visitor's order with this id; null for others. */
export async function findOwn(id: string, visitor: string | null): Promise<Order | null> {
  const order = visitor === null ? null : await findOrder(id);
  return order?.visitor === visitor ? order : null;
}

/** The visitor's latest orders, newest first. */
export async function ordersOf(visitor: string | null): Promise<OrderRow[]> {
  if (visitor === null) return [];
  const orderBy = [{ createdAt: 'desc' }, { id: 'asc' }] as const;
  const rows = await prisma().shopOrder.findMany({ where: { visitor }, orderBy: [...orderBy], take: listedMax });
  return rows.map(({ id, number, description, amount, currency, way, state, createdAt }) => {
    return { id, number, description, amount, currency, way: way as Way, state, createdAt: createdAt.toISOString() };
  });
}

/** The orders that charge this one's chain, oldest first. */
export function chargesOf(parentId: string): Promise<OrderLink[]> {
  const select = { id: true, number: true };
  return prisma().shopOrder.findMany({ where: { parentId }, select, orderBy: { createdAt: 'asc' }, take: listedMax });
}

/** Adds an event. With `once`, only the first of its name; nothing beyond the limit. */
export async function addStep(orderId: string, data: StepData, once: string | null = null): Promise<void> {
  const { kind, ...rest } = data;
  if ((await prisma().shopEvent.count({ where: { orderId } })) >= eventsPerOrderMax) return;
  await prisma().shopEvent.createMany({ data: { orderId, kind, once, at: now(), data: rest }, skipDuplicates: true });
}

/** Whether the event of this name has been added. */
export async function hasStep(orderId: string, once: string): Promise<boolean> {
  return (await prisma().shopEvent.count({ where: { orderId, once } })) > 0;
}

/** Updates an order. */
export async function changeOrder(id: string, { next, ...changes }: Partial<Omit<Order, 'lines'>>): Promise<void> {
  const data = { ...changes, ...(next !== undefined && { next: next ?? Prisma.DbNull }) };
  await prisma().shopOrder.update({ where: { id }, data });
}

/** Stores the payment's id from the first genuine message. */
export async function setPayment(id: string, paymentId: string): Promise<void> {
  await prisma().shopOrder.updateMany({ where: { id, paymentId: null }, data: { paymentId } });
}

/** Stores a state: from a response at once, from a callback unless one with a higher sequence has arrived. */
export async function setState(id: string, state: string, stateSequence: number | null): Promise<void> {
  if (stateSequence === null) return changeOrder(id, { state });
  const where = { id, stateSequence: { lt: stateSequence } };
  await prisma().shopOrder.updateMany({ where, data: { state, stateSequence } });
}

/** Stores the result of a sale's response, unless a callback has reported more. */
export async function setAnsweredState(id: string, state: string): Promise<void> {
  await prisma().shopOrder.updateMany({ where: { id, stateSequence: -1 }, data: { state } });
}

/**
 * Inserts an attempt before its request; null while another one is in flight or not declined, because an unknown
 * outcome must not be charged again. Each attempt is a payment of its own, with its own order_id and callback sequence.
 */
export function beginSale({ id, number }: Order, card: string): Promise<ShopSale | null> {
  return prisma().$transaction(async (tables) => {
    const { count } = await tables.shopOrder.updateMany({
      where: { id, OR: [{ state: null }, { state: 'decline' }] },
      data: { state: 'prepare', stateSequence: -1, next: Prisma.DbNull },
    });
    if (count === 0) return null;
    const earlier = await tables.shopSale.count({ where: { orderId: id } });
    const data = { number: earlier === 0 ? number : `${number}-${earlier + 1}`, orderId: id, card, createdAt: now() };
    return tables.shopSale.create({ data });
  });
}

/** Removes an attempt that Florin rejected. */
export async function endSale(id: string): Promise<void> {
  await prisma().shopOrder.updateMany({ where: { id, state: 'prepare', stateSequence: -1 }, data: { state: null } });
}

/** Stores the transaction of a response. */
export async function setSaleTransaction(number: string, transId: string): Promise<void> {
  await prisma().shopSale.updateMany({ where: { number }, data: { transId } });
}

/** The latest attempt of an order. */
export function lastSaleOf(orderId: string): Promise<ShopSale | null> {
  return prisma().shopSale.findFirst({ where: { orderId }, orderBy: [{ createdAt: 'desc' }, { number: 'desc' }] });
}

/** The attempt of an order with this order_id. */
export function findSale(orderId: string, number: string): Promise<ShopSale | null> {
  return prisma().shopSale.findFirst({ where: { number, orderId } });
}

/** The events of an order, oldest first. */
export async function stepsOf(orderId: string): Promise<Step[]> {
  const rows = await prisma().shopEvent.findMany({ where: { orderId }, orderBy: { id: 'asc' } });
  return rows.map(({ id, at, kind, data }) => {
    return { id: String(id), at: at.toISOString(), kind, ...(data as object) } as Step;
  });
}

/** A number that grows with every event of the order; 0 before the first. */
export async function lastEventOf(orderId: string): Promise<bigint> {
  const last = await prisma().shopEvent.aggregate({ where: { orderId }, _max: { id: true } });
  return last._max.id ?? 0n;
}

/** Saves the token of a genuine callback for the visitor who requested it; a repeat keeps the same card. */
export async function saveCard({ id: orderId, visitor }: Order, token: string, card: string, expiry: string) {
  const id = randomBytes(12).toString('base64url');
  const data = { id, visitor, token, card, expiry, orderId, createdAt: now() };
  await prisma().shopCard.createMany({ data, skipDuplicates: true });
}

const viewed = { id: true, card: true, expiry: true };

/** The visitor's cards, the newest first. */
export async function cardsOf(visitor: string | null): Promise<CardView[]> {
  if (visitor === null) return [];
  const latest = { orderBy: { createdAt: 'desc' }, take: listedMax } as const;
  return prisma().shopCard.findMany({ where: { visitor }, select: viewed, ...latest });
}

/** The visitor's card with this id; null for others. */
export function findCard(visitor: string, id: string): Promise<ShopCard | null> {
  return prisma().shopCard.findFirst({ where: { id, visitor } });
}

/** The card that was saved with an order. */
export function cardSavedWith({ id: orderId, visitor }: Order): Promise<CardView | null> {
  return prisma().shopCard.findFirst({ where: { orderId, visitor }, select: viewed });
}

/** Deletes a card. */
export async function removeCard(id: string): Promise<void> {
  await prisma().shopCard.deleteMany({ where: { id } });
}

let nextSweepMilliseconds = 0;

/** The job that removes orders and saved cards older than a day, with dependent rows. Runs every ten minutes. */
export async function removeOldOrders(at: Date): Promise<number> {
  if (env.appEnv !== 'sandbox' || at.getTime() < nextSweepMilliseconds) return 0;
  nextSweepMilliseconds = at.getTime() + 10 * 60_000;
  const hoursBefore = (hours: number) => ({ lt: new Date(at.getTime() - hours * 3_600_000) });
  const createdAt = hoursBefore(keptHours);
  const isOver = [{ subscription: null }, { subscription: 'cancelled' }, { createdAt: hoursBefore(subscribedHours) }];
  const { count } = await prisma().shopOrder.deleteMany({ where: { createdAt, OR: isOver } });
  await prisma().shopCard.deleteMany({ where: { createdAt } });
  return count;
}
