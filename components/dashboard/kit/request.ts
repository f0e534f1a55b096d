// Requests for the dashboard's data. Whoever has been signed out meanwhile is led to the sign-in and back.
import type { Failure } from '../model';

/** A request that was refused, in a sentence; `fields` has one for each faulty field, `reference` is for the log. */
export class RequestFailed extends Error {
  readonly status: number;
  readonly fields: Record<string, string>;
  readonly reference: string | null;
  /** Whether the same request is answered once the person has proved who they are: see confirm.tsx. */
  readonly confirm: boolean;

  constructor(
    status: number,
    message: string,
    fields: Record<string, string> = {},
    reference: string | null = null,
    confirm = false,
  ) {
    super(message);
    this.name = 'RequestFailed';
    this.status = status;
    this.fields = fields;
    this.reference = reference;
    this.confirm = confirm;
  }
}

type Asking = { method?: 'GET' | 'POST'; body?: object };

/**
 * Asks an address under /dashboard/api. With a body, or `method: 'POST'`, something is done. Throws {@link RequestFailed}
 * for all but a success; status 0 says that Florin was not reached.
 */
export async function request<Answer>(path: string, { method, body }: Asking = {}): Promise<Answer> {
  const posts = method === 'POST' || body !== undefined;
  const init: RequestInit = posts
    ? { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body ?? {}) }
    : {};
  const response = await fetch(`/dashboard/api${path}`, init).catch(() => {
    throw new RequestFailed(0, 'Florin cannot be reached. Check your connection.');
  });
  const answer = (await response.json().catch(() => ({}))) as Answer & Partial<Failure> & { error_message?: string };
  if (response.ok) return answer;
  if (response.status === 401 && !location.pathname.startsWith('/dashboard/sign-in')) {
    location.assign(`/dashboard/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`);
  }
  const { error } = answer;
  const message = error?.message ?? answer.error_message ?? `Florin answered ${response.status}.`;
  throw new RequestFailed(response.status, message, error?.fields, error?.reference ?? null, error?.confirm);
}
