// How an unfinished operation ends: by the payer's answer on a page, or by itself when its time has come. Both are one
// guarded change, so that an operation ends once however many try, together with the notifications that tell of it.
import { randomUUID } from 'node:crypto';
import { env } from '../../config/config';
import { brandOf } from '../../core/cards';
import { formatAmount, parseAmount } from '../../core/money';
import type { SandboxDecline } from '../../core/sandbox-cards';
import type { Change, Notification, Operation, ProviderFacts } from './operation';
import { findById, updateOperation } from './operations';
import { declinedByProcessing, notConfirmedInTime } from './outcomes';
import { finished, network } from './scenario';
import { writeAnswer } from './wire';

/** How long an operation that a payer has left pending goes on, and how much later an older notification arrives. */
const pendingSeconds = 3;
const belatedSeconds = 2;

/** What the bank of ips calls the end of a payment (ISO 20022). */
const bankStatuses = { settled: 'ACSC', declined: 'RJCT' } as const;

const later = (at: Date, seconds: number) => new Date(at.getTime() + seconds * 1000);

/**
 * Ends an operation as its scenario says, or with `decline` when the payer refused. Returns it as it is afterwards; one
 * that has ended already stays as it is.
 */
export async function completeOperation(
  read: Operation,
  at: Date,
  decline: SandboxDecline | null = null,
  facts: ProviderFacts = {},
): Promise<Operation> {
  return await changeUnfinished(read, (operation) => {
    const change = endOf(operation, at, decline, facts);
    return { change, notifications: notificationsOf(operation, { ...operation, ...change }, at) };
  });
}

/** Ends an operation whose time has come; any other is returned as it is. */
export async function completeDue(operation: Operation, at: Date): Promise<Operation> {
  if (!operation.dueAt || operation.dueAt > at) return operation;
  return await completeOperation(operation, at, operation.scenario.lapses ? notConfirmedInTime : null);
}

/**
 * The payer pays an amount: `minor`, or with null all that is missing. Where payers pay in parts, a payment of which
 * something is missing goes on and tells what it has received; any other payment ends with what was paid.
 */
export async function payAmount(
  read: Operation,
  at: Date,
  minor: bigint | null,
  facts: ProviderFacts = {},
): Promise<Operation> {
  return await changeUnfinished(read, (operation) => {
    const { amountMinor, currency } = operation;
    const before = receivedOf(operation);
    const paid = minor === null ? amountMinor : before + minor;
    if (isPaidInParts(operation) && paid < amountMinor) {
      const received = formatAmount(paid, currency);
      return { change: { facts: { ...operation.facts, received } }, notifications: [notificationNow(at)] };
    }
    const whole = { ...operation, amountMinor: paid };
    const end = endOf(whole, at, null, facts);
    const change = end.status === 'declined' ? end : { ...end, amountMinor: paid };
    return { change, notifications: notificationsOf(operation, { ...operation, ...change }, at) };
  });
}

/** Whether the payer may send the amount in several parts: a transfer, or coins of which a certain amount is asked. */
export function isPaidInParts({ facts: { present } }: Operation): boolean {
  return present?.kind === 'details' || (present?.kind === 'crypto' && present.amount !== undefined);
}

/** What has arrived so far, in minor units. */
export function receivedOf({ facts: { received }, currency }: Operation): bigint {
  const read = received === undefined ? null : parseAmount(received, currency);
  return read?.ok ? read.minor : 0n;
}

/** The payer has done their part, and the provider takes a moment longer: for `outcome` to come by notification. */
export async function leavePending(read: Operation, at: Date, outcome: 'settled' | 'declined'): Promise<Operation> {
  return await changeUnfinished(read, (operation) => {
    const { lapses: _, ...scenario } = operation.scenario;
    const refused = outcome === 'declined' ? { outcome, decline: declinedByProcessing } : { outcome };
    const { present: __, ...facts } = operation.facts;
    const change: Change = {
      status: 'processing',
      scenario: { ...scenario, ...refused },
      facts,
      dueAt: later(at, pendingSeconds),
    };
    return { change, notifications: [] };
  });
}

/** What ends an operation, as a change of it. */
export function endOf(
  operation: Operation,
  at: Date,
  decline: SandboxDecline | null,
  facts: ProviderFacts = {},
): Change & { status: Operation['status'] } {
  const end = decline ? { status: 'declined' as const, decline } : finished(operation.scenario);
  const taken = end.status === 'approved' ? { capturedMinor: operation.amountMinor, capturedAt: at } : {};
  const added = end.status === 'declined' ? {} : factsOf(operation);
  return {
    ...end,
    ...taken,
    facts: { ...operation.facts, ...facts, ...bankFacts(operation, end.status), ...added },
    dueAt: null,
  };
}

function factsOf({ cardMask, descriptor }: Operation): ProviderFacts {
  return cardMask === null ? {} : network(brandOf(cardMask)?.id, descriptor);
}

const bankStatusOf = ({ method }: Operation, status: Operation['status']) => {
  if (method !== 'ips') return undefined;
  return status === 'declined' ? bankStatuses.declined : bankStatuses.settled;
};

function bankFacts(operation: Operation, status: Operation['status']): ProviderFacts {
  const bankStatus = bankStatusOf(operation, status);
  return bankStatus ? { extended: { ...operation.facts.extended, bank_status: bankStatus } } : {};
}

/** One notification of an operation as it is when it is sent. */
export const notificationNow = (at: Date): Notification => ({ messageId: randomUUID(), at, dueAt: at });

/** The notifications of an operation's end: one, unless another outcome was forced. */
function notificationsOf(before: Operation, after: Operation, at: Date): Notification[] {
  const bankStatus = bankStatusOf(after, after.status);
  const notifications = {
    ...notificationNow(at),
    ...(bankStatus && { body: { reference: after.key, bank_status: bankStatus } }),
  };
  switch (after.scenario.forced) {
    case 'duplicated':
      return [notifications, notifications, notifications];
    case 'out_of_order': {
      const older = { messageId: randomUUID(), body: writeAnswer(before, env.baseUrl), at };
      return [notifications, { ...older, dueAt: later(at, belatedSeconds) }];
    }
    default:
      return [notifications];
  }
}

async function changeUnfinished(
  read: Operation,
  decide: (operation: Operation) => { change: Change; notifications: Notification[] },
): Promise<Operation> {
  let operation = read;
  while (isUnfinished(operation)) {
    const { change, notifications } = decide(operation);
    if (await updateOperation(operation, change, notifications))
      return { ...operation, ...change, version: operation.version + 1 };
    operation = (await findById(operation.id)) ?? operation;
  }
  return operation;
}

/** Whether an operation still waits for its payer or its time. */
export function isUnfinished(operation: Pick<Operation, 'status'>): boolean {
  return operation.status === 'challenge' || operation.status === 'redirect' || operation.status === 'processing';
}
