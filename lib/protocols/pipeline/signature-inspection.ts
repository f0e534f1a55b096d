// How a request would be signed, asked of the pipeline itself: the logged or pasted body goes through the very checks that
// the request went through, up to its signature. What the log has masked is filled with stand-ins that change no
// signature: a card number with the same first six and last four digits, any security code.
import { cvvLength, fragmentOf, luhn } from '../../core/cards';
import { ApiError } from '../../core/errors';
import type { Payment, Protocol as ProtocolName } from '../../core/payment';
import type { RecipeName, SignatureValues } from '../../core/signatures';
import { findCaller } from '../../merchants';
import { placeholderFor } from '../../request-log';
import type { RegisteredAction } from './action-registry';
import { handle, type KnownCaller, type Signature, signatureContextOf } from './handle';

type Body = { [name: string]: unknown };

/** What the pipeline says of a request's signature. */
export type SignatureInspection =
  | {
      kind: 'signed';
      caller: KnownCaller;
      signature: Signature;
      body: Body;
      others: AlternativeValues;
      unsigned: NamedText[];
    }
  /** Nothing to sign: a token says whose request it is. */
  | { kind: 'unsigned' }
  /** Refused before its signature was looked at, by this. */
  | { kind: 'refused'; message: string; faults: string[] };

type AlternativeValues = { [name in keyof SignatureValues]?: string[] };
type NamedText = { name: string; text: string };

/** A request of which nothing but its body is known. `text` is JSON for Checkout, an encoded form for the others. */
export async function inspectSignature(
  spoken: RegisteredAction,
  text: string,
  mediaType = typeOf(spoken.protocol),
  headers: Record<string, string> = {},
): Promise<SignatureInspection> {
  const request = requestOf(spoken, text, mediaType, headers);
  const by = {
    ...spoken.definition,
    decode: async (sent: Request) => withStandIns((await spoken.definition.decode(sent)) as Body),
  };
  try {
    const { caller, body, subject, signature } = await signatureContextOf(by, request);
    if (!signature) return { kind: 'unsigned' };
    const fields = body as Body;
    const others = alternativeValuesOf(fields, subject);
    return { kind: 'signed', caller, signature, body: fields, others, unsigned: unsignedOf(fields, signature) };
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    const faults = (thrown.errors ?? []).map(({ path, text: said }) => `${path}: ${said}`);
    return { kind: 'refused', message: thrown.message, faults };
  }
}

/** The decoded body of a request; null for one that cannot be read. */
export async function bodyOf(spoken: RegisteredAction, text: string): Promise<Body | null> {
  const request = requestOf(spoken, text, typeOf(spoken.protocol));
  try {
    return (await spoken.definition.decode(request)) as Body;
  } catch (thrown) {
    if (thrown instanceof ApiError) return null;
    throw thrown;
  }
}

/** The merchant of a key, whatever the key may do; null for an unknown one. */
export async function merchantOfKey(key: unknown, protocol: ProtocolName, now: Date): Promise<string | null> {
  return typeof key === 'string' ? ((await findCaller(key, protocol, now))?.merchant.id ?? null) : null;
}

/** Carries a request out as if it had come over the wire. */
export function executeRequest(
  spoken: RegisteredAction,
  text: string,
  headers: Record<string, string>,
  address: string,
): Promise<Response> {
  return handle(spoken.definition, requestOf(spoken, text, typeOf(spoken.protocol), headers), { address });
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

function withStandIns(body: Body): Body {
  const filled: Body = { ...body };
  for (const name of ['card_number', 'payee_card_number']) filled[name] = cardStandIn(filled[name]);
  const number = typeof filled.card_number === 'string' ? filled.card_number : '';
  if (filled.card_cvv2 === masked) filled.card_cvv2 = '0'.repeat(cvvLength(number) ?? 3);
  if (filled.payment_token === masked) filled.payment_token = 'a token';
  // A hash that is not kept is not compared.
  if (filled.hash === masked) filled.hash = '0';
  filled.parameters = filledParameters(filled.parameters);
  return Object.fromEntries(Object.entries(filled).filter(([, value]) => value !== undefined));
}

function cardStandIn(value: unknown): unknown {
  const [, first6, stars, last4] = /^([0-9]{6})(\*+)([0-9]{4})$/.exec(typeof value === 'string' ? value : '') ?? [];
  if (first6 === undefined || stars === undefined) return value;
  // One of ten fillings passes the check digit.
  const fillings = Array.from({ length: 10 }, (_, digit) => first6 + '0'.repeat(stars.length - 1) + digit + last4);
  return fillings.find(luhn) ?? value;
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

/** Where the wire says the values of signatures, the likeliest name first. */
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

/** The text at a place of a body, `order.number`; undefined where there is none. */
export function textAt(body: Body, path: string): string | undefined {
  const value = path.split('.').reduce<unknown>((level, name) => (level as Body | undefined)?.[name], body);
  return typeof value === 'string' ? value : undefined;
}

/**
 * The field of a body that holds a value of its signature: `order.amount`, or the number of the card whose digits are
 * signed. Null for what the request does not carry, as the e-mail of the payment that it is about.
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

/** The texts of a body that its signature may be made of, each from its likeliest field. */
export function valuesIn(body: Body): Omit<SignatureValues, 'password'> {
  const found = Object.entries(signatureValuePaths).flatMap(([name, paths]) => {
    const text = paths.map((path) => textAt(body, path)).find((each) => each !== undefined);
    return text === undefined ? [] : [[name, text] as const];
  });
  const number = textAt(body, 'card_number');
  return { ...Object.fromEntries(found), ...(number !== undefined && { fragment: fragmentOf(number) }) };
}

function alternativeValuesOf(body: Body, subject: unknown): AlternativeValues {
  const others: AlternativeValues = {};
  const put = (name: keyof SignatureValues, text: unknown) => {
    if (typeof text === 'string' && text !== '') others[name] = [...new Set([...(others[name] ?? []), text])];
  };
  for (const [name, paths] of Object.entries(signatureValuePaths)) {
    for (const path of paths) put(name as keyof SignatureValues, textAt(body, path));
  }
  for (const name of ['card_number', 'payee_card_number']) {
    const number = textAt(body, name);
    if (number !== undefined) put('fragment', fragmentOf(number));
  }
  const payment = paymentOf(subject);
  if (!payment) return others;
  put('payerEmail', payment.payer.email);
  put('fragment', payment.card ? payment.card.first6 + payment.card.last4 : null);
  put('paymentId', payment.id);
  put('transId', payment.attemptId);
  put('orderId', payment.orderNumber);
  put('amount', payment.orderAmount);
  put('currency', payment.currency);
  put('description', payment.description);
  return others;
}

function paymentOf(subject: unknown): Payment | null {
  const first = Array.isArray(subject) ? subject[0] : subject;
  const inner =
    (first as { payment?: Payment; first?: Payment } | null)?.payment ?? (first as { first?: Payment })?.first;
  const found = (inner ?? first) as Payment | null | undefined;
  return found?.orderNumber !== undefined && found.payer !== undefined ? found : null;
}

const neverSigned =
  /^(hash|action|merchant_key|client_key|parameters|custom_data|methods|card_(cvv2|exp_\w+)|payment_token)\b/;
const unsignedMax = 24;

function unsignedOf(body: Body, { values }: Signature): NamedText[] {
  const signed = new Set<unknown>(Object.values(values));
  const found: NamedText[] = [];
  const walk = (level: Body, path: string) => {
    for (const [name, value] of Object.entries(level)) {
      const place = path === '' ? name : `${path}.${name}`;
      if (neverSigned.test(place)) continue;
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) walk(value as Body, place);
      else if (typeof value === 'string' && value !== '' && value.length <= 64 && !signed.has(value)) {
        found.push({ name: place, text: value });
      }
    }
  };
  walk(body, '');
  return found.slice(0, unsignedMax);
}

/** The recipe that a request is asked to be signed by, where several are accepted the first. */
export function recipeOf({ recipe }: Signature): RecipeName {
  return typeof recipe === 'string' ? recipe : (recipe[0] as RecipeName);
}
