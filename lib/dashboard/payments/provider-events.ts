/** Provider requests and responses as timeline events: routing, 3DS and the outcome. */

import type { CallbackHistory } from '../../callbacks';
import type { DeclineClass } from '../../core/declines';
import {
  isAttempt,
  isNotFinal,
  type Payment,
  type RoutingStep,
  type Status,
  type Transaction,
} from '../../core/payment';
import { testingDecline } from '../../risk';
import type { Fact, TimelineEvent } from '../contract';
import { kindNames, methodLabel, moneyText } from '../labels';

type ProviderHistory = {
  payment: Payment;
  transactions: Transaction[];
  callbacks: CallbackHistory[];
  mids: Map<string, string>;
};

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
    {
      id: `${transaction.id}-routing`,
      kind: 'routing',
      at: transaction.createdAt.toISOString(),
      title: `Routed to ${name(taken.midId)}`,
      detail: null,
      who: 'Florin',
      routing: steps.map((step) => ({ mid: name(step.midId), why: step.why, taken: step.taken })),
    },
  ];
}

/** Two events: the request and its outcome, with 3DS between. An open transaction has only the first. */
function transactionEvents(transaction: Transaction, result: ProviderHistory): TimelineEvent[] {
  const { id, kind, amountMinor, currency, attemptId } = transaction;
  const { payment } = result;
  const mid = result.mids.get(transaction.midId) ?? 'the provider';
  const title = `${kindNames[kind]} of ${moneyText(amountMinor, currency)}`;
  const method = payment.attemptId === id ? methodLabel(payment) : null;
  const methodText = method && (method.last4 === null ? method.name : `${method.name} •••• ${method.last4}`);
  const chargeback = kind === 'chargeback';
  const stopped = isStopped(transaction);
  const sent: TimelineEvent = {
    id: `${id}-sent`,
    kind: 'provider',
    at: transaction.createdAt.toISOString(),
    title: chargeback ? title : stopped ? `${title} stopped before ${mid}` : `${title} sent to ${mid}`,
    detail: chargeback ? chargebackText(transaction) : attemptId === null ? methodText : null,
    who: chargeback ? mid : 'Florin',
    ...(chargeback && { status: 'chargeback' }),
    facts: [{ name: attemptId === null ? 'trans_id' : 'Transaction', value: id, code: true }],
  };
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
  const {
    reason_code: code,
    chargeback_date: date,
    bank_date: bankDate,
  } = (providerData.extended ?? {}) as Record<string, string | undefined>;
  const parts = [
    code && `Reason code ${code}`,
    date && `of ${date}`,
    bankDate && `reported by the issuer on ${bankDate}`,
  ];
  return parts.filter(Boolean).join(', ') || null;
}

/** The payer was sent to the challenge. The callback of this step gives the time. */
function challengeEvents(transaction: Transaction, { callbacks }: ProviderHistory, mid: string): TimelineEvent[] {
  const result = callbacks.find(({ type, transactionId }) => type === '3ds' && transactionId === transaction.id);
  if (!result) return [];
  const at = result.createdAt.toISOString();
  return [
    {
      id: `${transaction.id}-challenge`,
      kind: '3ds',
      at,
      title: '3DS challenge required',
      detail: 'The payer authenticates with the issuer',
      who: mid,
    },
  ];
}

const passed = new Set(['Y', 'A']);

function checkedEvents(transaction: Transaction): TimelineEvent[] {
  const { threeDS } = transaction.providerData;
  if (!threeDS) return [];
  const { transStatus, protocolVersion, eci, authenticationFlow } = threeDS as Record<string, string | undefined>;
  const ok = transStatus !== undefined && passed.has(transStatus);
  const detail = [
    protocolVersion && `Version ${protocolVersion}`,
    eci && `eci ${eci}`,
    authenticationFlow && `${authenticationFlow} flow`,
  ];
  return [
    {
      id: `${transaction.id}-3ds`,
      kind: '3ds',
      at: (transaction.finishedAt ?? transaction.createdAt).toISOString(),
      title: ok ? '3DS passed' : '3DS failed',
      detail: detail.filter(Boolean).join(', ') || null,
      who: 'Payer',
      ...(transStatus && { tag: { text: `transStatus ${transStatus}`, tone: 'plain' as const } }),
    },
  ];
}

const declineClassLabels: Record<DeclineClass, string> = {
  data: 'invalid card data',
  funds: 'insufficient funds or limit exceeded',
  bank: 'issuer declined',
  technical: 'issuer unavailable',
  unconfirmed: 'authentication failed',
};

function outcomeEvent(transaction: Transaction, { payment }: ProviderHistory, mid: string): TimelineEvent {
  const { id, kind, status, providerData, declineCode, declineReason, declineClass, declineSoft } = transaction;
  const at = (transaction.finishedAt ?? transaction.createdAt).toISOString();
  const base = { id: `${id}-outcome`, kind: 'provider' as const, at, who: isStopped(transaction) ? 'Florin' : mid };
  if (status === 'fail') {
    const why = isStopped(transaction) ? 'not sent to the issuer' : declineClass && declineClassLabels[declineClass];
    const more = [why, declineSoft && 'a retry may succeed'].filter(Boolean);
    const detail = [declineReason, more.length > 0 ? `(${more.join('; ')})` : null].filter(Boolean).join(' ');
    const tag = declineCode ? { text: declineCode, tone: 'bad' as const } : undefined;
    const title = `${kindNames[kind]} declined`;
    return { ...base, title, detail: detail || null, facts: factsOf(transaction), ...(tag && { tag }) };
  }
  const tag = providerData.approvalCode
    ? { text: `authorisation code ${providerData.approvalCode}`, tone: 'ok' as const }
    : undefined;
  const authorised = kind === 'authorize' && payment.state === 'pending' && transaction.dueAt !== null;
  return {
    ...base,
    title: `${kindNames[kind]} approved`,
    detail: providerData.descriptor ? `Descriptor ${providerData.descriptor}` : null,
    facts: [
      ...(authorised ? [{ name: 'Authorised until', value: transaction.dueAt?.toISOString() ?? '', time: true }] : []),
      ...factsOf(transaction),
    ],
    ...(tag && { tag }),
  };
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
