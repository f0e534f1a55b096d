/**
 * What a provider's answer means for a payment: one function for the first answer, the return of the payer, the
 * notification and the poll, so that all of them converge. Whatever is not certain stays open and is asked again.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Outcome } from '../../connectors';
import { newId } from '../../core/ids';
import { formatAmount, type Money } from '../../core/money';
import { isAttempt, isNotFinal, type Payment, type PaymentWithTransaction, type Transaction } from '../../core/payment';
import type { Presentation } from '../../core/presentation';
import type { ProviderData } from '../../core/provider-data';
import { type Event, nextState } from '../../core/states';
import { waitBeforeRetry } from '../../db';
import { callerOf, findMid } from '../../merchants';
import { queueMessage } from '../../outbox';
import { planSubscription } from '../../schedules';
import { log } from '../../telemetry';
import { findPaymentWithTransaction } from '../queries';
import { findSession } from '../sessions';
import {
  type CallbackReport,
  commitTransition,
  notReceivedAfterSeconds,
  reschedulePoll,
  type Transition,
} from '../transitions';
import { callbackTypeOf, compareFinalOutcome, createUnresolved, type UnresolvedKind } from '../unresolved';

/** How often an outcome that meets other changes of its payment is decided again: forty refunds at once need twenty. */
const maxRounds = 100;

/** A payer who has not come back from the bank's page by then never will. */
export const challengeSeconds = 15 * 60;
/** Bank and wallet pages take longer. */
export const redirectSeconds = 60 * 60;
/** A link that was sent is opened within a day or not at all. */
export const messageSeconds = 24 * 60 * 60;
type MessagePresentation = Extract<Presentation, { kind: 'message' }>;

/**
 * Writes an outcome down. Safe to call any number of times with any answer about the same transaction, in any order:
 * a transaction that is final stays as it is. So does one that is being cancelled, unless the outcome is what `cancelled` it or
 * was asked for after that was refused: any other answer may be older than the cancellation. Returns both as they are
 * afterwards.
 */
export async function applyOutcome(
  both: PaymentWithTransaction,
  outcome: Outcome,
  now: Date,
  cancelled = false,
): Promise<PaymentWithTransaction> {
  let { payment, transaction } = both;
  for (let round = 0; round < maxRounds; round++) {
    if (!isNotFinal(transaction)) {
      // It was read as open: the answer is later than another outcome, with which it may not agree.
      if (round > 0) await compareFinalOutcome({ payment, transaction }, outcome, now);
      return { payment, transaction };
    }
    if (transaction.cancelReason !== null && !cancelled) return { payment, transaction };
    const found = findDiscrepancy(transaction, outcome);
    const known = found && found.kind !== 'overpaid' ? unknownOutcome(found.kind) : outcome;
    const move = await transitionOf(payment, transaction, known, now);
    // Before the state moves: what is final is not compared again, and an item is opened only once.
    if (found && !mayStillChange(transaction, found)) {
      await createUnresolved({ payment, transaction }, found.kind, found.amount, now);
    }
    if ('askAgain' in move) {
      await reschedulePoll(transaction, move.askAgain);
      return { payment, transaction };
    }
    // Before the state moves: a crash in between sends the message all the same, and only once.
    if (move.providerData?.present?.kind === 'message') await sendPaymentLink(both, move.providerData.present, now);
    const moved = await commitTransition(move, now);
    if (moved) {
      log.info(
        { payment: payment.id, transaction: transaction.id, kind: transaction.kind, outcome: outcome.kind },
        `payment ${moved.state}`,
      );
      return { payment: moved, transaction: afterTransition(transaction, move, now) };
    }
    await waitBeforeRetry(round);
    const fresh = await findPaymentWithTransaction(transaction.id);
    if (!fresh) throw new Error(`transaction ${transaction.id} is gone`);
    ({ payment, transaction } = fresh);
  }
  throw new Error(`transaction ${transaction.id} could not be written down`);
}

const unknownOutcome = (why: string): Outcome => ({ kind: 'unknown', why });

type Discrepancy = { kind: UnresolvedKind; amount: Money };

/**
 * Whether an answer that claims success is about something else than was requested: another amount or currency, an
 * authorisation where money was to be taken. Such an answer is never booked as the payment's.
 */
function findDiscrepancy(transaction: Transaction, outcome: Outcome): Discrepancy | null {
  if (outcome.kind !== 'approved' && outcome.kind !== 'authorized') return null;
  const { kind, amountMinor: minor, currency, method } = transaction;
  const amount = outcome.amount ?? { minor, currency };
  if (outcome.kind === 'authorized' && kind !== 'authorize') return { kind: 'wrong_outcome', amount };
  // A void is whole; what it gave back is the payment's.
  if (!outcome.amount || isPayerChosenAmount(transaction) || kind === 'void' || kind === 'reversal') return null;
  if (amount.minor === minor && amount.currency === currency) return null;
  // Who sends a transfer or a coin chooses the amount; a card is charged what the provider was told.
  const isPayers = isAttempt(transaction) && amount.currency === currency && !cardLike.includes(method);
  if (!isPayers) return { kind: 'amount_mismatch', amount };
  if (amount.minor < minor) return { kind: 'underpaid', amount };
  return { kind: 'overpaid', amount: { minor: amount.minor - minor, currency } };
}

/** A sale that is only authorised may be taken a moment later: it is asked about until its answer is long overdue. */
function mayStillChange({ overdueSeconds }: Transaction, { kind }: Discrepancy): boolean {
  return kind === 'wrong_outcome' && (overdueSeconds ?? -1) < notReceivedAfterSeconds;
}

const cardLike = ['card', 'applepay', 'googlepay'];

/** The payer is shown an address for coins without an amount: whatever arrives is the amount. */
function isPayerChosenAmount({ providerData: { present } }: Transaction): boolean {
  return present?.kind === 'crypto' && present.amount === undefined;
}

/** Sends the payer the link that the provider has made for them. */
async function sendPaymentLink(
  { payment, transaction }: PaymentWithTransaction,
  present: MessagePresentation,
  now: Date,
): Promise<void> {
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
function afterTransition(transaction: Transaction, move: Transition, now: Date): Transaction {
  return {
    ...transaction,
    status: move.status,
    providerData: { ...transaction.providerData, ...move.providerData },
    action: move.action ?? transaction.action,
    declineCode: move.decline?.code ?? null,
    declineReason: move.decline?.reason ?? null,
    declineClass: move.decline?.class ?? null,
    declineSoft: move.decline?.soft ?? null,
    dueAt: move.dueAt,
    finishedAt: move.status === 'success' || move.status === 'fail' ? now : null,
  };
}

async function transitionOf(
  payment: Payment,
  transaction: Transaction,
  outcome: Outcome,
  now: Date,
): Promise<Transition | { askAgain: Date }> {
  const change = isAttempt(transaction)
    ? await attemptChange(payment, transaction, outcome, now)
    : modificationChange(payment, transaction, outcome, now);
  if (!change) return { askAgain: nextPollAt(transaction, now) };
  // A chargeback is a movement of its own, with its own row.
  const { chargebacks: _apart, ...facts } = change.providerData ?? {};
  return { payment, transaction, dueAt: null, ...change, providerData: facts, callback: await newCallback(payment) };
}

/** A new callback of a payment: to the address of the request, else to the mapping's (contract, Events 1). */
export async function newCallback(payment: Payment): Promise<NonNullable<Transition['callback']>> {
  const caller = await callerOf(payment);
  const url = payment.notificationUrl ?? caller.mapping.defaultNotificationUrl;
  return { id: newId(), url, address: url && new URL(url).origin };
}

type TransitionChange = Omit<Transition, 'payment' | 'transaction' | 'callback' | 'dueAt'> & { dueAt?: Date };

async function attemptChange(
  payment: Payment,
  transaction: Transaction,
  outcome: Outcome,
  now: Date,
): Promise<TransitionChange | null> {
  const type = callbackTypeOf(payment, transaction);
  switch (outcome.kind) {
    case 'approved': {
      if (!outcome.amount) return unknownChange(transaction, type, now);
      const taken = isPayerChosenAmount(transaction) ? outcome.amount.minor : transaction.amountMinor;
      return {
        ...(await successChange(payment, transaction, 'settle', { type, outcome: 'success' }, now)),
        providerData: withReceived(outcome.facts, outcome.amount, transaction),
        settledMinor: taken,
        ...(taken !== transaction.amountMinor && { amountMinor: taken }),
      };
    }
    case 'authorized': {
      if (!outcome.amount) return unknownChange(transaction, type, now);
      const mid = await findMid(transaction.midId);
      // The row stays due after its success: a hold that nobody captures lapses.
      const dueAt = new Date(now.getTime() + (mid?.holdDays ?? 7) * 86_400_000);
      const change = await successChange(payment, transaction, 'hold', { type, outcome: 'success' }, now);
      return { ...change, providerData: outcome.facts, dueAt };
    }
    case 'declined':
      return {
        event: 'decline',
        status: 'fail',
        report: { type, outcome: 'fail' },
        providerData: outcome.facts,
        decline: outcome.decline,
      };
    case 'challenge':
    case 'redirect':
      if (transaction.status === outcome.kind && payment.state === stateOf[outcome.kind]) return null;
      return {
        event: outcome.kind,
        status: outcome.kind,
        report: { type: outcome.kind === 'challenge' ? '3ds' : 'redirect', outcome: 'success' },
        providerData: outcome.facts,
        action: outcome.action,
        dueAt: new Date(now.getTime() + 20_000),
      };
    case 'waiting':
      return outcome.facts.present || transaction.providerData.present
        ? presentationChange(payment, transaction, withReceived(outcome.facts, outcome.received, transaction), now)
        : notFinalChange(transaction, 'waiting', type, now);
    default:
      return unknownChange(transaction, type, now);
  }
}

// With the payer or at work is more than nothing: a silent poll does not take it back.
function unknownChange(transaction: Transaction, type: string, now: Date): TransitionChange | null {
  return transaction.status === 'sent' ? notFinalChange(transaction, 'unknown', type, now) : null;
}

/** What the payer has paid so far, where that is not what was ordered: merchants read it in `extended_data`. */
function withReceived(
  facts: ProviderData,
  received: Money | undefined,
  { amountMinor, currency }: Transaction,
): ProviderData {
  if (!received || (received.minor === amountMinor && received.currency === currency)) return facts;
  const text = `${formatAmount(received.minor, received.currency)} ${received.currency}`;
  return { ...facts, extended: { ...facts.extended, received_amount: text } };
}

/**
 * The payer is shown something, something else, or nothing more. A code to scan or an app to open leads away like a
 * redirect; with all else the payment is pending until the payer or their bank has acted.
 */
function presentationChange(
  payment: Payment,
  transaction: Transaction,
  facts: ProviderData,
  now: Date,
): TransitionChange | null {
  const present = facts.present ?? null;
  const event = present?.kind === 'qr' || present?.kind === 'app' ? 'redirect' : 'await';
  const state = nextState(payment.state, event);
  const moves = state !== null && state !== payment.state;
  const isSame = facts.extended?.received_amount === transaction.providerData.extended?.received_amount;
  if (!moves && isSame && isDeepStrictEqual(present, transaction.providerData.present ?? null)) return null;
  const dueAt = nextPollAt({ ...transaction, status: 'waiting', polls: 0 }, now);
  const type = event === 'redirect' ? 'redirect' : 'init';
  const report: CallbackReport | null = moves ? { type, outcome: 'success' } : null;
  return { event: moves ? event : null, status: 'waiting', report, providerData: { ...facts, present }, dueAt };
}

const stateOf = { challenge: 'threeds', redirect: 'redirect' } as const;

function notFinalChange(
  transaction: Transaction,
  status: 'waiting' | 'unknown',
  type: string,
  now: Date,
): TransitionChange | null {
  if (transaction.status === status) return null;
  const outcome = status === 'waiting' ? 'waiting' : 'undefined';
  return {
    event: null,
    status,
    report: { type, outcome },
    dueAt: nextPollAt({ ...transaction, status, polls: 0 }, now),
  };
}

async function successChange(
  payment: Payment,
  transaction: Transaction,
  event: Event,
  report: CallbackReport,
  now: Date,
): Promise<TransitionChange> {
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
    ...(joins ? await planSubscription(payment, now) : {}),
  };
}

function modificationChange(
  payment: Payment,
  transaction: Transaction,
  outcome: Outcome,
  now: Date,
): TransitionChange | null {
  const { kind, amountMinor } = transaction;
  const reserved = kind === 'refund' ? { refundingMinor: -amountMinor } : {};
  switch (outcome.kind) {
    case 'approved': {
      if (!outcome.amount && kind !== 'void' && kind !== 'reversal') return unknownChange(transaction, kind, now);
      const event = modificationEvent(payment, transaction);
      return {
        event,
        status: 'success',
        report: { type: kind, outcome: 'success' },
        providerData: outcome.facts,
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
        providerData: outcome.facts,
        decline: outcome.decline,
        ...reserved,
      };
    case 'waiting':
      return notFinalChange(transaction, 'waiting', kind, now);
    default:
      return unknownChange(transaction, kind, now);
  }
}

function modificationEvent(payment: Payment, transaction: Transaction): Event {
  switch (transaction.kind) {
    case 'capture':
      return 'capture';
    case 'refund':
      return payment.refundedMinor + transaction.amountMinor === payment.settledMinor ? 'refund' : 'refundPart';
    case 'void':
      return 'void';
    case 'reversal':
      return payment.settledMinor === 0n ? 'release' : 'reverse';
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
export function nextPollAt(
  transaction: Pick<Transaction, 'status' | 'polls' | 'createdAt' | 'rejectedCancels'>,
  now: Date,
): Date {
  const age = secondsSince(transaction.createdAt, now);
  // A provider that refuses to cancel is asked ever more rarely: half a minute, then up to an hour.
  if (transaction.rejectedCancels > 0) {
    const seconds = Math.min(30 * 2 ** Math.min(transaction.rejectedCancels, 10), 3600);
    return new Date(now.getTime() + seconds * 1000);
  }
  const withPayer = transaction.status === 'challenge' || transaction.status === 'redirect';
  const seconds = withPayer ? 30 : Math.min(5 * 2 ** Math.min(transaction.polls, 4), age < 120 ? 15 : 45);
  // After three days of silence a person has to look; the asking goes on, slowly.
  return new Date(now.getTime() + (age > 3 * 86_400 ? 600 : seconds) * 1000);
}

/** Whole and broken seconds between two times. */
export function secondsSince(from: Date, now: Date): number {
  return (now.getTime() - from.getTime()) / 1000;
}
