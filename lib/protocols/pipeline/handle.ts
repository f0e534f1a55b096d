// The pipeline: every API request of all three protocols goes through `handle`, which runs one list of checks. A protocol
// is a description (how it decodes, finds its row and replies) and a table of actions; neither has an order of its own.
import type { z } from 'zod';
import { env } from '../../config';
import {
  ApiError,
  type ErrorKey,
  renderApiError,
  throwApiError,
  throwTooBusy,
  throwTooManyRequests,
} from '../../core/errors';
import type { Protocol as ProtocolName } from '../../core/payment';
import { type RecipeName, type SignatureValues, signsRequest } from '../../core/signatures';
import { now } from '../../db/clock';
import { type ClientIp, fieldErrorsOf, throwValidationError } from '../../http';
import { type Caller, findCaller, type Mapping } from '../../merchants';
import { kindOfId } from '../../payments';
import { logAnsweredRequest } from '../../request-log';
import { retryAfterForAddress, retryAfterForMerchant } from '../../risk';
import { log, metrics } from '../../telemetry';
import { isAllowedAddress } from './allowlist';
import { overloadDetector } from './load-shedding';
import { requirePayoutSignature, requireSignature } from './request-signature';

/** A caller whose mapping for the protocol is enabled. */
export type KnownCaller = Caller & { mapping: Mapping };

/** How a request is signed: the recipe, or those accepted, and the raw texts that it takes. */
export type Signature = {
  recipe: RecipeName | readonly RecipeName[];
  values: Omit<SignatureValues, 'password'>;
  given: string;
};

/** What an action gets to work with once every check has passed. */
export type ActionContext<Input, Subject> = {
  caller: KnownCaller;
  input: Input;
  subject: Subject;
  request: Request;
  peer: ClientIp;
  now: Date;
  /** Headers of the answer beside those of the protocol; the action adds to them. */
  answerHeaders: [name: string, value: string][];
};

/** One row of a protocol's table. */
export type ActionRow<Input, Subject> = {
  /** Shapes and limits of the fields; faults carry the contract's texts. */
  schema: z.ZodType<Input> | ((caller: Caller | null) => z.ZodType<Input>);
  /** Called by payers' browsers, whose addresses no allowlist can name. */
  fromPayers?: true;
  /** Whose request it is, where the body names no key; refuses by itself. */
  caller?: (request: Request, now: Date) => Promise<Caller>;
  /** The signature; `null` where this very request needs none. */
  signature: (input: Input, subject: Subject | undefined, caller: KnownCaller) => Signature | null;
  /** Whether the request pays money out, which a mapping may take over its hash alone or not. */
  paysOut?: (input: Input, subject: Subject | undefined) => boolean;
  /** What the request is about: a payment, several, a schedule. */
  subject?: (caller: KnownCaller, input: Input, request: Request) => Promise<Subject | null>;
  /** The signature is made over values of the subject, so that it has to be found first. */
  signedOverSubject?: true;
  /** The row that answers a missing subject. */
  missing?: ErrorKey | ((input: Input) => ErrorKey);
  /** Does it and gives the answer's body; its own refusals come after every other. */
  run: (accepted: ActionContext<Input, Subject>) => Promise<object>;
};

/** A row whose types the pipeline need not know; made by {@link action}. */
export type Action = ActionRow<unknown, unknown>;

/** Turns a typed row into one that a table can hold beside others. */
export function action<Input, Subject = undefined>(row: ActionRow<Input, Subject>): Action {
  return row as unknown as Action;
}

/** What the pipeline has to know of a protocol. */
export type Protocol<Body> = {
  name: ProtocolName;
  /** Whose limits of requests a minute count. */
  rateLimitScope: 'checkout' | 's2s' | 'fields';
  /** The body as plain data; refuses what cannot be read. */
  decode: (request: Request) => Promise<Body>;
  /** The row that the request names; null for none. */
  find: (body: Body) => Action | null;
  /** The text that names the merchant (`merchant_key`, `client_key`). */
  keyOf: (body: Body) => unknown;
  reply: (status: number, body: object) => Response;
};

/** One request on its way through the checks; each fills in what the later ones need. */
type RequestContext = {
  protocol: Protocol<unknown>;
  request: Request;
  peer: ClientIp;
  now: Date;
  body: unknown;
  action: Action;
  /** Null for an unknown key, which is answered as a wrong signature is, so that keys cannot be told apart. */
  caller: Caller | null;
  input: unknown;
  subject: unknown;
  /** The check that is running, `run` when all have passed. */
  stage: string;
};

type Check = { name: string; refuses: string; run: (visit: RequestContext) => Promise<void> | void };

const isOverloaded = overloadDetector();

/** The order of all checks. If two faults apply, the check that stands first answers. */
export const checks: readonly Check[] = [
  {
    name: 'capacity',
    refuses: 'requests over the capacity of the process',
    run: () => {
      if (isOverloaded()) throwTooBusy();
    },
  },
  {
    name: 'rate',
    refuses: 'requests over the rate limit of one address',
    run: ({ protocol, peer }) => {
      const seconds = retryAfterForAddress(protocol.rateLimitScope, peer.address);
      if (seconds > 0) throwTooManyRequests(seconds);
    },
  },
  {
    name: 'body',
    refuses: 'a body that is too large, unreadable or malformed as a whole',
    run: async (visit) => {
      visit.body = await visit.protocol.decode(visit.request);
    },
  },
  {
    name: 'action',
    refuses: 'an action that the protocol does not have',
    run: (visit) => {
      visit.action = visit.protocol.find(visit.body) ?? throwApiError('actionUnknown');
    },
  },
  {
    name: 'environment',
    refuses: 'a key of the other environment, or a token without a session',
    run: async (visit) => {
      visit.caller = await identifyCaller(visit);
      if (visit.caller && visit.caller.key.environment !== env.appEnv) throwApiError('useTestKey');
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
    refuses: "an IP address outside the merchant's allowlist",
    run: ({ action, caller, peer }) => {
      if (action.fromPayers || !caller?.mapping) return;
      if (!isAllowedAddress(caller.mapping.ipAllowlist, peer.address)) throwApiError('ipNotAllowed');
    },
  },
  {
    name: 'request signature',
    refuses: 'a missing, wrong, late or used X-Florin-Signature, if the mapping requires one or one is sent',
    run: ({ action, caller, request }) => {
      // A page of the payer's has no password to sign with.
      if (action.fromPayers || !isKnown(caller)) return;
      return requireSignature(caller, request);
    },
  },
  {
    name: 'fields',
    refuses: 'missing and malformed fields, all of them at once',
    run: (visit) => {
      const { schema } = visit.action;
      const parsed = (typeof schema === 'function' ? schema(visit.caller) : schema).safeParse(visit.body);
      if (!parsed.success) throwValidationError(fieldErrorsOf(parsed.error));
      visit.input = parsed.data;
    },
  },
  {
    name: 'signed subject',
    refuses: 'an unknown payment or schedule whose values are signed',
    run: async (visit) => {
      if (visit.action.signedOverSubject) await findSubject(visit);
    },
  },
  {
    name: 'signature',
    refuses: 'a wrong signature, one that a payer knows, and an unknown key',
    run: async ({ action, caller, input, subject }) => {
      if (!isKnown(caller)) return throwApiError('hashNotValid');
      const signature = action.signature(input, subject, caller);
      if (!signature) return;
      const values = { ...signature.values, password: caller.key.password };
      const kindOf = (id: string) => kindOfId(caller.merchant.id, id);
      const { digest } = caller.mapping;
      if (!(await signsRequest({ ...signature, values }, { digest, kindOf }))) throwApiError('hashNotValid');
    },
  },
  {
    name: 'payout',
    refuses: 'a payout without X-Florin-Signature and without an IP allowlist, unless "Open payouts" is on',
    run: ({ action, caller, input, subject, request }) => {
      if (isKnown(caller) && action.paysOut?.(input, subject)) requirePayoutSignature(caller.mapping, request);
    },
  },
  {
    name: 'subject',
    refuses: 'a payment, order or schedule that the merchant does not have',
    run: async (visit) => {
      if (!visit.action.signedOverSubject) await findSubject(visit);
    },
  },
  {
    name: 'share',
    refuses: 'requests over the rate limit of one merchant',
    run: ({ protocol, caller }) => {
      const seconds = caller ? retryAfterForMerchant(protocol.rateLimitScope, caller.merchant.id) : 0;
      if (seconds > 0) throwTooManyRequests(seconds);
    },
  },
];

/** Runs the checks and the action, and answers. Throws only what is a fault of ours; the table of routes answers that. */
export async function handle<Body>(protocol: Protocol<Body>, request: Request, peer: ClientIp): Promise<Response> {
  const started = performance.now();
  const visit = { protocol, request, peer, now: now(), caller: null } as unknown as RequestContext;
  const note = (status: number, answer: object, errorCode: number | null) => {
    const { now: at, body: read, caller, subject, stage } = visit;
    const refusedAt = errorCode === null ? null : stage;
    const durationMs = performance.now() - started;
    const about = { request, peer, at, durationMs, body: read, caller, subject };
    logAnsweredRequest({ protocol: protocol.name, ...about, status, answer, errorCode, refusedAt });
  };
  try {
    await runChecks(visit, checks);
    const { action, input, subject, caller } = visit;
    const answerHeaders: [string, string][] = [];
    const accepted = { caller: caller as KnownCaller, input, subject, request, peer, now: visit.now, answerHeaders };
    const answer = await action.run(accepted);
    note(200, answer, null);
    return withHeaders(protocol.reply(200, answer), answerHeaders);
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) {
      note(500, {}, 500);
      throw thrown;
    }
    const { status, headers, body } = renderApiError(thrown);
    const fields = thrown.errors?.map((fault) => fault.path);
    metrics.apiErrors.inc({ protocol: protocol.name, code: thrown.code });
    log.debug({ protocol: protocol.name, merchant: visit.caller?.merchant.id, refusal: thrown.key, fields }, 'refused');
    // A flood leaves no rows: each would cost more than its refusal.
    if (!loadShedding.includes(visit.stage)) note(status, body, thrown.code);
    return withHeaders(protocol.reply(status, body), headers);
  }
}

function withHeaders(response: Response, headers: [string, string][]): Response {
  for (const [name, value] of headers) response.headers.set(name, value);
  return response;
}

async function runChecks(visit: RequestContext, list: readonly Check[]): Promise<void> {
  for (const check of list) {
    visit.stage = check.name;
    const running = check.run(visit);
    if (running) await running;
  }
  visit.stage = 'run';
}

/** The checks that turn floods away. */
const loadShedding = ['capacity', 'rate'];
/** The checks of how a request comes in, not of what it says. */
const transportChecks = [...loadShedding, 'address', 'request signature'];

/** How a request is signed, as far as the checks before its signature let anybody say so. */
export type SignatureContext = {
  caller: KnownCaller;
  body: unknown;
  input: unknown;
  subject: unknown;
  /** Null where the request needs none. */
  signature: Signature | null;
};

/**
 * What the pipeline verifies a request's signature against, found by its own checks. Throws the refusal of a check that
 * stands before the signature; where the request came from and who else may send it is not asked.
 */
export async function signatureContextOf<Body>(protocol: Protocol<Body>, request: Request): Promise<SignatureContext> {
  const visit = { protocol, request, now: now(), caller: null } as unknown as RequestContext;
  const before = checks.slice(
    0,
    checks.findIndex(({ name }) => name === 'signature'),
  );
  await runChecks(
    visit,
    before.filter(({ name }) => !transportChecks.includes(name)),
  );
  const { action, body, caller, input, subject } = visit;
  if (!isKnown(caller)) return throwApiError('hashNotValid');
  return { caller, body, input, subject, signature: action.signature(input, subject, caller) };
}

function isKnown(caller: Caller | null): caller is KnownCaller {
  return caller?.mapping != null;
}

async function identifyCaller({ protocol, action, request, body, now }: RequestContext): Promise<Caller | null> {
  if (action.caller) return action.caller(request, now);
  const key = protocol.keyOf(body);
  return typeof key === 'string' && key !== '' ? findCaller(key, protocol.name, now) : null;
}

async function findSubject(visit: RequestContext): Promise<void> {
  const { action, caller, input } = visit;
  // Without a caller there is nobody whose subject it could be; the signature answers.
  if (!action.subject || !isKnown(caller)) return;
  const subject = await action.subject(caller, input, visit.request);
  const missing = typeof action.missing === 'function' ? action.missing(input) : action.missing;
  visit.subject = subject ?? throwApiError(missing ?? 'paymentNotFound');
}
