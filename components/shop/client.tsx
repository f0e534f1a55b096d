'use client';
// The parts that the demo shop's pages share in the browser: the query client, and requests to the shop's server.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';

export function ShopClient({ children }: { children: ReactNode }) {
  const [client] = useState(() => new QueryClient({ defaultOptions: { queries: { retry: 1 } } }));
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}

/** An error of the shop's server: sentences per field, or one for the whole request, and the current order. */
export class ShopError<Order = unknown> extends Error {
  readonly fields: Record<string, string>;
  readonly order: Order | null;

  constructor(message: string, fields: Record<string, string> = {}, order: Order | null = null) {
    super(message);
    this.name = 'ShopFault';
    this.fields = fields;
    this.order = order;
  }
}

const unreachable = 'The demo shop does not respond. Is the server running?';

type Failure = { errors?: Record<string, string>; error?: { code: string; message: string } | null; order?: unknown };

/** Sends a request to the shop's server; throws a {@link ShopFault} unless it succeeds. */
export async function requestJson<Answer>(path: string, body?: object): Promise<Answer> {
  const init =
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(`/sandbox/shop${path}`, init).catch(() => {
    throw new ShopError(unreachable);
  });
  const answer = (await response.json().catch(() => ({}))) as Answer & Failure;
  if (response.ok) return answer;
  const { error, errors, order } = answer as Failure;
  const code = error?.code ? ` (${error.code})` : '';
  const message = error ? `${error.message}${code}` : (Object.values(errors ?? {})[0] ?? `HTTP ${response.status}`);
  throw new ShopError(message, errors, order ?? null);
}

/** Enables the form again when the browser's Back button restores the page. */
export function useReturn(ready: () => void): void {
  useEffect(() => {
    const again = (event: PageTransitionEvent) => event.persisted && ready();
    addEventListener('pageshow', again);
    return () => removeEventListener('pageshow', again);
  }, [ready]);
}
