// Creates rows of the request log: the decoded body is scrubbed, so that its signature can be recomputed but nothing in
// it can be used to pay or sign. Texts are created when rows are written, not during the response.
import { beginningOf } from '../core/card-text.ts';
import { brandOf, digitsOf, numberError } from '../core/cards.ts';
import { isUuid } from '../core/ids.ts';
import type { Protocol as ProtocolName } from '../core/payment.ts';
import { storable } from '../core/storable.ts';
import { type ClientIp, encodeForm, type FormFields, type HttpRequest, rejectedLength } from '../http/index.ts';
import type { Caller } from '../merchants/index.ts';
import { parameterLines } from '../methods/catalog/lines.ts';
import { methods } from '../methods/catalog.ts';
import { formatOf, noAccount } from '../methods/formats.ts';
import { scrubText, scrubWire } from '../telemetry/index.ts';
import { queueRequestRow, queueUnsignedRow, type RequestRow } from './store.ts';

export type AnsweredRequest = {
  protocol: ProtocolName;
  request: HttpRequest;
  clientIp: ClientIp;
  at: Date;
  durationMs: number;
  /** Undefined if the body could not be read. */
  body: unknown;
  caller: Caller | null;
  subject: unknown;
  status: number;
  answer: object;
  errorCode: number | null;
  /** The check that rejected it, `run` for the action itself; null if it succeeded. */
  refusedAt: string | null;
  /** Whether its signature was verified. */
  isSigned: boolean;
};

/** The maximum length of a stored body or response; long texts in it are cut first, so that it remains readable. */
export const textMax = 8 * 1024;
/** The same of a request without a known merchant, and of one that anyone can send and that was answered. */
const unsignedTextMax = 1024;
const leafMax = 2048;
const scrubbed = '[scrubbed]';

const payingRequests = new WeakSet<HttpRequest>();

/** Marks a request that has made an attempt to pay. */
export function markPayingRequest(request: HttpRequest): void {
  payingRequests.add(request);
}

/** Queues the request for the log. Copies what the row needs, so that neither socket nor payment is kept in memory. */
export function logAnsweredRequest(answeredRequest: AnsweredRequest): void {
  const { headers, url } = answeredRequest.request;
  const length = Number(headers.get('content-length') ?? 0) || 1024;
  const { protocol, clientIp, at, durationMs, body, status, answer, errorCode, refusedAt } = answeredRequest;
  const logged: LoggedRequest = {
    protocol,
    at,
    durationMs,
    body,
    status,
    answer,
    errorCode,
    refusedAt,
    url,
    address: clientIp.address,
    mediaType: headers.get('content-type'),
    userAgent: headers.get('user-agent'),
    merchantId: answeredRequest.caller?.merchant.id ?? null,
    paymentId: refusedAt === null ? paymentIdOf(answeredRequest.subject, answer as { [name: string]: unknown }) : null,
    unreadable: body === undefined ? rejectedLength(answeredRequest.request) : undefined,
    isFromAnyone: isFromAnyone(answeredRequest),
  };
  const bytes = Math.min(length, 256 * 1024);
  if (logged.isFromAnyone) queueUnsignedRow(logged, bytes, () => toRequestRow(logged));
  else queueRequestRow(bytes, () => toRequestRow(logged));
}

/** Whether anyone, a payer too, can send as many such requests: the signature was not verified, and no attempt was made. */
export const isFromAnyone = ({ request, isSigned }: Pick<AnsweredRequest, 'request' | 'isSigned'>) =>
  !isSigned && !payingRequests.has(request);

export type LoggedRequest = Omit<AnsweredRequest, 'request' | 'clientIp' | 'caller' | 'subject' | 'isSigned'> & {
  url: string;
  address: string;
  mediaType: string | null;
  userAgent: string | null;
  merchantId: string | null;
  paymentId: string | null;
  /** The bytes of a body that could not be read. */
  unreadable: number | undefined;
  isFromAnyone: boolean;
};

/** The row of a request; a pure function. */
export function toRequestRow(logged: LoggedRequest): RequestRow {
  const { protocol, at, durationMs, status, refusedAt } = logged;
  // What a merchant's server did wrong is explained from the whole request.
  const isWhole = logged.merchantId !== null && (refusedAt !== null || !logged.isFromAnyone);
  const most = isWhole ? textMax : unsignedTextMax;
  const succeeded = refusedAt === null;
  const { pathname } = new URL(logged.url);
  const answer = logged.answer as { [name: string]: unknown };
  const transId = succeeded ? (answer.trans_id ?? memberOf(logged.body, 'trans_id')) : null;
  return {
    at,
    merchantId: logged.merchantId,
    protocol,
    action: storable(actionOf(protocol, pathname, logged.body)).slice(0, 64),
    path: storable(pathname).slice(0, 200),
    httpStatus: status,
    errorCode: logged.errorCode,
    orderNumber: orderText(orderNumberOf(logged.body) ?? (succeeded ? answer.order_id : null)),
    paymentId: logged.paymentId,
    transactionId: typeof transId === 'string' && isUuid(transId) ? transId : null,
    opened: succeeded && ('redirect_url' in answer || 'token' in answer),
    durationMs: Math.round(durationMs),
    address: storable(logged.address).slice(0, 64),
    mediaType: headerText(logged.mediaType),
    userAgent: headerText(logged.userAgent),
    request: cut(requestText(logged), most),
    response: cut(
      JSON.stringify(scrubWire(clipped(withoutLinks(logged.answer), { left: 8 * most }), () => false)),
      most,
    ),
    refusedAt,
  };
}

function memberOf(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null ? (body as { [name: string]: unknown })[name] : undefined;
}

function actionOf(protocol: ProtocolName, pathname: string, body: unknown): string {
  if (protocol === 'checkout') return pathname;
  const action = memberOf(body, 'action');
  return typeof action === 'string' && action !== '' ? scrubText(action.slice(0, 256)) : 'no action';
}

function orderNumberOf(body: unknown): unknown {
  return memberOf(memberOf(body, 'order'), 'number') ?? memberOf(body, 'order_id');
}

function orderText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? withoutCards(storable(value)).slice(0, 255) : null;
}

// Order numbers are often long digit strings that pass a card's check digit: only numbers of a known brand are masked.
function withoutCards(text: string): string {
  return text.replace(/[0-9](?:[ -]?[0-9]){12,}/g, (run) => {
    const digits = digitsOf(run);
    return numberError(digits) === null && brandOf(digits) ? '[card]' : run;
  });
}

// Subjects are payments, lists of them, a payment with its session, a recurring chain or a schedule.
function paymentIdOf(subject: unknown, answer: { [name: string]: unknown }): string | null {
  const first = Array.isArray(subject) ? subject[0] : subject;
  const payment = memberOf(first, 'payment') ?? first;
  if (memberOf(payment, 'orderNumber') !== undefined) return memberOf(payment, 'id') as string;
  return typeof answer.payment_id === 'string' && isUuid(answer.payment_id) ? answer.payment_id : null;
}

function headerText(value: string | null): string | null {
  return value === null ? null : scrubText(storable(value)).slice(0, 200);
}

// PostgreSQL text cannot contain NUL or unpaired surrogates.

const cut = (text: string, most: number) => (text.length <= most ? text : `${text.slice(0, most)}…`);

function requestText({ protocol, unreadable, body, merchantId, refusedAt }: LoggedRequest): string {
  // Nothing shows where the secrets of an unreadable body are: in another character set or format they have other names.
  if (body === undefined) return unreadable === undefined ? '' : `[unreadable body of ${unreadable} bytes]`;
  // An accepted hash could be replayed; a rejected one is needed to explain the error.
  const shown = new Set(refusedAt === 'signature' ? [...signedWith, 'hash'] : signedWith);
  const copy = scrubWire(clipped(body, { left: 8 * textMax }), (path) => shown.has(path)) as {
    [name: string]: unknown;
  };
  sealParameters(copy.parameters);
  restoreOrderNumber(copy, body);
  // An unknown key may be a password in the wrong field.
  for (const name of ['merchant_key', 'client_key']) {
    if (merchantId === null && typeof copy[name] === 'string')
      copy[name] = `[unknown, ${copy[name].length} characters]`;
  }
  const logged = shortened(copy) as FormFields;
  return protocol === 'checkout' ? JSON.stringify(logged) : encodeForm(logged);
}

/** Tokens that signatures cover. They are useless without the merchant's password. */
const signedWith = ['card_token', 'recurring_token'];

// The order number is signed and easily mistaken for a card number.
function restoreOrderNumber(copy: { [name: string]: unknown }, body: unknown): void {
  const flat = memberOf(body, 'order_id');
  const nested = memberOf(memberOf(body, 'order'), 'number');
  if (typeof flat === 'string') copy.order_id = withoutCards(flat);
  // A large body is cut before its last members.
  const order = copy.order as { [name: string]: unknown } | undefined;
  if (typeof nested === 'string' && typeof order === 'object') order.number = withoutCards(nested);
}

/** Method parameters that are sealed in the database and therefore not logged, with the format of each. */
const sealed: ReadonlyMap<string, string | null> = new Map([
  ['payer_account_number', null],
  ...methods.flatMap(({ parameters, payout }) =>
    [...parameterLines(parameters), ...parameterLines(payout)].flatMap(({ name, format }) =>
      formatOf(format).input.input === 'secret' ? [[name, format] as const] : [],
    ),
  ),
]);

/** A valid placeholder for a parameter whose value is not stored. */
export function placeholderFor(name: string): string {
  const format = sealed.get(name);
  return format ? '0'.repeat(formatOf(format).input.least) : noAccount;
}

function sealParameters(parameters: unknown): void {
  if (typeof parameters !== 'object' || parameters === null) return;
  for (const [name, inner] of Object.entries(parameters)) {
    if (typeof inner === 'object') sealParameters(inner);
    else if (sealed.has(name)) (parameters as { [name: string]: unknown })[name] = scrubbed;
  }
}

// Only the first characters are stored: to mask much more would delay other requests.
function clipped(value: unknown, budget: { left: number }): unknown {
  if (typeof value === 'string') {
    const most = Math.max(0, Math.min(budget.left, 2 * leafMax));
    budget.left -= Math.min(value.length, most);
    return value.length <= most ? value : `${beginningOf(value, most)}…`;
  }
  if (Array.isArray(value)) return value.map((inner) => clipped(inner, budget));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [String(clipped(name, budget)), clipped(inner, budget)]),
  );
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.length > leafMax ? `${value.slice(0, leafMax)}…` : value;
  if (Array.isArray(value)) return value.map(shortened);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner)]));
}

// The link of a session allows payment.
function withoutLinks(answer: object): object {
  const { redirect_url: url } = answer as { redirect_url?: unknown };
  if (typeof url !== 'string') return answer;
  return { ...answer, redirect_url: url.replace(/(\/(?:pay|fields)\/)[^/?#]+/, `$1${scrubbed}`) };
}
