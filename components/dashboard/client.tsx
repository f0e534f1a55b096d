'use client';
// What the dashboard's pages share in the browser: the query client, and requests for the dashboard's data.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Failure } from './model';

export function DashboardClient({ children }: { children: ReactNode }) {
  const [client] = useState(() => new QueryClient({ defaultOptions: { queries: { retry: 1, staleTime: 2_000 } } }));
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}

/** A request that was refused, in a sentence; `fields` has one for each faulty field. */
export class Refused extends Error {
  readonly status: number;
  readonly fields: Record<string, string>;

  constructor(status: number, message: string, fields: Record<string, string> = {}) {
    super(message);
    this.name = 'Refused';
    this.status = status;
    this.fields = fields;
  }
}

/** Asks for data, or with a body for something to be done. Throws a {@link Refused} for all but a success. */
export async function ask<Answer>(path: string, body?: object): Promise<Answer> {
  const init =
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(`/dashboard/api${path}`, init).catch(() => {
    throw new Refused(0, 'Florin cannot be reached. Check your connection.');
  });
  const answer = (await response.json().catch(() => ({}))) as Answer & Partial<Failure> & { error_message?: string };
  if (response.ok) return answer;
  // Whoever has been signed out meanwhile comes back to this very page.
  if (response.status === 401 && path !== '/sign-in') {
    location.assign(`/dashboard/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`);
  }
  const message = answer.error?.message ?? answer.error_message ?? `Florin answered ${response.status}.`;
  throw new Refused(response.status, message, answer.error?.fields);
}
