// Subscriptions as rows, their charges at the provider, and the time until the next charge.

import type { Clock } from './clock.ts';
import { sql } from './database-rows.ts';
import type { Sold } from './s2s-merchant.ts';
import { expect } from './test.ts';

/**
 * The charges that the provider received for a subscription: the ends of the order numbers, as `1` and `2-2`, in
 * sequence.
 */
export async function ordersOf({ orderId }: Sold, status = 'approved'): Promise<string[]> {
  const rows = await sql(
    `select order_number as number from sim_operations
      where starts_with(order_number, $1 || '/') and kind = 'payment' and status = $2 order by created_at, order_number`,
    [orderId, status],
  );
  return rows.map(({ number }) => String(number).slice(orderId.length + 1));
}

export type Row = { id: string; done: number; retries: number; due: string | null; stopped: string | null };

export async function rowOf({ orderId }: Sold): Promise<Row> {
  const [row] = await sql(
    `select u.id, u.done, u.retries, u.due_at as due, u.stop_reason as stopped
       from subscriptions u join payments p on p.id = u.payment_id where p.order_number = $1`,
    [orderId],
  );
  return row;
}

/** Edits the row of a subscription like a manual SQL statement. */
export async function edit(sold: Sold, change: string, values: unknown[] = []): Promise<void> {
  await sql(`update subscriptions set ${change} where id = '${(await rowOf(sold)).id}'`, values);
}

/** Waits until the server has processed all due rows. */
export async function runDueJobs(clock: Clock): Promise<void> {
  // What one round has processed can make rows due for the next.
  for (let idle = 0; idle < 12; ) {
    idle = (await clock.tick()) > 0 ? 0 : idle + 1;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export async function pass(clock: Clock, seconds: number): Promise<void> {
  await clock.advance(seconds);
  await runDueJobs(clock);
}

/** Moves the clock to a minute after the next charge of a subscription. */
export async function toNext(clock: Clock, sold: Sold): Promise<void> {
  const ahead = Date.parse((await rowOf(sold)).due ?? '') - (await clock.now()).getTime();
  expect(ahead, 'the next charge is in the future').toBeGreaterThan(0);
  await pass(clock, Math.ceil(ahead / 1000) + 60);
}

export const daysBetween = (from: string | null, to: string | null) =>
  (Date.parse(to ?? '') - Date.parse(from ?? '')) / 86_400_000;
