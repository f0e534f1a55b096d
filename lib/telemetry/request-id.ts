// The name of the request that is being answered: in every log line that is written meanwhile, in the answer's header and
// in what a payer is shown when something fails, so that one leads to the other.
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

// Next bundles this module several times in one process; all of them share the one that the log reads.
const requestIdKey = Symbol.for('florin.requestId');
const holder = globalThis as { [requestIdKey]?: AsyncLocalStorage<string> };
holder[requestIdKey] ??= new AsyncLocalStorage<string>();
const current = holder[requestIdKey];

/** The name that a proxy in front has given, where it is a plain word; else a new one. */
export function requestIdOf(headers: Headers): string {
  const given = headers.get('x-request-id');
  return given !== null && /^[\w.-]{8,64}$/.test(given) && !/\d{12}/.test(given) ? given : randomUUID();
}

/** Runs `work` under that name. */
export function withRequestId<Result>(id: string, work: () => Result): Result {
  return current.run(id, work);
}

/** The name of the request that is being answered, or undefined outside of any. */
export function currentRequestId(): string | undefined {
  return current.getStore();
}
