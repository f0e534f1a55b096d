// Requests for the dashboard's data. A signed-out user is redirected to the sign-in and back.
import type { Conflict, Failure, ProofWay } from '../../../lib/dashboard/contract.ts';
import { hasUnsavedChanges } from './unsaved.ts';

/** A refused request as a sentence; `fields` has one for each invalid field, `reference` is for the log. */
export class RequestFailed extends Error {
  readonly status: number;
  readonly fields: Record<string, string>;
  readonly reference: string | null;
  /** Who changed the object meanwhile, and what. */
  readonly conflict: Conflict | null;

  constructor(status: number, message: string, { fields, reference, conflict }: Partial<Failure['error']> = {}) {
    super(message);
    this.name = 'RequestFailed';
    this.status = status;
    this.fields = fields ?? {};
    this.reference = reference ?? null;
    this.conflict = conflict ?? null;
  }
}

/** An error as a sentence for users. */
export function errorText(thrown: unknown): string {
  return thrown instanceof Error && thrown.message !== '' ? thrown.message : 'Something went wrong.';
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
  /** The request signs in: 401 is its own answer. */
  signsIn?: true;
  /** The request was refused as signed out before. */
  isRepeated?: true;
};

/** What unlocks a locked session; null for a session that has ended. */
export type Unlocking = readonly ProofWay[] | null;
type SignInAgain = (unlocking: Unlocking) => Promise<boolean>;

let signInAgain: SignInAgain | null = null;
let asked: Promise<boolean> | null = null;

/** Sets what asks the user to sign in, or to unlock the session, on the page itself; its result is whether they did. */
export function onExpiredSession(ask: SignInAgain | null): void {
  signInAgain = ask;
}

// An ended session leads to the sign-in, unless the page has unsaved changes; a locked one is unlocked on any page.
// Requests that are refused at the same time ask once.
async function signedInAgain(unlocking: Unlocking): Promise<boolean> {
  if (signInAgain === null || (unlocking === null && !hasUnsavedChanges())) return false;
  asked ??= signInAgain(unlocking).finally(() => {
    asked = null;
  });
  return asked;
}

type Prove = (ways: readonly ProofWay[]) => Promise<boolean>;

let prove: Prove | null = null;
let proving: Promise<boolean> | null = null;

/** Sets what asks the user for a proof of identity; its result is whether they gave one. */
export function onUnconfirmed(ask: Prove | null): void {
  prove = ask;
}

// Requests that are refused at the same time ask once.
async function isProven(ways: readonly ProofWay[]): Promise<boolean> {
  proving ??= (prove?.(ways) ?? Promise.resolve(false)).finally(() => {
    proving = null;
  });
  return proving;
}

/** Without a key, a press or a turn of the wheel for this long, requests do not count as a use of the session. */
const attendedMilliseconds = 60_000;
let lastInput = Date.now();

if (typeof document !== 'undefined') {
  for (const type of ['keydown', 'pointerdown', 'wheel', 'touchstart']) {
    const note = () => {
      lastInput = Date.now();
    };
    document.addEventListener(type, note, { capture: true, passive: true });
  }
}

/** Whether a user is at the page. Otherwise what it requests by itself must not count as a use of the session. */
export const isAttended = (): boolean => Date.now() - lastInput <= attendedMilliseconds;

const attendance = (): Record<string, string> => (isAttended() ? {} : { 'florin-unattended': '1' });

/**
 * A proof of identity replaces the session's cookie. A request that was under way is refused, and repeated after this
 * long with the new one.
 */
const renewalMilliseconds = 500;

const unreached = 'Florin cannot be reached. Check your connection.';
const unsure = 'The outcome is unknown: check before you try again.';

/**
 * Requests an address under /dashboard/api. With a body, or `method: 'POST'`, it is an action unless it `reads`. Throws
 * {@link RequestFailed} for everything but a success; status 0 means no response.
 */
export async function request<Answer>(path: string, options: RequestOptions = {}): Promise<Answer> {
  const { method, body, reads, signsIn, isRepeated } = options;
  const posts = method === 'POST' || body !== undefined;
  const init: RequestInit = posts
    ? {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...attendance() },
        body: JSON.stringify(body ?? {}),
      }
    : { headers: attendance() };
  const does = posts && !reads;
  const cutOff = (): never => {
    throw new RequestFailed(0, does ? `Florin did not respond. ${unsure}` : unreached);
  };
  const response = await fetch(`/dashboard/api${path}`, init).catch(cutOff);
  const text = await response.text().catch(cutOff);
  const answer = jsonOf<Answer & Partial<Failure> & { error_message?: string }>(text);
  if (response.ok) return answer ?? cutOff();
  if (response.status === 401 && !signsIn && !isRepeated && !answer?.error?.locked) {
    await new Promise((go) => setTimeout(go, renewalMilliseconds));
    return request(path, { ...options, isRepeated: true });
  }
  if (response.status === 401 && !signsIn && !location.pathname.startsWith('/dashboard/sign-in')) {
    const unlocking = answer?.error?.locked ?? null;
    if (await signedInAgain(unlocking)) return request(path, options);
    const page = unlocking === null ? '/dashboard/sign-in' : '/dashboard/sign-in/locked';
    location.assign(`${page}?next=${encodeURIComponent(location.pathname + location.search)}`);
  }
  const error = answer?.error;
  if (error?.confirm && (await isProven(error.confirm))) return request(path, options);
  const message = error?.message ?? answer?.error_message ?? `Florin answered ${response.status}.`;
  // Messages of the action itself state the outcome; other messages do not say what was done before the error.
  const isOpen = does && !error && response.status >= 500;
  const whole = isOpen ? `${message.replace(/\.$/, '')}. ${unsure}` : message;
  throw new RequestFailed(response.status, whole, error);
}

function jsonOf<Answer>(text: string): Answer | null {
  try {
    return text === '' ? ({} as Answer) : JSON.parse(text);
  } catch {
    return null;
  }
}
