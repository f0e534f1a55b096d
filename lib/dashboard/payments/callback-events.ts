/** A callback in the timeline: its content and every delivery attempt. */

import type { CallbackHistory } from '../../callbacks';
import { checkoutStatus } from '../../protocols';
import type { CallbackAttempt, TimelineEvent } from '../contract';

/** The event of a callback. `resend` names it if it can be resent. */
export function callbackEvent(callback: CallbackHistory, mayResend: boolean, now: Date): TimelineEvent {
  const { id, type, outcome, orderState, url, state } = callback;
  const message = `${type}, ${outcome}, ${checkoutStatus[orderState]}`;
  return {
    id,
    kind: 'callback',
    at: callback.createdAt.toISOString(),
    title: titleOf(callback, now),
    detail: url === null ? `${message}; no callback URL` : `${message} to ${shortAddress(url)}`,
    who: 'Florin',
    tries: callback.attempts.map(attemptOf),
    ...(mayResend && url !== null && state !== 'undelivered' && { resend: id }),
  };
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

function attemptOf({
  at,
  durationMs,
  httpStatus,
  error,
  answer,
}: CallbackHistory['attempts'][number]): CallbackAttempt {
  const received = httpStatus !== null && httpStatus >= 200 && httpStatus < 300;
  // A server that answers ERROR has received the callback (protocol.md 7).
  const result = !received ? 'fail' : answer?.trim() === 'ERROR' ? 'error' : 'ok';
  return {
    at: at.toISOString(),
    result,
    what: httpStatus === null ? (error ?? 'no response') : String(httpStatus),
    answer: answer === '' ? null : answer,
    durationMs,
  };
}

/** Host and path of a URL: its query may contain the merchant's secrets. */
export function shortAddress(url: string): string {
  if (!URL.canParse(url)) return url;
  const { host, pathname } = new URL(url);
  return pathname === '/' ? host : host + pathname;
}
