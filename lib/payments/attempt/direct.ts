/**
 * Payments that a merchant's server makes by itself, without a page of ours: opened and tried in one go. The same
 * request again waits for the first one and is told the same.
 */
import { throwApiError } from '../../core/errors';
import { isUuid, newId } from '../../core/ids';
import type { Payment, PaymentWithTransaction } from '../../core/payment';
import { query } from '../../db';
import { runInBackground } from '../../jobs';
import type { Caller, Mapping } from '../../merchants';
import { type Eligibility, eligibleMids, exceededLimit, midsWithinLimits, requireCardParameters } from '../../routing';
import {
  createPayment,
  createPaymentWithAttempt,
  draftPayment,
  type PaymentInput,
  requireCorrectClock,
} from '../create';
import { findPaymentWithTransaction, lastAttempt } from '../queries';
import {
  type AttemptPlan,
  executeAttempt,
  methodOf,
  type NotStarted,
  type PayInput,
  type PaymentInstrument,
  planBeforeOpening,
  prepareAttempt,
  prepareAttemptWithPayment,
} from './execute';
import { storedWallet } from './provider-call';

/** How long a repeat waits for the first request's outcome, longer than any provider may take to answer; and how often it looks. */
export const outcomeWaitMilliseconds = 40_000;
export const outcomePollMilliseconds = 100;

type AttemptOptions = Pick<
  PayInput,
  'wallet' | 'payeeCard' | 'browser' | 'mpi' | 'origin' | 'preferredMidId' | 'transactionId' | 'eligibility'
>;

/**
 * Opens a payment and tries it; answers with what became of the attempt. `claim` gives the payment its id: it is asked
 * once nothing but the opening itself can be refused.
 */
export async function payDirect(
  caller: Caller & { mapping: Mapping },
  input: PaymentInput,
  means: PaymentInstrument,
  { claim, ...extras }: AttemptOptions & { claim?: () => Promise<string> },
  now: Date,
): Promise<PaymentWithTransaction> {
  requireCorrectClock();
  const lacking = await requireCardParameters(caller, input, means, extras.wallet?.kind);
  const id = claim ? await claim() : input.id;
  const payment = draftPayment(caller, input, id ?? newId(), now);
  const pay = { caller, payment, session: null, means, ...extras, lackingSets: lacking, now };
  const ready = await planBeforeOpening(pay);
  // One statement opens the payment with its attempt, where no lock has to be waited for between the two.
  const started = await prepareAttemptWithPayment(pay, ready, (intent) =>
    createPaymentWithAttempt(caller, input, intent, now),
  );
  if (started) return executeAttempt(started, { ...pay, payment: started.payment });
  const opened = await createPayment(caller, { ...input, id }, null, now);
  return payOnce({ ...pay, payment: opened.payment }, ready);
}

/** Tries a payment that is open, once. */
export function payExisting(
  caller: Caller & { mapping: Mapping },
  payment: Payment,
  means: PaymentInstrument,
  extras: AttemptOptions,
  now: Date,
): Promise<PaymentWithTransaction> {
  return payOnce({ caller, payment, session: null, means, ...extras, now });
}

/**
 * Later requests for the same payment get the outcome of its one attempt. A repeat whose first request was killed before its
 * attempt makes the attempt itself.
 */
async function payOnce(pay: PayInput, ready?: AttemptPlan): Promise<PaymentWithTransaction> {
  const { payment } = pay;
  if (payment.attempts > 0) return waitForOutcome(payment.id);
  const started = await prepareAttempt(pay, ready);
  if (!('refused' in started)) return executeAttempt(started, pay);
  if (started.refused === 'unroutable') return throwUnroutable(pay, started);
  // Another payment has taken the order number over since this one was opened.
  if (started.refused === 'superseded') return throwApiError('duplicatePayment');
  return waitForOutcome(payment.id);
}

/** The same without the wait: the attempt is written down, and its outcome is told by callback. */
export async function acceptAsync(
  caller: Caller & { mapping: Mapping },
  input: PaymentInput,
  means: PaymentInstrument,
  eligibility: Eligibility,
  now: Date,
): Promise<Payment> {
  const lacking = await requireCardParameters(caller, input, means);
  const opened = await createPayment(caller, input, null, now);
  if (opened.repeated && opened.payment.attempts > 0) return opened.payment;
  const { payment } = opened;
  const pay: PayInput = { caller, payment, session: null, means, eligibility, lackingSets: lacking, now };
  const started = await prepareAttempt(pay);
  if ('refused' in started) {
    return started.refused === 'unroutable' ? throwUnroutable(pay, started) : started.payment;
  }
  runInBackground(input.operation, () => executeAttempt(started, pay));
  return started.payment;
}

/** Says which limit is in the way (204007, 204008, 204014, 204015), or that no account fits (204002). */
async function throwUnroutable({ caller, payment, means, eligibility, now }: PayInput, { exceeded }: NotStarted) {
  if (eligibility) return throwApiError(exceeded ?? 'mappingMissing');
  // Only the accounts that routing chose were looked at; another may be the one that is full.
  const fitting = eligibleMids(caller.mids, { ...payment, method: methodOf(means) });
  return throwApiError(
    exceededLimit(fitting, await midsWithinLimits(caller, fitting, payment, now)) ?? 'mappingMissing',
  );
}

/** What became of the attempt that another request is making. */
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

/** Whether there is something to tell: an answer has come, and nobody has taken the payment to another account since. */
function hasReportableOutcome({ payment, transaction }: PaymentWithTransaction): boolean {
  const ownsPayment = payment.inFlightId === null || payment.inFlightId === transaction.id;
  return transaction.status !== 'sent' && ownsPayment;
}

/** A chain of recurring charges: its first payment, and what every later charge goes to. */
export type Chain = {
  token: string;
  firstTransId: string;
  first: Payment;
  operation: Payment['operation'];
  cardId: string;
  midId: string;
};

/** A merchant's chain by its pair of transaction id and token; null when the two do not belong together. */
export async function findChain(merchantId: string, firstTransId: string, token: string): Promise<Chain | null> {
  return isUuid(firstTransId)
    ? readChain('r.merchant_id = $1 and r.first_trans_id = $3', [merchantId, token, firstTransId])
    : null;
}

/** A chain by its token alone, for what the schedule charges. */
export function findChainByToken(token: string): Promise<Chain | null> {
  return readChain('$1::text is null', [null, token]);
}

async function readChain(condition: string, values: unknown[]): Promise<Chain | null> {
  type Row = {
    token: string;
    first_trans_id: string;
    operation: Payment['operation'];
    card_id: string;
    mid_id: string;
  };
  const [row] = await query<Row>(
    `chain-${values.length}`,
    `select r.token, r.first_trans_id, r.operation::text, r.card_id, r.mid_id from recurring_chains r
      where r.token = $2 and r.stopped_at is null and r.card_id is not null and ${condition}`,
    values,
  );
  const first = row && (await findPaymentWithTransaction(row.first_trans_id));
  if (!row || !first) return null;
  const { token, first_trans_id: firstTransId, operation, card_id: cardId, mid_id: midId } = row;
  return { token, firstTransId, first: first.payment, operation, cardId, midId };
}

/** What a secondary charge brings of its own; payer and card are those of the first payment. */
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
> & { notificationUrl: string | null; authorizeOnly: boolean; scheduleId: string | null };

/** Charges a chain once more. `eligibility`: of the request that asks for it; a schedule's charge has none. */
export async function paySubsequent(
  caller: Caller & { mapping: Mapping },
  chain: Chain,
  input: SubsequentInput,
  now: Date,
  eligibility?: Eligibility,
): Promise<PaymentWithTransaction> {
  const { first } = chain;
  const payment: PaymentInput = {
    ...input,
    operation: chain.operation === 'debit' ? 'debit' : 'recurring',
    recurringInit: false,
    requestToken: false,
    vatCalc: false,
    payer: first.payer,
    payee: first.payee,
    parameters: first.parameters,
    notificationUrl: input.notificationUrl ?? first.notificationUrl,
    channelId: first.channelId,
    scheduleStart: null,
    scheduleAmount: null,
    chain,
  };
  const card = { kept: { cardId: chain.cardId, token: null } };
  const origin = { initiator: 'merchant', source: 'stored', sequence: 'subsequent' };
  const extras = { origin, preferredMidId: chain.midId, wallet: storedWallet(first), eligibility };
  return payDirect(caller, payment, card, extras, now);
}
