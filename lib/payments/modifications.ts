/**
 * What is done with a payment afterwards: capture, refund, void, retry. Each is written down first, with the money it
 * claims reserved in the same statement, so that ten at once move it once.
 */
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { findConnector } from '../connectors';
import type { FollowRequest, Outcome } from '../connectors/connector';
import { refuse } from '../core/errors';
import { type Kind, type Payment, refundableMinor, type Transaction } from '../core/payment';
import { inBackground } from '../jobs/background';
import { type Caller, findMidOf, type Mapping, type Mid } from '../merchants/merchants';
import { openCard } from '../vault/seal';
import { lookMilliseconds, patienceMilliseconds } from './attempt/direct';
import { finish, type PayInput, start } from './attempt/execute';
import type { Keyed } from './attempt/intent';
import { settle } from './attempt/outcome';
import { isOwn, newTransaction, notSent, outlivesWallet, walletOf } from './attempt/provider-call';
import { flagReturnedTwice, isUndone } from './chargebacks';
import { pause } from './pause';
import { findBoth, findKeyed, findPayment, lastAttempt, lastCallOf } from './queries';
import { record } from './transitions';

type Both = { payment: Payment; transaction: Transaction };

/** The header under which a merchant's server names a follow-up. */
export const keyHeader = 'Idempotency-Key';

/** How often a follow-up is decided again after another request has changed the payment in between. */
const rounds = 400;

/**
 * How a follow-up is asked for. `key`: the caller's own name for it (`Idempotency-Key`), unique per payment. The same
 * request again under it gets the transaction that the first one recorded, whatever has become of the payment since;
 * another operation or amount under it is refused (409). A refused request records nothing, so that its key stays free.
 * `asSeen`: for a decision made on the payment as it was read; a payment that has changed since is refused as a duplicate
 * request.
 */
export type Asked = { key?: string | undefined; asSeen?: boolean };

type Plan = { kind: Kind; amountMinor: bigint; exclusive: boolean };

/** Captures a hold, whole or one part of it. 208003 when nothing is held, 208004 above the hold. */
export async function capture(
  payment: Payment,
  amountMinor: bigint | null,
  now: Date,
  asked: Asked = {},
): Promise<Both> {
  const request = { ...asked, digest: digestOf('capture', amountMinor) };
  const begun = await begin(payment, now, request, (fresh) => {
    if (fresh.state !== 'pending' || isAwaited(fresh)) refuse('captureNotPending');
    if (fresh.inFlightId) refuse('duplicateRequest');
    if (amountMinor !== null && amountMinor > fresh.amountMinor) refuse('captureAboveHeld');
    return { kind: 'capture', amountMinor: amountMinor ?? fresh.amountMinor, exclusive: true };
  });
  return isRepeat(begun) ? outcomeOf(begun) : carryOut(begun, now);
}

/**
 * Gives money back: the whole remainder without an amount, else a part of it. Recorded and reserved here; the provider
 * is asked after the answer and the outcome comes by callback. A settled debit is reversed, in full only; a hold of a
 * form protocol is released (protocol.md 5, Moves).
 */
export async function refund(
  payment: Payment,
  amountMinor: bigint | null,
  now: Date,
  asked: Asked = {},
): Promise<Both> {
  const request = { ...asked, digest: digestOf('refund', amountMinor) };
  const begun = await begin(payment, now, request, async (fresh, mid) => {
    // Checkout refunds what has settled and releases a hold by void (contract, States); CREDITVOID does both.
    const releases = fresh.state === 'pending' && !isAwaited(fresh) && fresh.protocol !== 'checkout';
    // Of a payment with a chargeback only the disputed part cannot be refunded.
    // A debit goes back as a whole or not at all, and what was voided or reversed is back already.
    const isDisputed = fresh.state === 'chargeback' && refundableMinor(fresh) > 0n && fresh.operation !== 'debit';
    if (!releases && fresh.state !== 'settled' && !isDisputed) refuse('refundNotSettled');
    if (isDisputed && (await isUndone(fresh))) refuse('refundNotSettled');
    // What was paid out is in somebody else's hands.
    if (fresh.operation === 'credit') refuse('refundNotAllowed');
    if (!releases && mid.refundSupport === 'none') refuse('refundNotAllowed');
    if (!releases && mid.refundSupport === 'portal') refuse('refundInPortalOnly');
    if (fresh.inFlightId) refuse('duplicateRequest');
    if (releases || fresh.operation === 'debit') return reversal(fresh, amountMinor);
    const remaining = refundableMinor(fresh);
    if (remaining <= 0n || (amountMinor !== null && amountMinor > remaining)) refuse('refundAboveRemaining');
    return { kind: 'refund', amountMinor: amountMinor ?? remaining, exclusive: false };
  });
  if (!isRepeat(begun)) inBackground('refund', () => carryOut(begun, now));
  return begun;
}

/** Pending because the payer or their bank has yet to act: nothing is held that could be captured or released. */
function isAwaited({ inFlightId, attemptId }: Payment): boolean {
  return inFlightId !== null && inFlightId === attemptId;
}

function reversal(payment: Payment, amountMinor: bigint | null): Plan {
  const whole = payment.state === 'pending' ? payment.amountMinor : payment.settledMinor;
  if (amountMinor !== null && amountMinor > whole) refuse('reversalAboveAmount');
  if (amountMinor !== null && amountMinor < whole) refuse('reversalPartial');
  return { kind: 'reversal', amountMinor: whole, exclusive: true };
}

/** Voids a payment settled on the same UTC day, or releases a hold (protocol.md 3). Waits for the provider. */
export async function voidPayment(payment: Payment, now: Date, asked: Asked = {}): Promise<Both> {
  const request = { ...asked, digest: digestOf('void', null) };
  const begun = await begin(payment, now, request, (fresh) => {
    // Checkout's void releases a hold too; the form protocols release by CREDITVOID (contract, States).
    const releases = fresh.state === 'pending' && !isAwaited(fresh) && fresh.protocol === 'checkout';
    if (!releases && (fresh.state !== 'settled' || !sameDay(fresh.settledAt, now))) refuse('voidNotAllowed');
    if (fresh.inFlightId) refuse('duplicateRequest');
    if (releases) return reversal(fresh, null);
    if (fresh.refundedMinor > 0n || fresh.refundingMinor > 0n) refuse('voidNotAllowed');
    if (fresh.operation === 'credit') refuse('voidNotAllowed');
    return { kind: 'void', amountMinor: fresh.settledMinor, exclusive: true };
  });
  return isRepeat(begun) ? outcomeOf(begun) : carryOut(begun, now);
}

function sameDay(settledAt: Date | null, now: Date): boolean {
  return settledAt?.toISOString().slice(0, 10) === now.toISOString().slice(0, 10);
}

/**
 * Tries a declined payment again with the card it was tried with. Recorded before the answer, carried out after it; the
 * outcome comes by callback.
 */
export async function retryPayment(
  caller: Caller & { mapping: Mapping },
  payment: Payment,
  now: Date,
): Promise<Payment> {
  if (payment.state !== 'declined' || !payment.card) refuse('actionNotSupported');
  // The other card of a transfer is not kept.
  if (payment.operation === 'transfer') refuse('actionNotSupported');
  // A live card in the sandbox is not kept, so that there is nothing to try again with.
  if (!(await openCard(payment.card.id))) refuse('actionNotSupported');
  if (!outlivesWallet(payment)) refuse('actionNotSupported');
  const last = await lastAttempt(payment.id);
  const wallet = walletOf(payment);
  const means = { kept: { cardId: payment.card.id, token: null } };
  const input: PayInput = { caller, payment, session: null, means, wallet, browser: last?.browser ?? undefined, now };
  const started = await start(input);
  if ('refused' in started) return refuse(started.refused === 'busy' ? 'duplicateRequest' : 'actionNotSupported');
  inBackground('retry', () => finish(started, input));
  return started.payment;
}

type Begun = Both & { mid: Mid; original: Transaction };

/** What is told from another request under the same key by its digest: the operation, and the amount as it was sent. */
function digestOf(operation: 'capture' | 'refund' | 'void', amountMinor: bigint | null): Uint8Array {
  return createHash('sha256')
    .update(`${operation} ${amountMinor ?? 'whole'}`)
    .digest();
}

/** Whether another request has recorded this one under its key: that one carries it out. */
function isRepeat(begun: Begun | Both): begun is Both {
  return !('mid' in begun);
}

/**
 * Reads, decides and records, again where another request has changed the payment in between. A repeat under the same key
 * is looked for after the payment was read, and the record is bound to the version that was read: so none is missed.
 */
async function begin(
  first: Payment,
  now: Date,
  { key, digest, asSeen }: Asked & { digest: Uint8Array },
  decide: (payment: Payment, mid: Mid) => Plan | Promise<Plan>,
): Promise<Begun | Both> {
  const keyed = key === undefined ? undefined : { key, digest };
  let payment = first;
  for (let round = 0; ; round++) {
    const earlier = keyed && (await findRepeat(payment.id, keyed));
    if (earlier) return { payment, transaction: earlier };
    if (round === (asSeen ? 1 : rounds)) return refuse('duplicateRequest');
    const original = await lastAttempt(payment.id);
    const mid = original && (await findMidOf(original));
    // Without an attempt there is nothing to follow up: the rules on the state refuse it.
    const plan = await decide(payment, mid ?? ({ refundSupport: 'api' } as Mid));
    if (!original || !mid) throw new Error(`payment ${payment.id} has no attempt to follow`);
    // Its hold has lapsed and is being released.
    if (original.cancelReason !== null) refuse('duplicateRequest');
    const attemptId = original.attemptId ?? original.id;
    const { kind, amountMinor } = plan;
    const transaction = newTransaction(payment, mid, { kind, amountMinor, method: original.method, attemptId }, now);
    const reserveMinor = plan.kind === 'refund' ? plan.amountMinor : 0n;
    const intent = { payment, transaction, event: null, exclusive: plan.exclusive, reserveMinor, keyed };
    const recorded = await record(intent, now);
    if (recorded) return { ...recorded, mid, original };
    // Many at once would otherwise meet again at the same moment.
    if (!asSeen) await pause(round + 1);
    const fresh = await findPayment(payment.id);
    if (!fresh) throw new Error(`payment ${payment.id} is gone`);
    payment = fresh;
  }
}

async function findRepeat(paymentId: string, { key, digest }: Keyed): Promise<Transaction | null> {
  const found = await findKeyed(paymentId, key);
  if (!found) return null;
  if (Buffer.compare(found.digest, digest) === 0) return found.transaction;
  return refuse('keyReused', [{ path: keyHeader, text: 'This value was used with other values.' }]);
}

/** What became of a follow-up that another request is carrying out, or was when its process ended. */
async function outcomeOf({ transaction: { id } }: Both): Promise<Both> {
  const end = performance.now() + patienceMilliseconds;
  for (;;) {
    const both = await findBoth(id);
    if (!both) throw new Error(`transaction ${id} is gone`);
    if (both.transaction.status !== 'sent' || performance.now() > end) return both;
    await delay(lookMilliseconds);
  }
}

async function carryOut({ payment, transaction, mid, original }: Begun, now: Date): Promise<Both> {
  const outcome = await send({ payment, transaction }, mid, original);
  const after = await settle({ payment, transaction }, outcome, now);
  await flagReturnedTwice(after, now);
  return after;
}

/** Sends a follow-up again that is written down, under its key. */
export async function resend(both: Both, mid: Mid): Promise<Outcome> {
  const original = both.transaction.attemptId && (await lastCallOf(both.payment.id, both.transaction.attemptId));
  if (!original) throw new Error(`transaction ${both.transaction.id} follows no attempt`);
  return send(both, mid, original);
}

async function send({ payment, transaction }: Both, mid: Mid, original: Transaction): Promise<Outcome> {
  const connector = findConnector(mid.connector);
  if (!connector) throw new Error(`MID ${mid.id} names an unknown connector`);
  if (!(await isOwn(transaction))) return notSent;
  const { id: key, kind, amountMinor, currency, dueBackAt } = transaction;
  const operation = providerOperation(payment, kind);
  // A void undoes the whole payment; naming its amount would suggest that parts can be voided.
  const amount = operation === 'void' ? undefined : { minor: amountMinor, currency };
  const request = { key, operation, original: original.id, amount, deadline: dueBackAt ?? undefined };
  return connector.follow({ settings: mid.settings }, request);
}

function providerOperation({ settledMinor }: Payment, kind: Kind): FollowRequest['operation'] {
  if (kind === 'capture' || kind === 'refund') return kind;
  // A settled debit is given back; only what has not settled can be voided on a later day.
  return kind === 'reversal' && settledMinor > 0n ? 'refund' : 'void';
}
