// Requests for the dashboard's data. A signed-out user is redirected to the sign-in and back.
import type { Failure } from '../../../lib/dashboard/contract';

/** A refused request as a sentence; `fields` has one for each invalid field, `reference` is for the log. */
export class RequestFailed extends Error {
  readonly status: number;
  readonly fields: Record<string, string>;
  readonly reference: string | null;
  /** Whether the request can be repeated after the user confirmed their identity: see confirm-identity.tsx. */
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

/** Whether the outcome is unknown: there was no response, or one from a proxy error. The action may have been done. */
export function isOutcomeUnknown(thrown: unknown): boolean {
  return !(thrown instanceof RequestFailed) || thrown.status === 0 || thrown.status >= 500;
}

/** An idempotency key for one action. */
export function newRequestKey(): string {
  return `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
}

type RequestOptions = {
  method?: 'GET' | 'POST';
  body?: object;
  /** The body is only a query, so a missing response cannot hide an action. */
  reads?: true;
};

const unreached = 'Florin cannot be reached. Check your connection.';
const unsure = 'The outcome is unknown: check before you try again.';

/**
 * Requests an address under /dashboard/api. With a body, or `method: 'POST'`, it is an action unless it `reads`. Throws
 * {@link RequestFailed} for everything but a success; status 0 means no response.
 */
export async function request<Answer>(path: string, { method, body, reads }: RequestOptions = {}): Promise<Answer> {
  const posts = method === 'POST' || body !== undefined;
  const init: RequestInit = posts
    ? { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body ?? {}) }
    : {};
  const does = posts && !reads;
  const cutOff = (): never => {
    throw new RequestFailed(0, does ? `Florin did not respond. ${unsure}` : unreached);
  };
  const response = await fetch(`/dashboard/api${path}`, init).catch(cutOff);
  const text = await response.text().catch(cutOff);
  const answer = jsonOf<Answer & Partial<Failure> & { error_message?: string }>(text);
  if (response.ok) return answer ?? cutOff();
  if (response.status === 401 && !location.pathname.startsWith('/dashboard/sign-in')) {
    location.assign(`/dashboard/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`);
  }
  const error = answer?.error;
  const message = error?.message ?? answer?.error_message ?? `Florin answered ${response.status}.`;
  // Messages of the action itself state the outcome; other messages do not say what was done before the error.
  const isOpen = does && !error && response.status >= 500;
  const whole = isOpen ? `${message.replace(/\.$/, '')}. ${unsure}` : message;
  throw new RequestFailed(response.status, whole, error?.fields, error?.reference ?? null, error?.confirm);
}

function jsonOf<Answer>(text: string): Answer | null {
  try {
    return text === '' ? ({} as Answer) : JSON.parse(text);
  } catch {
    return null;
  }
}
