/**
 * Applies a provider's outcome to a transaction and its payment. Responses, payer returns, notifications and polls all
 * use {@link applyOutcome}, so that they converge. An uncertain outcome leaves the transaction not final, and it is
 * polled again.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Outcome } from '../../connectors/index.ts';
import { formatAmount, type Money } from '../../core/money.ts';
import {
  isAttempt,
  isNotFinal,
  isRelease,
  type Payment,
  type PaymentWithTransaction,
  type Transaction,
} from '../../core/payment.ts';
import type { Presentation } from '../../core/presentation.ts';
import type { ProviderData } from '../../core/provider-data.ts';
import { type Event, nextState } from '../../core/states.ts';
import { waitBeforeRetry } from '../../db/index.ts';
import { callerOf, findMid } from '../../merchants/index.ts';
import { queueMessage } from '../../outbox/index.ts';
import { countAttemptEnd } from '../../risk/index.ts';
import { planSubscription } from '../../schedules/index.ts';
import { log } from '../../telemetry/index.ts';
import { compareLateOutcome } from '../compare-outcome.ts';
import { findSession, getPaymentWithTransaction } from '../queries.ts';
import {
  type CallbackReport,
  callbackTypeOf,
  commitTransition,
  newCallback,
  nextPollAt,
  notReceivedAfterSeconds,
  reschedulePolls,
  type Transition,
} from '../transitions.ts';
import { createUnresolved, type UnresolvedKind } from '../unresolved.ts';
import { isPresented, maskedFacts } from './presentation.ts';

/** Limit of retries where other changes of the payment come first: forty concurrent refunds need twenty. */
const maxRounds = 100;

/** Time limit of a payer on the bank's 3-D Secure page. */
export const challengeSeconds = 15 * 60;
/** Time limit on bank and wallet pages. */
export const redirectSeconds = 60 * 60;
/** Time limit of a payment link that was sent by e-mail or SMS. */
export const messageSeconds = 24 * 60 * 60;

type MessagePresentation = Extract<Presentation, { kind: 'message' }>;

/**
 * Applies an outcome. Idempotent: a final transaction does not change. One that is being cancelled changes only where
 * `cancelled` is set: the outcome is that of the cancellation, or was requested after its rejection; any other may be
 * older. One that comes after another was committed is compared with it, except a user's decision (`isDecision`), which
 * the provider has not reported. Returns the payment and transaction afterwards.
 */
export async function applyOutcome(
  both: PaymentWithTransaction,
  reported: Outcome,
  now: Date,
  cancelled = false,
  isDecision = false,
): Promise<PaymentWithTransaction> {
  let { payment, transaction } = both;
  let outcome = reported;
  for (let round = 0; round < maxRounds; round++) {
    if (!isNotFinal(transaction)) {
      if (round > 0 && !isDecision) await compareLateOutcome(transaction, outcome, now);
      return { payment, transaction };
    }
    if (transaction.cancelReason !== null && !cancelled) return { payment, transaction };
    const discrepancy = findDiscrepancy({ payment, transaction }, outcome);
    const accepted =
      discrepancy && discrepancy.kind !== 'overpaid' ? { kind: 'unknown' as const, why: discrepancy.kind } : outcome;
    const transition = await transitionOf(payment, transaction, accepted, now);
    // Before the commit: a process that ends in between leaves the difference listed, and an item is created only once.
    if (discrepancy && !mayStillChange(transaction, discrepancy)) {
      await createUnresolved({ payment, transaction }, discrepancy.kind, now, { amount: discrepancy.amount });
    }
    if ('pollAt' in transition) {
      await reschedulePolls([{ ...transaction, dueAt: transition.pollAt }]);
      return { payment, transaction };
    }
    // Before the commit: a crash in between still sends the message, and only once.
    const shown = outcome.kind === 'waiting' ? outcome.facts.present : null;
    if (shown?.kind === 'message' && transition.providerData?.present) await sendPaymentLink(both, shown, now);
    const updated = await commitTransition(transition, now);
    if (updated) {
      log.info(
        { payment: payment.id, transaction: transaction.id, kind: transaction.kind, outcome: outcome.kind },
        `payment ${updated.state}`,
      );
      const after = afterTransition(transaction, transition, now);
      // The process whose commit ended the attempt counts it, whatever led to it, so that it is counted once.
      countAttemptEnd(updated, after);
      return { payment: updated, transaction: after };
    }
    await waitBeforeRetry(round);
    const called = transaction;
    ({ payment, transaction } = await getPaymentWithTransaction(called.id));
    outcome = outcomeAfterResend(outcome, called, transaction);
  }
  throw new Error(`transaction ${transaction.id} could not be updated`);
}

/**
 * What an outcome says of a transaction that was read again. A technical decline, such as that of an unreachable provider,
 * is the end of one call: where the request was sent again meanwhile, that one may be carried out.
 */
export function outcomeAfterResend(outcome: Outcome, called: Transaction, current: Transaction): Outcome {
  const isResent = current.responseDueAt?.getTime() !== called.responseDueAt?.getTime();
  if (outcome.kind !== 'declined' || outcome.decline.class !== 'technical' || !isResent) return outcome;
  return { kind: 'unknown', why: outcome.decline.code };
}

type Discrepancy = { kind: UnresolvedKind; amount: Money };

/** How a successful outcome differs from the request, in amount, currency or kind. Such an outcome is never booked. */
export function findDiscrepancy(
  { payment, transaction }: PaymentWithTransaction,
  outcome: Outcome,
): Discrepancy | null {
  if (outcome.kind !== 'approved' && outcome.kind !== 'authorized') return null;
  const { kind, amountMinor: minor, currency, method } = transaction;
  const amount = outcome.amount ?? { minor, currency };
  if (outcome.kind === 'authorized' && kind !== 'authorize') return { kind: 'wrong_outcome', amount };
  if (!outcome.amount || isRelease(payment, transaction)) return null;
  const isExpected = amount.minor === minor || isPayerChosenAmount(transaction);
  if (isExpected && amount.currency === currency) return null;
  // The payer chooses the amount of a bank transfer or cryptocurrency payment; a card is charged the requested amount.
  const isPayerAmount = isAttempt(transaction) && amount.currency === currency && !cardLike.includes(method);
  if (!isPayerAmount) return { kind: 'amount_mismatch', amount };
  if (amount.minor < minor) return { kind: 'underpaid', amount };
  return { kind: 'overpaid', amount: { minor: amount.minor - minor, currency } };
}

/** A sale that is only authorised may be captured shortly after: it is polled until its response is long overdue. */
function mayStillChange({ overdueSeconds }: Transaction, { kind }: Discrepancy): boolean {
  return kind === 'wrong_outcome' && (overdueSeconds ?? -1) < notReceivedAfterSeconds;
}

const cardLike = ['card', 'applepay', 'googlepay'];

/** Whether the page shows a cryptocurrency address without an amount: what is received in the currency is the payment's. */
function isPayerChosenAmount({ providerData: { present } }: Transaction): boolean {
  return present?.kind === 'crypto' && present.amount === undefined;
}

async function sendPaymentLink(
  { payment, transaction }: PaymentWithTransaction,
  present: MessagePresentation,
  now: Date,
): Promise<void> {
  const { payer, currency } = payment;
  const [caller, withSession] = await Promise.all([callerOf(payment), findSession(payment.id)]);
  const isQueued = await queueMessage(
    {
      paymentId: payment.id,
      transactionId: transaction.id,
      channel: present.channel,
      to: present.channel === 'email' ? payer.email : payer.phone,
      url: present.url,
      expiresAt: present.expiresAt,
      language: withSession?.session.language ?? payer.language ?? caller.mapping.defaultLanguage,
      merchantName: caller.merchant.name,
      amount: { minor: transaction.amountMinor, currency },
    },
    now,
  );
  // Of a method whose catalogue row does not announce a link.
  if (!isQueued) log.warn({ payment: payment.id, transaction: transaction.id }, 'a payment link was not sent');
}

/** The transaction after the statement, without another read. */
function afterTransition(transaction: Transaction, transition: Transition, now: Date): Transaction {
  return {
    ...transaction,
    status: transition.status,
    providerData: { ...transaction.providerData, ...transition.providerData },
    action: transition.action ?? transaction.action,
    declineCode: transition.decline?.code ?? null,
    declineReason: transition.decline?.reason ?? null,
    declineClass: transition.decline?.class ?? null,
    declineSoft: transition.decline?.soft ?? null,
    dueAt: transition.dueAt,
    finishedAt: transition.status === 'success' || transition.status === 'fail' ? now : null,
  };
}

async function transitionOf(
  payment: Payment,
  transaction: Transaction,
  outcome: Outcome,
  now: Date,
): Promise<Transition | { pollAt: Date }> {
  const change = isAttempt(transaction)
    ? await attemptChange(payment, transaction, outcome, now)
    : modificationChange(payment, transaction, outcome, now);
  if (!change) return { pollAt: nextPollAt(transaction, now) };
  // Chargebacks are transactions of their own.
  const { chargebacks: _apart, ...facts } = change.providerData ?? {};
  const isPresenting = facts.present ?? transaction.providerData.present;
  const masked = isPresenting ? await maskedFacts(transaction, change.status, facts) : { providerData: facts };
  return { payment, transaction, dueAt: null, ...change, ...masked, callback: await newCallback(payment) };
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
      // The row stays due after its success, for the authorisation's expiry.
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

// A poll without an outcome does not downgrade challenge, redirect or waiting to unknown.
function unknownChange(transaction: Transaction, type: string, now: Date): TransitionChange | null {
  return transaction.status === 'sent' ? notFinalChange(transaction, 'unknown', type, now) : null;
}

/** Adds the received amount, where it differs from the order's, for `extended_data`. */
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
 * The change of the payer's presentation: new, other or none. A QR code or an app counts as a redirect; with any other
 * presentation the payment is pending until the payer or their bank acts.
 */
async function presentationChange(
  payment: Payment,
  transaction: Transaction,
  facts: ProviderData,
  now: Date,
): Promise<TransitionChange | null> {
  const present = facts.present ?? null;
  const event = present?.kind === 'qr' || present?.kind === 'app' ? 'redirect' : 'await';
  const state = nextState(payment.state, event);
  const moves = state !== null && state !== payment.state;
  const isSame = facts.extended?.received_amount === transaction.providerData.extended?.received_amount;
  if (!moves && isSame && (await isPresented(transaction, present))) return null;
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
  // A chain that an earlier attempt created stays the payment's, also after that authorisation expired.
  const begins = payment.recurringInit && isAttempt(transaction) && payment.recurringToken === null;
  // A subsequent payment that names a schedule subscribes its chain to it, unless the schedule makes the payment.
  const joins = begins || (payment.recurringFirstId !== null && payment.subscriptionId === null);
  return {
    event,
    status: 'success',
    report,
    cardToken:
      (payment.requestToken || payment.keepsCard) && !payment.cardToken ? randomBytes(32).toString('hex') : undefined,
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
      return isRelease(payment, transaction) ? 'release' : 'reverse';
    case 'chargeback':
      return 'chargeback';
    default:
      throw new Error(`${transaction.kind} is not a modification`);
  }
}
