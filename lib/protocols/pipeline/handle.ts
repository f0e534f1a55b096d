// The request pipeline of all three protocols. `handle` runs one ordered list of checks, then the action. A protocol
// defines how to decode, find the action and reply; the order of checks is the same for all. The times of a strong
// signature are the machine's own, never those of the sandbox's clock.
import type { z } from 'zod';
import { countRefusal, type RefusedRequest } from '../../auth/index.ts';
import { env } from '../../config/index.ts';
import {
  ApiError,
  type ErrorKey,
  renderApiError,
  throwApiError,
  throwFieldErrors,
  throwTooBusy,
  throwTooManyRequests,
} from '../../core/errors.ts';
import { isAllowedAddress } from '../../core/ip-allowlist.ts';
import { protocolNames } from '../../core/mapping-options.ts';
import type { Protocol as ProtocolName } from '../../core/payment.ts';
import { checkSignature, signatureHeader, timestampHeader } from '../../core/request-signature.ts';
import { type SignatureValues, type Signed, signsRequest } from '../../core/signatures.ts';
import { maskFreeText } from '../../core/written-texts.ts';
import { now } from '../../db/clock.ts';
import { overloadDetector } from '../../db/pool-wait-queue.ts';
import { type ClientIp, fieldErrorsOf, type HttpRequest, type HttpResult, signedBytes } from '../../http/index.ts';
import { type Caller, findCaller, type KnownCaller, type Mapping, type MerchantKey } from '../../merchants/index.ts';
import { accountShape } from '../../methods/declared-accounts.ts';
import { kindOfId } from '../../payments/index.ts';
import { logAnsweredRequest } from '../../request-log/index.ts';
import { claimSignature, retryAfterForAddress, retryAfterForMerchant } from '../../risk/index.ts';
import { log, metrics } from '../../telemetry/index.ts';

export type { KnownCaller } from '../../merchants/index.ts';

/** How a request is signed; the password is that of the key. */
export type Signature = Omit<Signed, 'values'> & { values: Omit<SignatureValues, 'password'> };

/** What an action receives after every check has passed. */
export type ActionContext<Input, Subject> = {
  caller: KnownCaller;
  input: Input;
  subject: Subject;
  request: HttpRequest;
  clientIp: ClientIp;
  now: Date;
  /** Response headers in addition to the protocol's; the action appends to the list. */
  responseHeaders: [name: string, value: string][];
};

/** One row of a protocol's table. */
export type ActionRow<Input, Subject> = {
  /** Formats and limits of the fields; field errors have the contract's texts. */
  schema: z.ZodType<Input> | ((caller: Caller | null) => z.ZodType<Input>);
  /** Called by payers' browsers, whose addresses cannot be on an allowlist. */
  fromPayers?: true;
  /** Finds the caller where the body contains no key; throws an API error if there is none. */
  caller?: (request: HttpRequest, now: Date) => Promise<Caller>;
  /** The signature; `null` if this request needs none. */
  signature: (input: Input, subject: Subject | undefined, caller: KnownCaller) => Signature | null;
  /** Whether the request is a payout, which may need more than the hash (see `requirePayoutSignature`). */
  paysOut?: (input: Input, subject: Subject | undefined) => boolean;
  /** Finds the request's subject: a payment, several payments, a schedule. */
  subject?: (caller: KnownCaller, input: Input, request: HttpRequest) => Promise<Subject | null>;
  /** The signature covers values of the subject, so the subject is found before the signature is verified. */
  signedOverSubject?: true;
  /** The API error for a missing subject. */
  missing?: ErrorKey | ((input: Input) => ErrorKey);
  /** Executes the action and returns the response body. Its own API errors come after those of the checks. */
  run: (accepted: ActionContext<Input, Subject>) => Promise<object>;
};

/** A row with erased types; made by {@link action}. */
export type Action = ActionRow<unknown, unknown>;

/** Erases the types of a row so that a table can hold rows of different types. */
export function action<Input, Subject = undefined>(row: ActionRow<Input, Subject>): Action {
  return row as unknown as Action;
}

/** What the pipeline needs from a protocol. */
export type Protocol<Body> = {
  name: ProtocolName;
  /** The rate limits that apply. */
  rateLimitScope: 'checkout' | 's2s' | 'fields';
  /** Decodes the body to plain data; throws an API error for a malformed one. */
  decode: (request: HttpRequest) => Promise<Body>;
  /** Finds the action of the request; null if there is none. */
  find: (body: Body) => Action | null;
  /** The merchant's key in the body (`merchant_key`, `client_key`). */
  keyOf: (body: Body) => unknown;
  reply: (status: number, body: object) => HttpResult;
};

/** The state of one request in the pipeline. Each check adds what later checks need. */
export type RequestContext = {
  protocol: Protocol<unknown>;
  request: HttpRequest;
  clientIp: ClientIp;
  now: Date;
  body: unknown;
  action: Action;
  /** Null for an unknown key: it gets the error of a wrong signature, so that responses do not reveal keys. */
  caller: Caller | null;
  input: unknown;
  subject: unknown;
  /** The running check; `run` after the last. */
  stage: string;
  /** Whether the signature was verified; some actions have none. */
  isSigned: boolean;
};

type Check = { name: string; refuses: string; run: (context: RequestContext) => Promise<void> | void };

const isOverloaded = overloadDetector();

/** All checks in their order. If a request fails several, the first one determines the response. */
export const checks: readonly Check[] = [
  {
    name: 'capacity',
    refuses: 'a request that arrives while the process is overloaded',
    run: () => {
      if (isOverloaded()) throwTooBusy();
    },
  },
  {
    name: 'rate',
    refuses: 'requests over the rate limit of an address',
    run: ({ protocol, clientIp }) => {
      const seconds = retryAfterForAddress(protocol.rateLimitScope, clientIp.address);
      if (seconds > 0) throwTooManyRequests(seconds);
    },
  },
  {
    name: 'body',
    refuses: 'a body that is too large or malformed',
    run: async (context) => {
      context.body = await context.protocol.decode(context.request);
    },
  },
  {
    name: 'action',
    refuses: 'an action that the protocol does not have',
    run: (context) => {
      context.action = context.protocol.find(context.body) ?? throwApiError('actionUnknown');
    },
  },
  {
    name: 'environment',
    refuses: 'a key of the other environment, or a token without a session',
    run: async (context) => {
      context.caller = await identifyCaller(context);
      if (context.caller && context.caller.key.environment !== env.appEnv) throwApiError('useTestKey');
    },
  },
  {
    name: 'mapping',
    refuses: 'a merchant for whom the protocol is not enabled',
    run: ({ caller }) => {
      if (caller && !caller.mapping?.enabled) throwApiError('mappingMissing');
    },
  },
  {
    name: 'address',
    refuses: "a client IP outside the merchant's IP allowlist",
    run: ({ action, caller, clientIp }) => {
      if (action.fromPayers || !caller?.mapping) return;
      if (!isAllowedAddress(caller.mapping.ipAllowlist, clientIp.address)) throwApiError('ipNotAllowed');
    },
  },
  {
    name: 'request signature',
    refuses: 'a missing, wrong, expired or used X-Florin-Signature, if the mapping requires one or one is sent',
    run: async (context) => {
      const { action, caller, request } = context;
      // Payers' browsers have no password to sign with.
      if (!action.fromPayers && isKnown(caller)) context.isSigned = await requireSignature(caller, request);
    },
  },
  {
    name: 'fields',
    refuses: 'missing and malformed fields, all of them at once',
    run: (visit) => {
      const { schema } = visit.action;
      const parsed = (typeof schema === 'function' ? schema(visit.caller) : schema).safeParse(visit.body);
      if (!parsed.success) throwFieldErrors(fieldErrorsOf(parsed.error));
      visit.input = parsed.data;
    },
  },
  {
    name: 'signed subject',
    refuses: 'an unknown subject, if the signature covers values of it',
    run: async (context) => {
      if (context.action.signedOverSubject) await findSubject(context);
    },
  },
  {
    name: 'signature',
    refuses: 'a wrong signature, a signature known to the payer, or an unknown or ended key',
    run: async (context) => {
      const { action, caller, input, subject, request } = context;
      if (!isKnown(caller) || lacksLiveKey(caller, request)) return throwApiError('hashNotValid');
      const signature = action.signature(input, subject, caller);
      if (!signature) return;
      if (!(await signerOf(caller, signature))) throwApiError('hashNotValid');
      context.isSigned = true;
    },
  },
  {
    name: 'payout',
    refuses: 'a payout without X-Florin-Signature and without an IP allowlist, unless the mapping allows such payouts',
    run: ({ action, caller, input, subject, request }) => {
      if (isKnown(caller) && action.paysOut?.(input, subject)) requirePayoutSignature(caller.mapping, request);
    },
  },
  {
    name: 'subject',
    refuses: 'a payment, order or schedule that the merchant does not have',
    run: async (context) => {
      if (!context.action.signedOverSubject) await findSubject(context);
    },
  },
  {
    name: 'share',
    refuses: 'requests over the rate limit of a merchant',
    run: ({ protocol, action, caller, isSigned }) => {
      // A payer's update of a session has no signature, and must not use up the limit of the merchant's server.
      if (!caller || !(isSigned || action.fromPayers)) return;
      const seconds = retryAfterForMerchant(protocol.rateLimitScope, caller.merchant.id);
      if (seconds > 0) throwTooManyRequests(seconds);
    },
  },
];

/** Runs the checks and the action and returns the response. Throws internal errors only; the router handles those. */
export async function handle<Body>(
  protocol: Protocol<Body>,
  request: HttpRequest,
  clientIp: ClientIp,
): Promise<HttpResult> {
  const started = performance.now();
  const context = {
    protocol,
    request,
    clientIp,
    now: now(),
    caller: null,
    isSigned: false,
  } as unknown as RequestContext;
  const logResponse = (status: number, answer: object, errorCode: number | null) => {
    const { now: at, body: decoded, caller, subject, stage, isSigned } = context;
    const refusedAt = errorCode === null ? null : stage;
    const durationMs = performance.now() - started;
    const common = { request, clientIp, at, durationMs, body: decoded, caller, subject, isSigned };
    logAnsweredRequest({ protocol: protocol.name, ...common, status, answer, errorCode, refusedAt });
  };
  try {
    await runChecks(context, checks);
    const { action, subject, caller } = context;
    const responseHeaders: [string, string][] = [];
    const known = { caller: caller as KnownCaller, input: withoutCardData(context, responseHeaders), subject };
    const answer = await action.run({ ...known, request, clientIp, now: context.now, responseHeaders });
    logResponse(200, answer, null);
    return withHeaders(protocol.reply(200, answer), responseHeaders);
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) {
      logResponse(500, {}, 500);
      throw thrown;
    }
    countRefused(context);
    const { status, headers, body } = renderApiError(thrown);
    const fields = thrown.errors?.map((fieldError) => fieldError.path);
    metrics.apiErrors.inc({ protocol: protocol.name, code: thrown.code });
    const { caller } = context;
    log.debug({ protocol: protocol.name, merchant: caller?.merchant.id, refusal: thrown.key, fields }, 'refused');
    // Shed and rate-limited requests are not logged: a row would cost more than the response.
    if (!loadShedding.includes(context.stage)) logResponse(status, body, thrown.code);
    return withHeaders(protocol.reply(status, body), headers);
  }
}

/** More paths do not fit into a header that every proxy passes on. */
const namedFieldsMax = 20;

/** The input without card data in texts and parameters; the signature was verified over the texts that were sent. */
function withoutCardData({ protocol: { name }, input, caller }: RequestContext, headers: [string, string][]): unknown {
  // Checkout names the method in the path, S2S APM in its brand.
  const method = name === 's2s_card' ? 'card' : (input as { brand?: string }).brand;
  const shapeOf = (path: string) => accountShape(name === 'checkout' ? path : `${method}.${path}`);
  const { data, masked } = maskFreeText(input, shapeOf);
  if (masked.length === 0) return input;
  metrics.maskedCardNumbers.inc({ protocol: name }, masked.length);
  log.warn({ protocol: name, merchant: caller?.merchant.id, fields: masked }, 'masked card data in texts');
  headers.push(['florin-masked-fields', encodeURI(masked.slice(0, namedFieldsMax).join(','))]);
  return data;
}

/** The checks of who sends a request; their refusals are in the audit log. */
const refusals: { [stage: string]: Pick<RefusedRequest, 'action' | 'reason'> } = {
  address: { action: 'address.refused', reason: 'address' },
  'request signature': { action: 'signature.refused', reason: signatureHeader },
  signature: { action: 'signature.refused', reason: 'hash' },
  payout: { action: 'signature.refused', reason: signatureHeader },
};

function countRefused({ stage, protocol, caller }: RequestContext): void {
  const refused = refusals[stage];
  const subject = `merchant:${caller?.merchant.id ?? 'unknown'}`;
  if (refused) countRefusal({ ...refused, subject, protocol: protocolNames[protocol.name] });
}

function withHeaders(response: HttpResult, headers: [string, string][]): HttpResult {
  for (const [name, value] of headers) response.headers[name] = value;
  return response;
}

/** Runs checks in their order; throws the API error of the first that fails. */
export async function runChecks(context: RequestContext, list: readonly Check[]): Promise<void> {
  for (const check of list) {
    context.stage = check.name;
    const running = check.run(context);
    if (running) await running;
  }
  context.stage = 'run';
}

/** The checks that protect against floods. */
export const loadShedding = ['capacity', 'rate'];

/** Whether the caller has a mapping for the protocol. */
export function isKnown(caller: Caller | null): caller is KnownCaller {
  return caller?.mapping != null;
}

async function identifyCaller({ protocol, action, request, body, now }: RequestContext): Promise<Caller | null> {
  if (action.caller) return action.caller(request, now);
  const key = protocol.keyOf(body);
  return typeof key === 'string' && key !== '' ? findCaller(key, protocol.name, now) : null;
}

async function findSubject(context: RequestContext): Promise<void> {
  const { action, caller, input } = context;
  // Without a caller there is no subject; the signature check rejects the request.
  if (!action.subject || !isKnown(caller)) return;
  const subject = await action.subject(caller, input, context.request);
  const missing = typeof action.missing === 'function' ? action.missing(input) : action.missing;
  context.subject = subject ?? throwApiError(missing ?? 'paymentNotFound');
}

/** Refuses a payout that is protected by the contract's hash alone, unless the mapping allows those. */
export function requirePayoutSignature(
  mapping: Pick<Mapping, 'openPayouts' | 'ipAllowlist'>,
  { headers }: HttpRequest,
): void {
  // Earlier checks have verified the signature if one was sent, and the address if there is an allowlist.
  if (mapping.openPayouts || mapping.ipAllowlist.length > 0 || headers.has(signatureHeader)) return;
  throwFieldErrors([{ path: signatureHeader, text: 'A payout needs this header, or an IP allowlist of the mapping.' }]);
}

type Keys = Pick<Caller, 'key' | 'signers'>;

// A request that names its key is signed with that key alone.
const signersOf = ({ key, signers = [key] }: Keys) => signers;

/** The signer whose password made the hash; null for a wrong hash, and for one that the payer knows. */
export async function signerOf(caller: KnownCaller, signature: Signature): Promise<MerchantKey | null> {
  const kindOf = (id: string) => kindOfId(caller.merchant.id, id);
  const { digest } = caller.mapping;
  for (const key of signersOf(caller)) {
    const values = { ...signature.values, password: key.password };
    if (await signsRequest({ ...signature, values }, { digest, kindOf })) return key;
  }
  return null;
}

/** Whether a request carries or needs an X-Florin-Signature, and no key is left that could have made it. */
export function lacksLiveKey(caller: KnownCaller, { headers }: HttpRequest): boolean {
  return signersOf(caller).length === 0 && (caller.mapping.signedRequests || headers.has(signatureHeader));
}

/**
 * Refuses a missing, wrong, expired or used X-Florin-Signature; the field error names the header. False: none is needed or
 * sent, or there is no key to verify it with ({@link lacksLiveKey}).
 */
export async function requireSignature(
  caller: Keys & { mapping: Pick<Mapping, 'signedRequests'> },
  request: HttpRequest,
): Promise<boolean> {
  const { headers } = request;
  const received = { timestamp: headers.get(timestampHeader), signature: headers.get(signatureHeader) };
  const keys = signersOf(caller);
  if (keys.length === 0 || (!caller.mapping.signedRequests && received.signature === null)) return false;
  const { pathname, search } = new URL(request.url);
  const body = request.method === 'GET' ? Buffer.from(search.slice(1)) : signedBytes(request);
  const signed = body && { path: pathname, body };
  const at = new Date();
  const results = keys.map(({ id, password }) => ({ id, ...checkSignature(received, signed, password, at) }));
  const valid = results.find((result) => 'mac' in result);
  if (!valid) return throwFieldErrors(results.slice(0, 1).filter((result) => 'text' in result));
  if (await claimSignature(valid.id, valid.mac, valid.goodUntil)) return true;
  return throwFieldErrors([{ path: signatureHeader, text: 'This value was used before.' }]);
}
