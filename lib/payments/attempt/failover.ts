/**
 * Failover: after a soft decline, or where a provider was unreachable, the attempt continues at the merchant's next
 * eligible account, invisibly to the payer. Hard declines and unknown outcomes never fail over.
 */
import { env } from '../../config/index.ts';
import type { Outcome } from '../../connectors/index.ts';
import {
  isAttempt,
  isNotFinal,
  type PaymentWithTransaction,
  type RoutingStep,
  type Transaction,
} from '../../core/payment.ts';
import type { Decline } from '../../core/provider-data.ts';
import { now as currentTime } from '../../db/clock.ts';
import { attemptKindsSql, statement } from '../../db/index.ts';
import { callerOf, type Mid } from '../../merchants/index.ts';
import {
  chooseMids,
  limitsOf,
  midsBelowLimits,
  midsWithinLimits,
  missingParameterSets,
  skippedSteps,
  withLimitLock,
} from '../../routing/index.ts';
import { decryptCard } from '../../vault/index.ts';
import { compareLateOutcome } from '../compare-outcome.ts';
import { decidingAttempt, getPaymentWithTransaction } from '../queries.ts';
import { failover } from './insert.ts';
import { applyOutcome, outcomeAfterResend } from './outcome.ts';
import {
  type AttemptPayload,
  callProvider,
  chargeAttemptId,
  isChargeableWithoutWallet,
  newTransaction,
  storedWallet,
} from './provider-call.ts';

/** The decline of an attempt that the provider does not find: it counts as not received once its void is approved. */
export const notReceived: Decline = {
  code: 'not_received',
  reason: 'The provider did not receive the request',
  class: 'technical',
  soft: true,
};

/**
 * Applies an attempt's outcome, after failover to other accounts where it is allowed. Without `payload` (the outcome
 * arrived later, in another process) the stored card is used, without its security code. `cancelled`: the outcome is
 * that of the attempt's cancellation. Returns the attempt that decides the payment's state, which may be a later one.
 */
export async function resolveAttempt(
  first: PaymentWithTransaction,
  outcome: Outcome,
  payload: AttemptPayload | null,
  now: Date,
  cancelled = false,
): Promise<PaymentWithTransaction> {
  let both = first;
  let answer = outcome;
  // Polls go by a call's age, so that each call is dated when it begins.
  let at = now;
  for (;;) {
    const target = await nextMid(both, answer, at);
    const nextPayload = target && (payload ?? (await rebuildPayload(both)));
    if (!target || !nextPayload || answer.kind !== 'declined')
      return decidingAttempt(await applyOutcome(both, answer, at, cancelled));
    at = currentTime();
    const moved = await failOverTo(target, both, answer, at);
    if (moved) {
      // The payer's 3-D Secure authentication is valid at the next account too.
      const mpi = nextPayload.mpi ?? mpiOf(both.transaction, answer);
      both = moved;
      cancelled = false;
      answer = await callProvider(both, target.mid, { ...nextPayload, mpi });
      at = currentTime();
      continue;
    }
    const fresh = await getPaymentWithTransaction(both.transaction.id);
    if (!isNotFinal(fresh.transaction)) {
      // Another process has committed an outcome meanwhile, which may differ from this one.
      await compareLateOutcome(fresh.transaction, answer, at);
      return decidingAttempt(fresh);
    }
    answer = outcomeAfterResend(answer, both.transaction, fresh.transaction);
    both = fresh;
  }
}

/** Closes the failed transaction and inserts the next one; null when the payment has changed since it was read. */
async function failOverTo(
  { mid, skipped }: NextMid,
  both: PaymentWithTransaction,
  outcome: Declined,
  at: Date,
): Promise<PaymentWithTransaction | null> {
  const { payment, transaction: failed } = both;
  const { kind, browser, method, amountMinor, initiator, source, sequence, testingKeys } = failed;
  const fields = {
    id: chargeAttemptId(payment, mid, payment.attempts),
    kind,
    method,
    amountMinor,
    attemptId: failed.attemptId ?? failed.id,
    browser: browser ?? undefined,
    origin: { initiator, source, sequence },
    testingKeys,
  };
  const transaction = newTransaction(payment, mid, fields, at);
  const routingLog = [
    ...skipped,
    { midId: mid.id, taken: true, why: `after a soft decline: ${outcome.decline.reason}` },
  ];
  const change = { payment, failed, decline: outcome.decline, next: transaction, routingLog };
  const limits = limitsOf(await callerOf(payment), mid, at);
  const turnover = { ...payment, replaces: failed.id };
  const moved = await withLimitLock(limits, turnover, (run) => failover(change, at, run));
  return 'done' in moved ? moved.done : null;
}

type Declined = Extract<Outcome, { kind: 'declined' }>;

/** The first 3-D Secure authentication in the form of `mpi_data`; undefined where the payer was not authenticated. */
export function mpiOf(failed: Pick<Transaction, 'providerData'>, answer: Outcome): Record<string, string> | undefined {
  const facts = 'facts' in answer ? answer.facts.threeDS : undefined;
  const { eci, transStatus, ...threeDS } = { ...failed.providerData.threeDS, ...facts };
  if (!eci || (transStatus !== 'Y' && transStatus !== 'A')) return undefined;
  const fields: Record<string, string | undefined> = {
    eci,
    authentication_value: threeDS.authenticationValue,
    ds_trans_id: threeDS.dsTransID,
    '3ds_version': threeDS.protocolVersion,
    trans_status: transStatus,
    xid: threeDS.xid,
  };
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, string] => !!entry[1]));
}

/** Rebuilds the payload of an attempt from stored data; null where the card is not stored. */
export async function rebuildPayload({ payment, transaction }: PaymentWithTransaction): Promise<AttemptPayload | null> {
  const { merchant } = await callerOf(payment);
  const details = { browser: transaction.browser ?? undefined, descriptor: merchant.name };
  if (transaction.method !== 'card') return details;
  if (!isChargeableWithoutWallet(payment)) return null;
  const card = payment.card && (await decryptCard(payment.card.id, payment.merchantId));
  return card && { card, wallet: storedWallet(payment), ...details };
}

/** Whether another account may approve: not after invalid card data or a failed authentication. */
export function allowsFailover({ soft, class: group }: Decline): boolean {
  return soft && group !== 'data' && group !== 'unconfirmed';
}

/** The next account, and the accounts newly skipped in favour of it. */
type NextMid = { mid: Mid; skipped: RoutingStep[] };

/** The account to try next; null when the outcome does not allow failover or no account is left. */
async function nextMid(
  { payment, transaction }: PaymentWithTransaction,
  outcome: Outcome,
  now: Date,
): Promise<NextMid | null> {
  if (outcome.kind !== 'declined' || !isAttempt(transaction) || !isNotFinal(transaction)) return null;
  // The payer has left, or the attempt is being cancelled for another reason.
  if (transaction.cancelReason !== null && transaction.cancelReason !== notReceived.reason) return null;
  // The destination card of a transfer is not stored.
  if (!allowsFailover(outcome.decline) || transaction.kind === 'transfer') return null;
  // A payer who was redirected to one provider's page, or saw its code, is not sent to another provider.
  const isUnseen = transaction.status === 'sent' || outcome.decline.code === notReceived.code;
  if (transaction.method !== 'card' && !isUnseen) return null;
  // An encrypted wallet token is valid for one account and is not stored.
  if (transaction.method === 'applepay' || transaction.method === 'googlepay') return null;
  const caller = await callerOf(payment);
  if (caller.mapping.cascadeLimit < 2 || caller.mids.length < 2) return null;
  const tried = await triedMids(transaction.attemptId ?? transaction.id);
  if (tried.length >= caller.mapping.cascadeLimit) return null;
  const card = payment.card && (await decryptCard(payment.card.id, payment.merchantId));
  const cardNumber = card?.number ?? payment.card?.first6;
  const { method } = transaction;
  const { binCountries } = env;
  const missingSets = await missingParameterSets(caller, payment, method);
  const wanted = { ...payment, method, cardNumber, binCountries, missingSets };
  const choice = chooseMids(caller, wanted);
  const untried = choice.mids.filter((mid) => !tried.includes(mid.id));
  const mids = midsBelowLimits(
    untried,
    await midsWithinLimits(caller, untried, { ...payment, replaces: transaction.id }, now),
  );
  const isLogged = (step: RoutingStep) =>
    tried.includes(step.midId) || payment.routingLog.some(({ midId, why }) => midId === step.midId && why === step.why);
  const skipped = skippedSteps({ ...choice, mids: untried }, mids).filter((step) => !isLogged(step));
  return mids[0] ? { mid: mids[0], skipped } : null;
}

// A transfer never fails over.
const midsByAttempt = statement<{ attemptId: string }, { midId: string }>(
  'failover-tried-mids',
  `select mid_id as "midId" from transactions where (id = :attemptId or attempt_id = :attemptId)
      and kind in ${attemptKindsSql('transfer')}`,
);

async function triedMids(attemptId: string): Promise<string[]> {
  return (await midsByAttempt({ attemptId })).map(({ midId }) => midId);
}
