// The client of the current request, for records of who did what from where.
import { AsyncLocalStorage } from 'node:async_hooks';
import { processWide } from '../core/process-wide.ts';

/** The address behind trusted proxies, and the User-Agent as the client sent it. */
export type Client = { address: string; userAgent: string | null };

const current = processWide('client', () => new AsyncLocalStorage<Client>());

/** Runs `work`, and what it starts, as a request of this client. */
export function withClient<Result>(client: Client, work: () => Result): Result {
  return current.run(client, work);
}

/** The client of the current request; undefined outside of requests. */
export function currentClient(): Client | undefined {
  return current.getStore();
}
