/** Provider requests and responses as timeline events: routing, 3DS and the outcome. */

import { isAttempt, isNotFinal, type RoutingStep, type Status, type Transaction } from '../../core/payment.ts';
import { testingDecline } from '../../risk/index.ts';
import { kindNames, methodLabel, methodText, moneyText } from '../labels.ts';
import type { Fact } from '../lists/rows.ts';
import { declineLabels } from './decline-labels.ts';
import { eventOf, type PaymentHistory, type TimelineEvent } from './timeline-event.ts';

type ProviderHistory = Pick<PaymentHistory, 'payment' | 'transactions' | 'callbacks' | 'mids'>;

/** The events of the transactions, each with the routing that led to it. */
export function providerEvents(result: ProviderHistory): TimelineEvent[] {
  const steps = waysOf(result);
  return result.transactions.flatMap((transaction) => [
    ...routingEvent(transaction, steps.get(transaction.id) ?? [], result),
    ...transactionEvents(transaction, result),
  ]);
}

/** The routing log split by attempt: each part ends with the selected account. */
function waysOf({ payment, transactions }: ProviderHistory): Map<string, RoutingStep[]> {
  const parts: RoutingStep[][] = [[]];
  for (const step of payment.routingLog) {
    parts.at(-1)?.push(step);
    if (step.taken) parts.push([]);
  }
  const steps = new Map<string, RoutingStep[]>();
  for (const [at, attempt] of transactions.filter(isAttempt).entries()) steps.set(attempt.id, parts[at] ?? []);
  return steps;
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
      ...{ title: ok ? '3DS passed' : '3DS failed', who: 'Payer' },
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

/** The provider's references of a transaction. */
function factsOf({ providerData }: Transaction): Fact[] {
  const named: [string, string | undefined][] = [
    ['Provider reference', providerData.providerRef],
    ['RRN', providerData.rrn],
    ['ARN', providerData.arn],
  ];
  return named.flatMap(([name, value]) => (value ? [{ name, value, code: true }] : []));
}
