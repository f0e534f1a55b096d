/** Rows of the callback log, one callback with every attempt, and the numbers that need attention. */
import { may } from '../../auth';
import { type AttemptRecord, callbackSignature, deliveryOf, retrySeconds } from '../../callbacks';
import { grouped } from '../../core/money';
import { readFormText } from '../../http';
import { signingKeysOf } from '../../merchants';
import { checkoutStatus } from '../../protocols';
import type { CallbackAttemptRow, CallbackPage, CallbackRow, CallbackSummary } from '../developers/contract';
import type { DashboardRequest } from '../guard';
import { amountText } from '../labels';
import { startOfDay } from '../lists/query';
import { formLines } from '../requests/requests';
import { pausedAddresses } from './paused-addresses';
import { type CallbackDetails, countCallbacks, countMax, findCallback, type ListedCallback } from './queries';
import { sentSignature } from './signature';

const isReceived = (status: number | null) => status !== null && status >= 200 && status < 300;
const saysError = (answer: string | null) => answer?.trim() === 'ERROR';

/** A callback in the list. */
export function callbackRow(callback: ListedCallback, now: Date): CallbackRow {
  const { id, createdAt, type, outcome, orderState, amountMinor, currency, state, held, dueAt, pausedUntil } = callback;
  const isPaused = state === 'waiting' && pausedUntil !== null && pausedUntil > now;
  const nextTry = isPaused && dueAt !== null && dueAt < pausedUntil ? pausedUntil : dueAt;
  return {
    id,
    createdAt: createdAt.toISOString(),
    ...answerOf(callback),
    orderNumber: callback.orderNumber,
    paymentId: callback.paymentId,
    type,
    outcome,
    orderStatus: checkoutStatus[orderState],
    amount: amountText(amountMinor, currency),
    currency,
    tries: callback.attempts,
    state,
    host: callback.address === null ? null : callback.address.replace(/^https?:\/\//, ''),
    held: held && state === 'waiting',
    lastTry: callback.triedAt?.toISOString() ?? null,
    nextTry: state === 'waiting' && !held ? (nextTry?.toISOString() ?? null) : null,
    pausedUntil: isPaused ? pausedUntil.toISOString() : null,
    merchantName: callback.merchantName,
  };
}

function answerOf({ state, triedAt, httpStatus, error, answer }: ListedCallback): Pick<CallbackRow, 'mark' | 'answer'> {
  if (state === 'undelivered') return { mark: 'none', answer: 'no address' };
  if (!triedAt) return { mark: 'waiting', answer: 'in progress' };
  const message = httpStatus === null ? (errorLabels[error ?? ''] ?? error ?? 'no response') : String(httpStatus);
  if (!isReceived(httpStatus)) return { mark: 'refused', answer: message };
  return saysError(answer) ? { mark: 'error', answer: `${message}, “ERROR”` } : { mark: 'received', answer: message };
}

const errorLabels: { readonly [error: string]: string } = { dns: 'unknown host', tls: 'TLS error' };

const recentDays = 14;

/** The number of callbacks that need attention, and the paused addresses. */
export async function callbackSummary({
  scope,
  zone,
  now,
}: Pick<DashboardRequest, 'scope' | 'zone' | 'now'>): Promise<CallbackSummary> {
  const today = startOfDay(dayIn(zone, now), zone, 0) ?? now;
  const recently = new Date(now.getTime() - recentDays * 86_400_000);
  const [counts, held] = await Promise.all([countCallbacks(scope, today, recently), pausedAddresses(scope)]);
  return {
    today: countText(counts.today),
    waiting: countText(counts.waiting),
    failed: countText(counts.failed),
    saidError: countText(counts.saidError),
    held: held.map(({ merchantId, merchantName, address, heldSince, waiting }) => ({
      merchantId,
      merchantName,
      address,
      since: heldSince.toISOString(),
      waiting: countText(waiting),
    })),
  };
}

/** The day of an instant in a time zone, `2026-11-20`. */
export const dayIn = (zone: string, now: Date) => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(now);

function countText(count: number): string {
  return count > countMax ? `over ${grouped(countMax)}` : grouped(count);
}

const statusNames: { readonly [status: number]: string } = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  301: 'Moved Permanently',
  302: 'Found',
  303: 'See Other',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

const errorTitles: { readonly [error: string]: string } = {
  timeout: 'No response within 10 s',
  dns: 'The host name cannot be resolved',
  'connection refused': 'The connection was refused',
  'connection closed': 'The connection was closed without an answer',
  'network unreachable': 'The network is unreachable',
  tls: 'No TLS connection could be established',
  'private address': 'The address is private and is not called',
};

function attemptOf({ at, durationMs, httpStatus, error, answer, answerHeaders }: AttemptRecord): CallbackAttemptRow {
  const headers = Object.entries(answerHeaders ?? {}).map(([name, value]) => `${name}: ${value}`);
  const title =
    httpStatus === null
      ? (errorTitles[error ?? ''] ?? error ?? 'No response')
      : `${httpStatus} ${statusNames[httpStatus] ?? ''}`.trim();
  return {
    at: at.toISOString(),
    mark: !isReceived(httpStatus) ? 'refused' : saysError(answer) ? 'error' : 'received',
    title: saysError(answer) ? `${title}, answered ERROR` : title,
    answer: answer === '' ? null : answer,
    headers: headers.length > 0 ? headers.join('\n') : null,
    durationMs,
  };
}

/** One callback as it is sent, with every attempt; null if the user's scope has none with this id. */
export async function callbackPage(request: DashboardRequest): Promise<CallbackPage | null> {
  const row = await findCallback(request.params.id ?? '', request.scope);
  return row && pageOf(row, request);
}

async function pageOf(details: CallbackDetails, { viewer, now }: DashboardRequest): Promise<CallbackPage> {
  const { listed, due, history, merchantId } = details;
  const row = callbackRow(listed, now);
  const last = history.attempts.at(-1);
  // The attempt's time is part of its headers: the last attempt's, or now if there was none.
  const sentAt = last ? new Date(last.at.getTime() - last.durationMs) : now;
  const [delivery, keys] = await Promise.all([deliveryOf(due, sentAt), signingKeysOf(merchantId)]);
  const { body, hash, headers, payment, caller } = delivery;
  const result = {
    signature: callbackSignature(readFormText(body) ?? {}, payment),
    sent: last ? (last.signature ?? ('unknown' as const)) : null,
    next: hash,
    key: caller.key,
    digest: caller.mapping.digest,
    keys,
  };
  const tried = history.attempts.map(attemptOf);
  const mayResend = may(viewer.role, 'callbacks.resend') && listed.url !== null;
  return {
    ...row,
    url: listed.url,
    address: listed.address,
    merchantId,
    title: titleOf(row, tried),
    tried,
    triesMost: retrySeconds.length,
    later: nextAttempts(row),
    body: { text: formLines(body), fields: [...new URLSearchParams(body)].length },
    signature: sentSignature(result, now),
    headers: Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
    curl: listed.url === null ? null : curlOf(listed.url, body, headers),
    mayResend,
    mayHold: may(viewer.role, 'callbacks.hold') && listed.address !== null,
  };
}

function titleOf({ state, held, mark }: CallbackRow, tried: CallbackAttemptRow[]): string {
  if (state === 'undelivered') return 'No callback URL';
  if (tried.length === 0) return held ? 'Deliveries paused, not sent yet' : 'In progress';
  const last = tried.at(-1)?.title ?? '';
  if (state === 'failed') return `Failed: ${last}`;
  return mark === 'received' && state === 'waiting' ? `${last}, will be retried` : last;
}

/** Times of the attempts after the next one, without jitter. */
function nextAttempts({ nextTry, tries }: CallbackRow): string[] {
  if (nextTry === null) return [];
  let at = Date.parse(nextTry);
  return retrySeconds.slice(tries + 1, tries + 4).map((seconds) => {
    at += seconds * 1000;
    return new Date(at).toISOString();
  });
}

const shellText = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function curlOf(url: string, body: string, headers: { [name: string]: string }): string {
  const lines = Object.entries(headers).map(([name, value]) => `  -H ${shellText(`${name}: ${value}`)}`);
  return [`curl -sS ${shellText(url)}`, ...lines, `  --data-raw ${shellText(body)}`].join(' \\\n');
}
