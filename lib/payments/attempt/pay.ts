/**
 * Makes attempts: inserts the transaction, calls the provider, applies the outcome. No lock is held during the call, and a
 * crash at any point leaves a due row, which a poll resolves. A merchant's server creates and attempts a payment in one
 * request; a repeat of the request waits for the first one and gets the same outcome.
 */

import { env } from '../../config/index.ts';
import type { Outcome } from '../../connectors/index.ts';
import { throwApiError, throwTooManyRequests } from '../../core/errors.ts';
import { isUuid, newId } from '../../core/ids.ts';
import type { Payment, PaymentWithTransaction } from '../../core/payment.ts';
import { isSandboxCard } from '../../core/sandbox-cards.ts';
import { statement } from '../../db/index.ts';
import { runInBackground } from '../../jobs/index.ts';
import type { KnownCaller, Mid } from '../../merchants/index.ts';
import { parametersForLater } from '../../methods/declared-accounts.ts';
import { endTestedCall, startTestedCall, testingDecline } from '../../risk/index.ts';
import {
  type Eligibility,
  eligibleMids,
  exceededLimit,
  midsWithinLimits,
  requireCardParameters,
} from '../../routing/index.ts';
import { decryptParameters, hasSealedParameters, sealParameters } from '../../vault/index.ts';
import {
  createPayment,
  createPaymentWithAttempt,
  draftPayment,
  type PaymentInput,
  requireCorrectClock,
} from '../create.ts';
import { lookUpOutcome } from '../provider-requests.ts';
import { decidingAttempt, findPaymentWithTransaction, findTransaction, lastAttempt } from '../queries.ts';
import { resolveAttempt } from './failover.ts';
import { applyOutcome } from './outcome.ts';
import {
  type AttemptPlan,
  methodOf,
  type NotStarted,
  type PayInput,
  type PaymentInstrument,
  type PreparedAttempt,
  planFirstAttempt,
  prepareAttempt,
  prepareAttemptWithPayment,
  tokenOf,
} from './prepare.ts';
import { type AttemptPayload, callProvider, storedWallet } from './provider-call.ts';

/** How long a repeat waits for the first request's outcome, longer than any provider timeout; its polling interval. */
export const outcomeWaitMilliseconds = 40_000;
export const outcomePollMilliseconds = 100;

type AttemptOptions = Pick<
  PayInput,
  'wallet' | 'payeeCard' | 'browser' | 'mpi' | 'origin' | 'preferredMidId' | 'transactionId' | 'eligibility'
>;

/** Creates a payment with its attempt and returns the outcome. `claim` returns the id, after all other checks. */
export async function payDirect(
  caller: KnownCaller,
  input: PaymentInput,
  instrument: PaymentInstrument,
  { claim, ...options }: AttemptOptions & { claim?: () => Promise<string> },
  now: Date,
): Promise<PaymentWithTransaction> {
  requireCorrectClock();
  const missingSets = await requireCardParameters(caller, input, instrument, options.wallet?.kind);
  const id = claim ? await claim() : input.id;
  const payment = draftPayment(caller, input, id ?? newId(), now);
  const payInput = { caller, payment, session: null, instrument, ...options, missingSets, now };
  const plan = await planFirstAttempt(payInput);
  // One statement creates the payment with its attempt, where the attempt needs no limit lock.
  const prepared = await prepareAttemptWithPayment(payInput, plan, (intent) =>
    createPaymentWithAttempt(caller, input, intent, now),
  );
  if (prepared) return executeAttempt(prepared, { ...payInput, payment: prepared.payment });
  const created = await createPayment(caller, { ...input, id }, null, now);
  return payOnce({ ...payInput, payment: created.payment }, plan);
}

/** Attempts an existing payment once. */
export function payExisting(
  caller: KnownCaller,
  payment: Payment,
  instrument: PaymentInstrument,
  options: AttemptOptions,
  now: Date,
): Promise<PaymentWithTransaction> {
  return payOnce({ caller, payment, session: null, instrument, ...options, now });
}

/** Later requests get the outcome of the one attempt, which a repeat makes where the first request ended before it. */
async function payOnce(input: PayInput, plan?: AttemptPlan): Promise<PaymentWithTransaction> {
  const { payment } = input;
  if (payment.attempts > 0) return waitForOutcome(payment.id);
  const prepared = await prepareAttempt(input, plan);
  if (!('refused' in prepared)) return executeAttempt(prepared, input);
  if (prepared.refused === 'unroutable') return throwUnroutable(input, prepared);
  // Another payment has reused the order number since this one was created.
  if (prepared.refused === 'superseded') return throwApiError('duplicatePayment');
  if (prepared.refused === 'unsent') return throwTooManyRequests(prepared.waitSeconds ?? 0);
  return waitForOutcome(payment.id);
}

/** Creates a payment and inserts its attempt, which runs in the background; the outcome is reported by callback. */
export async function acceptAsync(
  caller: KnownCaller,
  input: PaymentInput,
  instrument: PaymentInstrument,
  eligibility: Eligibility,
  now: Date,
): Promise<Payment> {
  const missingSets = await requireCardParameters(caller, input, instrument);
  const created = await createPayment(caller, input, null, now);
  if (created.repeated && created.payment.attempts > 0) return created.payment;
  const { payment } = created;
  const payInput: PayInput = { caller, payment, session: null, instrument, eligibility, missingSets, now };
  const prepared = await prepareAttempt(payInput);
  if ('refused' in prepared) {
    return prepared.refused === 'unroutable' ? throwUnroutable(payInput, prepared) : prepared.payment;
  }
  runInBackground(input.operation, () => executeAttempt(prepared, payInput));
  return prepared.payment;
}

/** Throws the error of the exceeded limit (204007, 204008, 204014, 204015), or 204002 where no account is eligible. */
async function throwUnroutable({ caller, payment, instrument, eligibility, now }: PayInput, { exceeded }: NotStarted) {
  if (eligibility) return throwApiError(exceeded ?? 'mappingMissing');
  // Routing checked only the accounts that it chose; another eligible one may be at its limit.
  const eligible = eligibleMids(caller.mids, { ...payment, method: methodOf(instrument) });
  return throwApiError(
    exceededLimit(eligible, await midsWithinLimits(caller, eligible, payment, now)) ?? 'mappingMissing',
  );
}

/** Waits for the outcome of the attempt that another request is making. */
async function waitForOutcome(paymentId: string): Promise<PaymentWithTransaction> {
  const end = performance.now() + outcomeWaitMilliseconds;
  for (;;) {
    const attempt = await lastAttempt(paymentId);
    const both = attempt && (await findPaymentWithTransaction(attempt.id));
    if (both && (hasReportableOutcome(both) || performance.now() > end)) return both;
    if (!both && performance.now() > end) return throwApiError('duplicateRequest');
    await new Promise((done) => setTimeout(done, outcomePollMilliseconds));
  }
}

/** Whether the transaction has a response and the payment is not in failover to another account. */
function hasReportableOutcome({ payment, transaction }: PaymentWithTransaction): boolean {
  const ownsPayment = payment.inFlightId === null || payment.inFlightId === transaction.id;
  return transaction.status !== 'sent' && ownsPayment;
}

/** A recurring chain: its initial payment, and the card and account of subsequent payments. */
export type Chain = {
  token: string;
  firstTransId: string;
  first: Payment;
  operation: Payment['operation'];
  cardId: string;
  midId: string;
};

type ChainRow = Omit<Chain, 'first'>;
const chainSql = `select r.token, r.first_trans_id as "firstTransId", r.operation::text, r.card_id as "cardId", r.mid_id as "midId"
  from recurring_chains r where r.token = :token and r.stopped_at is null and r.card_id is not null`;

const chainByPair = statement<{ merchantId: string; token: string; firstTransId: string }, ChainRow>(
  'chain-find',
  `${chainSql} and r.merchant_id = :merchantId and r.first_trans_id = :firstTransId`,
);
const chainByToken = statement<{ token: string }, ChainRow>('chain-by-token', chainSql);

/** A merchant's chain by its pair of transaction id and token; null when the two do not belong together. */
export async function findChain(merchantId: string, firstTransId: string, token: string): Promise<Chain | null> {
  return isUuid(firstTransId) ? toChain(await chainByPair({ merchantId, token, firstTransId })) : null;
}

/** A chain by its token alone, for charges of a schedule. */
export async function findChainByToken(token: string): Promise<Chain | null> {
  return toChain(await chainByToken({ token }));
}

async function toChain([row]: ChainRow[]): Promise<Chain | null> {
  const first = row && (await findPaymentWithTransaction(row.firstTransId));
  return first ? { ...row, first: first.payment } : null;
}

/** The values of a subsequent payment; payer and card are those of the initial payment. */
export type SubsequentInput = Pick<
  PaymentInput,
  | 'orderNumber'
  | 'orderAmount'
  | 'currency'
  | 'amountMinor'
  | 'description'
  | 'customData'
  | 'requestDigest'
  | 'id'
  | 'subscriptionId'
  | 'notificationUrl'
  | 'authorizeOnly'
  | 'scheduleId'
>;

/** Makes a subsequent payment. `eligibility`: of the merchant's request; a schedule's charge has none. */
export async function paySubsequent(
  caller: KnownCaller,
  chain: Chain,
  input: SubsequentInput,
  now: Date,
  eligibility?: Eligibility,
): Promise<PaymentWithTransaction> {
  const { first } = chain;
  const id = input.id ?? newId();
  const payment: PaymentInput = {
    ...input,
    id,
    operation: chain.operation === 'debit' ? 'debit' : 'recurring',
    payer: first.payer,
    payee: first.payee,
    parameters: {
      ...parametersForLater(first.parameters as Record<string, unknown>),
      ...(hasSealedParameters(first, 'card') &&
        (await sealParameters({ ...first, id }, 'card', await decryptParameters(first, 'card')))),
    },
    notificationUrl: input.notificationUrl ?? first.notificationUrl,
    channelId: first.channelId,
    chain,
  };
  const instrument = { storedCard: { cardId: chain.cardId, token: null } };
  const origin = { initiator: 'merchant', source: 'stored', sequence: 'subsequent' };
  const options = { origin, preferredMidId: chain.midId, wallet: storedWallet(first), eligibility };
  return payDirect(caller, payment, instrument, options, now);
}

export type PayResult = PaymentWithTransaction | NotStarted;

/** Makes an attempt and waits for the provider's response. */
export async function pay(input: PayInput): Promise<PayResult> {
  const prepared = await prepareAttempt(input);
  return 'refused' in prepared ? prepared : executeAttempt(prepared, input);
}

/** Calls the provider and applies its response. */
export async function executeAttempt(prepared: PreparedAttempt, input: PayInput): Promise<PaymentWithTransaction> {
  const { payment, transaction, isBlocked } = prepared;
  const { testingKeys } = transaction;
  if (!testingKeys || isBlocked) return sendAttempt(prepared, input);
  if (!startTestedCall(testingKeys, payment)) return sendAttempt({ ...prepared, isBlocked: true }, input);
  try {
    return await sendAttempt(prepared, input);
  } finally {
    endTestedCall(testingKeys);
  }
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
  // Only a decline continues at another account.
  return outcome.kind === 'declined'
    ? resolveAttempt({ payment, transaction }, outcome, payload, now)
    : decidingAttempt(await applyOutcome({ payment, transaction }, outcome, now));
}
