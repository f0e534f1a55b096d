// Completes an unfinished operation, by the payer's answer on a page or when it is due, in one guarded change with its
// notifications, so that it completes once; and the jobs that complete due operations and notify the gateway, signed
// and with retries. Both are due rows, so that a restart loses nothing.
import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import { env } from '../../config/index.ts';
import { brandOf } from '../../core/cards.ts';
import { formatAmount, parseAmount } from '../../core/money.ts';
import type { SandboxDecline } from '../../core/sandbox-cards.ts';
import { signWebhook } from '../../core/webhooks.ts';
import { prisma, statement } from '../../db/index.ts';
import { log } from '../../telemetry/index.ts';
import { signingSecretOf } from './api-keys.ts';
import type { Change, Notification, Operation, ProviderFacts } from './operation.ts';
import { declinedByProcessing, notConfirmedInTime } from './operation.ts';
import { findById, findDue, updateOperation, withLocked } from './operation-queries.ts';
import { finished, network } from './scenario.ts';
import { writeAnswer } from './wire.ts';

/** How long an operation left pending takes, and the delay of an out-of-order notification. */
const pendingSeconds = 3;
const belatedSeconds = 2;

const later = (at: Date, seconds: number) => new Date(at.getTime() + seconds * 1000);

/** Completes an unfinished operation as its scenario says, or with `decline`. Returns the operation afterwards. */
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

/** Completes a due operation; any other is returned unchanged. */
export async function completeDue(operation: Operation, at: Date): Promise<Operation> {
  if (!operation.dueAt || operation.dueAt > at) return operation;
  return await completeOperation(operation, at, operation.scenario.expires ? notConfirmedInTime : null);
}

/**
 * The payer pays an amount: `minor`, or with null all that is missing. A payment in parts stays open and reports the
 * amount received; any other completes with what was paid.
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

/** Whether the payer may pay in several parts: a transfer, or coins with a fixed amount. */
export function isPaidInParts({ facts: { present } }: Operation): boolean {
  return present?.kind === 'details' || (present?.kind === 'crypto' && present.amount !== undefined);
}

/** The amount received so far, in minor units. */
export function receivedOf({ facts: { received }, currency }: Operation): bigint {
  const read = received === undefined ? null : parseAmount(received, currency);
  return read?.ok ? read.minor : 0n;
}

/** The payer is done and the provider takes longer: `outcome` arrives by notification. */
export async function leavePending(read: Operation, at: Date, outcome: 'settled' | 'declined'): Promise<Operation> {
  return await changeUnfinished(read, (operation) => {
    const { expires: _, ...scenario } = operation.scenario;
    const refused = outcome === 'declined' ? { outcome, decline: declinedByProcessing } : { outcome };
    const { present: __, ...facts } = operation.facts;
    const dueAt = later(at, pendingSeconds);
    return { change: { status: 'processing', scenario: { ...scenario, ...refused }, facts, dueAt }, notifications: [] };
  });
}

/** The change that completes an operation. */
export function endOf(
  operation: Operation,
  at: Date,
  decline: SandboxDecline | null,
  facts: ProviderFacts = {},
): Change & { status: Operation['status'] } {
  const end = decline ? { status: 'declined' as const, decline } : finished(operation.scenario);
  const taken = end.status === 'approved' ? { capturedMinor: operation.amountMinor, capturedAt: at } : {};
  const { cardMask, descriptor } = operation;
  const added = end.status === 'declined' || cardMask === null ? {} : network(brandOf(cardMask)?.id, descriptor);
  const bankStatus = bankStatusOf(operation, end.status);
  const extended = bankStatus && { extended: { ...operation.facts.extended, bank_status: bankStatus } };
  return { ...end, ...taken, facts: { ...operation.facts, ...facts, ...extended, ...added }, dueAt: null };
}

/** The bank's own status of ips (ISO 20022); undefined for other methods. */
function bankStatusOf({ method }: Operation, status: Operation['status']): string | undefined {
  if (method !== 'ips') return undefined;
  return status === 'declined' ? 'RJCT' : 'ACSC';
}

/** One notification of an operation as it is when sent. */
export const notificationNow = (at: Date): Notification => ({ messageId: randomUUID(), createdAt: at, dueAt: at });

/** The notifications of a completion: one, unless another outcome was forced. */
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
      const older = { ...notificationNow(at), body: writeAnswer(before, env.baseUrl) };
      return [notifications, { ...older, dueAt: later(at, belatedSeconds) }];
    }
    default:
      return [notifications];
  }
}

/** Changes an operation as it is now, unless it is finished. */
export async function changeUnfinished(
  read: Operation,
  decide: (operation: Operation) => { change: Change; notifications: Notification[] },
): Promise<Operation> {
  if (!isUnfinished(read)) return read;
  const after = await withLocked(read.id, async (operation, tables) => {
    if (!isUnfinished(operation)) return operation;
    const { change, notifications } = decide(operation);
    return updateOperation(tables, operation, change, notifications);
  });
  return after as Operation;
}

/** Whether an operation still waits for its payer or its due time. */
export function isUnfinished(operation: Pick<Operation, 'status'>): boolean {
  return operation.status === 'challenge' || operation.status === 'redirect' || operation.status === 'processing';
}

const attemptSeconds = 10;

type Claimed = { id: string; messageId: string; body: object | null; operationId: string; url: string };

/** Completes due operations and sends due notifications. Returns the number of rows. */
export async function simulatorTick(now: Date): Promise<number> {
  const due = await findDue(now);
  for (const operation of due) await completeDue(operation, now);
  const claimed = await claimDue({ now });
  await Promise.all(claimed.map((notification) => deliver(notification, now)));
  return due.length + claimed.length;
}

// Claiming sets the next attempt, which is also the lease: after 5 s, 20 s, 80 s, 5 min, 20 min; then it stops.
const claimDue = statement<{ now: Date }, Claimed>(
  'sim-notify-claim',
  `update sim_notifications n set attempts = attempts + 1,
      due_at = case when attempts < 5 then :now::timestamptz + interval '5 seconds' * power(4, attempts) end
    from sim_operations o
    where o.id = n.operation_id and n.id in (
      select id from sim_notifications where due_at <= :now::timestamptz order by due_at limit 50 for update skip locked)
    returning n.id, coalesce(n.message_id, n.id) as "messageId", n.body, n.operation_id as "operationId",
      o.notify_url as url`,
);

async function deliver({ id, messageId, body: said, operationId, url }: Claimed, now: Date): Promise<void> {
  const operation = await findById(operationId);
  if (!operation) return;
  const body = JSON.stringify(said ?? writeAnswer(operation, env.baseUrl));
  const headers = {
    'content-type': 'application/json',
    ...signWebhook(signingSecretOf(env.vaultKey, operation.account), messageId, now, body),
  };
  try {
    const signal = AbortSignal.timeout(attemptSeconds * 1000);
    const answer = await request(url, { method: 'POST', headers, body, signal });
    await answer.body.dump();
    if (answer.statusCode < 200 || answer.statusCode > 299) throw new Error(`http ${answer.statusCode}`);
    await prisma().simNotification.update({ where: { id }, data: { deliveredAt: now, dueAt: null } });
  } catch (err) {
    const why = (err as Error).message;
    log.info({ notification: id, why }, 'the sandbox provider could not deliver a notification');
  }
}
