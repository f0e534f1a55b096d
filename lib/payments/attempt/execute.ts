/**
 * An attempt to pay, by card or by any other method: record, call, record. Nothing is locked while the provider is
 * asked; a crash at any point leaves a row that is due and is settled by asking.
 */

import { env } from '../../config';
import type { CardData, CardWallet, Outcome } from '../../connectors';
import { maskOf } from '../../core/cards';
import type { ErrorKey } from '../../core/errors';
import type {
  CredentialOnFile,
  Kind,
  PartyDetails,
  Payment,
  PaymentWithTransaction,
  Session,
  Transaction,
} from '../../core/payment';
import type { BrowserInfo } from '../../core/provider-data';
import { isSandboxCard } from '../../core/sandbox-cards';
import type { Caller, Mapping, Mid } from '../../merchants';
import type { CardSetId } from '../../methods/card-sets';
import {
  type CardTestingKeys,
  cardTestingBlock,
  cardTestingKeys,
  countAttemptResult,
  testingDecline,
} from '../../risk';
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
} from '../../routing';
import { decryptCard, toStoredCard } from '../../vault';
import { requireCorrectClock } from '../create';
import { lookUpOutcome } from '../provider';
import { findPayment, findSession, findTransaction } from '../queries';
import { isExpired } from '../sessions';
import { insertAttempt } from '../transitions';
import { resolveAttempt } from './failover';
import type { Intent } from './intent';
import { applyOutcome } from './outcome';
import { collectedParameters, type MethodInstrument } from './payer-parameters';
import { type AttemptPayload, callProvider, fullName, newTransaction } from './provider-call';

/** How a payer pays by card: with a number typed now, or with a kept card. */
export type CardInstrument = CardData | { kept: StoredCardInstrument };

/**
 * How a payer pays: by card, or by another method of the catalogue. `parameters` are those that the page has collected;
 * they are kept with those of the request.
 */
export type PaymentInstrument = CardInstrument | MethodInstrument;

/** A kept card. `expiry` is one that the payer of a payout has just typed; it goes before the one that is stored. */
export type StoredCardInstrument = {
  cardId: string;
  token: string | null;
  cvv?: string;
  expiry?: { month: number; year: number };
};

export type PayInput = {
  caller: Caller & { mapping: Mapping };
  payment: Payment;
  session: Session | null;
  means: PaymentInstrument;
  /** The wallet that gave the card. */
  wallet?: CardWallet;
  /** The card that a transfer goes to. */
  payeeCard?: CardData;
  browser?: BrowserInfo;
  /** Where the payer is connected from, where that is better known than by the payment's `payer.ip`. */
  address?: string;
  /** What the payer's page collected, by the contract's names without `payer_`. */
  payer?: PartyDetails;
  /** Results of a 3-D Secure check that the merchant has made; none of ours is run then. */
  mpi?: Record<string, string>;
  /** Merchant accounts to prefer, best first: a chain stays with the account that it began at. */
  preferredMidId?: string;
  origin?: CredentialOnFile;
  /** An id that the merchant has been told already. A new one when absent. */
  transactionId?: string;
  /** What the admission of this request has found out; it is found out here when absent. */
  eligibility?: Eligibility;
  /** Card parameter sets that the payment leaves something out of; found out here when absent. */
  lackingSets?: CardSetId[];
  now: Date;
};

/** Why no attempt was made. Nothing was sent anywhere. */
export type NotPayableReason =
  | 'busy'
  | 'paid'
  | 'expired'
  | 'superseded'
  | 'cancelled'
  | 'exhausted'
  | 'unroutable'
  | 'changed';

/** `exceeded`: the limit that no account is below, where that is why none takes the payment. */
export type NotStarted = { refused: NotPayableReason; payment: Payment; exceeded?: ErrorKey | null };

export type PayResult = PaymentWithTransaction | NotStarted;

/** An attempt that is written down and has not gone out yet. */
export type PreparedAttempt = {
  payment: Payment;
  transaction: Transaction;
  card?: CardData;
  mid: Mid;
  /** What its end is counted under; absent where nobody looks. */
  watched?: CardTestingKeys;
  /** It goes to nobody. */
  stopped?: true;
};

/** Tries to pay and waits for the provider's answer. */
export async function pay(input: PayInput): Promise<PayResult> {
  const started = await prepareAttempt(input);
  return 'refused' in started ? started : executeAttempt(started, input);
}

/**
 * Writes an attempt down. Of two at once one is made and the other is refused as `busy`; so is one while the outcome
 * of an earlier attempt is not known. `ready`: what was decided about it before the payment was opened.
 */
export async function prepareAttempt(input: PayInput, ready?: AttemptPlan): Promise<PreparedAttempt | NotStarted> {
  requireCorrectClock();
  let { payment, session } = input;
  const instrument = ready?.instrument ?? (await resolveInstrument(payment, input));
  let routing = ready?.routing;
  for (let round = 0; round < 5; round++) {
    const refused = notPayableReason(payment, session, input.caller.mapping, input.now);
    if (refused) return { refused, payment };
    // The shop may change its session until the first attempt: the payer has agreed to what they saw.
    if (!hasSameTotal(payment, input.payment)) return { refused: 'changed', payment };
    // Somebody else's attempt has come and gone in between: whoever pressed meant the payment as it was before.
    if (payment.attempts !== input.payment.attempts) return { refused: 'busy', payment };
    routing ??= await planAttempt(payment, instrument, input);
    const taken = await insertAtFirstMid(payment, instrument, routing, input);
    if (taken) return taken;
    routing = undefined;
    ({ payment, session } = await reloadPayment(payment, session));
  }
  return { refused: 'busy', payment };
}

/** An attempt as far as it is decided before its payment is open. */
export type AttemptPlan = { instrument: ResolvedInstrument; routing: AttemptRouting };

/** Decides about the first attempt of a payment that is not open yet. */
export async function planBeforeOpening(input: PayInput): Promise<AttemptPlan> {
  const instrument = await resolveInstrument(input.payment, input);
  return { instrument, routing: await planAttempt(input.payment, instrument, input) };
}

/**
 * As {@link prepareAttempt}, for the first attempt of a payment that is not open yet: `open` opens it and writes the attempt down, or
 * gives null. Null where that was not to be: nobody would carry the payment, room for it has to be asked for behind a lock,
 * or `open` has written nothing.
 */
export async function prepareAttemptWithPayment(
  input: PayInput,
  { instrument, routing }: AttemptPlan,
  open: (intent: Intent) => Promise<PaymentWithTransaction | null>,
): Promise<PreparedAttempt | null> {
  const [mid] = midsBelowLimits(routing.choice.mids, routing.room);
  if (!mid || limitsOf(input.caller, mid, input.now).length > 0) return null;
  const written = await open(intentFor(mid, input.payment, routing, routing.room, input));
  return written && { ...attemptFor(mid, instrument, routing), ...written };
}

/** What an attempt is made with: the card in clear, if it is one, and what it is counted under. */
type ResolvedInstrument = { card: CardData | undefined; watch: CardTestingKeys | null };

async function resolveInstrument(payment: Payment, { means, wallet, address }: PayInput): Promise<ResolvedInstrument> {
  return {
    card: 'method' in means ? undefined : await loadCardData(means),
    // A wallet's token is a card that its holder has confirmed.
    watch: wallet ? null : await cardTestingKeys(payment, means, address),
  };
}

/** What an attempt stores whichever account takes it. */
type StoredParts = Pick<Intent, 'card' | 'parameters' | 'payee'>;

/** The accounts in their order, and what is stored whichever of them takes the attempt. `why`: what it is stopped for. */
type AttemptRouting = { choice: RoutingChoice; room: LimitCheck; why: string | null; stored: StoredParts };

async function planAttempt(
  payment: Payment,
  { card, watch }: ResolvedInstrument,
  input: PayInput,
): Promise<AttemptRouting> {
  const choice = await selectMids(payment, card?.number, input);
  const room = input.eligibility?.room ?? (await midsWithinLimits(input.caller, choice.mids, payment, input.now));
  if (midsBelowLimits(choice.mids, room).length === 0) return { choice, room, why: null, stored: {} };
  const why = watch && (await cardTestingBlock(watch, payment, input.now));
  return { choice, room, why, stored: await storedPartsOf(payment, card, input) };
}

async function selectMids(payment: Payment, cardNumber: string | undefined, input: PayInput): Promise<RoutingChoice> {
  const { caller, eligibility } = input;
  const method = methodOf(input.means);
  const lacking = input.lackingSets ?? (await missingParameterSets(caller, payment, method));
  const walletToken = tokenOf(input.means) !== undefined;
  const known = { lackingSets: lacking, digitalWallet: input.wallet?.kind, walletToken };
  const wanted = { ...payment, method, cardNumber, binCountries: env.binCountries, ...known };
  const candidates = eligibility ? withLaterKnown(eligibility.candidates, wanted) : candidatesOf(caller.mids, wanted);
  return orderCandidates(candidates, caller.mapping, wanted, input.preferredMidId);
}

/**
 * Writes the attempt down at the first account whose limits have room for it, which only their lock can say for certain. Null
 * when the payment has changed since it was read.
 */
async function insertAtFirstMid(
  payment: Payment,
  instrument: ResolvedInstrument,
  routing: AttemptRouting,
  input: PayInput,
): Promise<PreparedAttempt | NotStarted | null> {
  const { caller, now } = input;
  let { room } = routing;
  for (const mid of routing.choice.mids) {
    if (!midsBelowLimits([mid], room)[0]) continue;
    const intent = intentFor(mid, payment, routing, room, input);
    const written = await withLimitLock(limitsOf(caller, mid, now), payment, (run) => insertAttempt(intent, now, run));
    if ('exceeded' in written) room = withExceeded(room, mid, written.exceeded);
    else return written.done && { ...attemptFor(mid, instrument, routing), ...written.done };
  }
  return { refused: 'unroutable', payment, exceeded: exceededLimit(caller.mids, room) };
}

function attemptFor(mid: Mid, { card, watch }: ResolvedInstrument, { why }: AttemptRouting) {
  return { card, mid, ...(watch && { watched: watch }), ...(why && { stopped: true as const }) };
}

function hasSameTotal(one: Payment, other: Payment): boolean {
  return one.amountMinor === other.amountMinor && one.currency === other.currency;
}

async function reloadPayment(payment: Payment, session: Session | null) {
  const found = session
    ? await findSession(payment.id)
    : await findPayment(payment.id).then((each) => each && { payment: each, session: null });
  if (!found) throw new Error(`payment ${payment.id} is gone`);
  return found;
}

/** Why a payment cannot be tried now; null when it can. */
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
  if (session && mapping.maximumDeclines !== null && payment.declines >= mapping.maximumDeclines) return 'exhausted';
  if (session && isExpired(session, now)) return 'expired';
  return null;
}

/** The id of the method that is paid by. */
export function methodOf(means: PaymentInstrument): string {
  return 'method' in means ? means.method : 'card';
}

function tokenOf(means: PaymentInstrument): string | undefined {
  return 'method' in means ? means.walletToken : undefined;
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
  { means, payeeCard }: PayInput,
): Promise<StoredParts> {
  const kept = 'kept' in means ? means.kept : null;
  return {
    // A date that was typed for a kept card makes another card of it: a later try goes out with that date too.
    card: kept && !kept.expiry ? { id: kept.cardId } : card && (await toStoredCard(card, payment.merchantId)),
    parameters: 'method' in means ? await collectedParameters(payment, means) : undefined,
    payee: payeeOf(payment, card, payeeCard),
  };
}

/** The attempt at an account, with the routing log of what was passed over for it. */
function intentFor(
  mid: Mid,
  payment: Payment,
  { choice, why, stored }: AttemptRouting,
  room: LimitCheck,
  input: PayInput,
): Intent {
  const { means, browser, origin, transactionId: id, now } = input;
  const kind = payment.authorizeOnly ? 'authorize' : kindOf[payment.operation];
  const transaction = newTransaction(payment, mid, { id, kind, method: methodOf(means), browser, origin }, now);
  const trace = routingLogOf(choice, midsBelowLimits(choice.mids, room));
  return {
    ...stored,
    payment,
    transaction,
    event: payment.state === 'declined' ? 'retry' : null,
    exclusive: true,
    cardToken: 'kept' in means ? (means.kept.token ?? undefined) : undefined,
    wallet: input.wallet,
    payer: input.payer,
    browser,
    routingLog: why ? trace.map((step) => (step.taken ? { ...step, why } : step)) : trace,
  };
}

async function loadCardData(card: CardInstrument): Promise<CardData> {
  if (!('kept' in card)) return card;
  const opened = await decryptCard(card.kept.cardId);
  if (!opened) throw new Error(`card ${card.kept.cardId} has no number`);
  const { cvv, expiry } = card.kept;
  return { ...opened, cvv, ...(expiry && { expMonth: expiry.month, expYear: expiry.year }) };
}

/** What is kept of who gets the money: the mask of a transfer's card; of a payout the name on it, if no other is known. */
function payeeOf(
  payment: Payment,
  card: CardData | undefined,
  payeeCard: CardData | undefined,
): PartyDetails | undefined {
  if (payeeCard) return { card: maskOf(payeeCard.number) };
  const named = payment.operation !== 'credit' || fullName(payment.payee) !== undefined;
  return named || !card?.holder ? undefined : { name: card.holder };
}

/** Asks the provider and writes its answer down. */
export async function executeAttempt(started: PreparedAttempt, input: PayInput): Promise<PaymentWithTransaction> {
  const ended = await sendAttempt(started, input);
  if (started.watched && !started.stopped) countAttemptResult(started.watched, ended.transaction);
  return ended;
}

/**
 * The provider's answer. Where it was lost and a notification came meanwhile, the provider is asked at once, as long as the
 * security code is here for a fail-over.
 */
async function providerOutcome(both: PaymentWithTransaction, mid: Mid, order: AttemptPayload): Promise<Outcome> {
  const outcome = await callProvider(both, mid, order);
  if (outcome.kind !== 'unknown') return outcome;
  const fresh = await findTransaction(both.transaction.id);
  if (fresh?.status !== 'sent' || fresh.receivedByProviderAt === null) return outcome;
  const said = await lookUpOutcome(fresh);
  return said.kind === 'absent' ? outcome : said;
}

async function sendAttempt(
  { payment, transaction, card, mid, stopped: isStopped }: PreparedAttempt,
  input: PayInput,
): Promise<PaymentWithTransaction> {
  if (isStopped) {
    return applyOutcome({ payment, transaction }, { kind: 'declined', decline: testingDecline, facts: {} }, input.now);
  }
  const numbers = [card, input.payeeCard].flatMap((each) => each?.number ?? []);
  if (env.appEnv === 'sandbox' && !numbers.every(isSandboxCard)) {
    // A live card fails here, before anybody else could see it (contract, section 1.9).
    const decline = { code: 'sandbox_card', reason: 'Declined by processing', class: 'bank', soft: false } as const;
    return applyOutcome({ payment, transaction }, { kind: 'declined', decline, facts: {} }, input.now);
  }
  const order: AttemptPayload = {
    card,
    wallet: input.wallet,
    payeeCard: input.payeeCard,
    browser: input.browser,
    mpi: input.mpi,
    descriptor: input.caller.merchant.name,
    walletToken: tokenOf(input.means),
  };
  const began = performance.now();
  const outcome = await providerOutcome({ payment, transaction }, mid, order);
  // The clock of the record is the request's, moved on by the time that the provider took.
  const now = new Date(input.now.getTime() + Math.round(performance.now() - began));
  return resolveAttempt({ payment, transaction }, outcome, order, now);
}
