/** A callback in the timeline: what it said, and every try to deliver it. */

import type { CallbackHistory } from '../../callbacks';
import { checkoutStatus } from '../../protocols';
import type { CallbackAttempt, TimelineEvent } from '../contract';

/** The event of a callback. `resend` names it where it may be sent again. */
export function callbackEvent(callback: CallbackHistory, mayResend: boolean, now: Date): TimelineEvent {
  const { id, type, outcome, orderState, url, state } = callback;
  const said = `${type}, ${outcome}, ${checkoutStatus[orderState]}`;
  return {
    id,
    kind: 'callback',
    at: callback.createdAt.toISOString(),
    title: titleOf(callback, now),
    detail: url === null ? `${said}; no address was known for it` : `${said} to ${shortAddress(url)}`,
    who: 'Florin',
    tries: callback.attempts.map(attemptOf),
    ...(mayResend && url !== null && state !== 'undelivered' && { resend: id }),
  };
}

function titleOf({ state, attempts, dueAt }: CallbackHistory, now: Date): string {
  const made = attempts.length;
  switch (state) {
    case 'delivered':
      return made > 1 ? `Callback delivered on try ${made}` : 'Callback delivered';
    case 'failed':
      return `Callback given up after ${made} ${made === 1 ? 'try' : 'tries'}`;
    case 'undelivered':
      return 'Callback kept, not sent';
    default:
      if (made === 0) return 'Callback is on its way';
      return `Callback not delivered, ${nextAttemptText(dueAt, now)}`;
  }
}

function nextAttemptText(dueAt: Date | null, now: Date): string {
  const seconds = dueAt ? Math.ceil((dueAt.getTime() - now.getTime()) / 1000) : 0;
  if (seconds <= 1) return 'next try now';
  if (seconds < 60) return `next try in ${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `next try in ${minutes} min` : `next try in ${Math.round(minutes / 60)} h`;
}

function attemptOf({
  at,
  durationMs,
  httpStatus,
  error,
  answer,
}: CallbackHistory['attempts'][number]): CallbackAttempt {
  const received = httpStatus !== null && httpStatus >= 200 && httpStatus < 300;
  // A merchant's server that says ERROR has the message all the same (protocol.md 7).
  const result = !received ? 'fail' : answer?.trim() === 'ERROR' ? 'error' : 'ok';
  return {
    at: at.toISOString(),
    result,
    what: httpStatus === null ? (error ?? 'no answer') : String(httpStatus),
    answer: answer === '' ? null : answer,
    durationMs,
  };
}

/** Host and path of an address: its query may hold what is the merchant's own. */
export function shortAddress(url: string): string {
  if (!URL.canParse(url)) return url;
  const { host, pathname } = new URL(url);
  return pathname === '/' ? host : host + pathname;
}
