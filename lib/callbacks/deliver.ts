// Delivery of callbacks: claims what is due, posts it through the guarded client and writes down what came of it. A slow
// receiver costs the others nothing: each has a share, and no round waits for it beyond a moment.

import { isAttempt, type PaymentWithTransaction, type Transaction } from '../core/payment';
import { guardedClient, type SendResult, userAgent } from '../http';
import { newConcurrencyLimiter, roundMilliseconds } from '../jobs';
import { callerOf } from '../merchants';
import { findPaymentWithTransaction, lastAttempt } from '../payments';
import { log, metrics, scrubText, tracedCall } from '../telemetry';
import {
  type CallbackSnapshot,
  claimDue,
  maxPerReceiver,
  type QueuedCallback,
  receiverOf,
  recordAttempt,
  saveBody,
} from './queue';
import { type CallbackSubject, callbackBody, type Rendered, renderCallback } from './render';

/** The whole of one attempt; the guarded client allows five of them for the connection (protocol.md 7). */
const attemptSeconds = 10;
const claimMax = 200;
const maxAnswerLength = 200;
/** Posts of one process at a time. */
const shares = newConcurrencyLimiter('a callback', 1000, { receiver: maxPerReceiver, merchant: 250 });

/**
 * Claims the callbacks that are due and delivers them; returns how many there were. Posts that take longer than `patience`
 * milliseconds go on in the background.
 */
export async function deliverDue(now: Date, patience = roundMilliseconds): Promise<number> {
  const limit = Math.min(claimMax, shares.free());
  if (limit === 0) return 0;
  const busy = { receivers: shares.busy('receiver'), merchants: shares.busy('merchant') };
  const claimed = await claimDue(now, limit, busy);
  const pieces = claimed.map((callback) => ({
    keys: { receiver: receiverOf(callback), merchant: callback.merchantId },
    run: () => deliver(callback, now),
  }));
  await shares.start(pieces, patience);
  return claimed.length;
}

async function deliver(callback: QueuedCallback, now: Date): Promise<void> {
  const subject = await subjectOf(callback);
  const message = callback.body ?? (await saveBody(callback.id, callbackBody(subject)));
  const { body, hash, headers } = renderCallback(subject, message, now);
  const sent = await tracedCall(
    'callback',
    { 'florin.callback': callback.id, 'florin.payment': callback.paymentId },
    () => guardedClient().post(callback.url, body, headers, attemptSeconds),
    ({ httpStatus, error }) => ({ 'http.response.status_code': httpStatus, 'error.type': error }),
  );
  await recordAttempt(
    callback,
    { ...deliveryAttemptOf(sent), signature: hash },
    new Date(now.getTime() + sent.durationMs),
  );
  const { httpStatus, error, durationMs } = sent;
  const { id, paymentId: payment, attempts } = callback;
  const result = error ? (sent.timedOut ? 'timeout' : 'failed') : `${Math.floor((httpStatus ?? 0) / 100)}xx`;
  metrics.callbacks.observe({ result }, durationMs / 1000);
  log.info({ callback: id, payment, attempt: attempts + 1, httpStatus, error, durationMs }, 'callback sent');
}

// What the merchant's server answered is shown to the merchant, so that an `ERROR` in a 2xx is seen there as received.
function deliveryAttemptOf(sent: SendResult): SendResult {
  if (sent.answer === undefined) return sent;
  const answer = scrubText(storable(sent.answer)).slice(0, maxAnswerLength);
  const headers = Object.entries(sent.answerHeaders ?? {}).map(([name, value]) => [name, scrubText(storable(value))]);
  return { ...sent, answer, answerHeaders: Object.fromEntries(headers) };
}

// The database has no place for NUL.
const storable = (text: string) => text.replaceAll('\0', ' ');

/** A callback as {@link deliverDue} sends it at `at`: the very body, and every header but those of the connection. */
export async function deliveryOf(callback: QueuedCallback, at: Date): Promise<CallbackSubject & Rendered> {
  const subject = await subjectOf(callback);
  const { body, hash, headers } = renderCallback(subject, callback.body ?? callbackBody(subject), at);
  return { ...subject, body, hash, headers: { 'user-agent': userAgent, ...headers } };
}

async function subjectOf(callback: QueuedCallback): Promise<CallbackSubject> {
  const both = await findPaymentWithTransaction(callback.transactionId);
  if (!both) throw new Error(`transaction ${callback.transactionId} of callback ${callback.id} is gone`);
  const attempt = isAttempt(both.transaction) ? both.transaction : await lastAttempt(both.payment.id);
  return { callback, ...fromSnapshot(both, attempt, callback.snapshot), caller: await callerOf(both.payment) };
}

/** The payment and its transactions as they were when the callback was written, as far as that was frozen. */
function fromSnapshot(
  { payment, transaction }: PaymentWithTransaction,
  attempt: Transaction | null,
  frozen: CallbackSnapshot | null,
): Pick<CallbackSubject, 'payment' | 'movement' | 'attempt'> {
  if (!frozen) return { payment, movement: transaction, attempt };
  const movement = { ...transaction, providerData: frozen.facts, action: frozen.action };
  const followed = attempt && { ...attempt, providerData: frozen.attemptFacts ?? attempt.providerData };
  return {
    payment: { ...payment, ...frozen.payment, card: frozen.card },
    movement,
    attempt: isAttempt(transaction) ? movement : followed,
  };
}
