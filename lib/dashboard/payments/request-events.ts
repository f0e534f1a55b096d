/** Requests of the merchant's server and messages to the payer as timeline events. */

import type { Payment, Session } from '../../core/payment.ts';
import type { PaymentMessage, PaymentRequest } from '../../payments/index.ts';
import { moneyText, protocolNames } from '../labels.ts';
import { eventOf, type TimelineEvent } from './timeline-event.ts';

// Event titles by the action's last part.
const titles: Record<string, string> = {
  session: 'Session opened',
  token: 'Session opened',
  update: 'Session updated',
  status: 'Status requested',
  refund: 'Refund requested',
  capture: 'Capture requested',
  void: 'Void requested',
  retry: 'Retry requested',
  recurring: 'Subsequent charge requested',
  credit: 'Payout requested',
  SALE: 'Sale requested',
  RECURRING_SALE: 'Subsequent charge requested',
  CAPTURE: 'Capture requested',
  CREDITVOID: 'Refund requested',
  VOID: 'Void requested',
  DEBIT: 'Debit requested',
  CREDIT2CARD: 'Payout requested',
  CREDIT2VIRTUAL: 'Payout requested',
  GET_TRANS_STATUS: 'Status requested',
  GET_TRANS_STATUS_BY_ORDER: 'Status requested',
  GET_TRANS_DETAILS: 'Details requested',
};

/** The first event comes from the payment, so that a payment without a request log has it too. */
const openingSeconds = 60;

/** The events of the requests. Consecutive equal status requests are one event with their number. */
export function requestEvents(
  payment: Payment,
  session: Session | null,
  requests: PaymentRequest[],
  now: Date,
): TimelineEvent[] {
  const [first, ...others] = requests;
  const opening = first && isOpening(first, payment) ? first : null;
  const later = opening ? others : requests;
  return [opened(payment, session, opening), ...runs(later).map(requestEvent), ...endOf(payment, session, now)];
}

function isOpening({ at, refusedAt }: PaymentRequest, { createdAt }: Payment): boolean {
  return refusedAt === null && Math.abs(at.getTime() - createdAt.getTime()) < openingSeconds * 1000;
}

function opened(payment: Payment, session: Session | null, request: PaymentRequest | null): TimelineEvent {
  const { protocol, operation, amountMinor, currency, createdAt } = payment;
  const what = `${protocolNames[protocol]}, ${operation}, ${moneyText(amountMinor, currency)}`;
  return eventOf('request', 'opened', createdAt, {
    title: session ? 'Session opened' : 'Payment requested',
    detail: request ? `${what}; ${wireText(request)}` : what,
    who: request ? `Merchant server, ${request.address}` : 'Merchant server',
    ...(request && { href: hrefOf(request) }),
  });
}

type Run = { last: PaymentRequest; times: number };

function runs(requests: PaymentRequest[]): Run[] {
  const result: Run[] = [];
  for (const request of requests) {
    const before = result.at(-1);
    const same = before && before.last.action === request.action && before.last.errorCode === request.errorCode;
    if (same) Object.assign(before, { last: request, times: before.times + 1 });
    else result.push({ last: request, times: 1 });
  }
  return result;
}

function requestEvent({ last, times }: Run): TimelineEvent {
  const word = last.action.split('/').at(-1) ?? last.action;
  const title = titles[word] ?? `${last.action} requested`;
  const refused = last.refusedAt !== null;
  return eventOf('request', `request-${last.id}`, last.at, {
    title: times > 1 ? `${title}, ${times} times` : title,
    detail: refused ? `${wireText(last)}; refused at: ${last.refusedAt}` : wireText(last),
    who: `Merchant server, ${last.address}`,
    href: hrefOf(last),
    ...(refused && { tag: { text: String(last.errorCode ?? 'refused'), tone: 'bad' as const } }),
  });
}

const hrefOf = ({ id }: PaymentRequest) => `/dashboard/requests?open=${id}`;

function wireText({ action, path, httpStatus, durationMs }: PaymentRequest): string {
  const what = action === path ? path : `${action} to ${path}`;
  return `${what}, answered ${httpStatus} in ${durationMs} ms`;
}

function endOf(payment: Payment, session: Session | null, now: Date): TimelineEvent[] {
  if (session?.cancelledAt) {
    return [
      eventOf('payer', 'cancelled', session.cancelledAt, { title: 'Cancelled on the payment page', who: 'Payer' }),
    ];
  }
  if (!session || payment.state !== 'prepare' || payment.inFlightId || session.expiresAt > now) return [];
  const detail = payment.attempts === 0 ? 'No attempt was made' : 'Not paid in time';
  return [eventOf('payer', 'expired', session.expiresAt, { title: 'Session expired', detail, who: 'Florin' })];
}

/** The events of messages to the payer. */
export function messageEvents(messages: PaymentMessage[]): TimelineEvent[] {
  return messages.map(({ id, channel, recipient, subject, state, error, createdAt, sentAt }) => {
    const channelName = channel === 'email' ? 'Email' : 'SMS';
    const word = { waiting: 'is in progress', sent: 'sent', failed: 'not sent' }[state];
    return eventOf('payer', `message-${id}`, sentAt ?? createdAt, {
      title: `${channelName} with the link ${word}`,
      detail: [recipient && `To ${recipient}`, subject && `“${subject}”`, error].filter(Boolean).join(', ') || null,
      who: 'Florin',
    });
  });
}
