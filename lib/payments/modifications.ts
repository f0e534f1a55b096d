/**
 * What is done with a payment afterwards: capture, refund, void, retry. Each is written down first, with the money it
 * claims reserved in the same statement, so that ten at once move it once.
 */
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ModificationRequest, Outcome } from '../connectors';
import { findConnector } from '../connectors';
import { throwApiError } from '../core/errors';
import type { Kind, Payment, PaymentWithTransaction, Transaction } from '../core/payment';
import { waitBeforeRetry } from '../db';
import { runInBackground } from '../jobs';
import { type Caller, findMidOf, type Mapping, type Mid } from '../merchants';
import { decryptCard } from '../vault';
import { outcomePollMilliseconds, outcomeWaitMilliseconds } from './attempt/direct';
import { executeAttempt, type PayInput, prepareAttempt } from './attempt/execute';
import type { IdempotencyKey } from './attempt/intent';
import { applyOutcome } from './attempt/outcome';
import {
  isChargeableWithoutWallet,
  mayStillSend,
  newTransaction,
  notSent,
  storedWallet,
} from './attempt/provider-call';
import {
  type ActionAccount,
  type AvailableActions,
  isCancelling,
  type Modification,
  plannedMove,
  readAvailableActions,
  releasingModification,
} from './available-actions';
import { flagDoubleReturn } from './chargebacks';
import {
  findByIdempotencyKey,
  findPayment,
  findPaymentWithTransaction,
  lastAttempt,
  lastTransactionOfAttempt,
} from './queries';
import { insertAttempt } from './transitions';

/** The header under which a merchant's server names a follow-up. */
export const idempotencyKeyHeader = 'Idempotency-Key';

/** How often a follow-up is decided again after another request has changed the payment in between. */
const maxRounds = 400;

/**
 * How a follow-up is asked for. `key`: the caller's own name for it (`Idempotency-Key`), unique per payment. The same
 * request again under it gets the transaction that the first one recorded, whatever has become of the payment since;
 * another operation or amount under it is refused (409). A refused request records nothing, so that its key stays free.
 * `ifUnchanged`: for a decision made on the payment as it was read; a payment that has changed since is refused as a duplicate
 * request.
 */
export type ModificationOptions = { key?: string | undefined; ifUnchanged?: boolean };

/** Captures a hold, whole or one part of it. 208003 when nothing is held, 208004 above the hold. */
export async function capture(
  payment: Payment,
  amountMinor: bigint | null,
  now: Date,
  asked: ModificationOptions = {},
): Promise<PaymentWithTransaction> {
  const begun = await insertModification(payment, 'capture', amountMinor, now, asked);
  return isRepeat(begun) ? waitForOutcome(begun) : executeModification(begun, now);
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
  asked: ModificationOptions = {},
): Promise<PaymentWithTransaction> {
  const begun = await insertModification(payment, 'refund', amountMinor, now, asked);
  if (!isRepeat(begun)) runInBackground('refund', () => executeModification(begun, now));
  return begun;
}

/** Voids a payment settled on the same UTC day, or releases a hold (protocol.md 3). Waits for the provider. */
export async function voidPayment(
  payment: Payment,
  now: Date,
  asked: ModificationOptions = {},
): Promise<PaymentWithTransaction> {
  const begun = await insertModification(payment, 'void', null, now, asked);
  return isRepeat(begun) ? waitForOutcome(begun) : executeModification(begun, now);
}

/** Releases an authorisation by the modification that its protocol has for it. */
export function release(payment: Payment, now: Date, asked: ModificationOptions = {}): Promise<PaymentWithTransaction> {
  return releasingModification(payment) === 'refund'
    ? refund(payment, null, now, asked)
    : voidPayment(payment, now, asked);
}

async function actionsOf(
  payment: Payment,
  account: ActionAccount,
  original: Transaction | null,
  now: Date,
): Promise<AvailableActions> {
  const subject = { payment, account, isCancelling: original !== null && isCancelling(original) };
  const [actions] = await readAvailableActions([subject], now);
  if (!actions) throw new Error(`payment ${payment.id} has no actions`);
  return actions;
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
  if (payment.state !== 'declined' || !payment.card) throwApiError('actionNotSupported');
  // The other card of a transfer is not kept.
  if (payment.operation === 'transfer') throwApiError('actionNotSupported');
  // A live card in the sandbox is not kept, so that there is nothing to try again with.
  if (!(await decryptCard(payment.card.id))) throwApiError('actionNotSupported');
  if (!isChargeableWithoutWallet(payment)) throwApiError('actionNotSupported');
  const last = await lastAttempt(payment.id);
  const wallet = storedWallet(payment);
  const means = { kept: { cardId: payment.card.id, token: null } };
  const input: PayInput = { caller, payment, session: null, means, wallet, browser: last?.browser ?? undefined, now };
  const started = await prepareAttempt(input);
  if ('refused' in started)
    return throwApiError(started.refused === 'busy' ? 'duplicateRequest' : 'actionNotSupported');
  runInBackground('retry', () => executeAttempt(started, input));
  return started.payment;
}

type InsertedModification = PaymentWithTransaction & { mid: Mid; original: Transaction };

/** What is told from another request under the same key by its digest: the operation, and the amount as it was sent. */
function modificationDigest(operation: Modification, amountMinor: bigint | null): Uint8Array {
  return createHash('sha256')
    .update(`${operation} ${amountMinor ?? 'whole'}`)
    .digest();
}

/** Whether another request has recorded this one under its key: that one carries it out. */
function isRepeat(begun: InsertedModification | PaymentWithTransaction): begun is PaymentWithTransaction {
  return !('mid' in begun);
}

/**
 * Reads, decides and records, again where another request has changed the payment in between. A repeat under the same key
 * is looked for after the payment was read, and the record is bound to the version that was read: so none is missed.
 */
async function insertModification(
  first: Payment,
  modification: Modification,
  wantedMinor: bigint | null,
  now: Date,
  { key, ifUnchanged }: ModificationOptions,
): Promise<InsertedModification | PaymentWithTransaction> {
  const keyed = key === undefined ? undefined : { key, digest: modificationDigest(modification, wantedMinor) };
  let payment = first;
  for (let round = 0; ; round++) {
    const earlier = keyed && (await findRepeat(payment.id, keyed));
    if (earlier) return { payment, transaction: earlier };
    if (round === (ifUnchanged ? 1 : maxRounds)) return throwApiError('duplicateRequest');
    const original = await lastAttempt(payment.id);
    const mid = original && (await findMidOf(original));
    // Without an attempt there is nothing to modify: the rules on the state refuse it.
    const actions = await actionsOf(payment, mid ?? { refundSupport: 'api' }, original, now);
    const { kind, amountMinor, exclusive } = plannedMove(actions[modification], wantedMinor);
    if (!original || !mid) throw new Error(`payment ${payment.id} has no attempt to modify`);
    const attemptId = original.attemptId ?? original.id;
    const transaction = newTransaction(payment, mid, { kind, amountMinor, method: original.method, attemptId }, now);
    const reserveMinor = kind === 'refund' ? amountMinor : 0n;
    const intent = { payment, transaction, event: null, exclusive, reserveMinor, keyed };
    const recorded = await insertAttempt(intent, now);
    if (recorded) return { ...recorded, mid, original };
    // Many at once would otherwise meet again at the same moment.
    if (!ifUnchanged) await waitBeforeRetry(round + 1);
    const fresh = await findPayment(payment.id);
    if (!fresh) throw new Error(`payment ${payment.id} is gone`);
    payment = fresh;
  }
}

async function findRepeat(paymentId: string, { key, digest }: IdempotencyKey): Promise<Transaction | null> {
  const found = await findByIdempotencyKey(paymentId, key);
  if (!found) return null;
  if (Buffer.compare(found.digest, digest) === 0) return found.transaction;
  return throwApiError('keyReused', [{ path: idempotencyKeyHeader, text: 'This value was used with other values.' }]);
}

/** What became of a follow-up that another request is carrying out, or was when its process ended. */
async function waitForOutcome({ transaction: { id } }: PaymentWithTransaction): Promise<PaymentWithTransaction> {
  const end = performance.now() + outcomeWaitMilliseconds;
  for (;;) {
    const both = await findPaymentWithTransaction(id);
    if (!both) throw new Error(`transaction ${id} is gone`);
    if (both.transaction.status !== 'sent' || performance.now() > end) return both;
    await delay(outcomePollMilliseconds);
  }
}

async function executeModification(
  { payment, transaction, mid, original }: InsertedModification,
  now: Date,
): Promise<PaymentWithTransaction> {
  const outcome = await sendModification({ payment, transaction }, mid, original);
  const after = await applyOutcome({ payment, transaction }, outcome, now);
  await flagDoubleReturn(after, now);
  return after;
}

/** Sends a follow-up again that is written down, under its key. */
export async function resendModification(both: PaymentWithTransaction, mid: Mid): Promise<Outcome> {
  const original =
    both.transaction.attemptId && (await lastTransactionOfAttempt(both.payment.id, both.transaction.attemptId));
  if (!original) throw new Error(`transaction ${both.transaction.id} follows no attempt`);
  return sendModification(both, mid, original);
}

async function sendModification(
  { payment, transaction }: PaymentWithTransaction,
  mid: Mid,
  original: Transaction,
): Promise<Outcome> {
  const connector = findConnector(mid.connector);
  if (!connector) throw new Error(`MID ${mid.id} names an unknown connector`);
  if (!(await mayStillSend(transaction))) return notSent;
  const { id: key, kind, amountMinor, currency, responseDueAt } = transaction;
  const operation = providerOperation(payment, kind);
  // A void undoes the whole payment; naming its amount would suggest that parts can be voided.
  const amount = operation === 'void' ? undefined : { minor: amountMinor, currency };
  const request = { key, operation, original: original.id, amount, deadline: responseDueAt ?? undefined };
  return connector.modify({ settings: mid.settings }, request);
}

function providerOperation({ settledMinor }: Payment, kind: Kind): ModificationRequest['operation'] {
  if (kind === 'capture' || kind === 'refund') return kind;
  // A settled debit is given back; only what has not settled can be voided on a later day.
  return kind === 'reversal' && settledMinor > 0n ? 'refund' : 'void';
}
