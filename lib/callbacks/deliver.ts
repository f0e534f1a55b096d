// Delivery of callbacks: claims due callbacks, posts them through the guarded client and records the results. Each
// receiver has a concurrency limit and no round waits for a slow one.

import { isAttempt, type PaymentWithTransaction, type Transaction } from '../core/payment.ts';
import { storable } from '../core/storable.ts';
import { guardedClient, type SendResult, userAgent } from '../http/index.ts';
import { newConcurrencyLimiter, roundMilliseconds } from '../jobs/index.ts';
import { callerOf } from '../merchants/index.ts';
import { findPaymentWithTransaction, lastAttempt } from '../payments/index.ts';
import { log, metrics, scrubText, tracedCall } from '../telemetry/index.ts';
import * as queue from './queue.ts';
import { type CallbackSubject, callbackBody, type Rendered, renderCallback } from './render.ts';
import { type SignedBody, signBody, storedBodyOf } from './stored-body.ts';

/** The limit of one attempt; the guarded client allows five of these seconds for the connection (protocol.md 7). */
const attemptSeconds = 10;
const claimMax = 200;
const maxAnswerLength = 200;
/** Posts of one process at a time. */
const limiter = newConcurrencyLimiter('a callback', 1000, { receiver: queue.maxPerReceiver, merchant: 250 });

/** Delivers due callbacks; returns their number. Posts over `patience` milliseconds continue in the background. */
export function deliverDue(now: Date, patience = roundMilliseconds): Promise<number> {
  const busy = { receivers: limiter.busy('receiver'), merchants: limiter.busy('merchant') };
  const taskOf = (callback: queue.QueuedCallback) => ({
    keys: { receiver: queue.receiverOf(callback), merchant: callback.merchantId },
    run: () => deliver(callback, now),
  });
  return limiter.claim(claimMax, (limit) => queue.claimDue(now, limit, busy), taskOf, patience);
}

async function deliver(callback: queue.QueuedCallback, now: Date): Promise<void> {
  const subject = await subjectOf(callback);
  const message = await saveMessage(callback, subject);
  const { body, hash, headers } = renderCallback(subject, message.body, now);
  const sent = await tracedCall(
    'callback',
    { 'florin.callback': callback.id, 'florin.payment': callback.paymentId },
    () => guardedClient().post(callback.url, body, headers, attemptSeconds),
    ({ httpStatus, error }) => ({ 'http.response.status_code': httpStatus, 'error.type': error }),
  );
  const { httpStatus, error, durationMs } = sent;
  const attempt = { ...deliveryAttemptOf(sent), signature: hash, differs: message.differs };
  await queue.recordAttempt(callback, attempt, new Date(now.getTime() + durationMs));
  const { id, paymentId: payment, attempts } = callback;
  const result = error ? (sent.timedOut ? 'timeout' : 'failed') : `${Math.floor((httpStatus ?? 0) / 100)}xx`;
  metrics.callbacks.observe({ result }, durationMs / 1000);
  log.info({ callback: id, payment, attempt: attempts + 1, httpStatus, error, durationMs }, 'callback sent');
  if (message.differs) log.error({ callback: id, payment }, 'callback sent with another body than its first attempt');
}

/** The body of the first attempt: made from the stored one, otherwise the signed body of the row or of the frozen values. */
function messageOf({ stored, body }: queue.QueuedCallback, subject: CallbackSubject): SignedBody {
  return stored ? signBody(stored, subject) : { body: body ?? callbackBody(subject), differs: false };
}

/**
 * Stores the body of the first attempt, if it is not, and returns the one to send. A row with a signed body, or with an
 * attempt but no stored body, was written by a release before 0.2.0, which may still run during an upgrade: its signatures
 * are removed. A body whose hash cannot be made again from its fields is stored with it.
 */
async function saveMessage(callback: queue.QueuedCallback, subject: CallbackSubject): Promise<SignedBody> {
  const { id, stored, body, attempts } = callback;
  const message = messageOf(callback, subject);
  if (stored && body === null) return message;
  const first = stored ?? storedBodyOf(message.body);
  if (!stored && signBody(first, subject).differs)
    return { body: body ?? (await queue.saveSignedBody(id, message.body)), differs: false };
  const isNew = body === null && attempts === 0;
  return signBody(isNew ? await queue.saveBody(id, first) : await queue.stripBody(id, first), subject);
}

// The merchant sees the response of their own server, because an `ERROR` in a 2xx response counts as delivered.
function deliveryAttemptOf(sent: SendResult): SendResult {
  if (sent.answer === undefined) return sent;
  const answer = scrubText(storable(sent.answer)).slice(0, maxAnswerLength);
  const headers = Object.entries(sent.answerHeaders ?? {}).map(([name, value]) => [name, scrubText(storable(value))]);
  return { ...sent, answer, answerHeaders: Object.fromEntries(headers) };
}

/** A callback as {@link deliverDue} sends it at `at`: its body, and every header except those of the connection. */
export async function deliveryOf(callback: queue.QueuedCallback, at: Date): Promise<CallbackSubject & Rendered> {
  const subject = await subjectOf(callback);
  const { body, hash, headers } = renderCallback(subject, messageOf(callback, subject).body, at);
  return { ...subject, body, hash, headers: { 'user-agent': userAgent, ...headers } };
}

async function subjectOf(callback: queue.QueuedCallback): Promise<CallbackSubject> {
  const both = await findPaymentWithTransaction(callback.transactionId);
  if (!both) throw new Error(`transaction ${callback.transactionId} of callback ${callback.id} does not exist`);
  const attempt = isAttempt(both.transaction) ? both.transaction : await lastAttempt(both.payment.id);
  return { callback, ...fromSnapshot(both, attempt, callback.snapshot), caller: await callerOf(both.payment) };
}

/** The payment and its transactions with the values that were frozen when the callback was inserted. */
function fromSnapshot(
  { payment, transaction }: PaymentWithTransaction,
  attempt: Transaction | null,
  frozen: queue.CallbackSnapshot | null,
): Pick<CallbackSubject, 'payment' | 'movement' | 'attempt'> {
  if (!frozen) return { payment, movement: transaction, attempt };
  const movement = { ...transaction, providerData: frozen.facts, action: frozen.action };
  const followedAttempt = attempt && { ...attempt, providerData: frozen.attemptFacts ?? attempt.providerData };
  return {
    payment: { ...payment, ...frozen.payment, card: frozen.card },
    movement,
    attempt: isAttempt(transaction) ? movement : followedAttempt,
  };
}
