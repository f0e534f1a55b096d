// Faults that tests schedule at the sandbox provider: the next calls get 500, garbage, no response or a reset
// connection, before or after execution, arrive late, or get another answer.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { prisma } from '../../db/index.ts';
import { type HttpResult, httpResult } from '../../http/index.ts';
import { answerOf } from '../routes.ts';
import type { Status } from './operation.ts';
import { refusal } from './wire.ts';

export const faultKinds = ['error', 'garbage', 'reset', 'hang', 'forget', 'late', 'answer'] as const;
export const faultCalls = ['payment', 'payout', 'capture', 'refund', 'void', 'proceed', 'status'] as const;

/** The forced result of an operation: another status, amount (decimal text) or currency. */
export type Instead = { status?: Status; amount?: string; currency?: string };

/** `seconds` belongs to `late`, `answer` to `answer`. */
export type Fault = {
  fault: (typeof faultKinds)[number];
  carriedOut: boolean;
  seconds: number | null;
  answer: Instead | null;
};
export type FaultCall = (typeof faultCalls)[number];

export type ScheduledFault = Fault & { calls: number; orderNumber: string | null; call: FaultCall | null };

/** Takes the first scheduled fault of this call; null for none. */
export async function takeFault(
  orderNumber: string,
  call: FaultCall,
  tables: Pick<ReturnType<typeof prisma>, '$queryRaw'> = prisma(),
): Promise<Fault | null> {
  const [fault] = await tables.$queryRaw<Fault[]>`update sim_faults set remaining = remaining - 1 where id = (
    select id from sim_faults where remaining > 0 and (order_number is null or order_number = ${orderNumber})
      and (call is null or call = ${call})
    order by created_at, id limit 1 for update skip locked)
    returning fault, carried_out as "carriedOut", seconds, answer`;
  return fault ?? null;
}

/** Schedules a fault for the next calls. */
export async function scheduleFault({ calls, answer, ...fault }: ScheduledFault, createdAt: Date): Promise<void> {
  const data = { ...fault, ...(answer && { answer }), id: randomUUID(), remaining: calls, createdAt };
  await prisma().simFault.create({ data });
}

/** Removes the faults of one order number, or all with null. */
export async function clearFaults(orderNumber: string | null): Promise<void> {
  await prisma().simFault.deleteMany({ where: orderNumber === null ? {} : { orderNumber } });
}

/** Runs a call under its scheduled fault, if any. `work` gets the forced result. */
export async function withFault(
  orderNumber: string,
  call: FaultCall,
  waitSeconds: number,
  work: (instead: Instead) => Promise<HttpResult>,
): Promise<HttpResult> {
  const fault = await takeFault(orderNumber, call);
  return fault ? under(fault, waitSeconds, () => work(fault.answer ?? {})) : work({});
}

/** Runs a call under a fault: `work` runs only if the fault occurs after it. A late call checks key and deadline. */
export async function under(fault: Fault, waitSeconds: number, work: () => Promise<HttpResult>): Promise<HttpResult> {
  if (fault.fault === 'late') await delay((fault.seconds ?? 0) * 1000, undefined, { ref: false });
  const happens = fault.carriedOut || fault.fault === 'late' || fault.fault === 'answer';
  const answer = happens ? await answerOf(work) : refusal(503, 'unavailable', 'The provider is unavailable');
  switch (fault.fault) {
    case 'late':
    case 'answer':
      return answer;
    case 'forget':
      return refusal(404, 'operation_not_found', 'There is no operation with this key');
    case 'error':
      return refusal(500, 'internal_error', 'The provider failed');
    case 'garbage':
      return httpResult('<html><body>Welcome to nginx', { headers: { 'content-type': 'text/html' } });
    case 'reset':
      return broken();
    case 'hang':
      await hang(waitSeconds);
      return answer;
  }
}

/** Waits until the caller has timed out. */
export async function hang(waitSeconds: number): Promise<void> {
  await delay((waitSeconds + 2) * 1000, undefined, { ref: false });
}

/** A response whose connection breaks before it is complete. */
export function broken(): HttpResult {
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      controller.enqueue(new TextEncoder().encode('{"reference":"'));
      await delay(20);
      controller.error(new Error('the sandbox provider breaks this connection on purpose'));
    },
  });
  return httpResult(body, { headers: { 'content-type': 'application/json' } });
}
