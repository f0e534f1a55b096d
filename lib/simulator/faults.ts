// Faults that tests order from the sandbox provider: the next calls answer 500, garbage or nothing, or the connection
// breaks, before or after the call was carried out.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { query } from '../db';
import { refusal } from './wire';

export const faultKinds = ['error', 'garbage', 'reset', 'hang'] as const;
export const faultCalls = ['payment', 'payout', 'capture', 'refund', 'void', 'proceed', 'status'] as const;

export type Fault = { fault: (typeof faultKinds)[number]; carriedOut: boolean };
export type FaultCall = (typeof faultCalls)[number];

export type FaultOrder = Fault & { calls: number; orderNumber: string | null; call: FaultCall | null };

/** SQL that takes the first fault waiting for a call; the two arguments are the parameters of order number and call. */
export function claimFault(orderNumber: string, call: string): string {
  return `update sim_faults set remaining = remaining - 1 where id = (
    select id from sim_faults where remaining > 0 and (order_number is null or order_number = ${orderNumber})
      and (call is null or call = ${call})
    order by created_at, id limit 1 for update skip locked) returning fault, carried_out`;
}

/** Takes the fault that waits for this call; null for none. */
export async function takeFault(orderNumber: string, call: FaultCall): Promise<Fault | null> {
  const text = `with struck as (${claimFault('$1', '$2')}) select fault, carried_out as "carriedOut" from struck`;
  const [fault] = await query<Fault>('sim-fault-take', text, [orderNumber, call]);
  return fault ?? null;
}

/** Orders a fault for the next calls. */
export async function orderFault(order: FaultOrder, now: Date): Promise<void> {
  const text = `insert into sim_faults (id, order_number, call, fault, carried_out, remaining, created_at)
    values ($1, $2, $3, $4, $5, $6, $7)`;
  const { orderNumber, call, fault, carriedOut, calls } = order;
  await query('sim-fault-order', text, [randomUUID(), orderNumber, call, fault, carriedOut, calls, now]);
}

/** Takes back what was ordered for one order number, or with null everything. */
export async function clearFaults(orderNumber: string | null): Promise<void> {
  const text = 'delete from sim_faults where $1::text is null or order_number = $1';
  await query('sim-fault-clear', text, [orderNumber]);
}

/** Runs a call under a fault: `work` happens only if the fault strikes after it. */
export async function under(fault: Fault, waitSeconds: number, work: () => Promise<Response>): Promise<Response> {
  const answer = fault.carriedOut ? await work() : refusal(503, 'unavailable', 'The provider is unavailable');
  switch (fault.fault) {
    case 'error':
      return refusal(500, 'internal_error', 'The provider failed');
    case 'garbage':
      return new Response('<html><body>Welcome to nginx', { headers: { 'content-type': 'text/html' } });
    case 'reset':
      return broken();
    case 'hang':
      await hang(waitSeconds);
      return answer;
  }
}

/** Waits until the caller has certainly given up. */
export async function hang(waitSeconds: number): Promise<void> {
  await delay((waitSeconds + 2) * 1000, undefined, { ref: false });
}

/** An answer whose connection breaks before it is complete. */
export function broken(): Response {
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      controller.enqueue(new TextEncoder().encode('{"reference":"'));
      await delay(20);
      controller.error(new Error('the sandbox provider breaks this connection on purpose'));
    },
  });
  return new Response(body, { headers: { 'content-type': 'application/json' } });
}
