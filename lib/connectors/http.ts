// The connector for every provider that speaks the open provider contract (docs/providers/contract.md), the sandbox's
// own included. It never throws for a fault of the provider and never repeats a call by itself: what is unclear is
// `unknown`, and the caller asks `status`. For some methods a token and a reference are fetched before a payment: these
// calls move no money, so a failure is a decline and never an unknown outcome.
import { z } from 'zod';
import { formatAmount } from '../core/money.ts';
import { verifyWebhook } from '../core/webhooks.ts';
import { now } from '../db/clock.ts';
import { blockedTarget, guardedRequests, operatorGuard, readAtMost, readBytes } from '../http/index.ts';
import { log, metrics, tracedCall, traceHeaders } from '../telemetry/index.ts';
import type { ConnectionCheck, Connector, HttpSettings, Outcome, PayRequest, Target } from './connector.ts';
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
} from './http.wire.ts';

const defaultTimeoutSeconds = 30;
// A status request can be repeated, so it has a shorter timeout to limit the requests that wait for a slow provider.
const statusTimeoutSeconds = 15;
const answerBytesMax = 256 * 1024;

let requests: ReturnType<typeof guardedRequests> | undefined;

// `connections` limits the connections to one slow provider.
function openRequest(...request: Parameters<NonNullable<typeof requests>>) {
  requests ??= guardedRequests(operatorGuard(), { connections: 256 });
  return requests(...request);
}

/** Uses the open provider contract at the URL of the target's settings. */
export const httpConnector: Connector = {
  id: 'http',
  name: 'Generic HTTP connector',
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
    return placeOrder(target, 'payout', '/payouts', payout, { body, headers });
  },
  modify(target, modification) {
    const path = `/payments/${encodeURIComponent(modification.original)}/${modification.operation}`;
    return placeOrder(target, modification.operation, path, modification, { body: writeModification(modification) });
  },
  proceed(target, proceed) {
    const path = `/payments/${encodeURIComponent(proceed.original)}/proceed`;
    const options = { method: 'POST', path, key: proceed.key, body: writeProceed(proceed) } as const;
    // A successful response reports the payment. An error concerns only the reply, so the payment's outcome is unknown.
    return operate(target, 'proceed', proceed.key, options, (reply) => readStatus(reply, proceed.original));
  },
  status(target, key) {
    const path = `/operations/${encodeURIComponent(key)}`;
    const seconds = Math.min(secondsOf(target), statusTimeoutSeconds);
    return operate(target, 'status', key, { method: 'GET', path, seconds }, (reply) => readStatus(reply, key));
  },
  check,
  async readNotification(targets, notification) {
    const body = await readBytes(notification, answerBytesMax).catch(() => null);
    if (body === null) return null;
    const readHeader = (header: string) => notification.headers.get(header);
    const at = now();
    const signers = targets.filter(
      ({ settings: { signingSecret } }) => signingSecret && verifyWebhook(signingSecret, readHeader, body, at),
    );
    if (signers.length === 0) return null;
    const key = readReference(new TextDecoder().decode(body));
    return key === null ? null : { key, signers };
  },
};

// The requests that prepare a payment share its timeout.
async function pay(target: Target, pay: PayRequest): Promise<Outcome> {
  const ends = performance.now() + secondsOf(target) * 1000;
  const remainingSeconds = () => Math.max(0.001, (ends - performance.now()) / 1000);
  const settings = await prepare(target.settings, pay, async (name, path, body, headers) => {
    const started = performance.now();
    const reply = await exchange(target, { method: 'POST', path, body, headers, seconds: remainingSeconds() });
    const prepared = 'status' in reply && reply.status < 300;
    const why = 'fault' in reply ? reply.fault : undefined;
    logCall(target, name, pay.key, reply, prepared ? 'prepared' : 'not prepared', why, started);
    return reply;
  });
  if ('kind' in settings) return settings;
  const body = writePayment(pay, settings.credentials, target.payerTextMax);
  const { headers } = settings;
  return placeOrder(target, 'pay', '/payments', pay, { body, headers, seconds: remainingSeconds() });
}

const checkTimeoutSeconds = 10;

async function check(target: Target): Promise<ConnectionCheck> {
  const started = performance.now();
  const reply = await exchange(target, { method: 'GET', path: '/capabilities', seconds: checkTimeoutSeconds });
  const durationMs = Math.round(performance.now() - started);
  if ('fault' in reply) return { kind: 'unreachable', why: reply.fault, durationMs };
  const { status: httpStatus } = reply;
  if (httpStatus === 401 || httpStatus === 403) return { kind: 'refused', httpStatus, durationMs };
  const capabilities = httpStatus === 200 ? readCapabilities(reply.body) : null;
  return capabilities ? { kind: 'answers', ...capabilities, durationMs } : { kind: 'unclear', httpStatus, durationMs };
}

const secondsOf = ({ settings }: Target) => settings.timeoutSeconds ?? defaultTimeoutSeconds;

/** `headers` can replace the account's own; `seconds` is the timeout; the provider refuses after `deadline`. */
type Call = { method: 'GET' | 'POST'; path: string; key?: string; deadline?: Date } & CallContent;
type CallContent = { body?: object; headers?: Record<string, string>; seconds?: number };
type Order = { key: string; deadline?: Date };

const placeOrder = (target: Target, name: string, path: string, { key, deadline }: Order, content: CallContent) =>
  operate(target, name, key, { method: 'POST', path, key, deadline, ...content }, (reply) => readOrder(reply, key));

/** A call about an operation: the exchange, its outcome by `read`, and its line in the log. */
async function operate(
  target: Target,
  name: string,
  key: string,
  call: Call,
  read: (reply: ProviderReply) => Outcome,
): Promise<Outcome> {
  const started = performance.now();
  const reply = await exchange(target, call);
  const outcome = read(reply);
  logCall(target, name, key, reply, outcome.kind, reasonOf(outcome), started);
  return outcome;
}

async function exchange(target: Target, call: Call): Promise<ProviderReply> {
  const { method, path, key, body, seconds = secondsOf(target), deadline } = call;
  const { settings } = target;
  const headers: Record<string, string> = {
    authorization: `Bearer ${settings.apiKey}`,
    accept: 'application/json',
    prefer: `wait=${Math.ceil(seconds)}`,
    ...call.headers,
  };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (key !== undefined) headers['idempotency-key'] = key;
  if (deadline !== undefined) headers['florin-deadline'] = deadline.toISOString();
  const text = body && JSON.stringify(body);
  const attributes = {
    'http.request.method': method,
    'server.address': hostOf(settings.url),
    ...(key && { 'florin.key': key }),
  };
  return await tracedCall(
    'provider call',
    attributes,
    () => send(settings.url + path, { method, headers: { ...headers, ...traceHeaders() }, body: text }, seconds),
    (reply) => ('status' in reply ? { 'http.response.status_code': reply.status } : { 'error.type': reply.fault }),
  );
}

async function send(
  url: string,
  init: { method: 'GET' | 'POST'; headers: Record<string, string>; body: string | undefined },
  seconds: number,
): Promise<ProviderReply> {
  try {
    const signal = AbortSignal.timeout(Math.round(seconds * 1000));
    const response = await openRequest(url, { ...init, signal });
    const bytes = await readAtMost(response.body, answerBytesMax);
    if (bytes === null) return { fault: 'answer too large', neverSent: false };
    return { status: response.statusCode, body: parseJson(new TextDecoder().decode(bytes)) };
  } catch (err) {
    return readNetworkError(err);
  }
}

type NetworkError = { name?: string; code?: string; syscall?: string; errors?: unknown[] };

// Error messages may contain URLs and headers, so only names and codes are returned.
function readNetworkError(thrown: unknown): ProviderReply {
  const error = (thrown ?? {}) as NetworkError;
  if (error.name === 'TimeoutError') return { fault: 'timeout', neverSent: false };
  return { fault: error.code ?? error.name ?? 'connection', neverSent: isBeforeSending(error) };
}

const beforeSending = new Set([blockedTarget, 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_INVALID_ARG', 'ERR_INVALID_URL']);

// True only for failures of name resolution, connection or request construction. Once a connection was open, the
// request may have been received.
function isBeforeSending(error: NetworkError): boolean {
  if (beforeSending.has(error.code ?? '')) return true;
  if (error.errors && error.errors.length > 0)
    return error.errors.every((inner) => isBeforeSending((inner ?? {}) as NetworkError));
  return error.syscall === 'connect' || error.syscall === 'getaddrinfo';
}

// Logs one line per call, without bodies and headers. `transaction` is Florin's own id.
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
  return URL.canParse(url) ? new URL(url).host : 'an invalid URL';
}

/** Additional headers of a payment request, and the `credentials` of its body. */
export type RequestSettings = { headers: Record<string, string>; credentials?: Record<string, string> };

/** A preparatory call to the provider with its path, body and headers. */
export type PreparatoryCall = (
  name: string,
  path: string,
  body: object,
  headers?: Record<string, string>,
) => Promise<ProviderReply>;

/** The setting of an account whose payments by a method must be prepared. */
const privateKey = 'private_key';
/** The maximum length of the public id of a reference. */
export const publicIdMax = 40;

const text = z.string().min(1).max(1024);
/** The answer of POST /tokens. */
export const tokenShape = z.object({ token: text });
/** The answer of POST /references. Without a gateway the account's setting of that name is sent. */
export const referenceShape = z.object({ reference: text, gateway_id: text.optional() });

/** Returns the account's settings for a method: those of its id, else those of its longest matching family. */
export function methodSettingsOf(settings: HttpSettings, method: string): Record<string, string> {
  const known = settings.methods ?? {};
  if (Object.hasOwn(known, method)) return known[method] ?? {};
  const families = Object.keys(known).filter((name) => name.endsWith('-') && method.startsWith(name));
  const [longest] = families.sort((a, b) => b.length - a.length);
  return longest === undefined ? {} : (known[longest] ?? {});
}

/** Splits settings into headers (names that begin with `X-`) and credentials in the body (all others). */
export function toRequestSettings(own: Record<string, string>): RequestSettings {
  const entries = Object.entries(own).filter(([name]) => name !== privateKey);
  const [headers, others] = [entries.filter(isHeader), entries.filter((entry) => !isHeader(entry))];
  return {
    headers: Object.fromEntries(headers),
    ...(others.length > 0 && { credentials: Object.fromEntries(others) }),
  };
}

const isHeader = ([name]: [string, string]) => /^x-/i.test(name);

/**
 * Returns the request settings of a payment. If the account has a private key for the method, a token and a reference
 * for this payment are fetched first; the private key itself is not sent with the payment. An Outcome is the decline of
 * a payment that could not be prepared.
 */
export async function prepare(
  settings: HttpSettings,
  request: PayRequest,
  call: PreparatoryCall,
): Promise<RequestSettings | Outcome> {
  const methodSettings = methodSettingsOf(settings, request.method);
  const requestSettings = toRequestSettings(methodSettings);
  const secret = methodSettings[privateKey];
  if (secret === undefined) return requestSettings;
  const tokenBody = bodyOf(await call('token', '/tokens', { method: request.method, [privateKey]: secret }));
  const token = tokenShape.safeParse(tokenBody);
  if (!token.success) return unprepared;
  const authorization = token.data.token;
  const referenceBody = bodyOf(await call('reference', '/references', writeReference(request), { authorization }));
  const reference = referenceShape.safeParse(referenceBody);
  if (!reference.success) return unprepared;
  return {
    headers: { ...requestSettings.headers, 'x-authorization-token': authorization },
    credentials: { ...requestSettings.credentials, ...reference.data },
  };
}

const unprepared: Outcome = {
  kind: 'declined',
  decline: { code: 'not_prepared', reason: 'The provider did not prepare the payment', class: 'technical', soft: true },
  facts: {},
};

function writeReference({ key, amount, method, recurring }: PayRequest): object {
  return {
    method,
    amount: formatAmount(amount.minor, amount.currency),
    currency: amount.currency,
    public_id: key.slice(0, publicIdMax),
    single: recurring === undefined,
  };
}

function bodyOf(reply: ProviderReply): unknown {
  return 'status' in reply && reply.status >= 200 && reply.status < 300 ? reply.body : undefined;
}
