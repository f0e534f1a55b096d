// The connector for every provider that speaks the open provider contract (docs/provider-contract.md), the sandbox's
// own included. It never throws for a fault of the provider and never repeats a call by itself: what is unclear is
// `unknown`, and the caller asks `status`.
import { Agent, request } from 'undici';
import { now } from '../clock';
import { verifyWebhook } from '../core/webhooks';
import { log } from '../log';
import type { Connector, Outcome, PayRequest, Target } from './connector';
import {
  parseJson,
  type Reply,
  readOrder,
  readReference,
  readStatus,
  writeFollow,
  writePayment,
  writePayout,
} from './http.wire';

const connectSeconds = 5;
const wholeSeconds = 30;
const answerBytesMax = 256 * 1024;

// `connections` bounds what one provider that hangs can hold open.
const agent = new Agent({ connect: { timeout: connectSeconds * 1000 }, connections: 256 });

/** Speaks the open provider contract to the address in the target's settings. */
export const httpConnector: Connector = {
  id: 'http',
  capabilities: {
    operations: ['sale', 'authorize', 'debit', 'transfer', 'capture', 'refund', 'void', 'payout'],
    methods: ['card'],
    partialCapture: true,
    partialRefund: true,
    zeroAmount: true,
    threeDS: true,
    externalThreeDS: true,
    recurring: true,
  },
  pay: (target, pay) => order(target, 'pay', '/payments', pay.key, writePayment(pay)),
  payout: (target, payout: PayRequest) => order(target, 'payout', '/payouts', payout.key, writePayout(payout)),
  follow: (target, follow) => {
    const path = `/payments/${encodeURIComponent(follow.original)}/${follow.operation}`;
    return order(target, follow.operation, path, follow.key, writeFollow(follow));
  },
  async status(target, key) {
    const started = performance.now();
    const reply = await exchange(target, 'GET', `/operations/${encodeURIComponent(key)}`);
    const outcome = readStatus(reply, key);
    record(target, 'status', key, reply, outcome, started);
    return outcome;
  },
  async readNotification(target, notification) {
    const body = await readLimited(notification.body);
    if (body === null) return null;
    const read = (header: string) => notification.headers.get(header);
    if (!target.settings.signingSecret || !verifyWebhook(target.settings.signingSecret, read, body, now())) return null;
    const key = readReference(new TextDecoder().decode(body));
    return key === null ? null : { key };
  },
};

async function order(target: Target, call: string, path: string, key: string, body: object): Promise<Outcome> {
  const started = performance.now();
  const reply = await exchange(target, 'POST', path, key, JSON.stringify(body));
  const outcome = readOrder(reply, key);
  record(target, call, key, reply, outcome, started);
  return outcome;
}

async function exchange(
  { settings }: Target,
  method: 'GET' | 'POST',
  path: string,
  key?: string,
  body?: string,
): Promise<Reply> {
  const seconds = settings.timeoutSeconds ?? wholeSeconds;
  const headers: Record<string, string> = {
    authorization: `Bearer ${settings.apiKey}`,
    accept: 'application/json',
    prefer: `wait=${Math.ceil(seconds)}`,
  };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (key !== undefined) headers['idempotency-key'] = key;
  try {
    const signal = AbortSignal.timeout(seconds * 1000);
    const limits = { headersTimeout: 0, bodyTimeout: 0, signal, dispatcher: agent };
    const answer = await request(settings.url + path, { method, headers, body, ...limits });
    const bytes = await readLimited(answer.body);
    if (bytes === null) return { fault: 'answer too large', neverSent: false };
    return { status: answer.statusCode, body: parseJson(new TextDecoder().decode(bytes)) };
  } catch (err) {
    return readFault(err);
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

type Fault = { name?: string; code?: string; syscall?: string; errors?: unknown[] };

// Errors' messages may quote addresses and headers, so that only names and codes go on.
function readFault(thrown: unknown): Reply {
  const fault = (thrown ?? {}) as Fault;
  if (fault.name === 'TimeoutError') return { fault: 'timeout', neverSent: false };
  return { fault: fault.code ?? fault.name ?? 'connection', neverSent: isBeforeSending(fault) };
}

// Only failures to resolve a name, to connect or to form the request at all; a connection that was open may have
// carried the request even if every later sign of life is missing.
function isBeforeSending(fault: Fault): boolean {
  if (
    fault.code === 'UND_ERR_CONNECT_TIMEOUT' ||
    fault.code === 'UND_ERR_INVALID_ARG' ||
    fault.code === 'ERR_INVALID_URL'
  )
    return true;
  if (fault.errors && fault.errors.length > 0)
    return fault.errors.every((inner) => isBeforeSending((inner ?? {}) as Fault));
  return fault.syscall === 'connect' || fault.syscall === 'getaddrinfo';
}

// One line per call. Bodies and headers never reach it; `transaction` is our own id.
function record(
  target: Target,
  call: string,
  transaction: string,
  reply: Reply,
  outcome: Outcome,
  started: number,
): void {
  const line = {
    connector: httpConnector.id,
    provider: hostOf(target.settings.url),
    call,
    transaction,
    http: 'status' in reply ? reply.status : undefined,
    outcome: outcome.kind,
    why: outcome.kind === 'unknown' ? outcome.why : outcome.kind === 'declined' ? outcome.decline.code : undefined,
    durationMs: Math.round(performance.now() - started),
  };
  if (outcome.kind === 'unknown') log.warn(line, 'provider call');
  else log.info(line, 'provider call');
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'an address that is not valid';
}
