/**
 * Everything that happened to a payment, in order: requests, routing, provider responses, state changes, callbacks and
 * dashboard actions. Built from existing rows; nothing is logged for it.
 */

import type { AuditRecordWithActor } from '../../auth';
import type { CallbackHistory } from '../../callbacks';
import type { Payment, Session, Transaction } from '../../core/payment';
import type { State } from '../../core/states';
import type { PaymentMessage, PaymentRequest, Unresolved } from '../../payments';
import { checkoutStatus } from '../../protocols';
import type { TimelineEvent } from '../contract';
import { stateLabel } from '../labels';
import { callbackEvent } from './callback-events';
import { dashboardEvent } from './dashboard-events';
import { providerEvents } from './provider-events';
import { messageEvents, requestEvents } from './request-events';
import { unresolvedEvents } from './unresolved-events';

export type PaymentHistory = {
  payment: Payment;
  session: Session | null;
  transactions: Transaction[];
  callbacks: CallbackHistory[];
  done: AuditRecordWithActor[];
  requests: PaymentRequest[];
  messages: PaymentMessage[];
  unresolved: Unresolved[];
  /** Names of the MIDs by their ids. */
  mids: Map<string, string>;
};

// The order of events within one millisecond.
const ranks = { request: 0, dashboard: 1, payer: 2, routing: 3, '3ds': 4, provider: 5, state: 6, callback: 7 };

/** The events, oldest first. */
export function timelineOf(history: PaymentHistory, mayResend: boolean, now: Date): TimelineEvent[] {
  const { payment, session, requests, messages, callbacks, done, unresolved } = history;
  const events = [
    ...requestEvents(payment, session, requests, now),
    ...messageEvents(messages),
    ...providerEvents(history),
    ...unresolvedEvents(unresolved),
    ...stateEvents(history),
    ...callbacks.map((callback) => callbackEvent(callback, mayResend, now)),
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
  let from: State = 'prepare';
  const move = (id: string, to: State, at: Date) => {
    if (to === from) return;
    const title = `${stateLabel(from)} → ${stateLabel(to)}`;
    events.push({
      id,
      kind: 'state',
      at: at.toISOString(),
      title,
      detail: null,
      who: 'Florin',
      status: checkoutStatus[to],
    });
    from = to;
  };
  for (const { id, orderState, createdAt } of callbacks) move(`${id}-state`, orderState, createdAt);
  // A retried payment returns to its first state without a callback.
  move('state-now', payment.state, payment.updatedAt);
  return events;
}
