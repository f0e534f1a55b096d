// One JSON POST with a timeout, for the client and for the server that forwards its calls.

import { FlorinError } from './errors';
import type { HeaderSigner } from './sign';

export type Fetch = (address: string, init: RequestInit) => Promise<Response>;

export type SendOptions = {
  fetch?: Fetch;
  /** Default: 30; covers the whole response. */
  timeoutSeconds?: number;
  headers?: Record<string, string>;
  credentials?: RequestCredentials;
  /** Signs the request. */
  signer?: HeaderSigner;
  /** Aborts the request. */
  signal?: AbortSignal;
};

/**
 * Posts `body` and reads the response's text. Rejects with `network`, `timeout` or `aborted`. The cause is not
 * attached: some runtimes put the request into it.
 */
export async function postJson(
  address: string,
  body: unknown,
  { fetch: customFetch, timeoutSeconds = 30, headers, credentials, signer, signal }: SendOptions,
): Promise<{ status: number; text: string }> {
  const stop = new AbortController();
  let timedOut = false;
  const give = () => stop.abort();
  const timer = setTimeout(() => {
    timedOut = true;
    give();
  }, timeoutSeconds * 1000);
  if (signal?.aborted) give();
  signal?.addEventListener('abort', give);
  const send: Fetch = customFetch ?? ((to, init) => fetch(to, init));
  const text = JSON.stringify(body);
  const signed = signer?.(address, text);
  try {
    const response = await send(address, {
      method: 'POST',
      headers: { ...headers, ...signed, accept: 'application/json', 'content-type': 'application/json' },
      body: text,
      // A signed request goes to the configured address and to no other.
      redirect: 'error',
      signal: stop.signal,
      ...(credentials ? { credentials } : {}),
    });
    return { status: response.status, text: await response.text() };
  } catch {
    if (timedOut) throw new FlorinError('timeout', `There was no response within ${timeoutSeconds} seconds.`);
    if (signal?.aborted) throw new FlorinError('aborted', 'The call was aborted.');
    throw new FlorinError('network', 'The server could not be reached.');
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', give);
  }
}

/** The address without slashes at its end; null unless it is a web address without a query and without a password. */
export function baseOf(address: string): string | null {
  return /^https?:\/\/[^/?#@\s]+(\/[^?#\s]*)?$/i.test(address) ? address.replace(/\/+$/, '') : null;
}
