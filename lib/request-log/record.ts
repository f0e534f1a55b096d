// A request and its answer as the request log keeps them: the body as it was decoded, scrubbed, so that its signature can be
// computed again and nothing in it can be paid or signed with. Texts are made when rows are written, not when it is answered.
import { brandOf, digitsOf, numberError } from '../core/cards';
import { isUuid } from '../core/ids';
import type { Protocol as ProtocolName } from '../core/payment';
import { type ClientIp, encodeForm, type FormFields, rejectedBytes } from '../http';
import type { Caller } from '../merchants';
import { methods } from '../methods/catalog';
import { parameterLines } from '../methods/catalog/lines';
import { inputOf, noAccount } from '../methods/formats';
import { scrubText, scrubWire } from '../telemetry';
import { queueRequestRow, type RequestRow } from './store';

/** What is known of a request when it has been answered. */
export type AnsweredRequest = {
  protocol: ProtocolName;
  request: Request;
  peer: ClientIp;
  at: Date;
  durationMs: number;
  /** Undefined where nothing could be read. */
  body: unknown;
  caller: Caller | null;
  subject: unknown;
  status: number;
  answer: object;
  errorCode: number | null;
  /** The check that refused it, `run` for the action itself; null where it was carried out. */
  refusedAt: string | null;
};

/** A body or an answer is kept up to this length; texts in it are cut first, so that it stays readable. */
export const textMax = 8 * 1024;
const leafMax = 2048;
const scrubbed = '[scrubbed]';

/** Writes the request down, later. What a row needs is taken at once, so that neither socket nor payment is held for it. */
export function logAnsweredRequest(answered: AnsweredRequest): void {
  const { headers, url } = answered.request;
  const length = Number(headers.get('content-length') ?? 0) || 1024;
  const { protocol, peer, at, durationMs, body, status, answer, errorCode, refusedAt } = answered;
  const kept: LoggedRequest = {
    ...{ protocol, at, durationMs, body, status, answer, errorCode, refusedAt, url },
    address: peer.address,
    mediaType: headers.get('content-type'),
    userAgent: headers.get('user-agent'),
    merchantId: answered.caller?.merchant.id ?? null,
    paymentId: refusedAt === null ? paymentIdOf(answered.subject, answer as { [name: string]: unknown }) : null,
    unreadable: body === undefined ? rejectedBytes(answered.request)?.slice(0, textMax) : undefined,
  };
  queueRequestRow(Math.min(length, 256 * 1024), () => toRequestRow(kept));
}

/** What a row is made of. */
export type LoggedRequest = Omit<AnsweredRequest, 'request' | 'peer' | 'caller' | 'subject'> & {
  url: string;
  address: string;
  mediaType: string | null;
  userAgent: string | null;
  merchantId: string | null;
  paymentId: string | null;
  /** The beginning of a body that could not be read. */
  unreadable: Uint8Array | undefined;
};

/** The row of a request; pure, for tests. */
export function toRequestRow(kept: LoggedRequest): RequestRow {
  const { protocol, at, durationMs, status, refusedAt } = kept;
  const carriedOut = refusedAt === null;
  const { pathname } = new URL(kept.url);
  const answer = kept.answer as { [name: string]: unknown };
  const transId = carriedOut ? (answer.trans_id ?? memberOf(kept.body, 'trans_id')) : null;
  return {
    at,
    merchantId: kept.merchantId,
    protocol,
    action: storable(actionOf(protocol, pathname, kept.body)).slice(0, 64),
    path: storable(pathname).slice(0, 200),
    httpStatus: status,
    errorCode: kept.errorCode,
    orderNumber: orderText(orderNumberOf(kept.body) ?? (carriedOut ? answer.order_id : null)),
    paymentId: kept.paymentId,
    transactionId: typeof transId === 'string' && isUuid(transId) ? transId : null,
    opened: carriedOut && ('redirect_url' in answer || 'token' in answer),
    durationMs: Math.round(durationMs),
    address: storable(kept.address).slice(0, 64),
    mediaType: headerText(kept.mediaType),
    userAgent: headerText(kept.userAgent),
    request: requestText(kept),
    response: cut(JSON.stringify(scrubWire(withoutLinks(kept.answer), () => false))),
    refusedAt,
  };
}

function memberOf(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null ? (body as { [name: string]: unknown })[name] : undefined;
}

function actionOf(protocol: ProtocolName, pathname: string, body: unknown): string {
  if (protocol === 'checkout') return pathname;
  const action = memberOf(body, 'action');
  return typeof action === 'string' && action !== '' ? scrubText(action) : 'no action';
}

function orderNumberOf(body: unknown): unknown {
  return memberOf(memberOf(body, 'order'), 'number') ?? memberOf(body, 'order_id');
}

function orderText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? withoutCards(storable(value)).slice(0, 255) : null;
}

// Order numbers are often long rows of digits, some of which pass a card's check: only what a brand issues is a card here.
function withoutCards(text: string): string {
  return text.replace(/[0-9](?:[ -]?[0-9]){12,}/g, (run) => {
    const digits = digitsOf(run);
    return numberError(digits) === null && brandOf(digits) ? '[card]' : run;
  });
}

// Subjects are payments, lists of them, a payment with its session, a chain or a schedule.
function paymentIdOf(subject: unknown, answer: { [name: string]: unknown }): string | null {
  const first = Array.isArray(subject) ? subject[0] : subject;
  const payment = memberOf(first, 'payment') ?? first;
  if (memberOf(payment, 'orderNumber') !== undefined) return memberOf(payment, 'id') as string;
  return typeof answer.payment_id === 'string' && isUuid(answer.payment_id) ? answer.payment_id : null;
}

function headerText(value: string | null): string | null {
  return value === null ? null : scrubText(storable(value)).slice(0, 200);
}

// The database has no place for NUL or for half a surrogate pair.
const storable = (text: string) => text.replace(/\0|\p{Surrogate}/gu, ' ');

const cut = (text: string) => (text.length <= textMax ? text : `${text.slice(0, textMax)}…`);

function requestText({ protocol, unreadable, body, merchantId, refusedAt }: LoggedRequest): string {
  if (body === undefined) return cut(unreadableText(unreadable));
  // A hash that was accepted would be accepted again; one that was refused is what somebody wants to understand.
  const shown = new Set(refusedAt === 'signature' ? [...signedWith, 'hash'] : signedWith);
  const copy = scrubWire(body, (path) => shown.has(path)) as { [name: string]: unknown };
  sealParameters(copy.parameters);
  restoreOrderNumber(copy, body);
  // A password in the place of the key is what a mix-up looks like.
  for (const name of ['merchant_key', 'client_key']) {
    if (merchantId === null && typeof copy[name] === 'string')
      copy[name] = `[unknown, ${copy[name].length} characters]`;
  }
  const kept = shortened(copy) as FormFields;
  return cut(protocol === 'checkout' ? JSON.stringify(kept) : encodeForm(kept));
}

/** Tokens that signatures are made over. Without the merchant's password nobody can do anything with them. */
const signedWith = ['card_token', 'recurring_token'];

// The order's number is signed, and mistaken for a card too easily.
function restoreOrderNumber(copy: { [name: string]: unknown }, body: unknown): void {
  const flat = memberOf(body, 'order_id');
  const nested = memberOf(memberOf(body, 'order'), 'number');
  if (typeof flat === 'string') copy.order_id = withoutCards(flat);
  if (typeof nested === 'string') (copy.order as { [name: string]: unknown }).number = withoutCards(nested);
}

/** Method parameters that are sealed in the database and as little to be read here, with the format of each. */
const sealed: ReadonlyMap<string, string | null> = new Map([
  ['payer_account_number', null],
  ...methods.flatMap(({ parameters, payout }) =>
    [...parameterLines(parameters), ...parameterLines(payout)].flatMap(({ name, format }) =>
      inputOf(format).input === 'secret' ? [[name, format] as const] : [],
    ),
  ),
]);

/** A text that passes the checks of a parameter whose own is not kept. */
export function placeholderFor(name: string): string {
  const format = sealed.get(name);
  return format ? '0'.repeat(inputOf(format).least) : noAccount;
}

function sealParameters(parameters: unknown): void {
  if (typeof parameters !== 'object' || parameters === null) return;
  for (const [name, inner] of Object.entries(parameters)) {
    if (typeof inner === 'object') sealParameters(inner);
    else if (sealed.has(name)) (parameters as { [name: string]: unknown })[name] = scrubbed;
  }
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.length > leafMax ? `${value.slice(0, leafMax)}…` : value;
  if (Array.isArray(value)) return value.map(shortened);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner)]));
}

// A body that could not be read is looked through with its escapes resolved, where digits and names cannot hide.
function unreadableText(bytes: Uint8Array | undefined): string {
  if (!bytes) return '';
  const text = new TextDecoder('utf-8').decode(bytes);
  const plain = text.replace(/\+|%20/g, ' ').replace(/(?:%[0-9a-f]{2})+/gi, (escaped) => {
    return new TextDecoder('utf-8').decode(Buffer.from(escaped.replaceAll('%', ''), 'hex'));
  });
  return storable(scrubText(plain));
}

// Whoever holds the link of a session can pay it.
function withoutLinks(answer: object): object {
  const { redirect_url: url } = answer as { redirect_url?: unknown };
  if (typeof url !== 'string') return answer;
  return { ...answer, redirect_url: url.replace(/(\/(?:pay|fields)\/)[^/?#]+/, `$1${scrubbed}`) };
}
