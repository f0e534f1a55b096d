/** The callback log: messages to merchants' servers with their attempts, what needs attention, resending and pausing. */
import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import { may } from '../../auth/index.ts';
import {
  type AttemptRecord,
  callbackSignature,
  deliveryOf,
  fieldsOfBody,
  hashStart,
  retrySeconds,
} from '../../callbacks/index.ts';
import { grouped } from '../../core/money.ts';
import { pick } from '../../core/pick.ts';
import { signingKeysOf } from '../../merchants/index.ts';
import { checkoutStatus } from '../../protocols/index.ts';
import { logAction } from '../changes.ts';
import { seesWholeHash } from '../developers/explanation.ts';
import { DashboardError, notFound, parseBody } from '../errors.ts';
import { idField } from '../fields.ts';
import type { DashboardRequest, PageContext } from '../guard.ts';
import { amountText } from '../labels.ts';
import { created, merchant, order } from '../lists/columns.ts';
import { startOfDay, storedQuery } from '../lists/query.ts';
import { readFilter, resource } from '../lists/resource.ts';
import { formLines } from '../requests/requests.ts';
import {
  countCallbacks,
  countMax,
  countResendable,
  filters,
  findCallback,
  isKnownAddress,
  type ListedCallback,
  listCallbacks,
  pauseAddress,
  pausedAddresses,
  resendFound,
  resendMax,
  resumeAddress,
} from './queries.ts';
import { sentSignature } from './signature.ts';

const isReceived = (status: number | null) => status !== null && status >= 200 && status < 300;
const saysError = (answer: string | null) => answer?.trim() === 'ERROR';

/** The delivery state of a callback: from its answer and what comes next. */
export type DeliveryStatus = 'received' | 'error' | 'refused' | 'none' | 'waiting';

/** A callback in the list. */
export function callbackRow(callback: ListedCallback, now: Date) {
  const { orderState, amountMinor, currency, state, dueAt, pausedUntil, address, triedAt } = callback;
  const isPaused = state === 'waiting' && pausedUntil !== null && pausedUntil > now;
  const isHeld = callback.held && state === 'waiting';
  const nextTry = isPaused && dueAt !== null && dueAt < pausedUntil ? pausedUntil : dueAt;
  return {
    ...pick(callback, 'id', 'createdAt', 'orderNumber', 'paymentId', 'type', 'outcome', 'currency', 'state'),
    merchantName: callback.merchantName,
    ...answerOf(callback),
    orderStatus: checkoutStatus[orderState],
    amount: amountText(amountMinor, currency),
    tries: callback.attempts,
    host: address === null ? null : address.replace(/^https?:\/\//, ''),
    held: isHeld,
    lastTry: triedAt,
    nextTry: state === 'waiting' && !isHeld ? nextTry : null,
    /** Until when deliveries to the address pause after timeouts; null if they do not. */
    pausedUntil: isPaused ? pausedUntil : null,
  };
}

type CallbackRow = ReturnType<typeof callbackRow>;

/** `answer`: `200`, `timeout`, `in progress`. */
function answerOf(callback: ListedCallback): { mark: DeliveryStatus; answer: string } {
  const { state, triedAt, httpStatus, error } = callback;
  if (state === 'undelivered') return { mark: 'none', answer: 'no address' };
  if (!triedAt) return { mark: 'waiting', answer: 'in progress' };
  const message = httpStatus === null ? (errorLabels[error ?? ''] ?? error ?? 'no response') : String(httpStatus);
  const mark = markOf(callback);
  return { mark, answer: mark === 'error' ? `${message}, “ERROR”` : message };
}

type Attempted = Pick<AttemptRecord, 'httpStatus' | 'answer'>;

function markOf({ httpStatus, answer }: Attempted): 'received' | 'error' | 'refused' {
  if (!isReceived(httpStatus)) return 'refused';
  return saysError(answer) ? 'error' : 'received';
}

const errorLabels: { readonly [error: string]: string } = { dns: 'unknown host', tls: 'TLS error' };

const recentDays = 14;

/** The number of callbacks that need attention, and the paused addresses. */
export async function callbackSummary({ scope, zone, now }: PageContext) {
  const today = startOfDay(dayIn(zone, now), zone, 0) ?? now;
  const recently = new Date(now.getTime() - recentDays * 86_400_000);
  const [counts, held] = await Promise.all([countCallbacks(scope, today, recently), pausedAddresses({ scope })]);
  return {
    today: countText(counts.today),
    waiting: countText(counts.waiting),
    failed: countText(counts.failed),
    saidError: countText(counts.saidError),
    held: held.map(({ heldSince, waiting, ...address }) => ({
      ...address,
      since: heldSince,
      waiting: countText(waiting),
    })),
  };
}

/** The day of an instant in a time zone, `2026-11-20`. */
export const dayIn = (zone: string, now: Date) => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(now);

function countText(count: number): string {
  return count > countMax ? `over ${grouped(countMax)}` : grouped(count);
}

// As RFC 9110 names them.
const statusNames: typeof STATUS_CODES = { ...STATUS_CODES, 413: 'Content Too Large', 422: 'Unprocessable Content' };

const errorTitles: { readonly [error: string]: string } = {
  timeout: 'No response within 10 s',
  dns: 'The host name cannot be resolved',
  'connection refused': 'The connection was refused',
  'connection closed': 'The connection was closed without an answer',
  'network unreachable': 'The network is unreachable',
  tls: 'No TLS connection could be established',
  'private address': 'The address is private and is not called',
};

function attemptOf({ at, durationMs, httpStatus, error, answer, answerHeaders }: AttemptRecord) {
  const headers = headerLines(answerHeaders ?? {});
  const title =
    httpStatus === null
      ? (errorTitles[error ?? ''] ?? error ?? 'No response')
      : `${httpStatus} ${statusNames[httpStatus] ?? ''}`.trim();
  return {
    at,
    durationMs,
    mark: markOf({ httpStatus, answer }),
    /** `502 Bad Gateway`, `No response within 10 s`. */
    title: saysError(answer) ? `${title}, answered ERROR` : title,
    answer: answer === '' ? null : answer,
    headers: headers.length > 0 ? headers.join('\n') : null,
  };
}

/** One callback as it is sent, with every attempt. The body shows the beginning of its hash only. */
export async function callbackPage(request: PageContext) {
  const { viewer, now } = request;
  const { listed, due, history, merchantId } = await findCallback(request);
  const { url, address } = listed;
  const row = callbackRow(listed, now);
  const last = history.attempts.at(-1);
  // The attempt's time is part of its headers: the last attempt's, or now if there was none.
  const sentAt = last ? new Date(last.at.getTime() - last.durationMs) : now;
  const [delivery, keys] = await Promise.all([deliveryOf(due, sentAt), signingKeysOf(merchantId)]);
  const { body, hash, headers, payment, caller } = delivery;
  const signed = {
    signature: callbackSignature(fieldsOfBody(body), payment),
    sent: last ? (last.signature ?? ('unknown' as const)) : null,
    next: hash,
    differs: history.attempts.some(({ differs }) => differs),
    key: caller.key,
    digest: caller.mapping.digest,
    keys,
  };
  const tried = history.attempts.map(attemptOf);
  // A body with its hash can be replayed at the shop, and the hash of a callback of S2S CARD is also that of its refund.
  const hidden = (text: string) => text.replaceAll(hash, `${hashStart(hash)}…`);
  // A command with half a hash is of no use, so that users who can sign requests of a sandbox anyway get the whole one.
  const command = url === null ? null : curlOf(url, body, headers);
  return {
    ...row,
    url,
    address,
    merchantId,
    tried,
    title: titleOf(row, tried),
    triesMost: retrySeconds.length,
    /** Times of the attempts after the next one, as planned now. */
    later: nextAttempts(row),
    body: { text: hidden(formLines(body)), fields: [...new URLSearchParams(body)].length },
    signature: sentSignature(signed, now),
    headers: headerLines(headers).join('\n'),
    curl: command && (seesWholeHash(viewer) ? command : hidden(command)),
    mayResend: may(viewer.role, 'callbacks.resend') && url !== null,
    mayHold: may(viewer.role, 'callbacks.hold') && address !== null,
  };
}

const headerLines = (headers: { [name: string]: string }) =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`);

function titleOf({ state, held, mark }: CallbackRow, tried: { title: string }[]): string {
  if (state === 'undelivered') return 'No callback URL';
  if (tried.length === 0) return held ? 'Deliveries paused, not sent yet' : 'In progress';
  const last = tried.at(-1)?.title ?? '';
  if (state === 'failed') return `Failed: ${last}`;
  return mark === 'received' && state === 'waiting' ? `${last}, will be retried` : last;
}

function nextAttempts({ nextTry, tries }: CallbackRow): Date[] {
  if (nextTry === null) return [];
  let at = nextTry.getTime();
  return retrySeconds.slice(tries + 1, tries + 4).map((seconds) => {
    at += seconds * 1000;
    return new Date(at);
  });
}

const shellText = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function curlOf(url: string, body: string, headers: { [name: string]: string }): string {
  const lines = headerLines(headers).map((line) => `  -H ${shellText(line)}`);
  return [`curl -sS ${shellText(url)}`, ...lines, `  --data-raw ${shellText(body)}`].join(' \\\n');
}

/** The list of callbacks with the last response of the receiver and the next attempt. */
export const callbacks = resource({
  name: 'callbacks',
  right: 'developers.read',
  title: 'Callbacks',
  nouns: ['callback', 'callbacks'],
  search: 'Order, payment, transaction',
  filters,
  columns: [
    { id: 'answer', head: 'Response', kind: 'callback', width: 160 },
    order,
    { id: 'event', head: 'Type, status, order status', kind: 'event' },
    { id: 'host', head: 'Address', hideOnPhone: true, hideBelow: 'xl', hideBeside: true },
    { ...merchant, hideBeside: true },
    { id: 'tries', head: 'Attempts', none: '–', align: 'end', width: 72, hideOnPhone: true },
    { id: 'nextTry', head: 'Next attempt', kind: 'next', align: 'end', width: 104, hideOnPhone: true },
    { ...created(), widthBeside: 104 },
  ],
  rowName: '{answer}, {orderNumber}, {type} {outcome}',
  dense: true,
  empty: {
    title: 'No callback yet',
    texts: [
      'Your server gets a callback whenever the status of a payment changes. This log shows each callback with its attempts and responses.',
      'Set a URL in `notification_url` or `callback_url`, or a default URL in the protocol mapping.',
    ],
  },
  source: listCallbacks,
  toRow: (row: ListedCallback, { now }) => callbackRow(row, now),
});

const bulk = z.object({ query: z.string().max(4000), dry: z.boolean().optional() });

/** Resends every callback that the list's filter finds, up to a limit; with `dry` it only counts them. */
export async function resendAll(request: DashboardRequest) {
  const { scope, body, zone, now } = request;
  const { query, dry = false } = parseBody(bulk, body);
  const named = new URLSearchParams(query);
  const filter = readFilter(callbacks, { query: named, scope, zone });
  const found = await countResendable(filter);
  if (dry || found === 0) return { found, most: resendMax, resent: 0 };
  await logAction(request, 'callbacks.resend', `merchant:${scope ?? 'all'}`, {
    after: { filter: storedQuery(named), found },
  });
  return { found, most: resendMax, resent: await resendFound(filter, now) };
}

const pauseInput = z.object({ address: z.string().max(300), merchantId: idField().optional(), held: z.boolean() });

/** Pauses or resumes deliveries to an address, for one merchant: other merchants may use the same address. */
export async function pauseAction(request: DashboardRequest) {
  const { viewer, scope, body, now } = request;
  const { address, merchantId, held } = parseBody(pauseInput, body);
  if (scope !== null && merchantId !== undefined && merchantId !== scope) throw notFound();
  const owner = scope ?? merchantId;
  if (owner === undefined) throw new DashboardError(400, 'Choose the merchant of the address.');
  if (!(await isKnownAddress(owner, address))) throw notFound();
  const difference = { before: { held: !held }, after: { held, address } };
  await logAction(request, held ? 'callbacks.hold' : 'callbacks.release', `merchant:${owner}`, difference);
  if (held) await pauseAddress(owner, address, `user:${viewer.id}`, now);
  else await resumeAddress(owner, address);
  return { held };
}
