/** The entries of a payment's timeline: of requests, messages and the provider, with routing, 3DS and the outcome. */
import type { AuditRecordWithActor } from '../../auth/index.ts';
import type { CallbackHistory } from '../../callbacks/index.ts';
import {
  isAttempt,
  isNotFinal,
  type Payment,
  type RoutingStep,
  type Session,
  type Status,
  type Transaction,
} from '../../core/payment.ts';
import type { PaymentMessage } from '../../outbox/index.ts';
import type { PaymentRequest, RecordedAgreement, Unresolved } from '../../payments/index.ts';
import { testingDecline } from '../../risk/index.ts';
import { kindNames, methodLabel, methodText, moneyText, protocolNames } from '../labels.ts';
import type { Fact } from '../lists/rows.ts';
import { declineLabels } from './decline-labels.ts';

export type EventKind = 'request' | 'payer' | 'routing' | '3ds' | 'provider' | 'state' | 'callback' | 'dashboard';

/** One delivery attempt of a callback. */
export type CallbackAttempt = {
  at: string;
  /** `ok`: received. `error`: received, but answered ERROR. `fail`: to be retried, or failed. */
  result: 'ok' | 'error' | 'fail';
  /** The HTTP status, or the error that prevented one. */
  what: string;
  answer: string | null;
  durationMs: number;
};

/** One entry of the timeline. */
export type TimelineEvent = {
  id: string;
  kind: EventKind;
  at: string;
  title: string;
  detail: string | null;
  who: string | null;
  /** The status whose shape replaces an icon. */
  status?: string;
  tag?: { text: string; tone: 'ok' | 'bad' | 'warn' | 'plain' };
  facts?: Fact[];
  tries?: CallbackAttempt[];
  /** The selected and skipped accounts, in order. */
  routing?: { mid: string; why: string; taken: boolean }[];
  href?: string;
  /** The callback that can be resent. */
  resend?: string;
};

/** An entry without a detail, unless `more` has one. */
export function eventOf(
  kind: EventKind,
  id: string,
  at: Date,
  { title, who, ...more }: Pick<TimelineEvent, 'title' | 'who'> & Partial<TimelineEvent>,
): TimelineEvent {
  return { id, kind, at: at.toISOString(), title, detail: null, who, ...more };
}

export type PaymentHistory = {
  payment: Payment;
  session: Session | null;
  transactions: Transaction[];
  callbacks: CallbackHistory[];
  done: AuditRecordWithActor[];
  requests: PaymentRequest[];
  messages: PaymentMessage[];
  agreements: RecordedAgreement[];
  unresolved: Unresolved[];
  /** Names of the MIDs by their ids. */
  mids: Map<string, string>;
};

type ProviderHistory = Pick<PaymentHistory, 'payment' | 'transactions' | 'callbacks' | 'mids'>;

/** The events of the transactions, each with its part of the routing log, which ends with the selected account. */
export function providerEvents(result: ProviderHistory): TimelineEvent[] {
  const parts: RoutingStep[][] = [[]];
  for (const step of result.payment.routingLog) {
    parts.at(-1)?.push(step);
    if (step.taken) parts.push([]);
  }
  const attempts = result.transactions.filter(isAttempt);
  // Of the attempts of a long history only the latest are read.
  const omitted = Math.max(0, parts.length - 1 - attempts.length);
  return result.transactions.flatMap((transaction) => [
    ...routingEvent(
      transaction,
      (isAttempt(transaction) && parts[omitted + attempts.indexOf(transaction)]) || [],
      result,
    ),
    ...transactionEvents(transaction, result),
  ]);
}

function routingEvent(transaction: Transaction, steps: RoutingStep[], { mids }: ProviderHistory): TimelineEvent[] {
  const taken = steps.find((step) => step.taken);
  if (!taken) return [];
  const name = (midId: string) => mids.get(midId) ?? midId;
  return [
    eventOf('routing', `${transaction.id}-routing`, transaction.createdAt, {
      title: `Routed to ${name(taken.midId)}`,
      who: 'Florin',
      routing: steps.map((step) => ({ mid: name(step.midId), why: step.why, taken: step.taken })),
    }),
  ];
}

/** Two events: the request and its outcome, with 3DS between. An open transaction has only the first. */
function transactionEvents(transaction: Transaction, result: ProviderHistory): TimelineEvent[] {
  const { id, kind, amountMinor, currency, attemptId } = transaction;
  const { payment } = result;
  const mid = result.mids.get(transaction.midId) ?? 'the provider';
  const title = `${kindNames[kind]} of ${moneyText(amountMinor, currency)}`;
  const paidBy = payment.attemptId === id ? methodText(methodLabel(payment)) : null;
  const chargeback = kind === 'chargeback';
  const stopped = isStopped(transaction);
  const sent = eventOf('provider', `${id}-sent`, transaction.createdAt, {
    title: chargeback ? title : stopped ? `${title} stopped before ${mid}` : `${title} sent to ${mid}`,
    detail: chargeback ? chargebackText(transaction) : attemptId === null ? paidBy : null,
    who: chargeback ? mid : 'Florin',
    ...(chargeback && { status: 'chargeback' }),
    facts: [{ name: attemptId === null ? 'trans_id' : 'Transaction', value: id, code: true }],
  });
  const requested = challengeEvents(transaction, result, mid);
  if (isNotFinal(transaction)) {
    return [{ ...sent, tag: openTag[transaction.status as keyof typeof openTag] }, ...requested];
  }
  if (chargeback) return [sent];
  return [sent, ...requested, ...checkedEvents(transaction), outcomeEvent(transaction, result, mid)];
}

/** Declined by Florin for card testing; the routing log has the measured values. */
const isStopped = ({ declineCode }: Transaction) => declineCode === testingDecline.code;

const openTag: Record<Exclude<Status, 'success' | 'fail'>, TimelineEvent['tag']> = {
  sent: { text: 'no response yet', tone: 'warn' },
  unknown: { text: 'unknown, polling the provider', tone: 'warn' },
  waiting: { text: 'in progress at the provider', tone: 'warn' },
  challenge: { text: 'payer at the 3DS challenge', tone: 'plain' },
  redirect: { text: "payer on the provider's page", tone: 'plain' },
};

function chargebackText({ providerData }: Transaction): string | null {
  const { reason_code: code, chargeback_date: date, bank_date: bankDate } = (providerData.extended ?? {}) as Texts;
  const reported = bankDate && `reported by the issuer on ${bankDate}`;
  return [code && `Reason code ${code}`, date && `of ${date}`, reported].filter(Boolean).join(', ') || null;
}

type Texts = Record<string, string | undefined>;

/** The payer was sent to the challenge. The callback of this step gives the time. */
function challengeEvents(transaction: Transaction, { callbacks }: ProviderHistory, mid: string): TimelineEvent[] {
  const step = callbacks.find(({ type, transactionId }) => type === '3ds' && transactionId === transaction.id);
  if (!step) return [];
  const texts = { title: '3DS challenge required', detail: 'The payer authenticates with the issuer', who: mid };
  return [eventOf('3ds', `${transaction.id}-challenge`, step.createdAt, texts)];
}

const passed = new Set(['Y', 'A']);

function checkedEvents(transaction: Transaction): TimelineEvent[] {
  const { threeDS } = transaction.providerData;
  if (!threeDS) return [];
  const { transStatus, protocolVersion, eci, authenticationFlow: flow } = threeDS as Texts;
  const ok = transStatus !== undefined && passed.has(transStatus);
  const detail = [protocolVersion && `Version ${protocolVersion}`, eci && `eci ${eci}`, flow && `${flow} flow`];
  return [
    eventOf('3ds', `${transaction.id}-3ds`, endOf(transaction), {
      title: ok ? '3DS passed' : '3DS failed',
      who: 'Payer',
      detail: detail.filter(Boolean).join(', ') || null,
      ...(transStatus && { tag: { text: `transStatus ${transStatus}`, tone: 'plain' } }),
    }),
  ];
}

const endOf = ({ finishedAt, createdAt }: Transaction) => finishedAt ?? createdAt;

function outcomeEvent(transaction: Transaction, { payment }: ProviderHistory, mid: string): TimelineEvent {
  const { id, kind, status, providerData, declineCode, declineReason, declineClass, declineSoft, dueAt } = transaction;
  const who = isStopped(transaction) ? 'Florin' : mid;
  const facts = factsOf(transaction);
  const outcome = (texts: Pick<TimelineEvent, 'title' | 'detail' | 'facts' | 'tag'>) =>
    eventOf('provider', `${id}-outcome`, endOf(transaction), { ...texts, who });
  if (status === 'fail') {
    const why = isStopped(transaction)
      ? 'not sent to the issuer'
      : declineClass && declineLabels[declineClass]?.toLowerCase();
    const more = [why, declineSoft && 'a retry may succeed'].filter(Boolean);
    const detail = [declineReason, more.length > 0 ? `(${more.join('; ')})` : null].filter(Boolean).join(' ');
    const tag = declineCode ? { text: declineCode, tone: 'bad' as const } : undefined;
    return outcome({ title: `${kindNames[kind]} declined`, detail: detail || null, facts, ...(tag && { tag }) });
  }
  const { approvalCode, descriptor } = providerData;
  const tag = approvalCode ? { text: `authorisation code ${approvalCode}`, tone: 'ok' as const } : undefined;
  const until = kind === 'authorize' && payment.state === 'pending' && dueAt?.toISOString();
  return outcome({
    title: `${kindNames[kind]} approved`,
    detail: descriptor ? `Descriptor ${descriptor}` : null,
    facts: [...(until ? [{ name: 'Authorised until', value: until, time: true }] : []), ...facts],
    ...(tag && { tag }),
  });
}

function factsOf({ providerData }: Transaction): Fact[] {
  const named: [string, string | undefined][] = [
    ['Provider reference', providerData.providerRef],
    ['RRN', providerData.rrn],
    ['ARN', providerData.arn],
  ];
  return named.flatMap(([name, value]) => (value ? [{ name, value, code: true }] : []));
}

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
export function requestEvents(payment: Payment, session: Session | null, requests: PaymentRequest[], now: Date) {
  const [first, ...others] = requests;
  const isOpening =
    first?.refusedAt === null && Math.abs(first.at.getTime() - payment.createdAt.getTime()) < openingSeconds * 1000;
  const opening = isOpening ? first : null;
  const later = opening ? others : requests;
  return [opened(payment, session, opening), ...runs(later).map(requestEvent), ...sessionEnd(payment, session, now)];
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

function sessionEnd(payment: Payment, session: Session | null, now: Date): TimelineEvent[] {
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
  return messages.map(({ id, channel, recipient, subject, state, error, createdAt, sentAt, isReceipt }) => {
    const channelName = channel === 'email' ? 'Email' : 'SMS';
    const word = { waiting: 'is in progress', sent: 'sent', failed: 'not sent' }[state];
    return eventOf('payer', `message-${id}`, sentAt ?? createdAt, {
      title: `${channelName} with the ${isReceipt ? 'receipt' : 'link'} ${word}`,
      detail: [recipient && `To ${recipient}`, subject && `“${subject}”`, error].filter(Boolean).join(', ') || null,
      who: 'Florin',
    });
  });
}

/** What the payer agreed to, in the words and the language of the page; without words, that it applies no longer. */
export function agreementEvents(agreements: RecordedAgreement[]): TimelineEvent[] {
  const agreed = (ticked: boolean) => (ticked ? 'Payer agreed by a ticked box' : 'Payer agreed by submitting the page');
  return agreements.map(({ id, text, language, ticked, createdAt }) =>
    eventOf('payer', `agreement-${id}`, createdAt, {
      title: text === '' ? 'Payer withdrew the agreement' : agreed(ticked),
      detail: text === '' ? 'Nothing was agreed to with the next attempt.' : text.replaceAll('\n', '; '),
      who: 'Payer',
      facts: [{ name: 'Language', value: language }],
    }),
  );
}
