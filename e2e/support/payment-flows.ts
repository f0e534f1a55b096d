// Common parts of tests: a paid payment, the callbacks that a shop received, the provider's journal.
import { expect } from '@playwright/test';
import { conformCallback } from './conformance.ts';
import type { Body, Changes, Merchant, Opened } from './merchant.ts';
import { type Card, type ChallengeAnswer, cards, type Payer, type Screen, startPayer } from './payer.ts';
import { type Delivery, describeDelivery, messagesOf, patienceSeconds } from './shop-server.ts';
import { isSignedCallback, type Order } from './signatures.ts';

/** A payment after the payer's last step. */
export type Paid = { id: string; order: Order; link: string; opened: Opened; payer: Payer; screen: Screen };

/** Opens a session and pays it with a card; the outcome may be any. */
export async function pay(
  merchant: Merchant,
  card: Card = cards.settled,
  changes: Changes = {},
  act: ChallengeAnswer = 'confirm',
): Promise<Paid> {
  const opened = await merchant.open(changes);
  const payer = startPayer(merchant.baseUrl);
  const screen = await payer.pay(opened.url, card, act);
  const id = await idOf(merchant, opened.order.number);
  return { id, order: opened.order, link: opened.url, opened, payer, screen };
}

/** An authorised payment that waits for its capture. */
export function authorise(merchant: Merchant, card: Card = cards.settled, changes: Changes = {}): Promise<Paid> {
  return pay(merchant, card, { auth: true, ...changes });
}

/** The payment of an order. */
export async function idOf(merchant: Merchant, orderNumber: string): Promise<string> {
  const { status, body } = await merchant.statusByOrder(orderNumber);
  if (status !== 200) throw new Error(`status of ${orderNumber}: ${status} ${JSON.stringify(body)}`);
  return body.payment_id;
}

/** The status of a payment. Fails if the payment does not exist. */
export async function statusOf(merchant: Merchant, id: string): Promise<Body> {
  const { status, body } = await merchant.status(id);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

/** Polls until the payment has the expected status; fails with the last answer after `seconds`. */
export async function untilStatus(
  merchant: Merchant,
  id: string,
  wanted: string,
  seconds = patienceSeconds,
): Promise<Body> {
  const until = Date.now() + seconds * 1000;
  for (;;) {
    const body = await statusOf(merchant, id);
    if (body.status === wanted) return body;
    if (Date.now() > until) throw new Error(`expected ${wanted} within ${seconds} s: ${JSON.stringify(body)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The messages of an order, once there are `count`. Checks the hash, the headers and the sequence of each. */
export async function callbacksOf(
  merchant: Merchant,
  order: Order,
  count: number,
  seconds = patienceSeconds,
): Promise<Delivery[]> {
  const arrived = await merchant.shopServer.waitFor(order.number, (all) => messagesOf(all).length >= count, seconds);
  const messages = messagesOf(arrived);
  let last = -1;
  for (const message of messages) {
    expect(isSignedCallback(message.fields, merchant.credentials), JSON.stringify(message.fields)).toBe(true);
    expect(message.headers['content-type']).toBe('application/x-www-form-urlencoded; charset=utf-8');
    await conformCallback(merchant.baseUrl, 'checkout', message);
    expect(message.sequence, 'Florin-Sequence increases').toBeGreaterThan(last);
    last = message.sequence;
  }
  return messages;
}

/** Waits for exactly these callbacks, each written `status type order_status`. */
export async function expectCallbacks(merchant: Merchant, order: Order, wanted: string[], seconds = patienceSeconds) {
  let messages: Delivery[];
  try {
    messages = await callbacksOf(merchant, order, wanted.length, seconds);
  } catch (error) {
    const have = messagesOf(merchant.shopServer.arrived(order.number)).map(describeDelivery);
    expect(have, String(error)).toEqual(wanted);
    throw error;
  }
  expect(messages.map(describeDelivery)).toEqual(wanted);
  return messages;
}
