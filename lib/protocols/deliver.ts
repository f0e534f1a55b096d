// Delivery of callbacks: claims what is due, posts it through the guarded client and writes down what came of it. A slow
// address costs the others nothing, because nobody waits for it beyond a moment.
import { guarded, type Sent, userAgent } from '../http';
import { log, scrubText } from '../log';
import { metrics } from '../metrics';
import { inBackground } from '../payments/background';
import { addressMax, claimDue, type Frozen, keepBody, type QueuedCallback, recordTry } from '../payments/callbacks';
import { findBoth, lastAttempt } from '../payments/find';
import { callerOf } from '../payments/merchants';
import { isAttempt, type Payment, type Transaction } from '../payments/payment';
import { tracedCall } from '../trace';
import { type CallbackSubject, callbackBody, type Rendered, renderCallback } from './callback';

/** The whole of one attempt; the guarded client allows five of them for the connection (protocol.md 7). */
const attemptSeconds = 10;
/** Posts of one process at a time. */
const postsMax = 1000;
const claimMax = 200;
/** How long a round waits for its posts, so that quick addresses are done when it ends. */
const patienceMilliseconds = 100;
const answerCharacters = 200;

let posting = 0;
/** Posts under way by address. */
const underWay = new Map<string, number>();

/** Takes up the callbacks that are due and returns their number. Posts that take longer go on in the background. */
export async function deliverDue(now: Date): Promise<number> {
  const limit = Math.min(claimMax, postsMax - posting);
  const busy = [...underWay].filter(([, posts]) => posts >= addressMax).map(([address]) => address);
  const claimed = limit > 0 ? await claimDue(now, limit, busy) : [];
  if (claimed.length === 0) return 0;
  const done = claimed.map(
    (callback) =>
      new Promise<void>((finished) => {
        count(callback.address, 1);
        inBackground('a callback', () =>
          deliver(callback, now).finally(() => {
            count(callback.address, -1);
            finished();
          }),
        );
      }),
  );
  await firstOf(Promise.all(done), patienceMilliseconds);
  return claimed.length;
}

function count(address: string, change: 1 | -1): void {
  posting += change;
  const posts = (underWay.get(address) ?? 0) + change;
  if (posts > 0) underWay.set(address, posts);
  else underWay.delete(address);
}

async function firstOf(work: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const time = new Promise<void>((over) => {
    timer = setTimeout(over, milliseconds);
  });
  await Promise.race([work, time]);
  clearTimeout(timer);
}

async function deliver(callback: QueuedCallback, now: Date): Promise<void> {
  const subject = await subjectOf(callback);
  const message = callback.body ?? (await keepBody(callback.id, callbackBody(subject)));
  const { body, hash, headers } = renderCallback(subject, message, now);
  const sent = await tracedCall(
    'callback',
    { 'florin.callback': callback.id, 'florin.payment': callback.paymentId },
    () => guarded().post(callback.url, body, headers, attemptSeconds),
    ({ httpStatus, error }) => ({ 'http.response.status_code': httpStatus, 'error.type': error }),
  );
  await recordTry(callback, { ...tryOf(sent), signature: hash }, new Date(now.getTime() + sent.durationMs));
  const { httpStatus, error, durationMs } = sent;
  const { id, paymentId: payment, attempts } = callback;
  const result = error ? (sent.timedOut ? 'timeout' : 'failed') : `${Math.floor((httpStatus ?? 0) / 100)}xx`;
  metrics.callbacks.observe({ result }, durationMs / 1000);
  log.info({ callback: id, payment, attempt: attempts + 1, httpStatus, error, durationMs }, 'callback sent');
}

// What the merchant's server answered is shown to the merchant, so that an `ERROR` in a 2xx is seen there as received.
function tryOf(sent: Sent): Sent {
  if (sent.answer === undefined) return sent;
  const answer = scrubText(storable(sent.answer)).slice(0, answerCharacters);
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
  const both = await findBoth(callback.transactionId);
  if (!both) throw new Error(`transaction ${callback.transactionId} of callback ${callback.id} is gone`);
  const attempt = isAttempt(both.transaction) ? both.transaction : await lastAttempt(both.payment.id);
  return { callback, ...asFrozen(both, attempt, callback.frozen), caller: await callerOf(both.payment) };
}

/** The payment and its transactions as they were when the callback was written, as far as that was frozen. */
function asFrozen(
  { payment, transaction }: { payment: Payment; transaction: Transaction },
  attempt: Transaction | null,
  frozen: Frozen | null,
): Pick<CallbackSubject, 'payment' | 'movement' | 'attempt'> {
  if (!frozen) return { payment, movement: transaction, attempt };
  const movement = { ...transaction, facts: frozen.facts, action: frozen.action };
  const followed = attempt && { ...attempt, facts: frozen.attemptFacts ?? attempt.facts };
  return {
    payment: { ...payment, ...frozen.payment, card: frozen.card },
    movement,
    attempt: isAttempt(transaction) ? movement : followed,
  };
}
