// Captures, refunds and voids at the sandbox provider: decided on the payment's books as they were read, and written
// together with their change, or not at all.
import { randomUUID } from 'node:crypto';
import { now } from '../clock';
import { env } from '../env';
import { takeFault, under } from './faults';
import type { NewOperation, Operation } from './operation';
import { countCall, findByKey, insertCancelled, insertFollow } from './operations';
import { cancelled, decideFollow, network } from './scenario';
import { settleDue } from './settle';
import { type FollowOrder, readFollow, readOrder, refusal, say, writeAnswer } from './wire';

/** Rounds that a follow-up tries to decide on books that others change at the same time. */
const roundsMax = 10;

/** Whose call it is, and how long they wait for the answer. */
export type Caller = { account: string; waitSeconds: number };

type FollowKind = 'capture' | 'refund' | 'void';

/** Answers POST /payments/:original/capture, refund or void. */
export function takeFollow(
  kind: FollowKind,
): (caller: Caller, request: Request, params: Record<string, string>) => Promise<Response> {
  return async (caller, request, { original = '' }) => {
    const order = await readOrder(request, readFollow);
    if (order instanceof Response) return order;
    const payment = await findByKey(caller.account, original);
    const fault = await takeFault(payment?.orderNumber ?? '', kind);
    const work = () => follow(caller, kind, original, order);
    return fault ? await under(fault, caller.waitSeconds, work) : await work();
  };
}

async function follow(caller: Caller, kind: FollowKind, original: string, order: FollowOrder): Promise<Response> {
  const fingerprint = `${kind} ${original} ${order.minor ?? 'all'} ${order.currency ?? ''}`;
  for (let round = 0; round < roundsMax; round += 1) {
    const at = now();
    const first = await findByKey(caller.account, order.reference);
    if (first) return await repeatOf(first, fingerprint);
    const payment = await findByKey(caller.account, original);
    if (!payment && kind !== 'void') return refusal(404, 'payment_not_found', 'There is no such payment');
    if (!payment) {
      await insertCancelled(reservation(caller, original, at));
      continue;
    }
    if (payment.kind !== 'payment') return refusal(422, 'not_a_payment', 'Only payments can be followed');
    if (order.currency !== undefined && order.currency !== payment.currency) {
      return refusal(422, 'currency_mismatch', 'The payment is in another currency');
    }
    if (payment.dueAt && payment.dueAt <= at) {
      await settleDue(payment, at);
      continue;
    }
    const answer = await decide(caller, payment, kind, order, fingerprint, at);
    if (answer) return answer;
  }
  return refusal(409, 'operation_in_progress', 'The payment is changing; ask again');
}

/** Null when the payment changed meanwhile: what was decided no longer holds. */
async function decide(
  caller: Caller,
  payment: Operation,
  kind: FollowKind,
  order: FollowOrder,
  fingerprint: string,
  at: Date,
): Promise<Response | null> {
  const verdict = decideFollow(payment, kind, order.minor, at);
  const done = 'change' in verdict;
  const id = randomUUID();
  const status = done ? 'approved' : 'declined';
  const facts = done && payment.cardMask !== null ? network(undefined, payment.descriptor) : {};
  const decline = done ? null : verdict.decline;
  const answer = writeAnswer({ id, key: order.reference, status, decline, facts }, env.baseUrl);
  const written = await insertFollow(payment, done ? verdict.change : null, {
    id,
    account: caller.account,
    key: order.reference,
    kind,
    originalId: payment.id,
    fingerprint,
    method: payment.method,
    orderNumber: payment.orderNumber,
    descriptor: payment.descriptor,
    currency: payment.currency,
    amountMinor: done ? verdict.amountMinor : (order.minor ?? 0n),
    status,
    facts,
    decline,
    firstAnswer: answer,
    createdAt: at,
  });
  return written === 'done' ? say(answer) : null;
}

// A void may overtake the payment that it cancels. The key is taken for good, so that the payment can only be told no.
function reservation(caller: Caller, key: string, at: Date): NewOperation {
  const made = { id: randomUUID(), key, status: 'declined', decline: cancelled, facts: {} } as const;
  return {
    ...made,
    account: caller.account,
    kind: 'payment',
    fingerprint: '',
    currency: 'XXX',
    amountMinor: 0n,
    firstAnswer: writeAnswer(made, env.baseUrl),
    createdAt: at,
  };
}

/** Answers a call whose key is known: with the first answer, or with a refusal where the key now means something else. */
export async function repeatOf(first: Operation, fingerprint: string): Promise<Response> {
  await countCall(first);
  if (first.fingerprint !== '' && first.fingerprint !== fingerprint) {
    return refusal(409, 'idempotency_mismatch', 'This key belongs to another request');
  }
  return say(first.firstAnswer);
}
