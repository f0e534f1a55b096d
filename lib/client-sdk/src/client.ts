// The client of the contract (interface.md, Endpoints, SDK client): four calls, signed here where the password is
// known, or by the merchant's own server where it is not.

import {
  type CallName,
  type OrderListQuery,
  type PaymentStatus,
  type PaymentUrl,
  paths,
  type RefundAnswer,
  type SessionRequest,
  type StatusQuery,
  type VoidAnswer,
} from './contract';
import { apiErrorOf, asObject, FlorinError, throwArgumentError } from './errors';
import { baseOf, type Fetch, postJson } from './send';
import { type Body, type Credentials, headerSigner, signRequest } from './sign';

type Common = {
  /**
   * With a password: the address of the payment service. Without: the merchant's own server, which answers the same
   * four paths, signs and forwards (`createBackend`).
   */
  backendUrl: string;
  /** 30 by default. */
  timeoutSeconds?: number;
  /** Sent with every call, asked for each time: the shop's own sign-in towards its own server. */
  headers?: () => Record<string, string> | Promise<Record<string, string>>;
  /** Whether a browser sends the cookies of another origin's server. */
  credentials?: RequestCredentials;
  /** Stands in for the runtime's fetch. */
  fetch?: Fetch;
};

/**
 * The password belongs on a server. Whoever has it can refund and void every payment, and whatever is in a page or in
 * an app can be read by everybody who has the page or the app.
 */
export type SignedOptions = Common & Credentials;
export type ForwardedOptions = Common & { merchantKey?: string; password?: undefined };
export type ClientOptions = SignedOptions | ForwardedOptions;

/** A signal that gives a call up. */
export type CallOptions = { signal?: AbortSignal };

/**
 * `idempotencyKey`: your own name for this refund or void, 1 to 255 printable ASCII characters without a comma, unique per payment.
 * A call under a key that was used before gets the first answer and moves no more money. Without one each call has a key of
 * its own. Where the client signs, it sends a call again itself under its key when the connection breaks or the service is
 * busy. The error of a call names the key.
 */
export type FollowUpOptions = CallOptions & { idempotencyKey?: string };

/** Every call fails with a FlorinError. */
export type Client = {
  /** Opens a session and says where the payer goes. */
  fetchPaymentUrl(request: SessionRequest, options?: CallOptions): Promise<PaymentUrl>;
  /** A payment by its id, or the latest of an order number; with a size a list, the latest first. */
  checkStatus(query: OrderListQuery, options?: CallOptions): Promise<PaymentStatus[]>;
  checkStatus(query: StatusQuery, options?: CallOptions): Promise<PaymentStatus>;
  /** Gives money back; without an amount all that is left. The outcome comes by callback. */
  refundPayment(refund: { paymentId: string; amount?: string }, options?: FollowUpOptions): Promise<RefundAnswer>;
  /** Undoes a payment of the same UTC day, or releases a hold. */
  voidPayment(payment: { paymentId: string }, options?: FollowUpOptions): Promise<VoidAnswer>;
};

type Call = (
  operation: CallName,
  body: Body,
  options?: { signal?: AbortSignal | undefined },
  more?: Record<string, string>,
) => Promise<unknown>;

/** Before a refund or a void is sent again under its key; then its error is the caller's. */
const pauseMilliseconds = [500, 2000];

/** A connection that broke, and a proxy or a server that is busy: the server may have done it, and its key makes it once. */
const isRetryable = ({ code, status }: FlorinError) => code === 'network' || [502, 503, 504].includes(status ?? 0);

function pausing(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, milliseconds);
    signal?.addEventListener('abort', () => done());
  });
}

/** 128 bits. Nothing is secret in it: it has to differ from the other keys of one payment. */
function newKey(): string {
  const parts = Array.from({ length: 4 }, () => Math.floor(Math.random() * 2 ** 32));
  return parts.map((part) => part.toString(16).padStart(8, '0')).join('');
}

/** Makes a client. Fails with `argument` where an option is wrong. */
export function initialize(options: ClientOptions): Client {
  const call = callOf(options);
  // A merchant's own server may not hand the key on: only the payment service is asked again without being told to.
  const pauses = options.password === undefined ? [] : pauseMilliseconds;

  async function checkStatus(query: OrderListQuery, given?: CallOptions): Promise<PaymentStatus[]>;
  async function checkStatus(query: StatusQuery, given?: CallOptions): Promise<PaymentStatus>;
  async function checkStatus(query: StatusQuery, given?: CallOptions): Promise<PaymentStatus | PaymentStatus[]> {
    const listed = 'size' in query && query.size !== undefined;
    const answer = await call('status', statusBody(query), given);
    if (!listed) return requireFields<PaymentStatus>(answer, ['payment_id', 'status']);
    if (!Array.isArray(answer)) throw invalidResponse();
    return answer.map((each) => requireFields<PaymentStatus>(each, ['payment_id', 'status']));
  }

  /** A call that moves money, under one key however often it is sent. */
  async function followUp<T>(
    name: CallName,
    body: Body,
    members: readonly string[],
    { signal, idempotencyKey = newKey() }: FollowUpOptions = {},
  ): Promise<T> {
    for (let sent = 0; ; sent += 1) {
      try {
        return requireFields<T>(await call(name, body, { signal }, { 'idempotency-key': idempotencyKey }), members);
      } catch (fault) {
        const pause = pauses[sent];
        if (!(fault instanceof FlorinError)) throw fault;
        if (pause === undefined || !isRetryable(fault)) {
          const { code, message, status, fields } = fault;
          throw new FlorinError(code, message, { status, fields, idempotencyKey });
        }
        await pausing(pause, signal);
      }
    }
  }

  return {
    async fetchPaymentUrl(request, given) {
      const answer = await call('session', request, given);
      const { redirect_url, redirect_method } = requireFields<Record<string, string>>(answer, ['redirect_url']);
      if (!/^https?:\/\//i.test(redirect_url as string)) throw invalidResponse();
      return { redirectUrl: redirect_url as string, redirectMethod: redirect_method ?? 'GET' };
    },
    checkStatus,
    async refundPayment({ paymentId, amount }, given) {
      const body = { payment_id: idOf(paymentId), ...(amount === undefined ? {} : { amount }) };
      return followUp<RefundAnswer>('refund', body, ['payment_id', 'result'], given);
    },
    async voidPayment({ paymentId }, given) {
      return followUp<VoidAnswer>('void', { payment_id: idOf(paymentId) }, ['payment_id', 'trans_status'], given);
    },
  };
}

function callOf(options: ClientOptions): Call {
  const { merchantKey, password } = options;
  const base = baseOf(options.backendUrl ?? '') ?? throwArgumentError('backendUrl is a web address without a query.');
  if (password !== undefined && (!merchantKey || !password)) {
    throwArgumentError('A password goes with a merchantKey, and neither is empty.');
  }
  if (password !== undefined) warnPayersDevice();
  const signer = headerSigner(options);
  return async (operation, body, { signal } = {}, more = {}) => {
    const sent =
      options.password === undefined
        ? { ...(merchantKey ? { merchant_key: merchantKey } : {}), ...body }
        : signRequest(operation, body, options);
    const { fetch, timeoutSeconds, credentials } = options;
    const headers = { ...(await options.headers?.()), ...more };
    const sending = { fetch, timeoutSeconds, headers, credentials, signer, signal };
    const { status, text } = await postJson(base + paths[operation], sent, sending);
    const answer = parseJson(text);
    if (status !== 200 || asObject(answer)?.result === 'ERROR') throw apiErrorOf(status, answer);
    return answer;
  };
}

/** The number of payments is sent as a text. */
function statusBody(query: StatusQuery): Body {
  const more = query.operations ? { operations: true } : {};
  if ('paymentId' in query) return { payment_id: idOf(query.paymentId), ...more };
  const size = 'size' in query && query.size !== undefined ? { size: String(query.size) } : {};
  return { order_id: idOf(query.orderId), ...size, ...more };
}

function idOf(id: unknown): string {
  return typeof id === 'string' && id !== ''
    ? id
    : throwArgumentError('A paymentId or orderId is a text that is not empty.');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The answer, where it is an object with these texts. */
function requireFields<T>(answer: unknown, names: readonly string[]): T {
  const members = asObject(answer);
  if (!members || names.some((name) => typeof members[name] !== 'string')) throw invalidResponse();
  return members as T;
}

const invalidResponse = () => new FlorinError('answer', 'The server sent something that is no answer of the protocol.');

function warnPayersDevice(): void {
  const device = typeof document !== 'undefined' || globalThis.navigator?.product === 'ReactNative';
  if (device) console.warn('@florin/client: the password belongs on a server, not in a page or an app.');
}
