// The running payment calls of hosted fields by payment. A concurrent repeat waits for them and returns their outcome.
// Worker processes of one machine share the list of their primary process.
import { randomUUID } from 'node:crypto';
import { type Answers, askPrimary, isWorkerProcess } from '../jobs/index.ts';
import { log } from '../telemetry/index.ts';

/** Longer than the longest provider call. A worker that was killed ends none of its calls. */
const longestSeconds = 90;

type PaymentCall = { paymentId: string; id: string };
type RunningCall = { ended: Promise<void>; end: () => void };

const running = new Map<string, Map<string, RunningCall>>();

const beginQuestion = 'begin payment call';
const endQuestion = 'end payment call';
const waitQuestion = 'wait for payment calls';

/** How the primary process answers its workers. */
export const paymentCallAnswers: Answers = {
  [beginQuestion]: begin,
  [endQuestion]: end,
  [waitQuestion]: runningCallsEnd,
};

/** Runs `call` as a running payment call of the payment. */
export async function runPaymentCall<Result>(paymentId: string, call: () => Promise<Result>): Promise<Result> {
  const entry: PaymentCall = { paymentId, id: randomUUID() };
  if (isWorkerProcess()) await askPrimary(beginQuestion, entry);
  else begin(entry);
  try {
    return await call();
  } finally {
    // The outcome is known: without an answer the entry ends by its time.
    if (isWorkerProcess())
      await askPrimary(endQuestion, entry).catch((err) => log.warn({ err }, 'a call was not ended'));
    else end(entry);
  }
}

/** Resolves when the payment calls that run now have ended. */
export async function paymentCallsEnd(paymentId: string): Promise<void> {
  if (isWorkerProcess()) await askPrimary(waitQuestion, paymentId, longestSeconds + 5);
  else await runningCallsEnd(paymentId);
}

function begin({ paymentId, id }: PaymentCall): void {
  let finish = () => {};
  const ended = new Promise<void>((done) => {
    finish = done;
  });
  const timer = setTimeout(() => end({ paymentId, id }), longestSeconds * 1000).unref();
  const calls = running.get(paymentId) ?? new Map<string, RunningCall>();
  running.set(paymentId, calls);
  calls.set(id, {
    ended,
    end() {
      clearTimeout(timer);
      finish();
    },
  });
}

function end({ paymentId, id }: PaymentCall): void {
  const calls = running.get(paymentId);
  calls?.get(id)?.end();
  calls?.delete(id);
  if (calls?.size === 0) running.delete(paymentId);
}

async function runningCallsEnd(paymentId: string): Promise<void> {
  await Promise.all([...(running.get(paymentId)?.values() ?? [])].map(({ ended }) => ended));
}
