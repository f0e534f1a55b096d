// The payer's answer to a presentation, forwarded by the gateway: a one-time code, or a request for a new QR code. It
// is stored under its own key with its effect on the payment, so that a repeat has no effect.
import { createHash, randomUUID } from 'node:crypto';
import { env } from '../../config';
import { now } from '../../db/clock';
import { type HttpResult, isHttpResult } from '../../http';
import { completeDue, endOf } from './completion';
import { takeFault, under } from './injected-faults';
import { type Caller, repeatOf } from './modifications';
import { findByKey, insertModification } from './operation-queries';
import type { Change, Operation } from './operation-row';
import { wrongCode } from './outcomes';
import { renewQr } from './present';
import { type Answer, type ProceedRequest, readOrder, readProceed, refusal, say, writeAnswer } from './wire';

/** The one-time code of every sandbox payer. */
export const payerCode = '123456';

/** Wrong codes before the payment is declined. */
const wrongCodesMax = 3;
/** Retries when others change the payment concurrently. */
const roundsMax = 10;

/** Answers POST /payments/:original/proceed. */
export async function handleProceed(
  caller: Caller,
  request: Request,
  { original = '' }: Record<string, string>,
): Promise<HttpResult> {
  const order = await readOrder(request, readProceed);
  if (isHttpResult(order)) return order;
  const payment = await findByKey(caller.account, original);
  const fault = await takeFault(payment?.orderNumber ?? '', 'proceed');
  const work = () => proceed(caller, original, order);
  return fault ? await under(fault, caller.waitSeconds, work) : await work();
}

async function proceed(caller: Caller, original: string, order: ProceedRequest): Promise<HttpResult> {
  // A code can authorise a payment, so only its digest is stored.
  const said = 'code' in order ? createHash('sha256').update(order.code).digest('base64url') : 'renew';
  const fingerprint = `proceed ${original} ${said}`;
  for (let round = 0; round < roundsMax; round += 1) {
    const at = now();
    const first = await findByKey(caller.account, order.reference);
    if (first) return await repeatOf(first, fingerprint);
    const found = await findByKey(caller.account, original);
    if (found?.kind !== 'payment') return refusal(404, 'payment_not_found', 'There is no such payment');
    const payment = await completeDue(found, at);
    const change = changeBy(payment, order, at);
    if (change === null) return refusal(422, 'nothing_to_answer', 'The payment waits for no such answer');
    const answer = writeAnswer({ ...payment, ...change }, env.baseUrl);
    if (await written(caller, payment, change, order, fingerprint, answer, at)) return say(answer);
  }
  return refusal(409, 'operation_in_progress', 'The payment is changing; ask again');
}

async function written(
  caller: Caller,
  payment: Operation,
  change: Change,
  order: ProceedRequest,
  fingerprint: string,
  answer: Answer,
  at: Date,
): Promise<boolean> {
  const done = await insertModification(payment, change, {
    id: randomUUID(),
    account: caller.account,
    key: order.reference,
    kind: 'proceed',
    originalId: payment.id,
    fingerprint,
    method: payment.method,
    orderNumber: payment.orderNumber,
    descriptor: payment.descriptor,
    currency: payment.currency,
    amountMinor: 0n,
    status: 'approved',
    firstAnswer: answer,
    createdAt: at,
  });
  return done === 'done';
}

/**
 * The effect of an answer on the payment; null if the payment waits for no such answer. A finished payment is returned
 * unchanged.
 */
export function changeBy(payment: Operation, order: { code: string } | { renew: true }, at: Date): Change | null {
  const { present } = payment.facts;
  if (payment.status !== 'processing') return {};
  if ('code' in order) return present?.kind === 'code' ? codeChange(payment, order.code, at) : null;
  if (present?.kind !== 'qr' || !present.renewable) return null;
  const { scenario } = payment;
  const renewals = (scenario.renewals ?? 0) + 1;
  const { id, key, currency, orderNumber, descriptor } = payment;
  const renewed = renewQr(
    present.scheme,
    {
      ...{
        id,
        key,
        orderNumber,
        description: scenario.description ?? '',
        merchantName: descriptor || 'Sandbox merchant',
      },
      ...{ amount: { minor: payment.amountMinor, currency }, baseUrl: env.baseUrl },
    },
    renewals,
  );
  const expires_at = new Date(at.getTime() + renewed.expiresSeconds * 1000).toISOString();
  return {
    scenario: { ...scenario, renewals },
    facts: { ...payment.facts, present: { ...renewed.present, expires_at } },
  };
}

function codeChange(payment: Operation, code: string, at: Date): Change {
  if (code === payerCode) return endOf(payment, at, null);
  const wrongCodes = payment.wrongCodes + 1;
  if (wrongCodes >= wrongCodesMax) return { ...endOf(payment, at, wrongCode), wrongCodes };
  const { present } = payment.facts;
  const updatedPresent = present?.kind === 'code' ? { ...present, wrong: true } : present;
  return { wrongCodes, facts: { ...payment.facts, present: updatedPresent } };
}
