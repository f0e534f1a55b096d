/**
 * Modifications of a payment: capture, refund, void, retry. Each is inserted before its provider is called, and its
 * amount is reserved in the same statement, so that concurrent requests move the money once.
 */
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { findConnector, type ModificationRequest, type Outcome } from '../connectors/index.ts';
import { throwApiError } from '../core/errors.ts';
import type { Kind, Payment, PaymentWithTransaction, Transaction } from '../core/payment.ts';
import { waitBeforeRetry } from '../db/index.ts';
import { runInBackground } from '../jobs/index.ts';
import { findMidOf, type KnownCaller, type Mid } from '../merchants/index.ts';
import { decryptCard } from '../vault/index.ts';
import { type IdempotencyKey, insertAttempt } from './attempt/insert.ts';
import { applyOutcome } from './attempt/outcome.ts';
import { executeAttempt, outcomePollMilliseconds, outcomeWaitMilliseconds } from './attempt/pay.ts';
import { type PayInput, prepareAttempt } from './attempt/prepare.ts';
import {
  isChargeableWithoutWallet,
  mayStillSend,
  newTransaction,
  notSent,
  storedWallet,
} from './attempt/provider-call.ts';
import {
  type ActionAccount,
  type AvailableActions,
  isCancelling,
  type Modification,
  plannedMove,
  readAvailableActions,
  releasingModification,
} from './available-actions.ts';
import { flagDoubleReturn } from './chargebacks.ts';
import {
  countModifications,
  findByIdempotencyKey,
  getPayment,
  getPaymentWithTransaction,
  lastAttempt,
  lastTransactionOfAttempt,
} from './queries.ts';

/** The header with the idempotency key of a modification. */
export const idempotencyKeyHeader = 'Idempotency-Key';

/**
 * The maximum of a payment's modifications, with any outcome: a status request can list them all. Those that return the
 * whole have places of their own, so that rejected captures and refunds leave no authorisation held.
 */
const modificationsMax = { part: 500, whole: 520 };

/** Limit of retries where other requests change the payment first. */
const maxRounds = 400;

/**
 * Options of a modification. `key`: the caller's idempotency key, unique per payment. A repeat under it returns the
 * transaction of the first request, whatever the payment's present state; another operation or amount under it is
 * rejected (409). A rejected request stores nothing, so that its key stays free. `ifUnchanged`: the decision was made
 * on the payment as it was read; a payment that has changed since is rejected as a duplicate request.
 */
export type ModificationOptions = { key?: string | undefined; ifUnchanged?: boolean };

/** Captures an authorisation, in whole or in part. 208003 when nothing is authorised, 208004 above its amount. */
export async function capture(
  payment: Payment,
  amountMinor: bigint | null,
  now: Date,
  options: ModificationOptions = {},
): Promise<PaymentWithTransaction> {
  const inserted = await insertModification(payment, 'capture', amountMinor, now, options);
  return isRepeat(inserted) ? waitForOutcome(inserted) : executeModification(inserted, now);
}

/**
 * Refunds the remainder, or `amountMinor` of it. The refund is inserted and its amount reserved here; the provider is
 * called in the background and the outcome is reported by callback. A settled debit is reversed, in full only; an
 * authorisation of a form protocol is released (protocol.md 5, Moves).
 */
export async function refund(
  payment: Payment,
  amountMinor: bigint | null,
  now: Date,
  options: ModificationOptions = {},
): Promise<PaymentWithTransaction> {
  const inserted = await insertModification(payment, 'refund', amountMinor, now, options);
  if (!isRepeat(inserted)) runInBackground('refund', () => executeModification(inserted, now));
  return inserted;
}

/** Voids a payment settled on the same UTC day, or releases an authorisation (protocol.md 3), and waits for it. */
export async function voidPayment(
  payment: Payment,
  now: Date,
  options: ModificationOptions = {},
): Promise<PaymentWithTransaction> {
  const inserted = await insertModification(payment, 'void', null, now, options);
  return isRepeat(inserted) ? waitForOutcome(inserted) : executeModification(inserted, now);
}

/** Releases an authorisation by the modification that its protocol defines. */
export function release(
  payment: Payment,
  now: Date,
  options: ModificationOptions = {},
): Promise<PaymentWithTransaction> {
  return releasingModification(payment) === 'refund'
    ? refund(payment, null, now, options)
    : voidPayment(payment, now, options);
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

/** Makes another attempt of a declined payment with its stored card in the background; a callback reports it. */
export async function retryPayment(caller: KnownCaller, payment: Payment, now: Date): Promise<Payment> {
  if (payment.state !== 'declined' || !payment.card) throwApiError('actionNotSupported');
  // The destination card of a transfer is not stored.
  if (payment.operation === 'transfer') throwApiError('actionNotSupported');
  // The sandbox does not store live cards.
  if (!(await decryptCard(payment.card.id, payment.merchantId))) throwApiError('actionNotSupported');
  if (!isChargeableWithoutWallet(payment)) throwApiError('actionNotSupported');
  const last = await lastAttempt(payment.id);
  const wallet = storedWallet(payment);
  const instrument = { storedCard: { cardId: payment.card.id, token: null } };
  const input: PayInput = {
    caller,
    payment,
    session: null,
    instrument,
    wallet,
    browser: last?.browser ?? undefined,
    now,
  };
  const prepared = await prepareAttempt(input);
  if ('refused' in prepared)
    return throwApiError(prepared.refused === 'busy' ? 'duplicateRequest' : 'actionNotSupported');
  runInBackground('retry', () => executeAttempt(prepared, input));
  return prepared.payment;
}

type InsertedModification = PaymentWithTransaction & { mid: Mid; original: Transaction };

/** Distinguishes requests under one key: a digest of the operation and the amount as it was sent. */
function modificationDigest(operation: Modification, amountMinor: bigint | null): Uint8Array {
  return createHash('sha256')
    .update(`${operation} ${amountMinor ?? 'whole'}`)
    .digest();
}

/** Whether another request has inserted the modification under this key: that request executes it. */
function isRepeat(inserted: InsertedModification | PaymentWithTransaction): inserted is PaymentWithTransaction {
  return !('mid' in inserted);
}

/**
 * Checks and inserts the modification, again where another request has changed the payment first. A repeat under the
 * same key is looked up after the payment was read, and the insert is bound to the version that was read, so that none
 * is missed.
 */
async function insertModification(
  initial: Payment,
  modification: Modification,
  requestedMinor: bigint | null,
  now: Date,
  { key, ifUnchanged }: ModificationOptions,
): Promise<InsertedModification | PaymentWithTransaction> {
  const idempotencyKey =
    key === undefined ? undefined : { key, digest: modificationDigest(modification, requestedMinor) };
  let payment = initial;
  for (let round = 0; ; round++) {
    const repeat = idempotencyKey && (await findRepeat(payment.id, idempotencyKey));
    if (repeat) return { payment, transaction: repeat };
    if (round === (ifUnchanged ? 1 : maxRounds)) return throwApiError('duplicateRequest');
    const original = await lastAttempt(payment.id);
    const mid = original && (await findMidOf(original));
    // Without an attempt the rules on the state reject every modification.
    const actions = await actionsOf(payment, mid ?? { refundSupport: 'api' }, original, now);
    const { kind, amountMinor, exclusive } = plannedMove(actions[modification], requestedMinor);
    if (!original || !mid) throw new Error(`payment ${payment.id} has no attempt to modify`);
    const most = kind === 'void' || kind === 'reversal' ? modificationsMax.whole : modificationsMax.part;
    if ((await countModifications(payment.id)) >= most) return throwApiError('actionNotSupported');
    const attemptId = original.attemptId ?? original.id;
    const transaction = newTransaction(payment, mid, { kind, amountMinor, method: original.method, attemptId }, now);
    const reserveMinor = kind === 'refund' ? amountMinor : 0n;
    const intent = { payment, transaction, event: null, exclusive, reserveMinor, idempotencyKey };
    const inserted = await insertAttempt(intent, now);
    if (inserted) return { ...inserted, mid, original };
    // Spreads concurrent retries.
    if (!ifUnchanged) await waitBeforeRetry(round + 1);
    payment = await getPayment(payment.id);
  }
}

async function findRepeat(paymentId: string, { key, digest }: IdempotencyKey): Promise<Transaction | null> {
  const recorded = await findByIdempotencyKey(paymentId, key);
  if (!recorded) return null;
  if (Buffer.compare(recorded.digest, digest) === 0) return recorded.transaction;
  return throwApiError('keyReused', [{ path: idempotencyKeyHeader, text: 'This value was used with other values.' }]);
}

/** Waits for the outcome of a modification that another request executes, at most for the time limit. */
async function waitForOutcome({ transaction: { id } }: PaymentWithTransaction): Promise<PaymentWithTransaction> {
  const end = performance.now() + outcomeWaitMilliseconds;
  for (;;) {
    const both = await getPaymentWithTransaction(id);
    if (both.transaction.status !== 'sent' || performance.now() > end) return both;
    await delay(outcomePollMilliseconds);
  }
}

async function executeModification(
  { payment, transaction, mid, original }: InsertedModification,
  now: Date,
): Promise<PaymentWithTransaction> {
  const outcome = await sendModification({ payment, transaction }, mid, original);
  const result = await applyOutcome({ payment, transaction }, outcome, now);
  await flagDoubleReturn(result, now);
  return result;
}

/** Sends an inserted modification again, under its key. */
export async function resendModification(both: PaymentWithTransaction, mid: Mid): Promise<Outcome> {
  const original =
    both.transaction.attemptId && (await lastTransactionOfAttempt(both.payment.id, both.transaction.attemptId));
  if (!original) throw new Error(`transaction ${both.transaction.id} has no attempt`);
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
  // A void is always whole: an amount would suggest that parts can be voided.
  const amount = operation === 'void' ? undefined : { minor: amountMinor, currency };
  const request = { key, operation, original: original.id, amount, deadline: responseDueAt ?? undefined };
  return connector.modify({ settings: mid.settings }, request);
}

function providerOperation({ settledMinor }: Payment, kind: Kind): ModificationRequest['operation'] {
  if (kind === 'capture' || kind === 'refund' || kind === 'void') return kind;
  if (kind !== 'reversal') throw new Error(`a transaction of the kind ${kind} is not sent to a provider`);
  // A settled debit is refunded; only an unsettled payment can be voided on a later day.
  return settledMinor > 0n ? 'refund' : 'void';
}
