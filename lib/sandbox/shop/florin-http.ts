// The demo shop's connection to Florin: HTTP only, at the server's own address, signed with the demo merchant's
// password, like any merchant's server.
import { checkoutBaseUrl, env, protocolBaseUrl } from '../../config/index.ts';
import { maskOf } from '../../core/cards.ts';
import { demoMerchant } from '../../core/demo-merchant.ts';
import { type RecipeName, type SignatureValues, sign, verify } from '../../core/signatures.ts';
import { log } from '../../telemetry/index.ts';
import { type CallName, type CallStep, stateOf } from './order-model.ts';
import { addStep, type Order, setPayment, setState } from './orders.ts';

const options = { digest: 'md5' } as const;
/** Longer than Florin's provider timeout. */
const patienceSeconds = 60;
const answerCharacters = 16_000;

/** The server's own address. A container cannot always reach itself at its public one. */
export function loopback(): string {
  return `http://127.0.0.1:${env.port}`;
}

/** The public origin of Checkout. */
export function checkoutOrigin(): string {
  return new URL(checkoutBaseUrl()).origin;
}

/** The callback address of an order. Florin posts to its own address if allowed, else to the public one. */
export function callbackUrl(orderId: string): string {
  return `${env.allowPrivateTargets ? loopback() : env.baseUrl}/sandbox/shop/callbacks/${orderId}`;
}

/** The hash of a request; see core/signatures for the recipes' fields. */
export function hashOf(recipe: RecipeName, values: Omit<SignatureValues, 'password'>): string {
  return sign(recipe, { ...values, password: demoMerchant.password }, options);
}

/** Whether a callback or return is signed with the shop's password. */
export function isGenuine(recipe: RecipeName, values: Omit<SignatureValues, 'password'>, signature: string): boolean {
  return verify(recipe, { ...values, password: demoMerchant.password }, signature, options);
}

/** The result of a request: the log entry, and the response if there was one. */
export type Exchange = { step: CallStep; ok: boolean; answer: Record<string, unknown> };

type Sent = { path: string; url: string; headers: Record<string, string>; body: string; shown: string };

/** Posts JSON to Checkout. Does not throw: without a response the exchange has no status. */
export const sendJson = (name: CallName, path: string, body: object, headers: Record<string, string> = {}) =>
  exchange(name, {
    path,
    url: checkoutOrigin() + path,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    shown: JSON.stringify(shortened(body), null, 2),
  });

export type FormFields = Record<string, string | undefined>;

/** Posts an action of S2S CARD or S2S APM. Fields without a value are left out. */
export function sendForm(name: CallName, protocol: 'card' | 'apm', fields: FormFields): Promise<Exchange> {
  const path = `/s2s/${protocol}/post`;
  const pairs = Object.entries(fields).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return exchange(name, {
    path,
    url: `${protocolBaseUrl(`s2s_${protocol}`)}/post`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(pairs).toString(),
    shown: pairs.map(([field, value]) => `${field}=${shortened(value, field)}`).join('\n'),
  });
}

async function exchange(name: CallName, { path, url, headers, body, shown }: Sent): Promise<Exchange> {
  const started = performance.now();
  const shownHeaders = Object.entries(headers).map(([field, value]) => [field, String(shortened(value, field))]);
  const step = (status: number | null, response: string): CallStep => {
    const durationMs = Math.round(performance.now() - started);
    const sent = { path, url, headers: shownHeaders as [string, string][], request: shown };
    return { kind: 'call', name, ...sent, status, response, durationMs };
  };
  try {
    const response = await fetch(loopback() + path, {
      method: 'POST',
      headers,
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(patienceSeconds * 1000),
    });
    const text = (await response.text()).slice(0, answerCharacters);
    const answer: Record<string, unknown> | null = await new Response(text).json().catch(() => null);
    const logged = answer ? JSON.stringify(shortened(answer), null, 2) : text;
    return { step: step(response.status, logged), ok: response.status === 200, answer: answer ?? {} };
  } catch (err) {
    log.warn({ err, call: name }, 'the demo shop got no answer');
    return { step: step(null, ''), ok: false, answer: {} };
  }
}

const secretNames = new Set(['merchant_key', 'client_key', 'card_token', 'recurring_token', 'token']);

/** A copy for the log with shortened keys and tokens at any depth, a masked card and no security code. */
export function shortened(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((inner) => shortened(inner, name));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortened(inner, key)]));
  }
  if (typeof value !== 'string') return value;
  if (secretNames.has(name)) return cut(value);
  if (name === 'card_number') return maskOf(value);
  if (name === 'card_cvv2') return '***';
  return name === 'redirect_url' ? value.replace(/[^/?#]{20,}(?=$|[?#])/, cut) : value;
}

function cut(secret: string): string {
  return secret.length > 12 ? `${secret.slice(0, 6)}…${secret.slice(-4)}` : '…';
}

/** Florin's error message; null without an error. */
export type Refused = { code: string; message: string } | null;

/** Florin's error message in a response of any protocol. */
export function refusalOf({ ok, step, answer }: Exchange): Refused {
  if (ok) return null;
  if (step.status === null) return { code: '', message: 'Florin did not answer.' };
  const message = String(answer.error_message ?? `Florin answered with HTTP ${step.status}.`);
  const list = Array.isArray(answer.errors) ? answer.errors : [];
  const details = list.map((each: { error_message?: unknown }) => String(each?.error_message ?? '')).join(' ');
  return { code: String(answer.error_code ?? ''), message: details || message };
}

/**
 * Applies the response about an order's payment, and returns why it failed. Only a status response sets the state: a
 * modification is also reported by callback, in order. The log is written last, so that its readers find the new state.
 */
export async function receive(order: Order, exchange: Exchange): Promise<Refused> {
  const { ok, step, answer } = exchange;
  const { status, result, trans_status, payment_id: paymentId } = answer;
  if (ok && typeof paymentId === 'string') await setPayment(order.id, paymentId);
  if (ok && step.name === 'status' && typeof status === 'string') await setState(order.id, stateOf(status), null);
  await addStep(order.id, step);
  const isDeclined = trans_status === 'FAIL' || status === 'declined' || result === 'DECLINED';
  if (!ok || !isDeclined) return refusalOf(exchange);
  return { code: '', message: String(answer.reason ?? answer.decline_reason ?? `The ${step.name} failed.`) };
}
