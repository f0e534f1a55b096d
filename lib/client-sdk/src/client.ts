// The client of the contract (interface.md, Endpoints, SDK client): four calls, signed here if the password is known,
// else by the merchant's own server.

import type {
  CallName,
  OrderListQuery,
  PaymentStatus,
  PaymentUrl,
  RefundAnswer,
  SessionRequest,
  StatusQuery,
  VoidAnswer,
} from './contract.ts';
import { apiErrorOf, asObject, FlorinError, throwArgumentError } from './errors.ts';
import { baseOf, type Fetch, sendCall } from './send.ts';
import type { Body, Credentials } from './sign.ts';

type Common = {
  /**
   * With a password: the address of the payment service. Without: the merchant's own server, which serves the same four
   * paths, signs and forwards (`createBackend`).
   */
  backendUrl: string;
  /** Default: 30. */
  timeoutSeconds?: number;
  /** Headers of every call, read for each call: the shop's own authentication at its server. */
  headers?: () => Record<string, string> | Promise<Record<string, string>>;
  /** Whether a browser sends the cookies of another origin's server. */
  credentials?: RequestCredentials;
  /** Replaces the runtime's fetch. */
  fetch?: Fetch;
};

/**
 * For servers only: the password authorises refunds and voids of every payment, and the content of a page or an app is
 * public.
 */
export type SignedOptions = Common & Credentials;
export type ForwardedOptions = Common & { merchantKey?: string; password?: undefined };
export type ClientOptions = SignedOptions | ForwardedOptions;

/** `signal` aborts a call. */
export type CallOptions = { signal?: AbortSignal };

/**
 * `idempotencyKey`: your own name for this refund or void, 1 to 255 printable ASCII characters without a comma, unique
 * per payment. A repeated call with the same key returns the first response and moves no more money. Without a key each
 * call gets a new one. A client that signs repeats a call itself, under the same key, if the connection breaks or the
 * service is busy. The error of a call contains the key.
 */
export type FollowUpOptions = CallOptions & { idempotencyKey?: string };

/** Every call rejects with a FlorinError. */
export type Client = {
  /** Creates a session and returns the payer's address. */
  fetchPaymentUrl(request: SessionRequest, options?: CallOptions): Promise<PaymentUrl>;
  /** A payment by its id, or the latest of an order number; with a size a list, the latest first. */
  checkStatus(query: OrderListQuery, options?: CallOptions): Promise<PaymentStatus[]>;
  checkStatus(query: StatusQuery, options?: CallOptions): Promise<PaymentStatus>;
  /** Refunds a payment; without an amount, all that remains. The outcome comes by callback. */
  refundPayment(refund: { paymentId: string; amount?: string }, options?: FollowUpOptions): Promise<RefundAnswer>;
  /** Voids a payment of the same UTC day, or reverses an authorisation. */
  voidPayment(payment: { paymentId: string }, options?: FollowUpOptions): Promise<VoidAnswer>;
};

type Call = (
  operation: CallName,
  body: Body,
  options?: { signal?: AbortSignal | undefined },
  more?: Record<string, string>,
) => Promise<unknown>;

/** Waits before a refund or a void is repeated under its key; after the last one the caller gets the error. */
const pauseMilliseconds = [500, 2000];

/** A broken connection, or a busy proxy or server, which may have processed the call: the key makes repeating safe. */
const isRetryable = ({ code, status }: FlorinError) => code === 'network' || [502, 503, 504].includes(status ?? 0);

function pausing(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, milliseconds);
    signal?.addEventListener('abort', () => done());
  });
}

/** 128 random bits. The key is not secret; it only has to differ from the payment's other keys. */
function newKey(): string {
  const parts = Array.from({ length: 4 }, () => Math.floor(Math.random() * 2 ** 32));
  return parts.map((part) => part.toString(16).padStart(8, '0')).join('');
}

/** Creates a client. Throws `argument` for an invalid option. */
export function initialize(options: ClientOptions): Client {
  const call = callOf(options);
  // A merchant's own server may not forward the key, so only calls to the payment service are repeated automatically.
  const pauses = options.password === undefined ? [] : pauseMilliseconds;

  async function checkStatus(query: OrderListQuery, options?: CallOptions): Promise<PaymentStatus[]>;
  async function checkStatus(query: StatusQuery, options?: CallOptions): Promise<PaymentStatus>;
  async function checkStatus(query: StatusQuery, options?: CallOptions): Promise<PaymentStatus | PaymentStatus[]> {
    const listed = 'size' in query && query.size !== undefined;
    const response = await call('status', statusBody(query), options);
    if (!listed) return requireFields<PaymentStatus>(response, ['payment_id', 'status']);
    if (!Array.isArray(response)) throw invalidResponse();
    return response.map((each) => requireFields<PaymentStatus>(each, ['payment_id', 'status']));
  }

  /** A call that moves money, under one key for all repetitions. */
  async function followUp<T>(
    name: CallName,
    body: Body,
    members: readonly string[],
    { signal, idempotencyKey = newKey() }: FollowUpOptions = {},
  ): Promise<T> {
    for (let sent = 0; ; sent += 1) {
      try {
        return requireFields<T>(await call(name, body, { signal }, { 'idempotency-key': idempotencyKey }), members);
      } catch (error) {
        const pause = pauses[sent];
        if (!(error instanceof FlorinError)) throw error;
        if (pause === undefined || !isRetryable(error)) {
          const { code, message, status, fields } = error;
          throw new FlorinError(code, message, { status, fields, idempotencyKey });
        }
        await pausing(pause, signal);
      }
    }
  }

  return {
    async fetchPaymentUrl(request, callOptions) {
      const response = await call('session', request, callOptions);
      const { redirect_url, redirect_method } = requireFields<Record<string, string>>(response, ['redirect_url']);
      if (!/^https?:\/\//i.test(redirect_url as string)) throw invalidResponse();
      return { redirectUrl: redirect_url as string, redirectMethod: redirect_method ?? 'GET' };
    },
    checkStatus,
    async refundPayment({ paymentId, amount }, callOptions) {
      const body = { payment_id: idOf(paymentId), ...(amount === undefined ? {} : { amount }) };
      return followUp<RefundAnswer>('refund', body, ['payment_id', 'result'], callOptions);
    },
    async voidPayment({ paymentId }, callOptions) {
      return followUp<VoidAnswer>('void', { payment_id: idOf(paymentId) }, ['payment_id', 'trans_status'], callOptions);
    },
  };
}

function callOf(options: ClientOptions): Call {
  const { merchantKey, password } = options;
  const base =
    baseOf(options.backendUrl ?? '') ?? throwArgumentError('backendUrl must be a web address without a query.');
  if (password !== undefined && (!merchantKey || !password)) {
    throwArgumentError('A password requires a merchantKey, and neither may be empty.');
  }
  if (password !== undefined) warnPayersDevice();
  return async (operation, body, { signal } = {}, more = {}) => {
    const headers = { ...(await options.headers?.()), ...more };
    const { status, text } = await sendCall(base, operation, body, options, headers, signal);
    const response = parseJson(text);
    if (status !== 200 || asObject(response)?.result === 'ERROR') throw apiErrorOf(status, response);
    return response;
  };
}

function statusBody(query: StatusQuery): Body {
  const more = query.operations ? { operations: true } : {};
  if ('paymentId' in query) return { payment_id: idOf(query.paymentId), ...more };
  const size = 'size' in query && query.size !== undefined ? { size: String(query.size) } : {};
  return { order_id: idOf(query.orderId), ...size, ...more };
}

function idOf(id: unknown): string {
  return typeof id === 'string' && id !== ''
    ? id
    : throwArgumentError('A paymentId or orderId must be a non-empty text.');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function requireFields<T>(response: unknown, names: readonly string[]): T {
  const members = asObject(response);
  if (!members || names.some((name) => typeof members[name] !== 'string')) throw invalidResponse();
  return members as T;
}

const invalidResponse = () => new FlorinError('answer', 'The response is not one of the protocol.');

function warnPayersDevice(): void {
  const device = typeof document !== 'undefined' || globalThis.navigator?.product === 'ReactNative';
  if (device) console.warn('@florin/client: the password belongs on a server, not in a page or an app.');
}
