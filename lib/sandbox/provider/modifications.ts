// Captures, refunds and voids at the sandbox provider: decided on the version of the payment that was read, and written
// with their effect on it or not at all.
import { randomUUID } from 'node:crypto';
import { env } from '../../config';
import { parseAmount } from '../../core/money';
import type { SandboxDecline } from '../../core/sandbox-cards';
import { now } from '../../db/clock';
import { type HttpResult, isHttpResult } from '../../http';
import { completeDue } from './completion';
import { rejectLate } from './deadline';
import { type Instead, takeFault, under } from './injected-faults';
import { countCall, findByKey, insertModification, insertOperation } from './operation-queries';
import type { NewOperation, Operation } from './operation-row';
import { cancelled, decideModification, network, type Verdict } from './scenario';
import { type ModificationRequest, readModification, readOrder, refusal, say, writeAnswer } from './wire';

/** Retries when others change the payment concurrently. */
const roundsMax = 10;

/** The caller, its timeout, and the deadline of the request. */
export type Caller = { account: string; waitSeconds: number; deadline: Date | null };

type FollowKind = 'capture' | 'refund' | 'void';

/** Answers POST /payments/:original/capture, refund or void. */
export function handleModification(
  kind: FollowKind,
): (caller: Caller, request: Request, params: Record<string, string>) => Promise<HttpResult> {
  return async (caller, request, { original = '' }) => {
    const order = await readOrder(request, readModification);
    if (isHttpResult(order)) return order;
    const payment = await findByKey(caller.account, original);
    const fault = await takeFault(payment?.orderNumber ?? '', kind);
    const work = () => decideAndRecord(caller, kind, original, order, fault?.answer ?? {});
    return fault ? await under(fault, caller.waitSeconds, work) : await work();
  };
}

async function decideAndRecord(
  caller: Caller,
  kind: FollowKind,
  original: string,
  order: ModificationRequest,
  instead: Instead,
): Promise<HttpResult> {
  const fingerprint = `${kind} ${original} ${order.minor ?? 'all'} ${order.currency ?? ''}`;
  for (let round = 0; round < roundsMax; round += 1) {
    const at = now();
    const first = await findByKey(caller.account, order.reference);
    if (first) return await repeatOf(first, fingerprint);
    const late = rejectLate(caller.deadline, at);
    if (late) return late;
    const payment = await findByKey(caller.account, original);
    if (!payment && kind !== 'void') return refusal(404, 'payment_not_found', 'There is no such payment');
    if (!payment) {
      await insertOperation(reservation(caller, original, at), true);
      continue;
    }
    if (payment.kind !== 'payment') return refusal(422, 'not_a_payment', 'Only payments can be followed');
    if (order.currency !== undefined && order.currency !== payment.currency) {
      return refusal(422, 'currency_mismatch', 'The payment is in another currency');
    }
    if (payment.dueAt && payment.dueAt <= at) {
      await completeDue(payment, at);
      continue;
    }
    const answer = await decide(caller, payment, kind, order, fingerprint, at, instead);
    if (answer) return answer;
  }
  return refusal(409, 'operation_in_progress', 'The payment is changing; ask again');
}

/** Null if the payment has changed meanwhile. */
async function decide(
  caller: Caller,
  payment: Operation,
  kind: FollowKind,
  order: ModificationRequest,
  fingerprint: string,
  at: Date,
  instead: Instead,
): Promise<HttpResult | null> {
  const requestedMinor = minorOf(instead) ?? order.minor;
  const verdict = insteadOf(decideModification(payment, kind, requestedMinor, at), instead);
  const done = 'change' in verdict;
  const status = done ? (instead.status ?? 'approved') : 'declined';
  const facts = done && payment.cardMask !== null ? network(undefined, payment.descriptor) : {};
  const operation = {
    id: randomUUID(),
    key: order.reference,
    kind,
    status,
    facts,
    decline: done ? null : verdict.decline,
    currency: instead.currency ?? payment.currency,
    amountMinor: done ? verdict.amountMinor : (order.minor ?? 0n),
  };
  const answer = writeAnswer(operation, env.baseUrl);
  // A pending modification changes nothing in its payment before it completes.
  const written = await insertModification(payment, done && status !== 'processing' ? verdict.change : null, {
    ...operation,
    account: caller.account,
    originalId: payment.id,
    fingerprint,
    method: payment.method,
    orderNumber: payment.orderNumber,
    descriptor: payment.descriptor,
    firstAnswer: answer,
    notifyUrl: payment.notifyUrl,
    createdAt: at,
  });
  return written === 'done' ? say(answer) : null;
}

/** The rejection of a modification, if a test has scheduled one. */
const refused: SandboxDecline = {
  code: 'not_possible',
  reason: 'The provider refuses this',
  class: 'technical',
  soft: false,
};

const insteadOf = (verdict: Verdict, { status }: Instead): Verdict =>
  status === 'declined' ? { decline: refused } : verdict;

/** The amount that a test has scheduled instead, in minor units. */
export function minorOf({ amount, currency }: Instead): bigint | null {
  if (amount === undefined || currency === undefined) return null;
  const read = parseAmount(amount, currency);
  return read.ok ? read.minor : null;
}

// A void may overtake its payment. The key is blocked, so that the payment can only be declined.
function reservation(caller: Caller, key: string, at: Date): NewOperation {
  const made = {
    id: randomUUID(),
    key,
    kind: 'payment',
    status: 'declined',
    decline: cancelled,
    facts: {},
    currency: 'XXX',
    amountMinor: 0n,
  } as const;
  return {
    ...made,
    account: caller.account,
    fingerprint: '',
    firstAnswer: writeAnswer(made, env.baseUrl),
    createdAt: at,
  };
}

/** Answers a call with a known key: the first answer, or a rejection if the key was used for another operation. */
export async function repeatOf(first: Operation, fingerprint: string): Promise<HttpResult> {
  await countCall(first);
  if (first.fingerprint !== '' && first.fingerprint !== fingerprint) {
    return refusal(409, 'idempotency_mismatch', 'This key belongs to another request');
  }
  return say(first.firstAnswer);
}
