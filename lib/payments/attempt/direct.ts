/**
 * Payments that a merchant's server makes by itself, without a page of ours: opened and tried in one go. The same
 * request again waits for the first one and is told the same.
 */
import { throwApiError } from '../../core/errors';
import { isUuid, newId } from '../../core/ids';
import type { Payment, Transaction } from '../../core/payment';
import { query } from '../../db';
import { runInBackground } from '../../jobs';
import type { Caller, Mapping } from '../../merchants';
import { eligibleMids, midsWithinLimits, requireCardParameters } from '../../routing';
import {
  createPayment,
  createPaymentWithAttempt,
  draftPayment,
  type PaymentInput,
  requireCorrectClock,
} from '../create';
import { findPaymentWithTransaction, lastAttempt } from '../queries';
import {
  executeAttempt,
  methodOf,
  type PayInput,
  type PaymentInstrument,
  type PreparedAttempt,
  prepareAttempt,
  prepareAttemptWithPayment,
} from './execute';
import { storedWallet } from './provider-call';

type PaymentWithTransaction = { payment: Payment; transaction: Transaction };

/** How long a repeat waits for the first request's outcome, longer than any provider may take to answer; and how often it looks. */
export const outcomeWaitMilliseconds = 40_000;
export const outcomePollMilliseconds = 100;

type AttemptOptions = Pick<
  PayInput,
  'wallet' | 'payeeCard' | 'browser' | 'mpi' | 'origin' | 'preferredMidId' | 'transactionId'
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
  await requireCardParameters(caller, input, means, extras.wallet?.kind);
  const id = claim ? await claim() : input.id;
  const pay = { caller, session: null, means, ...extras, now };
  const started = await prepareWithPayment(pay, input, id ?? newId());
  if (started) return executeAttempt(started, { ...pay, payment: started.payment });
  const { payment } = await createPayment(caller, { ...input, id }, null, now);
  return payExisting(caller, payment, means, extras, now);
}

/** Opens a payment together with its attempt; null where one has to follow the other, and nothing was written. */
function prepareWithPayment(
  pay: Omit<PayInput, 'payment'>,
  input: PaymentInput,
  id: string,
): Promise<PreparedAttempt | null> {
  const { caller, now } = pay;
  const payment = draftPayment(caller, input, id, now);
  return prepareAttemptWithPayment({ ...pay, payment }, (intent) =>
    createPaymentWithAttempt(caller, input, intent, now),
  );
}

/**
 * Tries a payment that is open, once: whoever comes later is told what became of that attempt. A repeat whose first
 * request was killed before its attempt makes the attempt itself.
 */
export async function payExisting(
  caller: Caller & { mapping: Mapping },
  payment: Payment,
  means: PaymentInstrument,
  extras: AttemptOptions,
  now: Date,
): Promise<PaymentWithTransaction> {
  if (payment.attempts > 0) return waitForOutcome(payment.id);
  const pay: PayInput = { caller, payment, session: null, means, ...extras, now };
  const started = await prepareAttempt(pay);
  if (!('refused' in started)) return executeAttempt(started, pay);
  if (started.refused === 'unroutable') return throwUnroutable(pay);
  // Another payment has taken the order number over since this one was opened.
  if (started.refused === 'superseded') return throwApiError('duplicatePayment');
  return waitForOutcome(payment.id);
}

/** The same without the wait: the attempt is written down, and its outcome is told by callback. */
export async function acceptAsync(
  caller: Caller & { mapping: Mapping },
  input: PaymentInput,
  means: PaymentInstrument,
  now: Date,
): Promise<Payment> {
  await requireCardParameters(caller, input, means);
  const opened = await createPayment(caller, input, null, now);
  if (opened.repeated && opened.payment.attempts > 0) return opened.payment;
  const pay: PayInput = { caller, payment: opened.payment, session: null, means, now };
  const started = await prepareAttempt(pay);
  if ('refused' in started) {
    return started.refused === 'unroutable' ? throwUnroutable(pay) : started.payment;
  }
  runInBackground(input.operation, () => executeAttempt(started, pay));
  return started.payment;
}

/** Says which limit is in the way (204007, 204008, 204014, 204015), or that no account fits (204002). */
async function throwUnroutable({ caller, payment, means, now }: PayInput): Promise<never> {
  const fitting = eligibleMids(caller.mids, { ...payment, method: methodOf(means) });
  return throwApiError((await midsWithinLimits(caller, fitting, payment, now)).exceeded ?? 'mappingMissing');
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

/** Charges a chain once more. */
export async function paySubsequent(
  caller: Caller & { mapping: Mapping },
  chain: Chain,
  input: SubsequentInput,
  now: Date,
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
  return payDirect(caller, payment, card, { origin, preferredMidId: chain.midId, wallet: storedWallet(first) }, now);
}
