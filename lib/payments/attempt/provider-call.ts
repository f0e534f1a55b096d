/** One call of an attempt to a provider: the transaction that is written down for it, and the request that is sent. */

import type { CardData, CardWallet, Outcome, PayRequest } from '../../connectors';
import { findConnector } from '../../connectors';
import { newId } from '../../core/ids';
import type {
  CredentialOnFile,
  Kind,
  PartyDetails,
  Payment,
  PaymentWithTransaction,
  Transaction,
} from '../../core/payment';
import type { BrowserInfo } from '../../core/provider-data';
import { query } from '../../db';
import { clockOffsetMilliseconds } from '../../db/clock';
import { type Mid, maxPayerTextLength, providerUrls } from '../../merchants';
import { decryptParameters } from '../../vault';

/** What an attempt needs at whatever provider it goes to. Lives in memory only. */
export type AttemptPayload = {
  /** Absent for any other method. */
  card?: CardData;
  /** The wallet that gave the card. */
  wallet?: CardWallet;
  /** A wallet's token that the provider opens itself: its parameter `payment_token`. */
  walletToken?: string;
  payeeCard?: CardData;
  browser?: BrowserInfo;
  mpi?: Record<string, string>;
  descriptor?: string;
};

/** A transaction that is about to be written down. */
export function newTransaction(
  payment: Payment,
  mid: Mid,
  given: {
    id?: string;
    kind: Kind;
    attemptId?: string;
    method?: string;
    amountMinor?: bigint;
    browser?: BrowserInfo;
    origin?: CredentialOnFile;
  },
  now: Date,
): Transaction {
  // Card on file is told of by the accounts that know it; a chain's later charge is one whatever they know.
  const origin = mid.cardOnFileSupport || payment.recurringFirstId ? given.origin : undefined;
  return {
    id: given.id ?? newId(),
    paymentId: payment.id,
    kind: given.kind,
    status: 'sent',
    amountMinor: given.amountMinor ?? payment.amountMinor,
    currency: payment.currency,
    midId: mid.id,
    method: given.method ?? 'card',
    attemptId: given.attemptId ?? null,
    providerData: {},
    action: null,
    browser: given.browser ?? null,
    declineCode: null,
    declineReason: null,
    declineClass: null,
    declineSoft: null,
    initiator: origin?.initiator ?? null,
    source: origin?.source ?? null,
    sequence: origin?.sequence ?? null,
    polls: 0,
    responseDueAt: new Date(now.getTime() + timeoutSecondsOf(mid) * 1000),
    overdueSeconds: null,
    receivedByProviderAt: null,
    settingsVersion: mid.settingsVersion,
    rejectedCancels: 0,
    dueAt: firstPollAt(mid, now),
    createdAt: now,
    finishedAt: null,
    cancelReason: null,
  };
}

/** When a call that has not come back is asked about: after it must have ended, one way or the other. */
export function firstPollAt(mid: Mid, now: Date): Date {
  return new Date(now.getTime() + (timeoutSecondsOf(mid) + 5) * 1000);
}

/** How long a call to the account's provider may take. */
export function timeoutSecondsOf(mid: Mid): number {
  return mid.settings.timeoutSeconds ?? 30;
}

/** Within this time of being written down a row is its writer's: nobody else takes it up before its call is due back. */
const ownershipMilliseconds = 1000;

/**
 * Whether this process may still send the request: a process that slept must not send what another has cancelled or asked
 * about meanwhile, nor what the provider would refuse as late. It asks the database only where time has gone by since the row
 * was written.
 */
export async function mayStillSend({ id, insertedAtMs }: Transaction): Promise<boolean> {
  const passed = insertedAtMs === undefined ? Number.NaN : Date.now() - insertedAtMs;
  if (passed >= 0 && passed < ownershipMilliseconds) return true;
  const rows = await query(
    'transaction-may-send',
    `select 1 from transactions where id = $1 and status in ('sent', 'unknown') and cancel_reason is null
        and due_back_at > clock_timestamp() + $2::float8 * interval '1 millisecond'`,
    [id, clockOffsetMilliseconds()],
  );
  return rows.length > 0;
}

/** The outcome of a call that was not made because the row is no longer this process's. */
export const notSent: Outcome = { kind: 'unknown', why: 'the row was taken over before the call' };

/** One call of an attempt to the provider behind an account. Never throws for a fault of the provider. */
export async function callProvider(
  { payment, transaction }: PaymentWithTransaction,
  mid: Mid,
  order: AttemptPayload,
): Promise<Outcome> {
  const connector = findConnector(mid.connector);
  if (!connector) throw new Error(`MID ${mid.id} names an unknown connector`);
  if (!(await mayStillSend(transaction))) return notSent;
  const { walletToken } = order;
  const secret = await decryptParameters(payment, transaction.method);
  if (walletToken !== undefined) secret.payment_token = walletToken;
  const request = buildRequest(payment, transaction, mid, order, secret);
  const target = { settings: mid.settings, payerTextMax: maxPayerTextLength(mid) };
  return transaction.kind === 'credit' ? connector.payout(target, request) : connector.pay(target, request);
}

function buildRequest(
  payment: Payment,
  transaction: Transaction,
  mid: Mid,
  order: AttemptPayload,
  secret: Record<string, string>,
): PayRequest {
  const { method, kind } = transaction;
  const pays = kind !== 'credit';
  const parameters = (payment.parameters[method] ?? {}) as { readonly [name: string]: unknown };
  // Set LBP lets a merchant choose what the payer's statement says.
  const descriptor = typeof parameters.descriptor === 'string' ? parameters.descriptor : order.descriptor;
  return {
    key: transaction.id,
    operation: connectorOperation(kind),
    method,
    amount: { minor: transaction.amountMinor, currency: transaction.currency },
    order: { number: payment.orderNumber, description: payment.description },
    // A payout goes to the card that any other payment would come from.
    card: pays ? order.card : undefined,
    wallet: order.wallet,
    payeeCard: pays ? order.payeeCard : order.card && payeeCardOf(payment, order.card),
    payer: payment.payer,
    payee: payeeOf(payment),
    browser: order.browser,
    // A cryptogram is the wallet's own authentication of the payer.
    threeDS: order.mpi || order.wallet?.cryptogram || payment.recurringFirstId || !pays ? 'none' : undefined,
    mpi: order.mpi,
    recurring: payment.recurringFirstId ? 'next' : payment.recurringInit ? 'first' : undefined,
    parameters: { ...parameters, ...secret },
    descriptor,
    deadline: transaction.responseDueAt ?? undefined,
    ...providerUrls(transaction.id, mid),
  };
}

/** The wallet that a payment's card came from, as far as it is kept: never with its cryptogram. */
export function storedWallet({ digitalWallet: kind, panType }: Payment): CardWallet | undefined {
  return kind && panType ? { kind, panType } : undefined;
}

/**
 * Whether a payment's kept card can be charged again without the wallet: a device's number goes out without its
 * cryptogram only where the payer is absent.
 */
export function isChargeableWithoutWallet({ panType, recurringFirstId }: Payment): boolean {
  return panType !== 'dpan' || recurringFirstId !== null;
}

function payeeCardOf({ payee }: Payment, card: CardData): CardData {
  return { ...card, holder: fullName(payee) ?? card.holder };
}

/** What is known of who gets the money; the mask of a transfer's card is none of it. */
function payeeOf({ payee: { card: _mask, ...payee } }: Payment): PartyDetails | undefined {
  return Object.keys(payee).length > 0 ? payee : undefined;
}

/** A payee's name, however the request gave it. */
export function fullName({ first_name, last_name, name }: PartyDetails): string | undefined {
  return [first_name, last_name].filter(Boolean).join(' ') || name;
}

function connectorOperation(kind: Kind): PayRequest['operation'] {
  if (kind === 'authorize' || kind === 'debit' || kind === 'transfer') return kind;
  return 'sale';
}
