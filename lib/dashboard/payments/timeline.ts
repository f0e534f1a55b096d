/** Everything that happened to a payment, in order. Built from existing rows; nothing is logged for it. */

import type { AuditRecordWithActor, Json } from '../../auth/index.ts';
import type { AttemptRecord, CallbackHistory } from '../../callbacks/index.ts';
import type { State } from '../../core/states.ts';
import { historyMax, reasonText, type Unresolved } from '../../payments/index.ts';
import { checkoutStatus } from '../../protocols/index.ts';
import { membersOf } from '../audit/labels.ts';
import { moneyText, stateLabel } from '../labels.ts';
import {
  agreementEvents,
  type CallbackAttempt,
  eventOf,
  messageEvents,
  type PaymentHistory,
  providerEvents,
  requestEvents,
  type TimelineEvent,
} from './timeline-events.ts';

// The order of events within one millisecond.
const ranks = { request: 0, dashboard: 1, payer: 2, routing: 3, '3ds': 4, provider: 5, state: 6, callback: 7 };

/** The events, oldest first. */
export function timelineOf(history: PaymentHistory, rights: CallbackRights, now: Date): TimelineEvent[] {
  const { payment, session, requests, messages, agreements, callbacks, done, unresolved } = history;
  const events = [
    ...requestEvents(payment, session, requests, now),
    ...messageEvents(messages),
    ...agreementEvents(agreements),
    ...providerEvents(history),
    ...unresolved.flatMap(unresolvedEvents),
    ...stateEvents(history),
    ...callbacks.map((callback) => callbackEvent(callback, rights, now)),
    ...done.map((each) => dashboardEvent(each, payment.currency)),
  ];
  return events.sort((a, b) => a.at.localeCompare(b.at) || rankOf(a) - rankOf(b));
}

// A request precedes its response, also with equal times.
function rankOf({ kind, id }: TimelineEvent): number {
  return kind === 'provider' && id.endsWith('-sent') ? ranks['3ds'] - 0.5 : ranks[kind];
}

/** State changes. Each has a callback, whether or not it had a URL. */
function stateEvents({ payment, callbacks }: PaymentHistory): TimelineEvent[] {
  const events: TimelineEvent[] = [];
  // Of the callbacks of a long history only the latest are read.
  let from: State = (callbacks.length >= historyMax && callbacks[0]?.orderState) || 'prepare';
  const move = (id: string, to: State, at: Date) => {
    if (to === from) return;
    const title = `${stateLabel(from)} → ${stateLabel(to)}`;
    const status = checkoutStatus[to];
    events.push(eventOf('state', id, at, { title, who: 'Florin', status }));
    from = to;
  };
  for (const { id, orderState, createdAt } of callbacks) move(`${id}-state`, orderState, createdAt);
  // A retried payment returns to its first state without a callback.
  move('state-now', payment.state, payment.updatedAt);
  return events;
}

/** What a user may do with callbacks: send them again, and read what receivers answered. */
type CallbackRights = { mayResend: boolean; readsAnswers: boolean };

function callbackEvent(
  callback: CallbackHistory,
  { mayResend, readsAnswers }: CallbackRights,
  now: Date,
): TimelineEvent {
  const { id, type, outcome, orderState, url, state } = callback;
  const message = `${type}, ${outcome}, ${checkoutStatus[orderState]}`;
  return eventOf('callback', id, callback.createdAt, {
    title: titleOf(callback, now),
    who: 'Florin',
    detail: url === null ? `${message}; no callback URL` : `${message} to ${shortAddress(url)}`,
    tries: callback.attempts.map((attempt) => attemptOf(attempt, readsAnswers)),
    ...(mayResend && url !== null && state !== 'undelivered' && { resend: id }),
  });
}

function titleOf({ state, attempts, dueAt }: CallbackHistory, now: Date): string {
  const made = attempts.length;
  switch (state) {
    case 'delivered':
      return made > 1 ? `Callback delivered on attempt ${made}` : 'Callback delivered';
    case 'failed':
      return `Callback failed after ${made} ${made === 1 ? 'attempt' : 'attempts'}`;
    case 'undelivered':
      return 'Callback recorded, not sent';
    default:
      if (made === 0) return 'Callback in progress';
      return `Callback not delivered, ${nextAttemptText(dueAt, now)}`;
  }
}

function nextAttemptText(dueAt: Date | null, now: Date): string {
  const seconds = dueAt ? Math.ceil((dueAt.getTime() - now.getTime()) / 1000) : 0;
  if (seconds <= 1) return 'next attempt now';
  if (seconds < 60) return `next attempt in ${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `next attempt in ${minutes} min` : `next attempt in ${Math.round(minutes / 60)} h`;
}

function attemptOf(
  { at, durationMs, httpStatus, error, answer }: AttemptRecord,
  readsAnswers: boolean,
): CallbackAttempt {
  const received = httpStatus !== null && httpStatus >= 200 && httpStatus < 300;
  // A server that answers ERROR has received the callback (protocol.md 7).
  const result = !received ? 'fail' : answer?.trim() === 'ERROR' ? 'error' : 'ok';
  return {
    at: at.toISOString(),
    result,
    what: httpStatus === null ? (error ?? 'no response') : String(httpStatus),
    answer: answer === '' || !readsAnswers ? null : answer,
    durationMs,
  };
}

/** Host and path of a URL: its query may contain the merchant's secrets. */
export function shortAddress(url: string): string {
  if (!URL.canParse(url)) return url;
  const { host, pathname } = new URL(url);
  return pathname === '/' ? host : host + pathname;
}

const sentences: Record<string, (after: Record<string, Json>, currency: string) => string> = {
  'payment.capture': ({ amount }, currency) => `Capture of ${amount} ${currency} requested`,
  'payment.refund': ({ amount }, currency) => `Refund of ${amount} ${currency} requested`,
  'payment.void': () => 'Void requested',
  'payment.release': () => 'Void of the authorisation requested',
  'payment.ask': ({ provider }) => `Status synced with ${provider}`,
  'payment.evidence': () => 'Evidence downloaded',
  'unresolved.close': ({ decision }) =>
    decision === 'closed' ? 'Unresolved item closed' : `Unresolved item closed as ${decision}`,
  'callback.resend': ({ type }) => `Callback ${type} resent`,
};

function dashboardEvent(done: AuditRecordWithActor, currency: string): TimelineEvent {
  const after = membersOf(done.after);
  const refused = /^(.+)\.refused$/.exec(done.action);
  const action = refused?.[1] ?? done.action;
  const sentence = sentences[action]?.(after, currency) ?? action;
  const reason = typeof after.reason === 'string' && after.reason !== '' ? `“${after.reason}”` : null;
  return eventOf('dashboard', `${done.action}-${done.at.toISOString()}`, done.at, {
    title: refused ? `${sentence} (refused)` : sentence,
    who: done.actorName,
    detail: refused ? String(after.message ?? '') : reason,
  });
}

/** An event for an opened item, and for one that Florin closed; users' decisions are in the audit log. */
function unresolvedEvents(item: Unresolved): TimelineEvent[] {
  const { id, reason, amount, action, closedAt, closedBy, createdAt, resolution } = item;
  const next =
    action === 'task'
      ? { text: 'needs a decision', tone: 'bad' as const }
      : { text: `Florin tries to ${action} it`, tone: 'warn' as const };
  const opened = eventOf('provider', `${id}-opened`, createdAt, {
    title: `Unresolved: ${reasonText(item)}`,
    who: 'Florin',
    detail: moneyText(amount.minor, amount.currency),
    ...(closedAt === null && { tag: next }),
  });
  if (closedAt === null || closedBy !== 'florin') return [opened];
  const texts = { title: 'Unresolved item closed', who: 'Florin', detail: `${resolution}: ${reason}` };
  return [opened, eventOf('provider', `${id}-closed`, closedAt, texts)];
}
