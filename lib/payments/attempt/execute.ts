/**
 * An attempt to pay, by card or by any other method: record, call, record. Nothing is locked while the provider is
 * asked; a crash at any point leaves a row that is due and is settled by asking.
 */

import { env } from '../../config/config';
import type { CardData, CardWallet, Outcome } from '../../connectors/connector';
import { maskOf } from '../../core/cards';
import type { Kind, Origin, Payment, Person, Session, TraceStep, Transaction } from '../../core/payment';
import type { Browser } from '../../core/provider-data';
import { isSandboxCard } from '../../core/sandbox-cards';
import type { Caller, Mapping, Mid } from '../../merchants/merchants';
import { countEnd, stopped, testingDecline, type Watched, watched } from '../../risk/card-testing';
import { lackingSets } from '../../routing/card-parameter-sets';
import { chooseMids, traceOf } from '../../routing/rules';
import { type Limit, limitsOf, withinLimits, withRoom } from '../../routing/turnover-limits';
import { openCard, storable } from '../../vault/seal';
import { demandRightClock } from '../create';
import { ask } from '../provider';
import { findPayment, findSession, findTransaction } from '../queries';
import { isExpired } from '../sessions';
import { record, type Written } from '../transitions';
import { conclude } from './failover';
import type { Intent } from './intent';
import { settle } from './outcome';
import { collected, type OtherMeans } from './payer-parameters';
import { callProvider, nameOf, newTransaction, type Order } from './provider-call';

/** How a payer pays by card: with a number typed now, or with a kept card. */
export type CardInstrument = CardData | { kept: KeptCard };

/**
 * How a payer pays: by card, or by another method of the catalogue. `parameters` are those that the page has collected;
 * they are kept with those of the request.
 */
export type Means = CardInstrument | OtherMeans;

/** A kept card. `expiry` is one that the payer of a payout has just typed; it goes before the one that is stored. */
export type KeptCard = {
  cardId: string;
  token: string | null;
  cvv?: string;
  expiry?: { month: number; year: number };
};

export type PayInput = {
  caller: Caller & { mapping: Mapping };
  payment: Payment;
  session: Session | null;
  means: Means;
  /** The wallet that gave the card. */
  wallet?: CardWallet;
  /** The card that a transfer goes to. */
  payeeCard?: CardData;
  browser?: Browser;
  /** Where the payer is connected from, where that is better known than by the payment's `payer.ip`. */
  address?: string;
  /** What the payer's page collected, by the contract's names without `payer_`. */
  payer?: Person;
  /** Results of a 3-D Secure check that the merchant has made; none of ours is run then. */
  mpi?: Record<string, string>;
  /** Merchant accounts to prefer, best first: a chain stays with the account that it began at. */
  preferredMidId?: string;
  origin?: Origin;
  /** An id that the merchant has been told already. A new one when absent. */
  transactionId?: string;
  now: Date;
};

/** Why no attempt was made. Nothing was sent anywhere. */
export type Refused = 'busy' | 'paid' | 'expired' | 'superseded' | 'cancelled' | 'exhausted' | 'unroutable' | 'changed';

export type Payed = { payment: Payment; transaction: Transaction } | { refused: Refused; payment: Payment };

/** An attempt that is written down and has not gone out yet. */
export type Started = {
  payment: Payment;
  transaction: Transaction;
  card?: CardData;
  mid: Mid;
  /** What its end is counted under; absent where nobody looks. */
  watched?: Watched;
  /** It goes to nobody. */
  stopped?: true;
};

/** Tries to pay and waits for the provider's answer. */
export async function pay(input: PayInput): Promise<Payed> {
  const started = await start(input);
  return 'refused' in started ? started : finish(started, input);
}

/**
 * Writes an attempt down. Of two at once one is made and the other is refused as `busy`; so is one while the outcome
 * of an earlier attempt is not known.
 */
export async function start(input: PayInput): Promise<Started | { refused: Refused; payment: Payment }> {
  demandRightClock();
  let { payment, session } = input;
  const instrument = await instrumentOf(payment, input);
  for (let round = 0; round < 5; round++) {
    const refused = whyNot(payment, session, input.caller.mapping, input.now);
    if (refused) return { refused, payment };
    // The shop may change its session until the first attempt: the payer has agreed to what they saw.
    if (!sameTotal(payment, input.payment)) return { refused: 'changed', payment };
    // Somebody else's attempt has come and gone in between: whoever pressed meant the payment as it was before.
    if (payment.attempts !== input.payment.attempts) return { refused: 'busy', payment };
    const ready = await prepare(payment, instrument, input);
    if (!ready) return { refused: 'unroutable', payment };
    const { intent, limits } = ready;
    const recorded = await withRoom(limits, payment, (run) => record(intent, input.now, run));
    if (recorded) return { ...ready.started, ...recorded };
    ({ payment, session } = await readAgain(payment, session));
  }
  return { refused: 'busy', payment };
}

/**
 * As {@link start}, for the first attempt of a payment that is not open yet: `open` opens it and writes the attempt down, or
 * gives null. Null where that was not to be: nobody would carry the payment, room for it has to be asked for behind a lock,
 * or `open` has written nothing.
 */
export async function startOpening(
  input: PayInput,
  open: (intent: Intent) => Promise<Written | null>,
): Promise<Started | null> {
  const ready = await prepare(input.payment, await instrumentOf(input.payment, input), input, true);
  if (!ready) return null;
  const written = await open(ready.intent);
  return written && { ...ready.started, ...written };
}

/** What an attempt is made with: the card in clear, if it is one, and what it is counted under. */
type Instrument = { card: CardData | undefined; watch: Watched | null };

async function instrumentOf(payment: Payment, { means, wallet, address }: PayInput): Promise<Instrument> {
  return {
    card: 'method' in means ? undefined : await cardDataOf(means),
    // A wallet's token is a card that its holder has confirmed.
    watch: wallet ? null : await watched(payment, means, address),
  };
}

/** An attempt that can be written down, under the limits of its account. */
type Ready = { intent: Intent; limits: Limit[]; started: Omit<Started, 'payment'> };

/** Decides how an attempt is made; null when no account would carry it, or none `withoutLimits` where that is asked for. */
async function prepare(
  payment: Payment,
  { card, watch }: Instrument,
  input: PayInput,
  withoutLimits = false,
): Promise<Ready | null> {
  const { mids, trace } = await choose(payment, card?.number, input);
  const [mid] = mids;
  if (!mid) return null;
  const limits = limitsOf(input.caller, mid, input.now);
  if (withoutLimits && limits.length > 0) return null;
  const why = watch && (await stopped(watch, payment, input.now));
  const steps = why ? trace.map((step) => (step.taken ? { ...step, why } : step)) : trace;
  const intent = await intentOf(payment, { mid, card, trace: steps }, input);
  const { transaction } = intent;
  const started = { transaction, card, mid, ...(watch && { watched: watch }), ...(why && { stopped: true as const }) };
  return { intent, limits, started };
}

async function choose(payment: Payment, cardNumber: string | undefined, input: PayInput) {
  const method = methodOf(input.means);
  const { binCountries } = env;
  const lacking = await lackingSets(input.caller, payment, method);
  const walletToken = tokenOf(input.means) !== undefined;
  const known = { cardNumber, binCountries, lackingSets: lacking, digitalWallet: input.wallet?.kind, walletToken };
  const wanted = { ...payment, method, ...known };
  const choice = chooseMids(input.caller, wanted, input.preferredMidId);
  const room = await withinLimits(input.caller, choice.mids, payment, input.now);
  return { mids: room.mids, trace: traceOf(choice, room.mids) };
}

function sameTotal(one: Payment, other: Payment): boolean {
  return one.amountMinor === other.amountMinor && one.currency === other.currency;
}

async function readAgain(payment: Payment, session: Session | null) {
  const found = session
    ? await findSession(payment.id)
    : await findPayment(payment.id).then((each) => each && { payment: each, session: null });
  if (!found) throw new Error(`payment ${payment.id} is gone`);
  return found;
}

/** Why a payment cannot be tried now; null when it can. */
export function whyNot(payment: Payment, session: Session | null, mapping: Mapping, now: Date): Refused | null {
  if (payment.inFlightId) return 'busy';
  if (payment.state !== 'prepare' && payment.state !== 'declined') return 'paid';
  if (session?.cancelledAt) return 'cancelled';
  if (!payment.current && mapping.orderIdReuse !== 'always') return 'superseded';
  if (session && mapping.maximumDeclines !== null && payment.declines >= mapping.maximumDeclines) return 'exhausted';
  if (session && isExpired(session, now)) return 'expired';
  return null;
}

/** The id of the method that is paid by. */
export function methodOf(means: Means): string {
  return 'method' in means ? means.method : 'card';
}

function tokenOf(means: Means): string | undefined {
  return 'method' in means ? means.walletToken : undefined;
}

const kindOf: Record<Payment['operation'], Kind> = {
  purchase: 'sale',
  debit: 'debit',
  credit: 'credit',
  transfer: 'transfer',
  recurring: 'recurring',
};

type Chosen = { mid: Mid; card?: CardData; trace: TraceStep[] };

async function intentOf(payment: Payment, { mid, card, trace }: Chosen, input: PayInput): Promise<Intent> {
  const { now } = input;
  const { means, browser, origin, transactionId: id } = input;
  const kept = 'kept' in means ? means.kept : null;
  const kind = payment.authorizeOnly ? 'authorize' : kindOf[payment.operation];
  const transaction = newTransaction(payment, mid, { id, kind, method: methodOf(means), browser, origin }, now);
  return {
    payment,
    transaction,
    event: payment.state === 'declined' ? 'retry' : null,
    exclusive: true,
    // A date that was typed for a kept card makes another card of it: a later try goes out with that date too.
    card: kept && !kept.expiry ? { id: kept.cardId } : card && (await storable(card, payment.merchantId)),
    cardToken: kept?.token ?? undefined,
    wallet: input.wallet,
    payer: input.payer,
    browser,
    parameters: 'method' in means ? await collected(payment, means) : undefined,
    payee: payeeOf(payment, card, input.payeeCard),
    trace,
  };
}

async function cardDataOf(card: CardInstrument): Promise<CardData> {
  if (!('kept' in card)) return card;
  const opened = await openCard(card.kept.cardId);
  if (!opened) throw new Error(`card ${card.kept.cardId} has no number`);
  const { cvv, expiry } = card.kept;
  return { ...opened, cvv, ...(expiry && { expMonth: expiry.month, expYear: expiry.year }) };
}

/** What is kept of who gets the money: the mask of a transfer's card; of a payout the name on it, if no other is known. */
function payeeOf(payment: Payment, card: CardData | undefined, payeeCard: CardData | undefined): Person | undefined {
  if (payeeCard) return { card: maskOf(payeeCard.number) };
  const named = payment.operation !== 'credit' || nameOf(payment.payee) !== undefined;
  return named || !card?.holder ? undefined : { name: card.holder };
}

/** Asks the provider and writes its answer down. */
export async function finish(
  started: Started,
  input: PayInput,
): Promise<{ payment: Payment; transaction: Transaction }> {
  const ended = await carriedOut(started, input);
  if (started.watched && !started.stopped) countEnd(started.watched, ended.transaction);
  return ended;
}

/**
 * The provider's answer. Where it was lost and a notification came meanwhile, the provider is asked at once, as long as the
 * security code is here for a fail-over.
 */
async function answerOf(
  both: { payment: Payment; transaction: Transaction },
  mid: Mid,
  order: Order,
): Promise<Outcome> {
  const outcome = await callProvider(both, mid, order);
  if (outcome.kind !== 'unknown') return outcome;
  const fresh = await findTransaction(both.transaction.id);
  if (fresh?.status !== 'sent' || fresh.heardAt === null) return outcome;
  const said = await ask(fresh);
  return said.kind === 'absent' ? outcome : said;
}

async function carriedOut(
  { payment, transaction, card, mid, stopped: isStopped }: Started,
  input: PayInput,
): Promise<{ payment: Payment; transaction: Transaction }> {
  if (isStopped) {
    return settle({ payment, transaction }, { kind: 'declined', decline: testingDecline, facts: {} }, input.now);
  }
  const numbers = [card, input.payeeCard].flatMap((each) => each?.number ?? []);
  if (env.appEnv === 'sandbox' && !numbers.every(isSandboxCard)) {
    // A live card fails here, before anybody else could see it (contract, section 1.9).
    const decline = { code: 'sandbox_card', reason: 'Declined by processing', class: 'bank', soft: false } as const;
    return settle({ payment, transaction }, { kind: 'declined', decline, facts: {} }, input.now);
  }
  const order: Order = {
    card,
    wallet: input.wallet,
    payeeCard: input.payeeCard,
    browser: input.browser,
    mpi: input.mpi,
    descriptor: input.caller.merchant.name,
    walletToken: tokenOf(input.means),
  };
  const began = performance.now();
  const outcome = await answerOf({ payment, transaction }, mid, order);
  // The clock of the record is the request's, moved on by the time that the provider took.
  const now = new Date(input.now.getTime() + Math.round(performance.now() - began));
  return conclude({ payment, transaction }, outcome, order, now);
}
