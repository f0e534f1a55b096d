/**
 * What is done with a payment afterwards: capture, refund, void, retry. Each is written down first, with the money it
 * claims reserved in the same statement, so that ten at once move it once.
 */
import { findConnector } from '../connectors';
import type { FollowRequest, Outcome } from '../connectors/connector';
import { refuse } from '../core/errors';
import { record } from './advance';
import { inBackground } from './background';
import { isOwn, newTransaction, notSent, outlivesWallet, walletOf } from './call';
import { flagReturnedTwice } from './chargebacks';
import { findPayment, lastAttempt, lastCallOf } from './find';
import { type Caller, findMidOf, type Mapping, type Mid } from './merchants';
import { settle } from './outcome';
import type { Kind, Payment, Transaction } from './payment';
import { finish, type PayInput, start } from './start';
import { openCard } from './vault';

type Both = { payment: Payment; transaction: Transaction };

/** How often a follow-up that somebody else comes in between of is decided anew. */
const rounds = 20;
/** For whoever has decided on what they saw: a payment that has changed since is refused as a duplicate request. */
export const asSeen = 1;

type Plan = { kind: Kind; amountMinor: bigint; exclusive: boolean };

/** Captures a hold, whole or one part of it. 208003 when nothing is held, 208004 above the hold. */
export async function capture(payment: Payment, amountMinor: bigint | null, now: Date, tries = rounds): Promise<Both> {
  const begun = await begin(payment, now, tries, (fresh) => {
    if (fresh.state !== 'pending' || isAwaited(fresh)) refuse('captureNotPending');
    if (fresh.inFlightId) refuse('duplicateRequest');
    if (amountMinor !== null && amountMinor > fresh.amountMinor) refuse('captureAboveHeld');
    return { kind: 'capture', amountMinor: amountMinor ?? fresh.amountMinor, exclusive: true };
  });
  return carryOut(begun, now);
}

/**
 * Gives money back: the whole remainder without an amount, else a part of it. Recorded and reserved here; the provider
 * is asked after the answer and the outcome comes by callback. A settled debit is reversed, in full only; a hold of a
 * form protocol is released (protocol.md 5, Moves).
 */
export async function refund(payment: Payment, amountMinor: bigint | null, now: Date, tries = rounds): Promise<Both> {
  const begun = await begin(payment, now, tries, (fresh, mid) => {
    // Checkout refunds what has settled and releases a hold by void (contract, States); CREDITVOID does both.
    const releases = fresh.state === 'pending' && !isAwaited(fresh) && fresh.protocol !== 'checkout';
    // Of a payment with a chargeback only the disputed part cannot be refunded.
    const isSettled = fresh.state === 'settled' || (fresh.state === 'chargeback' && refundable(fresh) > 0n);
    if (!releases && !isSettled) refuse('refundNotSettled');
    // What was paid out is in somebody else's hands.
    if (fresh.operation === 'credit') refuse('refundNotAllowed');
    if (!releases && mid.refundSupport === 'none') refuse('refundNotAllowed');
    if (!releases && mid.refundSupport === 'portal') refuse('refundInPortalOnly');
    if (fresh.inFlightId) refuse('duplicateRequest');
    if (releases || fresh.operation === 'debit') return reversal(fresh, amountMinor);
    const remaining = refundable(fresh);
    if (remaining <= 0n || (amountMinor !== null && amountMinor > remaining)) refuse('refundAboveRemaining');
    return { kind: 'refund', amountMinor: amountMinor ?? remaining, exclusive: false };
  });
  inBackground('refund', () => carryOut(begun, now));
  return begun;
}

/** What can still be refunded: settled, not given back, not on its way back, not disputed. Minor units. */
export function refundable({ settledMinor, refundedMinor, refundingMinor, chargedBackMinor }: Payment): bigint {
  return settledMinor - refundedMinor - refundingMinor - chargedBackMinor;
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
export async function voidPayment(payment: Payment, now: Date, tries = rounds): Promise<Both> {
  const begun = await begin(payment, now, tries, (fresh) => {
    // Checkout's void releases a hold too; the form protocols release by CREDITVOID (contract, States).
    const releases = fresh.state === 'pending' && !isAwaited(fresh) && fresh.protocol === 'checkout';
    if (!releases && (fresh.state !== 'settled' || !sameDay(fresh.settledAt, now))) refuse('voidNotAllowed');
    if (fresh.inFlightId) refuse('duplicateRequest');
    if (releases) return reversal(fresh, null);
    if (fresh.refundedMinor > 0n || fresh.refundingMinor > 0n) refuse('voidNotAllowed');
    if (fresh.operation === 'credit') refuse('voidNotAllowed');
    return { kind: 'void', amountMinor: fresh.settledMinor, exclusive: true };
  });
  return carryOut(begun, now);
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

/** Reads, decides and writes down, as often as somebody else comes in between. */
async function begin(
  first: Payment,
  now: Date,
  tries: number,
  decide: (payment: Payment, mid: Mid) => Plan,
): Promise<Begun> {
  let payment = first;
  for (let round = 0; round < tries; round++) {
    const original = await lastAttempt(payment.id);
    const mid = original && (await findMidOf(original));
    // Without an attempt there is nothing to follow up: the rules on the state refuse it.
    const plan = decide(payment, mid ?? ({ refundSupport: 'api' } as Mid));
    if (!original || !mid) throw new Error(`payment ${payment.id} has no attempt to follow`);
    // Its hold has lapsed and is being released.
    if (original.cancelReason !== null) refuse('duplicateRequest');
    const attemptId = original.attemptId ?? original.id;
    const { kind, amountMinor } = plan;
    const transaction = newTransaction(payment, mid, { kind, amountMinor, method: original.method, attemptId }, now);
    const reserveMinor = plan.kind === 'refund' ? plan.amountMinor : 0n;
    const intent = { payment, transaction, event: null, exclusive: plan.exclusive, reserveMinor };
    const recorded = await record(intent, now);
    if (recorded) return { ...recorded, mid, original };
    const fresh = await findPayment(payment.id);
    if (!fresh) throw new Error(`payment ${payment.id} is gone`);
    payment = fresh;
  }
  return refuse('duplicateRequest');
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
