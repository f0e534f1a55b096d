/**
 * Payments that a merchant's server makes by itself, without a page of ours: opened and tried in one go. The same
 * request again waits for the first one and is told the same.
 */
import { refuse } from '../../core/errors';
import { isUuid, newId } from '../../core/ids';
import type { Payment, Transaction } from '../../core/payment';
import { query } from '../../db/db';
import { inBackground } from '../../jobs/background';
import type { Caller, Mapping } from '../../merchants/merchants';
import { demandSets } from '../../routing/card-parameter-sets';
import { eligibleMids } from '../../routing/rules';
import { withinLimits } from '../../routing/turnover-limits';
import { demandRightClock, draftOf, openPayment, openTried, type PaymentInput } from '../create';
import { findBoth, lastAttempt } from '../queries';
import { finish, type Means, methodOf, type PayInput, type Started, start, startOpening } from './execute';
import { walletOf } from './provider-call';

type Both = { payment: Payment; transaction: Transaction };

/** How long a repeat waits for the first request's outcome, longer than any provider may take to answer; and how often it looks. */
export const patienceMilliseconds = 40_000;
export const lookMilliseconds = 100;

type Extras = Pick<
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
  means: Means,
  { claim, ...extras }: Extras & { claim?: () => Promise<string> },
  now: Date,
): Promise<Both> {
  demandRightClock();
  await demandSets(caller, input, means, extras.wallet?.kind);
  const id = claim ? await claim() : input.id;
  const pay = { caller, session: null, means, ...extras, now };
  const started = await startAtOnce(pay, input, id ?? newId());
  if (started) return finish(started, { ...pay, payment: started.payment });
  const { payment } = await openPayment(caller, { ...input, id }, null, now);
  return payOpened(caller, payment, means, extras, now);
}

/** Opens a payment together with its attempt; null where one has to follow the other, and nothing was written. */
function startAtOnce(pay: Omit<PayInput, 'payment'>, input: PaymentInput, id: string): Promise<Started | null> {
  const { caller, now } = pay;
  const payment = draftOf(caller, input, id, now);
  return startOpening({ ...pay, payment }, (intent) => openTried(caller, input, intent, now));
}

/**
 * Tries a payment that is open, once: whoever comes later is told what became of that attempt. A repeat whose first
 * request was killed before its attempt makes the attempt itself.
 */
export async function payOpened(
  caller: Caller & { mapping: Mapping },
  payment: Payment,
  means: Means,
  extras: Extras,
  now: Date,
): Promise<Both> {
  if (payment.attempts > 0) return outcomeOf(payment.id);
  const pay: PayInput = { caller, payment, session: null, means, ...extras, now };
  const started = await start(pay);
  if (!('refused' in started)) return finish(started, pay);
  if (started.refused === 'unroutable') return refuseUnroutable(pay);
  // Another payment has taken the order number over since this one was opened.
  if (started.refused === 'superseded') return refuse('duplicatePayment');
  return outcomeOf(payment.id);
}

/** The same without the wait: the attempt is written down, and its outcome is told by callback. */
export async function acceptDirect(
  caller: Caller & { mapping: Mapping },
  input: PaymentInput,
  means: Means,
  now: Date,
): Promise<Payment> {
  await demandSets(caller, input, means);
  const opened = await openPayment(caller, input, null, now);
  if (opened.repeated && opened.payment.attempts > 0) return opened.payment;
  const pay: PayInput = { caller, payment: opened.payment, session: null, means, now };
  const started = await start(pay);
  if ('refused' in started) {
    return started.refused === 'unroutable' ? refuseUnroutable(pay) : started.payment;
  }
  inBackground(input.operation, () => finish(started, pay));
  return started.payment;
}

/** Says which limit is in the way (204007, 204008, 204014, 204015), or that no account fits (204002). */
async function refuseUnroutable({ caller, payment, means, now }: PayInput): Promise<never> {
  const fitting = eligibleMids(caller.mids, { ...payment, method: methodOf(means) });
  return refuse((await withinLimits(caller, fitting, payment, now)).exceeded ?? 'mappingMissing');
}

/** What became of the attempt that another request is making. */
async function outcomeOf(paymentId: string): Promise<Both> {
  const end = performance.now() + patienceMilliseconds;
  for (;;) {
    const attempt = await lastAttempt(paymentId);
    const both = attempt && (await findBoth(attempt.id));
    if (both && (isTold(both) || performance.now() > end)) return both;
    if (!both && performance.now() > end) return refuse('duplicateRequest');
    await new Promise((done) => setTimeout(done, lookMilliseconds));
  }
}

/** Whether there is something to tell: an answer has come, and nobody has taken the payment to another account since. */
function isTold({ payment, transaction }: Both): boolean {
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
export function chainOf(token: string): Promise<Chain | null> {
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
  const first = row && (await findBoth(row.first_trans_id));
  if (!row || !first) return null;
  const { token, first_trans_id: firstTransId, operation, card_id: cardId, mid_id: midId } = row;
  return { token, firstTransId, first: first.payment, operation, cardId, midId };
}

/** What a secondary charge brings of its own; payer and card are those of the first payment. */
export type SecondaryInput = Pick<
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
export async function payRecurring(
  caller: Caller & { mapping: Mapping },
  chain: Chain,
  input: SecondaryInput,
  now: Date,
): Promise<Both> {
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
  return payDirect(caller, payment, card, { origin, preferredMidId: chain.midId, wallet: walletOf(first) }, now);
}
