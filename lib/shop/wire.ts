// How the demo shop speaks to Florin: HTTP alone, at the server's own address, signed with the demo merchant's password.
// Any merchant's server would do the same; nothing here reaches into Florin by another way.
import { demoMerchant } from '../core/demo';
import { type RecipeName, type SignatureValues, sign, verify } from '../core/signatures';
import { env } from '../env';
import { log } from '../log';
import type { CallStep } from './model';

/** The demo merchant's protocol mapping. */
const options = { digest: 'md5' } as const;
/** Longer than Florin waits for a provider. */
const patienceSeconds = 60;
const answerCharacters = 16_000;

/** The server's own address. A container does not always reach itself under its public one. */
export function loopback(): string {
  return `http://127.0.0.1:${env.port}`;
}

/** The hash of a request; see core/signatures for what each recipe takes. */
export function hashOf(recipe: RecipeName, values: Omit<SignatureValues, 'password'>): string {
  return sign(recipe, { ...values, password: demoMerchant.password }, options);
}

/** Whether a callback or a return was signed with the shop's password. */
export function isGenuine(values: Omit<SignatureValues, 'password'>, given: string): boolean {
  return verify('checkoutCallback', { ...values, password: demoMerchant.password }, given, options);
}

/** What came of a request: the log entry, and the answer where there was one. */
export type Exchange = { step: CallStep; ok: boolean; answer: Record<string, unknown> };

/** Posts JSON to an address of Checkout. Does not throw: no answer is an exchange without a status. */
export async function post(name: CallStep['name'], path: string, body: object): Promise<Exchange> {
  const started = performance.now();
  const sent = JSON.stringify(shortened(body), null, 2);
  const step = (status: number | null, response: string): CallStep => {
    const durationMs = Math.round(performance.now() - started);
    return { kind: 'call', name, path, request: sent, status, response, durationMs };
  };
  try {
    const response = await fetch(loopback() + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(patienceSeconds * 1000),
    });
    const text = (await response.text()).slice(0, answerCharacters);
    const answer = objectOf(text);
    const shown = answer ? JSON.stringify(shortened(answer), null, 2) : text;
    return { step: step(response.status, shown), ok: response.status === 200, answer: answer ?? {} };
  } catch (err) {
    log.warn({ err, call: name }, 'the demo shop got no answer');
    return { step: step(null, ''), ok: false, answer: {} };
  }
}

function objectOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

const secretNames = new Set(['merchant_key', 'card_token', 'recurring_token', 'token']);

/** A copy whose keys and tokens are cut in the middle, at any depth: the log is for reading, not for copying from. */
export function shortened(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((inner) => shortened(inner, name));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortened(inner, key)]));
  }
  if (typeof value !== 'string') return value;
  if (secretNames.has(name)) return cut(value);
  return name === 'redirect_url' ? value.replace(/[^/?#]{20,}(?=$|[?#])/, cut) : value;
}

function cut(secret: string): string {
  return secret.length > 12 ? `${secret.slice(0, 6)}…${secret.slice(-4)}` : '…';
}
