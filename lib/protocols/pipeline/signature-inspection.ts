// Finds how a logged or pasted request has to be signed by running the pipeline's own checks up to the signature.
// Masked values are replaced by placeholders that do not change the signature: a card number with the same first six
// and last four digits, any security code.
import { cvvLength, fragmentOf, luhn } from '../../core/cards.ts';
import { ApiError, throwApiError } from '../../core/errors.ts';
import type { Payment, Protocol as ProtocolName } from '../../core/payment.ts';
import type { RecipeName, SignatureValues } from '../../core/signatures.ts';
import { now } from '../../db/clock.ts';
import type { HttpRequest, HttpResult } from '../../http/index.ts';
import { findCaller } from '../../merchants/index.ts';
import { placeholderFor } from '../../request-log/index.ts';
import type { RegisteredAction } from './action-registry.ts';
import {
  checks,
  handle,
  isKnown,
  type KnownCaller,
  loadShedding,
  type Protocol,
  type RequestContext,
  runChecks,
  type Signature,
  signerOf,
} from './handle.ts';

type Body = { [name: string]: unknown };

/** The result of an inspection. */
export type SignatureInspection =
  | {
      kind: 'signed';
      caller: KnownCaller;
      signature: Signature;
      body: Body;
      others: AlternativeValues;
      unsigned: NamedText[];
    }
  /** No signature needed: a token identifies the caller. */
  | { kind: 'unsigned' }
  /** Refused by a check before the signature check. */
  | { kind: 'refused'; message: string; faults: string[] };

type AlternativeValues = { [name in keyof SignatureValues]?: string[] };
type NamedText = { name: string; text: string };

/** Inspects a request by its body. `text` is JSON for Checkout and an encoded form for the other protocols. */
export async function inspectSignature(
  registered: RegisteredAction,
  text: string,
  mediaType = typeOf(registered.protocol),
  headers: Record<string, string> = {},
): Promise<SignatureInspection> {
  const request = requestOf(registered, text, mediaType, headers);
  const protocol = {
    ...registered.definition,
    decode: async (sent: HttpRequest) => withPlaceholders((await registered.definition.decode(sent)) as Body),
  };
  try {
    const { caller, body, subject, signature } = await signatureContextOf(protocol, request);
    if (!signature) return { kind: 'unsigned' };
    const fields = body as Body;
    const others = alternativeValuesOf(fields, subject);
    return { kind: 'signed', caller, signature, body: fields, others, unsigned: unsignedOf(fields, signature) };
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    const fieldErrors = (thrown.errors ?? []).map(({ path, text: message }) => `${path}: ${message}`);
    return { kind: 'refused', message: thrown.message, faults: fieldErrors };
  }
}

/** The checks of a request's transport, as opposed to its content. */
const transportChecks = [...loadShedding, 'address', 'request signature'];

/**
 * Runs the checks before the signature check and returns what the signature, if any, is verified against: the caller's key
 * is the one that made it, otherwise the first that may. Throws the API error of a failed check. The transport checks
 * (capacity, rate, address, request signature) are skipped.
 */
async function signatureContextOf<Body>(protocol: Protocol<Body>, request: HttpRequest) {
  const context = { protocol, request, now: now(), caller: null } as unknown as RequestContext;
  const end = checks.findIndex(({ name }) => name === 'signature');
  const before = checks.slice(0, end).filter(({ name }) => !transportChecks.includes(name));
  await runChecks(context, before);
  const { action, body, caller, input, subject } = context;
  if (!isKnown(caller)) return throwApiError('hashNotValid');
  const signature = action.signature(input, subject, caller);
  if (signature && caller.signers?.length === 0) return throwApiError('hashNotValid');
  const key = (signature && (await signerOf(caller, signature))) ?? caller.key;
  return { caller: { ...caller, key }, body, subject, signature };
}

/** Decodes the body of a request; null for a malformed one. */
export async function bodyOf(registered: RegisteredAction, text: string): Promise<Body | null> {
  const request = requestOf(registered, text, typeOf(registered.protocol));
  try {
    return (await registered.definition.decode(request)) as Body;
  } catch (thrown) {
    if (thrown instanceof ApiError) return null;
    throw thrown;
  }
}

/** Returns the merchant of a key with or without a mapping for the protocol; null for an unknown key. */
export async function merchantOfKey(key: unknown, protocol: ProtocolName, now: Date): Promise<string | null> {
  return typeof key === 'string' ? ((await findCaller(key, protocol, now))?.merchant.id ?? null) : null;
}

/** Executes a request as if it had arrived over HTTP. */
export function executeRequest(
  registered: RegisteredAction,
  text: string,
  headers: Record<string, string>,
  address: string,
): Promise<HttpResult> {
  return handle(registered.definition, requestOf(registered, text, typeOf(registered.protocol), headers), { address });
}

const typeOf = (protocol: ProtocolName) =>
  protocol === 'checkout' ? 'application/json' : 'application/x-www-form-urlencoded';

function requestOf(
  { method, path }: RegisteredAction,
  body: string,
  type: string,
  headers: Record<string, string> = {},
): Request {
  return new Request(`http://florin.invalid${path}`, { method, body, headers: { ...headers, 'content-type': type } });
}

const masked = '[scrubbed]';

function withPlaceholders(body: Body): Body {
  const filled: Body = { ...body };
  for (const name of ['card_number', 'payee_card_number']) filled[name] = cardPlaceholder(filled[name]);
  const number = typeof filled.card_number === 'string' ? filled.card_number : '';
  if (filled.card_cvv2 === masked) filled.card_cvv2 = '0'.repeat(cvvLength(number) ?? 3);
  if (filled.payment_token === masked) filled.payment_token = 'a token';
  // The hash is not compared; the schema only needs one.
  if (filled.hash === masked) filled.hash = '0';
  filled.parameters = filledParameters(filled.parameters);
  return Object.fromEntries(Object.entries(filled).filter(([, value]) => value !== undefined));
}

function cardPlaceholder(value: unknown): unknown {
  const [, first6, stars, last4] = /^([0-9]{6})(\*+)([0-9]{4})$/.exec(typeof value === 'string' ? value : '') ?? [];
  if (first6 === undefined || stars === undefined) return value;
  // Exactly one of the ten digits passes the Luhn check.
  const candidates = Array.from({ length: 10 }, (_, digit) => first6 + '0'.repeat(stars.length - 1) + digit + last4);
  return candidates.find(luhn) ?? value;
}

function filledParameters(parameters: unknown): unknown {
  if (Array.isArray(parameters)) return parameters.map(filledParameters);
  if (typeof parameters !== 'object' || parameters === null) return parameters;
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      value === masked ? placeholderFor(name) : typeof value === 'object' ? filledParameters(value) : value,
    ]),
  );
}

/** The fields that can contain each signed value, the likeliest first. */
const signatureValuePaths: { readonly [name in keyof SignatureValues]?: readonly string[] } = {
  payerEmail: ['payer_email', 'customer.email', 'email', 'customer_email'],
  cardToken: ['card_token'],
  transId: ['trans_id'],
  paymentId: ['payment_id'],
  scheduleId: ['schedule_id'],
  orderId: ['order.number', 'order_id', 'order_number'],
  amount: ['order.amount', 'order_amount', 'amount'],
  currency: ['order.currency', 'order_currency', 'currency'],
  description: ['order.description', 'order_description'],
  identifier: ['identifier'],
  status: ['status'],
  recurringInitTransId: ['recurring_init_trans_id', 'recurring_first_trans_id'],
  recurringToken: ['recurring_token'],
};

/** Returns the text at a path of a body (`order.number`); undefined if there is none. */
export function textAt(body: Body, path: string): string | undefined {
  const value = path.split('.').reduce<unknown>((level, name) => (level as Body | undefined)?.[name], body);
  return typeof value === 'string' ? value : undefined;
}

/**
 * Returns the field of a body that contains a signed value: `order.amount`, or the card number whose digits are signed.
 * Null if the request does not contain the value, for example the e-mail of an existing payment.
 */
export function fieldOf(name: string, text: string, body: Body): string | null {
  if (name.startsWith('fields.')) return name.slice('fields.'.length);
  if (name === 'fragment') {
    const numbers = ['card_number', 'payee_card_number', 'card'];
    return numbers.find((field) => fragmentOf(textAt(body, field) ?? '') === text) ?? null;
  }
  const known = signatureValuePaths[name as keyof SignatureValues] ?? [];
  return known.find((path) => textAt(body, path) === text) ?? null;
}

/** Returns the values of a body that its signature can cover, each from its likeliest field. */
export function valuesIn(body: Body): Omit<SignatureValues, 'password'> {
  const values = Object.entries(signatureValuePaths).flatMap(([name, paths]) => {
    const text = paths.map((path) => textAt(body, path)).find((each) => each !== undefined);
    return text === undefined ? [] : [[name, text] as const];
  });
  const number = textAt(body, 'card_number');
  return { ...Object.fromEntries(values), ...(number !== undefined && { fragment: fragmentOf(number) }) };
}

function alternativeValuesOf(body: Body, subject: unknown): AlternativeValues {
  const alternatives: AlternativeValues = {};
  const put = (name: keyof SignatureValues, text: unknown) => {
    if (typeof text === 'string' && text !== '')
      alternatives[name] = [...new Set([...(alternatives[name] ?? []), text])];
  };
  for (const [name, paths] of Object.entries(signatureValuePaths)) {
    for (const path of paths) put(name as keyof SignatureValues, textAt(body, path));
  }
  for (const name of ['card_number', 'payee_card_number']) {
    const number = textAt(body, name);
    if (number !== undefined) put('fragment', fragmentOf(number));
  }
  const payment = paymentOf(subject);
  if (!payment) return alternatives;
  put('payerEmail', payment.payer.email);
  put('fragment', payment.card ? payment.card.first6 + payment.card.last4 : null);
  put('paymentId', payment.id);
  put('transId', payment.attemptId);
  put('orderId', payment.orderNumber);
  put('amount', payment.orderAmount);
  put('currency', payment.currency);
  put('description', payment.description);
  return alternatives;
}

function paymentOf(subject: unknown): Payment | null {
  const first = Array.isArray(subject) ? subject[0] : subject;
  const inner =
    (first as { payment?: Payment; first?: Payment } | null)?.payment ?? (first as { first?: Payment })?.first;
  const payment = (inner ?? first) as Payment | null | undefined;
  return payment?.orderNumber !== undefined && payment.payer !== undefined ? payment : null;
}

const neverSigned =
  /^(hash|action|merchant_key|client_key|parameters|custom_data|methods|card_(cvv2|exp_\w+)|payment_token)\b/;
const unsignedMax = 24;

function unsignedOf(body: Body, { values }: Signature): NamedText[] {
  const signed = new Set<unknown>(Object.values(values));
  const found: NamedText[] = [];
  const walk = (level: Body, path: string) => {
    for (const [name, value] of Object.entries(level)) {
      const fieldPath = path === '' ? name : `${path}.${name}`;
      if (neverSigned.test(fieldPath)) continue;
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) walk(value as Body, fieldPath);
      else if (typeof value === 'string' && value !== '' && value.length <= 64 && !signed.has(value)) {
        found.push({ name: fieldPath, text: value });
      }
    }
  };
  walk(body, '');
  return found.slice(0, unsignedMax);
}

/** Returns the recipe of a signature; the first if several are accepted. */
export function recipeOf({ recipe }: Signature): RecipeName {
  return typeof recipe === 'string' ? recipe : (recipe[0] as RecipeName);
}
