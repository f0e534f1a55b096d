/**
 * What a provider's answer means for a payment: one function for the first answer, the return of the payer, the
 * notification and the poll, so that all of them converge. Whatever is not certain stays open and is asked again.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Decline, Facts, Outcome } from '../connectors/connector';
import type { Presentation } from '../core/presentation';
import { type Event, nextState } from '../core/states';
import { log } from '../log';
import { queueMessage } from '../outbox/queue';
import { advance, type Move, postpone, type Report } from './advance';
import { findBoth } from './find';
import { newId } from './ids';
import { callerOf, findMid } from './merchants';
import { isAttempt, isOpen, type Payment, type Transaction } from './payment';
import { subscriptionOf } from './schedules';
import { findSession } from './sessions';

/** A payer who has not come back from the bank's page by then never will. */
export const challengeSeconds = 15 * 60;
/** Bank and wallet pages take longer. */
export const redirectSeconds = 60 * 60;
/** A link that was sent is opened within a day or not at all. */
export const messageSeconds = 24 * 60 * 60;
/** A call whose key the provider does not know this long after it was due back has never reached it. */
const absentSeconds = 30;

type Both = { payment: Payment; transaction: Transaction };
type MessagePresentation = Extract<Presentation, { kind: 'message' }>;

/**
 * Writes an outcome down. Safe to call any number of times with any answer about the same transaction, in any order:
 * a transaction that is final stays as it is. So does one that is being cancelled, unless the outcome is what `cancelled` it or
 * was asked for after that was refused: any other answer may be older than the cancellation. Returns both as they are
 * afterwards.
 */
export async function settle(both: Both, outcome: Outcome, now: Date, cancelled = false): Promise<Both> {
  let { payment, transaction } = both;
  for (let round = 0; round < 8; round++) {
    if (!isOpen(transaction) || (transaction.cancelReason !== null && !cancelled)) return { payment, transaction };
    const move = await moveOf(payment, transaction, outcome, now);
    if ('askAgain' in move) {
      await postpone(transaction, move.askAgain);
      return { payment, transaction };
    }
    // Before the state moves: a crash in between sends the message all the same, and only once.
    if (move.facts?.present?.kind === 'message') await sendLink(both, move.facts.present, now);
    const moved = await advance(move, now);
    if (moved) {
      log.info(
        { payment: payment.id, transaction: transaction.id, kind: transaction.kind, outcome: outcome.kind },
        `payment ${moved.state}`,
      );
      return { payment: moved, transaction: closed(transaction, move, now) };
    }
    const fresh = await findBoth(transaction.id);
    if (!fresh) throw new Error(`transaction ${transaction.id} is gone`);
    ({ payment, transaction } = fresh);
  }
  throw new Error(`transaction ${transaction.id} could not be written down`);
}

/** Sends the payer the link that the provider has made for them. */
async function sendLink({ payment, transaction }: Both, present: MessagePresentation, now: Date): Promise<void> {
  const { payer, currency } = payment;
  const [caller, found] = await Promise.all([callerOf(payment), findSession(payment.id)]);
  await queueMessage(
    {
      paymentId: payment.id,
      transactionId: transaction.id,
      channel: present.channel,
      to: present.channel === 'email' ? payer.email : payer.phone,
      url: present.url,
      expiresAt: present.expiresAt,
      language: found?.session.language ?? payer.language ?? caller.mapping.defaultLanguage,
      merchantName: caller.merchant.name,
      amount: { minor: transaction.amountMinor, currency },
    },
    now,
  );
}

/** The transaction as the statement left it, so that it need not be read again. */
function closed(transaction: Transaction, move: Move, now: Date): Transaction {
  return {
    ...transaction,
    status: move.status,
    facts: { ...transaction.facts, ...move.facts },
    action: move.action ?? transaction.action,
    declineCode: move.decline?.code ?? null,
    declineReason: move.decline?.reason ?? null,
    declineClass: move.decline?.class ?? null,
    declineSoft: move.decline?.soft ?? null,
    dueAt: move.dueAt,
    finishedAt: move.status === 'success' || move.status === 'fail' ? now : null,
  };
}

async function moveOf(
  payment: Payment,
  transaction: Transaction,
  outcome: Outcome,
  now: Date,
): Promise<Move | { askAgain: Date }> {
  const known = certain(transaction, outcome, now);
  const change = isAttempt(transaction)
    ? await attemptChange(payment, transaction, known, now)
    : followUpChange(payment, transaction, known, now);
  if (!change) return { askAgain: nextAsk(transaction, now) };
  // A chargeback is a movement of its own, with its own row.
  const { chargebacks: _apart, ...facts } = change.facts ?? {};
  return { payment, transaction, dueAt: null, ...change, facts, callback: await callbackOf(payment) };
}

/** A new callback of a payment: to the address of the request, else to the mapping's (contract, Events 1). */
export async function callbackOf(payment: Payment): Promise<NonNullable<Move['callback']>> {
  const caller = await callerOf(payment);
  const url = payment.notificationUrl ?? caller.mapping.defaultNotificationUrl;
  return { id: newId(), url, address: url && new URL(url).origin };
}

/** An absent key becomes a refusal once no delayed request can arrive any more, and is unknown until then. */
export function certain(transaction: Transaction, outcome: Outcome, now: Date): Outcome {
  if (outcome.kind !== 'absent') return outcome;
  if (secondsSince(transaction.createdAt, now) < absentSeconds) return { kind: 'unknown', why: 'not arrived yet' };
  const decline: Decline = {
    code: 'not_received',
    reason: 'The provider did not receive the request',
    class: 'technical',
    soft: true,
  };
  return { kind: 'declined', decline, facts: {} };
}

type Change = Omit<Move, 'payment' | 'transaction' | 'callback' | 'dueAt'> & { dueAt?: Date };

/** The `type` under which an attempt is reported (protocol.md 7). */
function attemptType(payment: Payment, transaction: Transaction): string {
  if (payment.operation === 'recurring') return 'recurring';
  return payment.operation === 'purchase' ? 'sale' : transaction.kind;
}

async function attemptChange(
  payment: Payment,
  transaction: Transaction,
  outcome: Outcome,
  now: Date,
): Promise<Change | null> {
  const type = attemptType(payment, transaction);
  switch (outcome.kind) {
    case 'approved':
      return {
        ...(await done(payment, transaction, 'settle', { type, outcome: 'success' }, now)),
        facts: outcome.facts,
        settledMinor: transaction.amountMinor,
      };
    case 'authorized': {
      const mid = await findMid(transaction.midId);
      // The row stays due after its success: a hold that nobody captures lapses.
      const dueAt = new Date(now.getTime() + (mid?.holdDays ?? 7) * 86_400_000);
      const change = await done(payment, transaction, 'hold', { type, outcome: 'success' }, now);
      return { ...change, facts: outcome.facts, dueAt };
    }
    case 'declined':
      return {
        event: 'decline',
        status: 'fail',
        report: { type, outcome: 'fail' },
        facts: outcome.facts,
        decline: outcome.decline,
      };
    case 'challenge':
    case 'redirect':
      if (transaction.status === outcome.kind && payment.state === stateOf[outcome.kind]) return null;
      return {
        event: outcome.kind,
        status: outcome.kind,
        report: { type: outcome.kind === 'challenge' ? '3ds' : 'redirect', outcome: 'success' },
        facts: outcome.facts,
        action: outcome.action,
        dueAt: new Date(now.getTime() + 20_000),
      };
    case 'waiting':
      return outcome.facts.present || transaction.facts.present
        ? presented(payment, transaction, outcome.facts, now)
        : stillOpen(transaction, 'waiting', type, now);
    default:
      // With the payer or at work is more than nothing: a silent poll does not take it back.
      return transaction.status === 'sent' ? stillOpen(transaction, 'unknown', type, now) : null;
  }
}

/**
 * The payer is shown something, something else, or nothing more. A code to scan or an app to open leads away like a
 * redirect; with all else the payment is pending until the payer or their bank has acted.
 */
function presented(payment: Payment, transaction: Transaction, facts: Facts, now: Date): Change | null {
  const present = facts.present ?? null;
  const event = present?.kind === 'qr' || present?.kind === 'app' ? 'redirect' : 'await';
  const state = nextState(payment.state, event);
  const moves = state !== null && state !== payment.state;
  if (!moves && isDeepStrictEqual(present, transaction.facts.present ?? null)) return null;
  const dueAt = nextAsk({ ...transaction, status: 'waiting', polls: 0 }, now);
  const type = event === 'redirect' ? 'redirect' : 'init';
  const report: Report | null = moves ? { type, outcome: 'success' } : null;
  return { event: moves ? event : null, status: 'waiting', report, facts: { ...facts, present }, dueAt };
}

const stateOf = { challenge: 'threeds', redirect: 'redirect' } as const;

function stillOpen(transaction: Transaction, status: 'waiting' | 'unknown', type: string, now: Date): Change | null {
  if (transaction.status === status) return null;
  const outcome = status === 'waiting' ? 'waiting' : 'undefined';
  return { event: null, status, report: { type, outcome }, dueAt: nextAsk({ ...transaction, status, polls: 0 }, now) };
}

async function done(
  payment: Payment,
  transaction: Transaction,
  event: Event,
  report: Report,
  now: Date,
): Promise<Change> {
  // A chain that an earlier attempt has begun, whose hold has lapsed since, is the payment's still.
  const begins = payment.recurringInit && isAttempt(transaction) && payment.recurringToken === null;
  // A later charge that names a schedule puts its chain on it, unless it is the schedule that makes the charge.
  const joins = begins || (payment.recurringFirstId !== null && payment.subscriptionId === null);
  return {
    event,
    status: 'success',
    report,
    cardToken: payment.requestToken && !payment.cardToken ? randomBytes(32).toString('hex') : undefined,
    recurringToken: begins ? randomUUID() : undefined,
    ...(joins ? await subscriptionOf(payment, now) : {}),
  };
}

function followUpChange(payment: Payment, transaction: Transaction, outcome: Outcome, now: Date): Change | null {
  const { kind, amountMinor } = transaction;
  const reserved = kind === 'refund' ? { refundingMinor: -amountMinor } : {};
  switch (outcome.kind) {
    case 'approved':
    case 'authorized': {
      const event = followUpEvent(payment, transaction);
      return {
        event,
        status: 'success',
        report: { type: kind, outcome: 'success' },
        facts: outcome.facts,
        ...reserved,
        ...(kind === 'capture' ? { settledMinor: amountMinor } : {}),
        ...(kind === 'refund' ? { refundedMinor: amountMinor } : {}),
      };
    }
    case 'declined':
      return {
        event: null,
        status: 'fail',
        report: { type: kind, outcome: 'fail' },
        facts: outcome.facts,
        decline: outcome.decline,
        ...reserved,
      };
    case 'waiting':
      return stillOpen(transaction, 'waiting', kind, now);
    default:
      return transaction.status === 'sent' ? stillOpen(transaction, 'unknown', kind, now) : null;
  }
}

function followUpEvent(payment: Payment, transaction: Transaction): Event {
  switch (transaction.kind) {
    case 'capture':
      return 'capture';
    case 'refund':
      return payment.refundedMinor + transaction.amountMinor === payment.settledMinor ? 'refund' : 'refundPart';
    case 'void':
      return 'void';
    case 'reversal':
      return payment.state === 'pending' ? 'release' : 'reverse';
    case 'chargeback':
      return 'chargeback';
    default:
      throw new Error(`${transaction.kind} is not a follow-up`);
  }
}

/**
 * When to ask next: soon at first, so that even of a provider whose every third answer is lost most is known within two
 * minutes, and never later than 45 seconds while money may be on its way.
 */
export function nextAsk(transaction: Pick<Transaction, 'status' | 'polls' | 'createdAt'>, now: Date): Date {
  const age = secondsSince(transaction.createdAt, now);
  const withPayer = transaction.status === 'challenge' || transaction.status === 'redirect';
  const seconds = withPayer ? 30 : Math.min(5 * 2 ** Math.min(transaction.polls, 4), age < 120 ? 15 : 45);
  // After three days of silence a person has to look; the asking goes on, slowly.
  return new Date(now.getTime() + (age > 3 * 86_400 ? 600 : seconds) * 1000);
}

/** Whole and broken seconds between two times. */
export function secondsSince(from: Date, now: Date): number {
  return (now.getTime() - from.getTime()) / 1000;
}
