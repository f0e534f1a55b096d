/**
 * Attempts by card or another method: inserts the transaction, calls the provider, commits the outcome. No lock is held
 * during the call. A crash at any point leaves a due row, which a poll resolves.
 */
import { env } from '../../config';
import type { Outcome } from '../../connectors';
import type { PaymentWithTransaction } from '../../core/payment';
import { isSandboxCard } from '../../core/sandbox-cards';
import type { Mid } from '../../merchants';
import { countAttemptResult, testingDecline } from '../../risk';
import { lookUpOutcome } from '../provider-requests';
import { findTransaction } from '../queries';
import { resolveAttempt } from './failover';
import { applyOutcome } from './outcome';
import { type NotStarted, type PayInput, type PreparedAttempt, prepareAttempt, tokenOf } from './prepare';
import { type AttemptPayload, callProvider } from './provider-call';

export type PayResult = PaymentWithTransaction | NotStarted;

/** Makes an attempt and waits for the provider's response. */
export async function pay(input: PayInput): Promise<PayResult> {
  const prepared = await prepareAttempt(input);
  return 'refused' in prepared ? prepared : executeAttempt(prepared, input);
}

/** Calls the provider and applies its response. */
export async function executeAttempt(prepared: PreparedAttempt, input: PayInput): Promise<PaymentWithTransaction> {
  const result = await sendAttempt(prepared, input);
  if (prepared.testingKeys && !prepared.isBlocked) countAttemptResult(prepared.testingKeys, result.transaction);
  return result;
}

/**
 * The provider's outcome. Where the response was lost and a notification arrived meanwhile, the status is requested at
 * once, while the security code is available for a failover.
 */
async function providerOutcome(both: PaymentWithTransaction, mid: Mid, payload: AttemptPayload): Promise<Outcome> {
  const outcome = await callProvider(both, mid, payload);
  if (outcome.kind !== 'unknown') return outcome;
  const fresh = await findTransaction(both.transaction.id);
  if (fresh?.status !== 'sent' || fresh.receivedByProviderAt === null) return outcome;
  const reported = await lookUpOutcome(fresh);
  return reported.kind === 'absent' ? outcome : reported;
}

async function sendAttempt(
  { payment, transaction, card, mid, isBlocked }: PreparedAttempt,
  input: PayInput,
): Promise<PaymentWithTransaction> {
  if (isBlocked) {
    return applyOutcome({ payment, transaction }, { kind: 'declined', decline: testingDecline, facts: {} }, input.now);
  }
  const numbers = [card, input.payeeCard].flatMap((each) => each?.number ?? []);
  if (env.appEnv === 'sandbox' && !numbers.every(isSandboxCard)) {
    // A live card is declined here and never sent to a provider (contract, section 1.9).
    const decline = { code: 'sandbox_card', reason: 'Declined by processing', class: 'bank', soft: false } as const;
    return applyOutcome({ payment, transaction }, { kind: 'declined', decline, facts: {} }, input.now);
  }
  const payload: AttemptPayload = {
    card,
    wallet: input.wallet,
    payeeCard: input.payeeCard,
    browser: input.browser,
    mpi: input.mpi,
    descriptor: input.caller.merchant.name,
    walletToken: tokenOf(input.instrument),
  };
  const startedAtMs = performance.now();
  const outcome = await providerOutcome({ payment, transaction }, mid, payload);
  // The request's time plus the duration of the provider call.
  const now = new Date(input.now.getTime() + Math.round(performance.now() - startedAtMs));
  return resolveAttempt({ payment, transaction }, outcome, payload, now);
}
