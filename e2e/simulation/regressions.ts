// Faults that histories have found in the service. Each is planted again by a mutation, and is kept with a history that
// finds it. A change of the simulator gives a seed another history: `npm run chaos -- mutations --update on` looks for
// another seed.
import type { Rates } from './chance.ts';
import type { Task } from './worker.ts';
import { startWorkers } from './workers.ts';

/**
 * A mutation, and a history that finds it, alone in its processes or with the `before` histories before it. `rates` make
 * the faults that it needs likely.
 */
export type Regression = { mutation: string; seed: number; before?: number; rates: Rates };

const restIsTaken: Rates = { 'takes less': 0.8, 'rest taken': 1, 'answer slow': 0.5 };

export const regressions: Regression[] = [
  {
    mutation: 'a refunded late success is listed again',
    seed: 140,
    rates: { 'settles after a decline': 0.6, 'void refused': 1, 'notification twice': 1 },
  },
  { mutation: 'an outcome closes an item that was found after its request', seed: 141, rates: {} },
  {
    mutation: 'a poll from before an authorisation expires it',
    seed: 66,
    rates: { 'statement slow': 0.4, 'process paused': 0.3 },
  },
  {
    mutation: 'an authorisation is refunded',
    seed: 11,
    rates: { 'settles after a decline': 0.6, 'settings changed': 1 },
  },
  {
    mutation: 'the end of a late success is reported that was not reported',
    seed: 447,
    rates: {
      'settles after a decline': 0.8,
      'declined softly': 1,
      'answer slow': 0.6,
      'account slow': 1,
      'void takes time': 1,
    },
  },
  {
    mutation: 'an authorisation that is taken back waits for its capture',
    seed: 118,
    rates: { 'moves less': 0.9, 'portal action': 1 },
  },
  {
    mutation: 'a look-up from before an outcome completes its notification',
    seed: 181,
    rates: { 'look-up lags': 0.9, 'settles after a decline': 0.6, 'outcome reversed': 0.6 },
  },
  { mutation: 'what is reported of an attempt that is being cancelled is not compared', seed: 204447, rates: {} },
  { mutation: 'a refund that was sent is forgotten when the payment is settled', seed: 5, rates: restIsTaken },
  {
    mutation: 'a refund of another amount is forgotten when the payment is settled',
    seed: 893404740,
    rates: { ...restIsTaken, 'moves less': 0.9 },
  },
  {
    mutation: 'the rest of a refunded attempt is not compared',
    seed: 29,
    before: 3,
    rates: { ...restIsTaken, 'takes another currency': 0.5 },
  },
  {
    mutation: 'an item keeps the amount that was reported first',
    seed: 178,
    rates: { ...restIsTaken, 'takes another currency': 0.5 },
  },
  {
    mutation: 'a look-up without an outcome is repeated for ever',
    seed: 8,
    rates: { 'connection refused': 0.6, 'declined softly': 1, 'statement slow': 0.1 },
  },
  {
    mutation: 'another amount of a declined attempt is not listed as a late success',
    seed: 860221121,
    before: 8,
    rates: { ...restIsTaken, 'portal action': 1, 'settles after a decline': 0.6 },
  },
  { mutation: 'a missed slot is begun for the time that was announced', seed: 905984, before: 8, rates: {} },
  { mutation: 'a set has two rows of one callback', seed: 957457674, before: 17, rates: { 'turn long': 0.5 } },
  {
    mutation: 'a set has two rows of one payment',
    seed: 1232,
    before: 6,
    rates: { 'turn long': 1, 'notification twice': 1, 'statement slow': 0.2, 'declined softly': 1, 'answer lost': 0.3 },
  },
  {
    mutation: 'a refusal of a repeat decides a void',
    seed: 957736252,
    before: 12,
    rates: {
      'request late': 0.3,
      'connection refused': 0.3,
      'answer lost': 0.2,
      'void takes time': 0.6,
      'payer leaves': 0.6,
    },
  },
  {
    mutation: 'a call that could not be made ends the request that was sent again',
    seed: 4758205,
    before: 4,
    rates: {},
  },
];

type Workers = ReturnType<typeof startWorkers>;

/** How the history of a regression fails: on the service as it is, or with its planted fault; null if it does not. */
export async function failureOf(
  { mutation, seed, before = 0, rates }: Regression,
  workers: Workers,
): Promise<string | null> {
  const history: Task = { from: seed - before, count: before + 1, rates };
  const [failure] = (await workers.perform(history)).failures;
  if (failure) return `the service: ${failure.violation}`;
  const found = (await workers.perform({ ...history, mutation })).failures.length > 0;
  return found ? null : 'it no longer finds its planted fault: npm run chaos -- mutations --update on';
}

/** Runs every regression; returns those that fail. */
export async function verifyRegressions(): Promise<string[]> {
  const workers = startWorkers();
  try {
    const failures = await Promise.all(
      regressions.map(async (regression) => {
        const failure = await failureOf(regression, workers);
        return failure && `${regression.mutation}, seed ${regression.seed}: ${failure}`;
      }),
    );
    return failures.filter((failure) => failure !== null);
  } finally {
    workers.stop();
  }
}
