// Requests for the dashboard's data. Whoever has been signed out meanwhile is led to the sign-in and back.
import type { Failure } from '../../../lib/dashboard/contract';

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

/**
 * Whether nobody has said what became of a request: no answer came, or one that speaks of trouble on the way. It may have
 * been done.
 */
export function isOutcomeUnknown(thrown: unknown): boolean {
  return !(thrown instanceof RequestFailed) || thrown.status === 0 || thrown.status >= 500;
}

/** A name for one thing to be done, under which it is done once however often it is asked for. */
export function newRequestKey(): string {
  return `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;
}

type RequestOptions = {
  method?: 'GET' | 'POST';
  body?: object;
  /** The body is only a question, so that nothing can have been done where no answer comes. */
  reads?: true;
};

const unreached = 'Florin cannot be reached. Check your connection.';
const unsure = 'Whether this was done is not known: look before you try again.';

/**
 * Asks an address under /dashboard/api. With a body, or `method: 'POST'`, something is done unless it `reads`. Throws
 * {@link RequestFailed} for all but a success; status 0 says that no answer came.
 */
export async function request<Answer>(path: string, { method, body, reads }: RequestOptions = {}): Promise<Answer> {
  const posts = method === 'POST' || body !== undefined;
  const init: RequestInit = posts
    ? { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body ?? {}) }
    : {};
  const does = posts && !reads;
  const cutOff = (): never => {
    throw new RequestFailed(0, does ? `No answer came from Florin. ${unsure}` : unreached);
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
  // A sentence of the action itself has been worded with care; any other says nothing of what was done before it failed.
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
