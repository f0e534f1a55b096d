// The connector for every provider that speaks the open provider contract (docs/providers/contract.md), the sandbox's
// own included. It never throws for a fault of the provider and never repeats a call by itself: what is unclear is
// `unknown`, and the caller asks `status`.
import { Agent, request } from 'undici';
import { verifyWebhook } from '../core/webhooks';
import { now } from '../db/clock';
import { log, metrics, tracedCall, traceHeaders } from '../telemetry';
import type { ConnectionCheck, Connector, Outcome, PayRequest, Target } from './connector';
import {
  contractTextMax,
  type ProviderReply,
  parseJson,
  readCapabilities,
  readOrder,
  readReference,
  readStatus,
  writeModification,
  writePayment,
  writePayout,
  writeProceed,
} from './http.wire';
import { methodSettingsOf, prepare, toRequestSettings } from './preparation';

const connectSeconds = 5;
const defaultTimeoutSeconds = 30;
// A look-up moves nothing and can be repeated, so that a provider that hangs holds up fewer of them.
const statusTimeoutSeconds = 15;
const answerBytesMax = 256 * 1024;

// `connections` bounds what one provider that hangs can hold open.
const agent = new Agent({ connect: { timeout: connectSeconds * 1000 }, connections: 256 });

/** Speaks the open provider contract to the address in the target's settings. */
export const httpConnector: Connector = {
  id: 'http',
  name: 'Open provider contract',
  capabilities: {
    operations: ['sale', 'authorize', 'debit', 'transfer', 'capture', 'refund', 'void', 'payout'],
    methods: [],
    partialCapture: true,
    partialRefund: true,
    zeroAmount: true,
    threeDS: true,
    externalThreeDS: true,
    recurring: true,
    payerTextMax: contractTextMax,
    wallet: 'decrypted',
  },
  pay,
  payout(target, payout) {
    const { headers, credentials } = toRequestSettings(methodSettingsOf(target.settings, payout.method));
    const body = writePayout(payout, credentials, target.payerTextMax);
    return placeOrder(target, 'payout', '/payouts', { key: payout.key, body, headers, deadline: payout.deadline });
  },
  modify(target, follow) {
    const path = `/payments/${encodeURIComponent(follow.original)}/${follow.operation}`;
    return placeOrder(target, follow.operation, path, {
      key: follow.key,
      body: writeModification(follow),
      deadline: follow.deadline,
    });
  },
  async proceed(target, proceed) {
    const started = performance.now();
    const path = `/payments/${encodeURIComponent(proceed.original)}/proceed`;
    const reply = await exchange(target, 'POST', path, { key: proceed.key, body: writeProceed(proceed) });
    // The answer tells of the payment. A refusal is of the reply alone: what became of the payment is asked for.
    const outcome = readStatus(reply, proceed.original);
    logCall(target, 'proceed', proceed.key, reply, outcome.kind, reasonOf(outcome), started);
    return outcome;
  },
  async status(target, key) {
    const started = performance.now();
    const seconds = Math.min(secondsOf(target), statusTimeoutSeconds);
    const reply = await exchange(target, 'GET', `/operations/${encodeURIComponent(key)}`, { seconds });
    const outcome = readStatus(reply, key);
    logCall(target, 'status', key, reply, outcome.kind, reasonOf(outcome), started);
    return outcome;
  },
  check,
  async readNotification(targets, notification) {
    const body = await readLimited(notification.body);
    if (body === null) return null;
    const read = (header: string) => notification.headers.get(header);
    const at = now();
    const isGenuine = targets.some(
      ({ settings: { signingSecret } }) => signingSecret && verifyWebhook(signingSecret, read, body, at),
    );
    if (!isGenuine) return null;
    const key = readReference(new TextDecoder().decode(body));
    return key === null ? null : { key };
  },
};

// A payment that has to be prepared is one call to the caller: all its requests share the account's time.
async function pay(target: Target, pay: PayRequest): Promise<Outcome> {
  const ends = performance.now() + secondsOf(target) * 1000;
  const left = () => Math.max(0.001, (ends - performance.now()) / 1000);
  const carried = await prepare(target.settings, pay, async (name, path, body, headers) => {
    const started = performance.now();
    const reply = await exchange(target, 'POST', path, { body, headers, seconds: left() });
    const prepared = 'status' in reply && reply.status < 300;
    const why = 'fault' in reply ? reply.fault : undefined;
    logCall(target, name, pay.key, reply, prepared ? 'prepared' : 'not prepared', why, started);
    return reply;
  });
  if ('kind' in carried) return carried;
  const body = writePayment(pay, carried.credentials, target.payerTextMax);
  const { headers } = carried;
  return placeOrder(target, 'pay', '/payments', {
    key: pay.key,
    body,
    headers,
    seconds: left(),
    deadline: pay.deadline,
  });
}

const checkTimeoutSeconds = 10;

async function check(target: Target): Promise<ConnectionCheck> {
  const started = performance.now();
  const reply = await exchange(target, 'GET', '/capabilities', { seconds: checkTimeoutSeconds });
  const durationMs = Math.round(performance.now() - started);
  if ('fault' in reply) return { kind: 'unreachable', why: reply.fault, durationMs };
  const { status: httpStatus } = reply;
  if (httpStatus === 401 || httpStatus === 403) return { kind: 'refused', httpStatus, durationMs };
  const told = httpStatus === 200 ? readCapabilities(reply.body) : null;
  return told ? { kind: 'answers', ...told, durationMs } : { kind: 'unclear', httpStatus, durationMs };
}

const secondsOf = ({ settings }: Target) => settings.timeoutSeconds ?? defaultTimeoutSeconds;

/**
 * What a call sends besides its address. `headers` may replace the account's own; `seconds` is how long it may take;
 * after `deadline` the provider refuses it.
 */
type CallOptions = { key?: string; body?: object; headers?: Record<string, string>; seconds?: number; deadline?: Date };

async function placeOrder(
  target: Target,
  call: string,
  path: string,
  sent: CallOptions & { key: string },
): Promise<Outcome> {
  const started = performance.now();
  const reply = await exchange(target, 'POST', path, sent);
  const outcome = readOrder(reply, sent.key);
  logCall(target, call, sent.key, reply, outcome.kind, reasonOf(outcome), started);
  return outcome;
}

async function exchange(
  target: Target,
  method: 'GET' | 'POST',
  path: string,
  { key, body, headers: own, seconds = secondsOf(target), deadline }: CallOptions = {},
): Promise<ProviderReply> {
  const { settings } = target;
  const headers: Record<string, string> = {
    authorization: `Bearer ${settings.apiKey}`,
    accept: 'application/json',
    prefer: `wait=${Math.ceil(seconds)}`,
    ...own,
  };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (key !== undefined) headers['idempotency-key'] = key;
  if (deadline !== undefined) headers['florin-deadline'] = deadline.toISOString();
  const text = body && JSON.stringify(body);
  const called = {
    'http.request.method': method,
    'server.address': hostOf(settings.url),
    ...(key && { 'florin.key': key }),
  };
  return await tracedCall(
    'provider call',
    called,
    () => send(settings.url + path, { method, headers: { ...headers, ...traceHeaders() }, body: text }, seconds),
    (reply) => ('status' in reply ? { 'http.response.status_code': reply.status } : { 'error.type': reply.fault }),
  );
}

async function send(
  url: string,
  sent: { method: 'GET' | 'POST'; headers: Record<string, string>; body: string | undefined },
  seconds: number,
): Promise<ProviderReply> {
  try {
    const signal = AbortSignal.timeout(Math.round(seconds * 1000));
    const limits = { headersTimeout: 0, bodyTimeout: 0, signal, dispatcher: agent };
    const answer = await request(url, { ...sent, ...limits });
    const bytes = await readLimited(answer.body);
    if (bytes === null) return { fault: 'answer too large', neverSent: false };
    return { status: answer.statusCode, body: parseJson(new TextDecoder().decode(bytes)) };
  } catch (err) {
    return readNetworkError(err);
  }
}

/** All bytes of a body, or null when they are too many; reading stops there. */
async function readLimited(body: AsyncIterable<Uint8Array> | null): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > answerBytesMax) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

type NetworkError = { name?: string; code?: string; syscall?: string; errors?: unknown[] };

// Errors' messages may quote addresses and headers, so that only names and codes go on.
function readNetworkError(thrown: unknown): ProviderReply {
  const fault = (thrown ?? {}) as NetworkError;
  if (fault.name === 'TimeoutError') return { fault: 'timeout', neverSent: false };
  return { fault: fault.code ?? fault.name ?? 'connection', neverSent: isBeforeSending(fault) };
}

// Only failures to resolve a name, to connect or to form the request at all; a connection that was open may have
// carried the request even if every later sign of life is missing.
function isBeforeSending(fault: NetworkError): boolean {
  if (
    fault.code === 'UND_ERR_CONNECT_TIMEOUT' ||
    fault.code === 'UND_ERR_INVALID_ARG' ||
    fault.code === 'ERR_INVALID_URL'
  )
    return true;
  if (fault.errors && fault.errors.length > 0)
    return fault.errors.every((inner) => isBeforeSending((inner ?? {}) as NetworkError));
  return fault.syscall === 'connect' || fault.syscall === 'getaddrinfo';
}

// One line per call. Bodies and headers never reach it; `transaction` is our own id.
function logCall(
  target: Target,
  call: string,
  transaction: string,
  reply: ProviderReply,
  outcome: Outcome['kind'] | 'prepared' | 'not prepared',
  why: string | undefined,
  started: number,
): void {
  const line = {
    connector: httpConnector.id,
    provider: hostOf(target.settings.url),
    call,
    transaction,
    http: 'status' in reply ? reply.status : undefined,
    outcome,
    why,
    durationMs: Math.round(performance.now() - started),
  };
  const labels = { connector: httpConnector.id, call, outcome };
  metrics.provider.observe(labels, (performance.now() - started) / 1000);
  if (outcome === 'unknown' || outcome === 'not prepared') log.warn(line, 'provider call');
  else log.info(line, 'provider call');
}

function reasonOf(outcome: Outcome): string | undefined {
  if (outcome.kind === 'unknown') return outcome.why;
  return outcome.kind === 'declined' ? outcome.decline.code : undefined;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'an address that is not valid';
}
