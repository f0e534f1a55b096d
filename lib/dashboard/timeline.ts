/**
 * Everything that happened to a payment, in order: what was asked, what the provider said, how the state moved, what
 * the merchant was told and what was done in the dashboard. Made of rows that exist anyway; nothing is logged for it.
 */
import type { Fact, TimelineEvent } from '../../components/dashboard/model';
import type { Done } from '../auth/audit';
import type { State } from '../core/states';
import type { CallbackHistory } from '../payments/callbacks';
import { isOpen, type Payment, type Session, type Status, type Transaction } from '../payments/payment';
import { checkoutStatus } from '../protocols/record';
import { callbackEvent } from './callback-event';
import { doneEvent } from './done-event';
import { kindNames, methodOf, moneyText, protocolNames, stateName } from './words';

export type History = {
  payment: Payment;
  session: Session | null;
  transactions: Transaction[];
  callbacks: CallbackHistory[];
  done: Done[];
  /** Names of the MIDs by their ids. */
  mids: Map<string, string>;
};

// What comes first of things that happened in the same millisecond.
const ranks = { request: 0, dashboard: 1, provider: 2, state: 3, callback: 4 };

/** The events, oldest first. */
export function timelineOf(history: History, mayResend: boolean, now: Date): TimelineEvent[] {
  const events = [
    ...requestEvents(history, now),
    ...history.transactions.flatMap((transaction) => transactionEvents(transaction, history)),
    ...stateEvents(history),
    ...history.callbacks.map((callback) => callbackEvent(callback, mayResend, now)),
    ...history.done.map((done) => doneEvent(done, history.payment.currency)),
  ];
  return events.sort((a, b) => a.at.localeCompare(b.at) || ranks[a.kind] - ranks[b.kind]);
}

function requestEvents({ payment, session }: History, now: Date): TimelineEvent[] {
  const events: TimelineEvent[] = [
    {
      id: 'opened',
      kind: 'request',
      at: payment.createdAt.toISOString(),
      title: session ? 'Session opened' : 'Payment asked for',
      detail: `${protocolNames[payment.protocol]}, ${payment.operation}, ${moneyText(payment.amountMinor, payment.currency)}`,
      who: 'Merchant server',
    },
  ];
  if (session?.cancelledAt) {
    const at = session.cancelledAt.toISOString();
    events.push({ id: 'cancelled', kind: 'request', at, title: 'Cancelled on the page', detail: null, who: 'Payer' });
  } else if (session && payment.state === 'prepare' && !payment.inFlightId && session.expiresAt <= now) {
    const at = session.expiresAt.toISOString();
    const detail = payment.attempts === 0 ? 'Nobody has tried to pay' : 'Nobody has paid';
    events.push({ id: 'expired', kind: 'request', at, title: 'Session expired', detail, who: 'Florin' });
  }
  return events;
}

/** Two events: that it was sent, and what came of it. While it is open there is only the first. */
function transactionEvents(transaction: Transaction, { payment, mids }: History): TimelineEvent[] {
  const { id, kind, amountMinor, currency, attemptId } = transaction;
  const mid = mids.get(transaction.midId) ?? 'the provider';
  const title = `${kindNames[kind]} of ${moneyText(amountMinor, currency)}`;
  const isLatest = payment.attemptId === id;
  const method = isLatest ? methodOf(payment) : null;
  const means = method && (method.last4 === null ? method.name : `${method.name} •••• ${method.last4}`);
  const sent: TimelineEvent = {
    id: `${id}-sent`,
    kind: 'provider',
    at: transaction.createdAt.toISOString(),
    title: kind === 'chargeback' ? title : `${title} sent to ${mid}`,
    detail: attemptId === null ? means : null,
    who: kind === 'chargeback' ? mid : 'Florin',
    facts: [{ name: attemptId === null ? 'trans_id' : 'Transaction', value: id, code: true }],
  };
  if (isOpen(transaction)) return [{ ...sent, tag: openTag[transaction.status as keyof typeof openTag] }];
  return [sent, outcomeEvent(transaction, mid)];
}

const openTag: Record<Exclude<Status, 'success' | 'fail'>, TimelineEvent['tag']> = {
  sent: { text: 'no answer yet', tone: 'warn' },
  unknown: { text: 'not certain, being asked again', tone: 'warn' },
  waiting: { text: 'in progress at the provider', tone: 'warn' },
  challenge: { text: 'payer is at the 3DS check', tone: 'plain' },
  redirect: { text: "payer is on the provider's page", tone: 'plain' },
};

function outcomeEvent(transaction: Transaction, mid: string): TimelineEvent {
  const { id, status, facts, declineCode, declineReason } = transaction;
  const at = (transaction.finishedAt ?? transaction.createdAt).toISOString();
  const base = { id: `${id}-outcome`, kind: 'provider' as const, at, who: mid, facts: factsOf(transaction) };
  if (status === 'fail') {
    const tag = declineCode ? { text: declineCode, tone: 'bad' as const } : undefined;
    return { ...base, title: `${kindNames[transaction.kind]} declined`, detail: declineReason, ...(tag && { tag }) };
  }
  const detail = [facts.threeDS && threeDSText(facts.threeDS), facts.descriptor && `descriptor ${facts.descriptor}`];
  const tag = facts.approvalCode ? { text: `approval ${facts.approvalCode}`, tone: 'ok' as const } : undefined;
  return {
    ...base,
    title: `${kindNames[transaction.kind]} approved`,
    detail: sentence(detail.filter(Boolean).join(', ')) || null,
    ...(tag && { tag }),
  };
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function threeDSText(threeDS: Record<string, string>): string {
  const { protocolVersion, transStatus, eci, authenticationFlow } = threeDS;
  const parts = [
    protocolVersion && `3DS ${protocolVersion}`,
    transStatus && `transStatus ${transStatus}`,
    eci && `eci ${eci}`,
    authenticationFlow,
  ];
  return parts.filter(Boolean).join(', ');
}

/** The references under which the provider knows a transaction. */
function factsOf({ facts }: Transaction): Fact[] {
  const named: [string, string | undefined][] = [
    ['Provider reference', facts.providerRef],
    ['RRN', facts.rrn],
    ['ARN', facts.arn],
  ];
  return named.flatMap(([name, value]) => (value ? [{ name, value, code: true }] : []));
}

/** The moves of the state. Every one is told by a callback, whether or not there was an address to tell it to. */
function stateEvents({ payment, callbacks }: History): TimelineEvent[] {
  const events: TimelineEvent[] = [];
  let from: State = 'prepare';
  const move = (id: string, to: State, at: Date) => {
    if (to === from) return;
    const title = `${stateName(from)} to ${stateName(to)}`;
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
  // A payment that is tried again returns to its beginning, which is told to nobody.
  move('state-now', payment.state, payment.updatedAt);
  return events;
}
