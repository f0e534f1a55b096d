/** What the merchant's server asked about a payment, and what was sent to its payer, as the timeline tells it. */

import type { Payment, Session } from '../../core/payment';
import type { PaymentMessage, PaymentRequest } from '../../payments';
import type { TimelineEvent } from '../contract';
import { moneyText, protocolNames } from '../labels';

// What the actions of the protocols are about, by their last word.
const titles: Record<string, string> = {
  session: 'Session opened',
  token: 'Session opened',
  update: 'Session updated',
  status: 'Status asked for',
  refund: 'Refund asked for',
  capture: 'Capture asked for',
  void: 'Void asked for',
  retry: 'Another try asked for',
  recurring: 'Charge of the chain asked for',
  credit: 'Payout asked for',
  SALE: 'Sale asked for',
  RECURRING_SALE: 'Charge of the chain asked for',
  CAPTURE: 'Capture asked for',
  CREDITVOID: 'Refund asked for',
  VOID: 'Void asked for',
  DEBIT: 'Debit asked for',
  CREDIT2CARD: 'Payout asked for',
  CREDIT2VIRTUAL: 'Payout asked for',
  GET_TRANS_STATUS: 'Status asked for',
  GET_TRANS_STATUS_BY_ORDER: 'Status asked for',
  GET_TRANS_DETAILS: 'Details asked for',
};

/** The request that opened the payment is told by what was opened, so that a payment without a log has it too. */
const openingSeconds = 60;

/** The events of the requests. Questions that follow one another are told once, with their number. */
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
  return {
    id: 'opened',
    kind: 'request',
    at: createdAt.toISOString(),
    title: session ? 'Session opened' : 'Payment asked for',
    detail: request ? `${what}; ${wireText(request)}` : what,
    who: request ? `Merchant server, ${request.address}` : 'Merchant server',
    ...(request && { href: hrefOf(request) }),
  };
}

type Run = { last: PaymentRequest; times: number };

function runs(requests: PaymentRequest[]): Run[] {
  const found: Run[] = [];
  for (const request of requests) {
    const before = found.at(-1);
    const same = before && before.last.action === request.action && before.last.errorCode === request.errorCode;
    if (same) Object.assign(before, { last: request, times: before.times + 1 });
    else found.push({ last: request, times: 1 });
  }
  return found;
}

function requestEvent({ last, times }: Run): TimelineEvent {
  const word = last.action.split('/').at(-1) ?? last.action;
  const title = titles[word] ?? `${last.action} asked for`;
  const refused = last.refusedAt !== null;
  return {
    id: `request-${last.id}`,
    kind: 'request',
    at: last.at.toISOString(),
    title: times > 1 ? `${title}, ${times} times` : title,
    detail: refused ? `${wireText(last)}; refused at: ${last.refusedAt}` : wireText(last),
    who: `Merchant server, ${last.address}`,
    href: hrefOf(last),
    ...(refused && { tag: { text: String(last.errorCode ?? 'refused'), tone: 'bad' as const } }),
  };
}

const hrefOf = ({ id }: PaymentRequest) => `/dashboard/requests?open=${id}`;

function wireText({ action, path, httpStatus, durationMs }: PaymentRequest): string {
  const what = action === path ? path : `${action} to ${path}`;
  return `${what}, answered ${httpStatus} in ${durationMs} ms`;
}

function endOf(payment: Payment, session: Session | null, now: Date): TimelineEvent[] {
  if (session?.cancelledAt) {
    const at = session.cancelledAt.toISOString();
    return [{ id: 'cancelled', kind: 'payer', at, title: 'Cancelled on the page', detail: null, who: 'Payer' }];
  }
  if (!session || payment.state !== 'prepare' || payment.inFlightId || session.expiresAt > now) return [];
  const at = session.expiresAt.toISOString();
  const detail = payment.attempts === 0 ? 'Nobody has tried to pay' : 'Nobody has paid';
  return [{ id: 'expired', kind: 'payer', at, title: 'Session expired', detail, who: 'Florin' }];
}

/** The events of what was sent to the payer. */
export function messageEvents(messages: PaymentMessage[]): TimelineEvent[] {
  return messages.map(({ id, channel, recipient, subject, state, error, createdAt, sentAt }) => {
    const means = channel === 'email' ? 'E-mail' : 'SMS';
    const word = { waiting: 'is on its way', sent: 'sent', failed: 'not sent' }[state];
    return {
      id: `message-${id}`,
      kind: 'payer' as const,
      at: (sentAt ?? createdAt).toISOString(),
      title: `${means} with the link ${word}`,
      detail: [recipient && `To ${recipient}`, subject && `“${subject}”`, error].filter(Boolean).join(', ') || null,
      who: 'Florin',
    };
  });
}
