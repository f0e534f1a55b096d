// Calls about a payment at the sandbox provider: captures, refunds and voids, and the payer's answer to a presentation
// that the gateway forwards (a one-time code, a request for a new QR code). Each is decided while the payment is locked
// and stored under its own key with its effect on it, so that a repeat has none.
import { createHash } from 'node:crypto';
import { env } from '../../config/index.ts';
import { parseAmount } from '../../core/money.ts';
import { now } from '../../db/clock.ts';
import type { HttpRequest, HttpResult } from '../../http/index.ts';
import { completeDue, endOf } from './completion.ts';
import { type Instead, withFault } from './injected-faults.ts';
import type { Change, Operation } from './operation.ts';
import { declineOf, wrongCode } from './operation.ts';
import {
  countCall,
  findByKey,
  insertModification,
  insertOperation,
  modificationOf,
  newOperation,
  withLocked,
} from './operation-queries.ts';
import { renewQr } from './present.ts';
import { cancelled, decideModification, type ModificationKind, network } from './scenario.ts';
import * as wire from './wire.ts';

/** The caller, its timeout, and the deadline of the request. */
export type Caller = { account: string; waitSeconds: number; deadline: Date | null };

/** Answers a call of the API. */
export type Handler = (caller: Caller, request: HttpRequest, params: Record<string, string>) => Promise<HttpResult>;

const rejectUnknown = () => wire.reject(404, 'payment_not_found', 'There is no such payment');

/** What a call has decided: the modification to insert and the change of the payment, if any. */
type Decision = {
  made: Omit<Parameters<typeof modificationOf>[1], 'key' | 'fingerprint' | 'createdAt'>;
  change: Change | null;
};

/** Answers a call about the payment of the key `original`: a known key by its first answer, another by `decide`. */
async function follow(
  { account }: Caller,
  original: string,
  key: string,
  fingerprint: string,
  at: Date,
  decide: (payment: Operation) => Decision,
): Promise<HttpResult> {
  const found = await findByKey(account, original);
  if (!found) return rejectUnknown();
  await completeDue(found, at);
  const answer = await withLocked(found.id, async (payment, tables) => {
    if (await findByKey(account, key, tables)) return 'repeat';
    const decision = decide(payment);
    const made = modificationOf(payment, { ...decision.made, key, fingerprint, createdAt: at });
    await insertModification(tables, payment, made, decision.change);
    return wire.say(made.firstAnswer);
  });
  return answer === 'repeat' ? repeatOf((await findByKey(account, key)) as Operation, fingerprint) : answer;
}

/** Answers POST /payments/:original/capture, refund or void. */
export function handleModification(kind: ModificationKind): Handler {
  return async (caller, request, { original = '' }) => {
    const order = await wire.readOrder(request, wire.followShape);
    const { reference: key, minor, currency } = order;
    const fingerprint = `${kind} ${original} ${minor ?? 'all'} ${currency ?? ''}`;
    const payment = await findByKey(caller.account, original);
    return withFault(payment?.orderNumber ?? '', kind, caller.waitSeconds, async (instead) => {
      const at = now();
      const first = await findByKey(caller.account, key);
      if (first) return repeatOf(first, fingerprint);
      if (wire.isLate(caller.deadline, at)) wire.rejectLate();
      if (!payment && kind === 'void') await reserve(caller.account, original, at);
      return follow(caller, original, key, fingerprint, at, (current) => {
        if (current.kind !== 'payment') wire.reject(422, 'not_a_payment', 'Only payments can be followed');
        if (currency !== undefined && currency !== current.currency) {
          wire.reject(422, 'currency_mismatch', 'The payment is in another currency');
        }
        return decide(current, kind, minor, at, instead);
      });
    });
  };
}

const refused = declineOf('not_possible', 'The provider refuses this');

function decide(
  payment: Operation,
  kind: ModificationKind,
  minor: bigint | null,
  at: Date,
  instead: Instead,
): Decision {
  const isRefused = instead.status === 'declined';
  const verdict = isRefused ? { decline: refused } : decideModification(payment, kind, minorOf(instead) ?? minor, at);
  const currency = instead.currency ?? payment.currency;
  if ('decline' in verdict) {
    const { decline } = verdict;
    return { made: { kind, status: 'declined', decline, currency, amountMinor: minor ?? 0n }, change: null };
  }
  const status = instead.status ?? 'approved';
  const facts = payment.cardMask === null ? {} : network(undefined, payment.descriptor);
  const { notifyUrl } = payment;
  return {
    made: { kind, status, facts, currency, notifyUrl, amountMinor: verdict.amountMinor },
    // A pending modification changes nothing in its payment before it completes.
    change: status === 'processing' ? null : verdict.change,
  };
}

/** The amount that a test has scheduled instead, in minor units. */
export function minorOf({ amount, currency }: Instead): bigint | null {
  if (amount === undefined || currency === undefined) return null;
  const read = parseAmount(amount, currency);
  return read.ok ? read.minor : null;
}

// A void may overtake its payment. The key is blocked, so that the payment can only be declined.
async function reserve(account: string, key: string, createdAt: Date): Promise<void> {
  const blocked = { kind: 'payment', status: 'declined', decline: cancelled, fingerprint: '' } as const;
  await insertOperation(newOperation({ ...blocked, account, key, currency: 'XXX', amountMinor: 0n, createdAt }), true);
}

/** Answers a call with a known key: the first answer, or a rejection if the key was used for another operation. */
export async function repeatOf(first: Operation, fingerprint: string): Promise<HttpResult> {
  await countCall(first);
  if (first.fingerprint !== '' && first.fingerprint !== fingerprint) {
    return wire.reject(409, 'idempotency_mismatch', 'This key belongs to another request');
  }
  return wire.say(first.firstAnswer);
}

/** The one-time code of every sandbox payer. */
export const payerCode = '123456';

const wrongCodesMax = 3;

/** Answers POST /payments/:original/proceed. */
export const handleProceed: Handler = async (caller, request, { original = '' }) => {
  const order = await wire.readOrder(request, wire.proceedShape);
  // A code can authorise a payment, so only its digest is stored.
  const said = 'code' in order ? createHash('sha256').update(order.code).digest('base64url') : 'renew';
  const fingerprint = `proceed ${original} ${said}`;
  const found = await findByKey(caller.account, original);
  return withFault(found?.orderNumber ?? '', 'proceed', caller.waitSeconds, async () => {
    const at = now();
    const first = await findByKey(caller.account, order.reference);
    if (first) return repeatOf(first, fingerprint);
    return follow(caller, original, order.reference, fingerprint, at, (payment) => {
      if (payment.kind !== 'payment') rejectUnknown();
      const change = changeBy(payment, order, at);
      if (change === null) return wire.reject(422, 'nothing_to_answer', 'The payment waits for no such answer');
      const firstAnswer = wire.writeAnswer({ ...payment, ...change }, env.baseUrl);
      return { made: { kind: 'proceed', status: 'approved', amountMinor: 0n, firstAnswer }, change };
    });
  });
};

/** The effect of an answer on the payment: none on a finished one; null if it waits for no such answer. */
function changeBy(payment: Operation, order: wire.Proceed, at: Date): Change | null {
  const { present } = payment.facts;
  if (payment.status !== 'processing') return {};
  if ('code' in order) return present?.kind === 'code' ? codeChange(payment, order.code, at) : null;
  if (present?.kind !== 'qr' || !present.renewable) return null;
  const { scenario, descriptor, currency, amountMinor: minor } = payment;
  const renewals = (scenario.renewals ?? 0) + 1;
  const { description = '' } = scenario;
  const merchantName = descriptor || 'Sandbox merchant';
  const shown = { ...payment, description, merchantName, amount: { minor, currency } };
  const renewed = renewQr(present.scheme, shown, renewals);
  const expires_at = new Date(at.getTime() + renewed.expiresSeconds * 1000).toISOString();
  const facts = { ...payment.facts, present: { ...renewed.present, expires_at } };
  return { scenario: { ...scenario, renewals }, facts };
}

function codeChange(payment: Operation, code: string, at: Date): Change {
  if (code === payerCode) return endOf(payment, at, null);
  const wrongCodes = payment.wrongCodes + 1;
  if (wrongCodes >= wrongCodesMax) return { ...endOf(payment, at, wrongCode), wrongCodes };
  const { present } = payment.facts;
  const updatedPresent = present?.kind === 'code' ? { ...present, wrong: true } : present;
  return { wrongCodes, facts: { ...payment.facts, present: updatedPresent } };
}
