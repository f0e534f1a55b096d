/**
 * From one merchant account to the next. A soft decline, or a provider that could not be reached, goes on to another
 * account of the merchant without the payer noticing; a hard decline and an unknown outcome never do.
 */

import { env } from '../../config';
import type { Outcome } from '../../connectors';
import {
  isAttempt,
  isNotFinal,
  type PaymentWithTransaction,
  type RoutingStep,
  type Transaction,
} from '../../core/payment';
import type { Decline } from '../../core/provider-data';
import { attemptKindsSql, query } from '../../db';
import { now as currentTime } from '../../db/clock';
import { callerOf, type Mid } from '../../merchants';
import {
  chooseMids,
  limitsOf,
  midsBelowLimits,
  midsWithinLimits,
  missingParameterSets,
  skippedSteps,
  withLimitLock,
} from '../../routing';
import { decryptCard } from '../../vault';
import { findPaymentWithTransaction, lastAttempt } from '../queries';
import { failover } from '../transitions';
import { compareFinalOutcome } from '../unresolved';
import { applyOutcome } from './outcome';
import {
  type AttemptPayload,
  callProvider,
  isChargeableWithoutWallet,
  newTransaction,
  storedWallet,
} from './provider-call';

/** Why an attempt is cancelled that the provider does not know: it counts as never received once the void is approved. */
export const notReceived: Decline = {
  code: 'not_received',
  reason: 'The provider did not receive the request',
  class: 'technical',
  soft: true,
};

/**
 * Writes an attempt's outcome down, after failing over to other accounts as often as that helps. Without `order` (the
 * answer came later, to another process) the kept card is used, without its security code. `cancelled`: the outcome is what
 * the cancellation of the attempt gave. Returns the attempt that decides about the payment, which may be a later one.
 */
export async function resolveAttempt(
  first: PaymentWithTransaction,
  outcome: Outcome,
  order: AttemptPayload | null,
  now: Date,
  cancelled = false,
): Promise<PaymentWithTransaction> {
  let both = first;
  let answer = outcome;
  // A provider takes its time, and a call is asked about by its age: every one is dated when it begins.
  let at = now;
  for (;;) {
    const account = await nextMid(both, answer, at);
    const next = account && (order ?? (await rebuildPayload(both)));
    if (!account || !next || answer.kind !== 'declined')
      return decidingAttempt(await applyOutcome(both, answer, at, cancelled));
    at = currentTime();
    const passed = await failOverTo(account, both, answer, at);
    if (passed) {
      // What the payer has confirmed at the first bank page counts at the next account too.
      const mpi = next.mpi ?? mpiOf(both.transaction, answer);
      both = passed;
      cancelled = false;
      answer = await callProvider(both, account.mid, { ...next, mpi });
      at = currentTime();
      continue;
    }
    const fresh = await findPaymentWithTransaction(both.transaction.id);
    if (!fresh) throw new Error(`transaction ${both.transaction.id} is gone`);
    if (!isNotFinal(fresh.transaction)) {
      // Another process has written an outcome meanwhile, with which this answer may not agree.
      await compareFinalOutcome(fresh, answer, at);
      return decidingAttempt(fresh);
    }
    both = fresh;
  }
}

/** A failed attempt of a payment that is not declined is not what decides about it: a later attempt is. */
async function decidingAttempt(both: PaymentWithTransaction): Promise<PaymentWithTransaction> {
  const { payment, transaction } = both;
  if (!isAttempt(transaction) || transaction.status !== 'fail' || payment.state === 'declined') return both;
  const last = await lastAttempt(payment.id);
  return (last && (await findPaymentWithTransaction(last.id))) ?? both;
}

/** Closes the failed call and writes the next one down; null when the payment has changed since it was read. */
async function failOverTo(
  { mid, passed }: NextMid,
  both: PaymentWithTransaction,
  outcome: Declined,
  at: Date,
): Promise<PaymentWithTransaction | null> {
  const { payment, transaction: failed } = both;
  const { kind, browser, method, amountMinor, initiator, source, sequence } = failed;
  const given = {
    ...{ kind, method, amountMinor },
    attemptId: failed.attemptId ?? failed.id,
    browser: browser ?? undefined,
    origin: { initiator, source, sequence },
  };
  const transaction = newTransaction(payment, mid, given, at);
  const trace = [...passed, { midId: mid.id, taken: true, why: `after a soft decline: ${outcome.decline.reason}` }];
  const pass = { payment, failed, decline: outcome.decline, next: transaction, routingLog: trace };
  const limits = limitsOf(await callerOf(payment), mid, at);
  const share = { ...payment, replaces: failed.id };
  const moved = await withLimitLock(limits, share, (run) => failover(pass, at, run));
  return 'done' in moved ? moved.done : null;
}

type Declined = Extract<Outcome, { kind: 'declined' }>;

/** The first bank's confirmation in the words of `mpi_data`; undefined where the payer was not authenticated. */
export function mpiOf(failed: Pick<Transaction, 'providerData'>, answer: Outcome): Record<string, string> | undefined {
  const facts = 'facts' in answer ? answer.facts.threeDS : undefined;
  const { eci, transStatus, ...threeDS } = { ...failed.providerData.threeDS, ...facts };
  if (!eci || (transStatus !== 'Y' && transStatus !== 'A')) return undefined;
  const named: Record<string, string | undefined> = {
    eci,
    authentication_value: threeDS.authenticationValue,
    ds_trans_id: threeDS.dsTransID,
    '3ds_version': threeDS.protocolVersion,
    trans_status: transStatus,
    xid: threeDS.xid,
  };
  return Object.fromEntries(Object.entries(named).filter((entry): entry is [string, string] => !!entry[1]));
}

/** What an attempt is sent with when its first request is gone; null where the card is not kept. */
export async function rebuildPayload({ payment, transaction }: PaymentWithTransaction): Promise<AttemptPayload | null> {
  const { merchant } = await callerOf(payment);
  const told = { browser: transaction.browser ?? undefined, descriptor: merchant.name };
  if (transaction.method !== 'card') return told;
  if (!isChargeableWithoutWallet(payment)) return null;
  const card = payment.card && (await decryptCard(payment.card.id));
  return card && { card, wallet: storedWallet(payment), ...told };
}

/**
 * Whether another account may do better. A wrong code or date is the payer's to mend, and a payer whom their bank did
 * not confirm is no more confirmed elsewhere.
 */
export function allowsFailover({ soft, class: group }: Decline): boolean {
  return soft && group !== 'data' && group !== 'unconfirmed';
}

/** An account to try next, and those that were passed over for it and not before. */
type NextMid = { mid: Mid; passed: RoutingStep[] };

/** The account to try next; null when the answer does not call for one or none is left. */
async function nextMid(
  { payment, transaction }: PaymentWithTransaction,
  outcome: Outcome,
  now: Date,
): Promise<NextMid | null> {
  if (outcome.kind !== 'declined' || !isAttempt(transaction) || !isNotFinal(transaction)) return null;
  // The payer has left, or somebody has decided about the attempt.
  if (transaction.cancelReason !== null && transaction.cancelReason !== notReceived.reason) return null;
  // A transfer names its second card only once.
  if (!allowsFailover(outcome.decline) || transaction.kind === 'transfer') return null;
  // A payer who has left for one provider's page, or was shown its code, is not sent through another's.
  const isUnseen = transaction.status === 'sent' || outcome.decline.code === notReceived.code;
  if (transaction.method !== 'card' && !isUnseen) return null;
  // A wallet's own token is for the account that it was given to, and is not kept for another.
  if (transaction.method === 'applepay' || transaction.method === 'googlepay') return null;
  const caller = await callerOf(payment);
  if (caller.mapping.cascadeLimit < 2 || caller.mids.length < 2) return null;
  const tried = await triedMids(transaction.attemptId ?? transaction.id);
  if (tried.length >= caller.mapping.cascadeLimit) return null;
  const card = payment.card && (await decryptCard(payment.card.id));
  const cardNumber = card?.number ?? payment.card?.first6;
  const { method } = transaction;
  const { binCountries } = env;
  const lacking = await missingParameterSets(caller, payment, method);
  const wanted = { ...payment, method, cardNumber, binCountries, lackingSets: lacking };
  const choice = chooseMids(caller, wanted);
  const left = choice.mids.filter((mid) => !tried.includes(mid.id));
  const mids = midsBelowLimits(
    left,
    await midsWithinLimits(caller, left, { ...payment, replaces: transaction.id }, now),
  );
  const known = (step: RoutingStep) =>
    tried.includes(step.midId) || payment.routingLog.some(({ midId, why }) => midId === step.midId && why === step.why);
  const passed = skippedSteps({ ...choice, mids: left }, mids).filter((step) => !known(step));
  return mids[0] ? { mid: mids[0], passed } : null;
}

// A transfer never fails over.
async function triedMids(attemptId: string): Promise<string[]> {
  const rows = await query<{ mid_id: string }>(
    'failover-tried-mids',
    `select mid_id from transactions where (id = $1 or attempt_id = $1)
        and kind in ${attemptKindsSql('transfer')}`,
    [attemptId],
  );
  return rows.map((row) => row.mid_id);
}
