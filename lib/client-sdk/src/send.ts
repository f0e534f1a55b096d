// Sends the four calls as JSON, for the client and for the server that forwards its calls.

import { type CallName, paths } from './contract.ts';
import { FlorinError } from './errors.ts';
import { type Body, type Credentials, signatureHeaders, signRequest } from './sign.ts';

export type Fetch = (address: string, init: RequestInit) => Promise<Response>;

type Sender = (Credentials | { merchantKey?: string; password?: undefined }) & {
  /** Default: 30; covers the whole response. */
  timeoutSeconds?: number;
  fetch?: Fetch;
  credentials?: RequestCredentials;
};

/**
 * Sends a call, signed if the password is known, and reads the response's text. Rejects with `network`, `timeout` or
 * `aborted`. The cause is not attached: some runtimes put the request into it.
 */
export async function sendCall(
  base: string,
  operation: CallName,
  body: Body,
  by: Sender,
  headers: Record<string, string>,
  signal?: AbortSignal,
): Promise<{ status: number; text: string }> {
  const { merchantKey, timeoutSeconds = 30, credentials } = by;
  const unsigned = merchantKey ? { merchant_key: merchantKey, ...body } : body;
  const text = JSON.stringify(by.password === undefined ? unsigned : signRequest(operation, body, by));
  const address = base + paths[operation];
  const stop = new AbortController();
  let timedOut = false;
  const give = () => stop.abort();
  const timer = setTimeout(() => {
    timedOut = true;
    give();
  }, timeoutSeconds * 1000);
  if (signal?.aborted) give();
  signal?.addEventListener('abort', give);
  const send: Fetch = by.fetch ?? ((to, init) => fetch(to, init));
  const signed = signatureHeaders(by, address, text);
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
