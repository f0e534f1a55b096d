// The id of the current request: in every log line during the request, in the response header and in error pages for
// payers, so that they can be correlated.
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { maskCardNumbers } from '../core/card-text.ts';
import { processWide } from '../core/process-wide.ts';

const current = processWide('requestId', () => new AsyncLocalStorage<string>());

/** The id from a proxy's header if it is a plain word without a card number, otherwise a new one. */
export function requestIdOf(headers: Headers): string {
  const received = headers.get('x-request-id');
  const isPlain = received !== null && /^[\w.-]{8,64}$/.test(received) && !/\d{12}/.test(received);
  return isPlain && maskCardNumbers(received) === received ? received : randomUUID();
}

/** Runs `work` with this request id. */
export function withRequestId<Result>(id: string, work: () => Result): Result {
  return current.run(id, work);
}

/** The id of the current request; undefined outside of requests. */
export function currentRequestId(): string | undefined {
  return current.getStore();
}
