/** Prepares attempts: instrument, accounts, card testing and turnover limits; then inserts the transaction. */
import { env } from '../../config/index.ts';
import type { CardData, CardWallet } from '../../connectors/index.ts';
import type { CardTestingKeys } from '../../core/card-testing.ts';
import { maskOf } from '../../core/cards.ts';
import type { ErrorKey } from '../../core/errors.ts';
import type {
  CredentialOnFile,
  Kind,
  PartyDetails,
  Payment,
  PaymentWithTransaction,
  Session,
  Transaction,
} from '../../core/payment.ts';
import type { BrowserInfo } from '../../core/provider-data.ts';
import type { KnownCaller, Mapping, Mid } from '../../merchants/index.ts';
import type { CardSetId } from '../../methods/card-sets.ts';
import { experienceOf, findMethod } from '../../methods/catalog.ts';
import { cardTestingBlock, cardTestingKeys } from '../../risk/index.ts';
import {
  candidatesOf,
  type Eligibility,
  exceededLimit,
  type LimitCheck,
  limitsOf,
  midsBelowLimits,
  midsWithinLimits,
  missingParameterSets,
  orderCandidates,
  type RoutingChoice,
  routingLogOf,
  withExceeded,
  withLaterKnown,
  withLimitLock,
} from '../../routing/index.ts';
import { decryptCard, toStoredCard } from '../../vault/index.ts';
import { requireCorrectClock } from '../create.ts';
import { findPayment, findSession } from '../queries.ts';
import { countRepeatedStop, findStopped, isExpired, submissionsOf } from '../sessions.ts';
import { type Intent, insertAttempt } from './insert.ts';
import { collectedParameters, type MethodInstrument } from './payer-fields.ts';
import { linkWaitSeconds } from './payment-link.ts';
import { chargeAttemptId, fullName, newTransaction } from './provider-call.ts';

/** A card payment's instrument: submitted card data or a stored card. */
export type CardInstrument = CardData | { storedCard: StoredCardInstrument };

/** A payment's instrument: a card, or another method with the parameters that the page collected. */
export type PaymentInstrument = CardInstrument | MethodInstrument;

/** A stored card. `expiry`: the date submitted for a payout, which replaces the stored one. */
export type StoredCardInstrument = {
  cardId: string;
  token: string | null;
  cvv?: string;
  expiry?: { month: number; year: number };
};

export type PayInput = {
  caller: KnownCaller;
  payment: Payment;
  session: Session | null;
  instrument: PaymentInstrument;
  /** The wallet of the card. */
  wallet?: CardWallet;
  /** The payer has the card kept: the merchant gets a token for it, as if it had requested one. */
  keepsCard?: boolean;
  /** The destination card of a transfer. */
  payeeCard?: CardData;
  browser?: BrowserInfo;
  /** The payer's client IP, where it is known better than by the payment's `payer.ip`. */
  address?: string;
  /** Payer fields that the page collected, by the contract's names without `payer_`. */
  payer?: PartyDetails;
  /** Results of a 3-D Secure check by the merchant; the provider then makes none. */
  mpi?: Record<string, string>;
  /** The account to prefer: that of a chain's initial payment. */
  preferredMidId?: string;
  origin?: CredentialOnFile;
  /** An id that the merchant has already received. A new one when absent. */
  transactionId?: string;
  /** The eligibility found by the checks of this request; computed here when absent. */
  eligibility?: Eligibility;
  /** Card parameter sets that the payment does not satisfy; computed here when absent. */
  missingSets?: CardSetId[];
  now: Date;
};

/** Why no attempt was made. Nothing was sent to a provider. */
export type NotPayableReason =
  | 'busy'
  | 'paid'
  | 'expired'
  | 'superseded'
  | 'cancelled'
  | 'exhausted'
  | 'unroutable'
  | 'changed'
  /** The method sends a link, and the payment or its recipient gets no more messages. */
  | 'unsent'
  /** Blocked as card testing like an attempt before it, whose outcome is the answer. */
  | 'blocked';

/**
 * `exceeded`: the error of the exceeded turnover limit, where that is why no account takes the payment. `waitSeconds`:
 * when the recipient of a link gets messages again.
 */
export type NotStarted = {
  refused: NotPayableReason;
  payment: Payment;
  exceeded?: ErrorKey | null;
  waitSeconds?: number;
};

/** An attempt that is inserted and not sent yet. */
export type PreparedAttempt = {
  payment: Payment;
  transaction: Transaction;
  card?: CardData;
  mid: Mid;
  /** Blocked as card testing: not sent to a provider. */
  isBlocked?: true;
};

/**
 * Inserts an attempt. Of two concurrent ones, one is inserted and the other refused as `busy`, as is every one while
 * the outcome of an earlier attempt is unknown. `plan`: the routing decided before the payment was created.
 */
export async function prepareAttempt(input: PayInput, plan?: AttemptPlan): Promise<PreparedAttempt | NotStarted> {
  requireCorrectClock();
  let { payment, session } = input;
  const instrument = plan?.instrument ?? (await resolveInstrument(payment, input));
  let routing = plan?.routing;
  for (let round = 0; round < 5; round++) {
    const refused = notPayableReason(payment, session, input.caller.mapping, input.now);
    if (refused) return { refused, payment };
    // The shop may change its session until the first attempt; the payer has agreed to the amount shown.
    if (!hasSameTotal(payment, input.payment)) return { refused: 'changed', payment };
    // Another attempt has ended since the page was shown: the payer decides again.
    if (payment.attempts !== input.payment.attempts) return { refused: 'busy', payment };
    routing ??= await planAttempt(payment, instrument, input);
    if (routing.blockReason !== null && (await findStopped(payment))) {
      if (session) await countRepeatedStop(payment, session);
      return { refused: 'blocked', payment };
    }
    const waitSeconds = sendsLink(input)
      ? await linkWaitSeconds(payment, methodOf(input.instrument), input.payer)
      : null;
    if (waitSeconds !== null) return { refused: 'unsent', payment, waitSeconds };
    const attempt = await insertAtFirstMid(payment, instrument, routing, input);
    if (attempt) return attempt;
    routing = undefined;
    ({ payment, session } = await reloadPayment(payment, session));
  }
  return { refused: 'busy', payment };
}

/** The instrument and routing of an attempt, decided before its payment is created. */
export type AttemptPlan = { instrument: ResolvedInstrument; routing: AttemptRouting };

/** Plans the first attempt of a payment that is not created yet. */
export async function planFirstAttempt(input: PayInput): Promise<AttemptPlan> {
  const instrument = await resolveInstrument(input.payment, input);
  return { instrument, routing: await planAttempt(input.payment, instrument, input) };
}

/**
 * As {@link prepareAttempt}, for the first attempt of a payment that is not created yet: `create` inserts both, or
 * returns null. Null where no account is available, a turnover limit has to be checked under its lock, the method sends a
 * link, or `create` has written nothing.
 */
export async function prepareAttemptWithPayment(
  input: PayInput,
  { instrument, routing }: AttemptPlan,
  create: (intent: Intent) => Promise<PaymentWithTransaction | null>,
): Promise<PreparedAttempt | null> {
  const [mid] = midsBelowLimits(routing.choice.mids, routing.limitCheck);
  if (sendsLink(input)) return null;
  if (!mid || limitsOf(input.caller, mid, input.now).length > 0) return null;
  const inserted = await create(intentFor(mid, input.payment, routing, routing.limitCheck, input));
  return inserted && { ...attemptFor(mid, instrument, routing), ...inserted };
}

/** The decrypted card of an attempt, if any, and the keys of its card-testing counters. */
type ResolvedInstrument = { card: CardData | undefined; testingKeys: CardTestingKeys | null };

async function resolveInstrument(
  payment: Payment,
  { instrument, wallet, address }: PayInput,
): Promise<ResolvedInstrument> {
  const card = 'method' in instrument ? undefined : await loadCardData(instrument, payment.merchantId);
  // A wallet has authenticated the holder.
  const isTyped = !wallet && ('number' in instrument || card?.cvv !== undefined);
  return { card, testingKeys: card && isTyped ? await cardTestingKeys(payment, card, address) : null };
}

/** The values that an attempt stores, whichever account takes it. */
type StoredParts = Pick<Intent, 'card' | 'parameters' | 'payee'>;

/** The accounts in their order, and the values to store. `blockReason`: why the attempt is blocked as card testing. */
type AttemptRouting = {
  choice: RoutingChoice;
  limitCheck: LimitCheck;
  blockReason: string | null;
  testingKeys: CardTestingKeys | null;
  stored: StoredParts;
};

async function planAttempt(
  payment: Payment,
  { card, testingKeys }: ResolvedInstrument,
  input: PayInput,
): Promise<AttemptRouting> {
  const choice = await selectMids(payment, card?.number, input);
  const limitCheck =
    input.eligibility?.limitCheck ?? (await midsWithinLimits(input.caller, choice.mids, payment, input.now));
  if (midsBelowLimits(choice.mids, limitCheck).length === 0)
    return { choice, limitCheck, blockReason: null, testingKeys, stored: {} };
  const blockReason = testingKeys && (await cardTestingBlock(testingKeys, payment, input.now));
  return { choice, limitCheck, blockReason, testingKeys, stored: await storedPartsOf(payment, card, input) };
}

async function selectMids(payment: Payment, cardNumber: string | undefined, input: PayInput): Promise<RoutingChoice> {
  const { caller, eligibility } = input;
  const method = methodOf(input.instrument);
  const missingSets = input.missingSets ?? (await missingParameterSets(caller, payment, method));
  const walletToken = tokenOf(input.instrument) !== undefined;
  const known = { missingSets, digitalWallet: input.wallet?.kind, walletToken };
  const wanted = { ...payment, method, cardNumber, binCountries: env.binCountries, ...known };
  const candidates = eligibility ? withLaterKnown(eligibility.candidates, wanted) : candidatesOf(caller.mids, wanted);
  return orderCandidates(candidates, caller.mapping, wanted, input.preferredMidId);
}

/** Inserts the attempt at the first account below its turnover limits. Null when the payment has changed meanwhile. */
async function insertAtFirstMid(
  payment: Payment,
  instrument: ResolvedInstrument,
  routing: AttemptRouting,
  input: PayInput,
): Promise<PreparedAttempt | NotStarted | null> {
  const { caller, now } = input;
  let { limitCheck } = routing;
  for (const mid of routing.choice.mids) {
    if (!midsBelowLimits([mid], limitCheck)[0]) continue;
    const intent = intentFor(mid, payment, routing, limitCheck, input);
    const result = await withLimitLock(limitsOf(caller, mid, now), payment, (run) => insertAttempt(intent, now, run));
    if ('exceeded' in result) limitCheck = withExceeded(limitCheck, mid, result.exceeded);
    else return result.done && { ...attemptFor(mid, instrument, routing), ...result.done };
  }
  return { refused: 'unroutable', payment, exceeded: exceededLimit(caller.mids, limitCheck) };
}

function attemptFor(mid: Mid, { card }: ResolvedInstrument, { blockReason }: AttemptRouting) {
  return { card, mid, ...(blockReason && { isBlocked: true as const }) };
}

function hasSameTotal(one: Payment, other: Payment): boolean {
  return one.amountMinor === other.amountMinor && one.currency === other.currency;
}

async function reloadPayment(payment: Payment, session: Session | null) {
  const reloaded = session
    ? await findSession(payment.id)
    : await findPayment(payment.id).then((each) => each && { payment: each, session: null });
  if (!reloaded) throw new Error(`payment ${payment.id} is gone`);
  return reloaded;
}

/** Why a payment cannot be attempted now; null when it can. */
export function notPayableReason(
  payment: Payment,
  session: Session | null,
  mapping: Mapping,
  now: Date,
): NotPayableReason | null {
  if (payment.inFlightId) return 'busy';
  if (payment.state !== 'prepare' && payment.state !== 'declined') return 'paid';
  if (session?.cancelledAt) return 'cancelled';
  if (!payment.current && mapping.orderIdReuse !== 'always') return 'superseded';
  if (isExhausted(payment, session, mapping)) return 'exhausted';
  if (session && isExpired(session, now)) return 'expired';
  return null;
}

/** The maximum of a payment's attempts, by any method and with any outcome. */
const attemptsMax = 50;

function isExhausted(payment: Payment, session: Session | null, { maximumDeclines }: Mapping): boolean {
  if (submissionsOf({ payment, session }) >= attemptsMax) return true;
  // The mapping's maximum is one of the payer's page.
  return session !== null && payment.declines + session.repeatedStops.length >= (maximumDeclines ?? attemptsMax);
}

/** Whether the attempt's method sends a link to the payer. */
function sendsLink({ instrument, payment }: PayInput): boolean {
  const method = 'method' in instrument && findMethod(instrument.method);
  return method ? experienceOf(method, payment.payer.country) === 'message' : false;
}

/** The method's id of an instrument. */
export function methodOf(instrument: PaymentInstrument): string {
  return 'method' in instrument ? instrument.method : 'card';
}

/** The encrypted wallet token of an instrument, if any. */
export function tokenOf(instrument: PaymentInstrument): string | undefined {
  return 'method' in instrument ? instrument.walletToken : undefined;
}

const kindOf: Record<Payment['operation'], Kind> = {
  purchase: 'sale',
  debit: 'debit',
  credit: 'credit',
  transfer: 'transfer',
  recurring: 'recurring',
};

async function storedPartsOf(
  payment: Payment,
  card: CardData | undefined,
  { instrument, payeeCard }: PayInput,
): Promise<StoredParts> {
  const storedCard = 'storedCard' in instrument ? instrument.storedCard : null;
  return {
    // A stored card with a new expiry date is stored as another card, so that later attempts use that date.
    card:
      storedCard && !storedCard.expiry
        ? { id: storedCard.cardId }
        : card && (await toStoredCard(card, payment.merchantId)),
    parameters: 'method' in instrument ? await collectedParameters(payment, instrument) : undefined,
    payee: payeeOf(payment, card, payeeCard),
  };
}

/** The attempt at an account, with the routing log of the accounts that were skipped. */
function intentFor(
  mid: Mid,
  payment: Payment,
  { choice, blockReason, testingKeys, stored }: AttemptRouting,
  limitCheck: LimitCheck,
  input: PayInput,
): Intent {
  const { instrument, browser, origin, now } = input;
  const id = input.transactionId ?? chargeAttemptId(payment, mid, payment.attempts + 1);
  const kind = payment.authorizeOnly ? 'authorize' : kindOf[payment.operation];
  const fields = { id, kind, method: methodOf(instrument), browser, origin, testingKeys };
  const transaction = newTransaction(payment, mid, fields, now);
  const routingLog = routingLogOf(choice, midsBelowLimits(choice.mids, limitCheck));
  return {
    ...stored,
    payment,
    transaction,
    event: payment.state === 'declined' ? 'retry' : null,
    exclusive: true,
    cardToken: 'storedCard' in instrument ? (instrument.storedCard.token ?? undefined) : undefined,
    keepsCard: input.keepsCard,
    wallet: input.wallet,
    payer: input.payer,
    browser,
    routingLog: blockReason
      ? routingLog.map((step) => (step.taken ? { ...step, why: blockReason } : step))
      : routingLog,
  };
}

async function loadCardData(card: CardInstrument, merchantId: string): Promise<CardData> {
  if (!('storedCard' in card)) return card;
  const decrypted = await decryptCard(card.storedCard.cardId, merchantId);
  if (!decrypted) throw new Error(`card ${card.storedCard.cardId} has no number`);
  const { cvv, expiry } = card.storedCard;
  return { ...decrypted, cvv, ...(expiry && { expMonth: expiry.month, expYear: expiry.year }) };
}

/** Payee fields to store: the masked card of a transfer; the card holder of a payout, if no other name is known. */
function payeeOf(
  payment: Payment,
  card: CardData | undefined,
  payeeCard: CardData | undefined,
): PartyDetails | undefined {
  if (payeeCard) return { card: maskOf(payeeCard.number) };
  const named = payment.operation !== 'credit' || fullName(payment.payee) !== undefined;
  return named || !card?.holder ? undefined : { name: card.holder };
}
