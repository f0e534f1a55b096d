/** Calls of attempts to providers: the new transaction, and the request that is sent. */

import { v5 } from 'uuid';
import { checkoutBaseUrl } from '../../config/index.ts';
import {
  type CardData,
  type CardWallet,
  findConnector,
  type Outcome,
  type PayRequest,
} from '../../connectors/index.ts';
import type { CardTestingKeys } from '../../core/card-testing.ts';
import { newId } from '../../core/ids.ts';
import type {
  CredentialOnFile,
  Kind,
  PartyDetails,
  Payment,
  PaymentWithTransaction,
  Transaction,
} from '../../core/payment.ts';
import type { BrowserInfo } from '../../core/provider-data.ts';
import { clockOffsetMilliseconds } from '../../db/clock.ts';
import { statement } from '../../db/index.ts';
import { type Mid, maxPayerTextLength, notificationUrl } from '../../merchants/index.ts';
import { createLinkToken, decryptParameters } from '../../vault/index.ts';

/** The sensitive and request-bound data of an attempt, for any provider. Kept in memory only. */
export type AttemptPayload = {
  /** Absent for other methods. */
  card?: CardData;
  /** The wallet of the card. */
  wallet?: CardWallet;
  /** A wallet token that the provider decrypts: its parameter `payment_token`. */
  walletToken?: string;
  payeeCard?: CardData;
  browser?: BrowserInfo;
  mpi?: Record<string, string>;
  descriptor?: string;
};

/** A transaction that is about to be inserted. */
export function newTransaction(
  payment: Payment,
  mid: Mid,
  fields: {
    id?: string;
    kind: Kind;
    attemptId?: string;
    method?: string;
    amountMinor?: bigint;
    browser?: BrowserInfo;
    origin?: CredentialOnFile;
    testingKeys?: CardTestingKeys | null;
  },
  now: Date,
): Transaction {
  // Credential-on-file data is set for accounts that support it, and always for subsequent payments.
  const origin = mid.cardOnFileSupport || payment.recurringFirstId ? fields.origin : undefined;
  return {
    id: fields.id ?? newId(),
    paymentId: payment.id,
    kind: fields.kind,
    status: 'sent',
    amountMinor: fields.amountMinor ?? payment.amountMinor,
    currency: payment.currency,
    midId: mid.id,
    method: fields.method ?? 'card',
    attemptId: fields.attemptId ?? null,
    providerData: {},
    action: null,
    browser: fields.browser ?? null,
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
    testingKeys: fields.testingKeys ?? null,
    dueAt: firstPollAt(mid, now),
    createdAt: now,
    finishedAt: null,
    cancelReason: null,
  };
}

/**
 * The id of an attempt of a schedule's charge, and so its idempotency key: a database that was restored from before the
 * charge sends the same request under the same key, and no other one under it. `attempt` counts from one; an account gets
 * it once. Undefined for any other payment, which gets a new id.
 */
export function chargeAttemptId(
  { id, subscriptionId, amountMinor, currency }: Payment,
  mid: Pick<Mid, 'id'>,
  attempt: number,
): string | undefined {
  return subscriptionId === null ? undefined : v5(`attempt-${attempt} ${mid.id} ${amountMinor} ${currency}`, id);
}

/** The first poll of a call without a response: after the provider timeout. */
export function firstPollAt(mid: Mid, now: Date): Date {
  return new Date(now.getTime() + (timeoutSecondsOf(mid) + 5) * 1000);
}

/** The account's provider timeout. */
export function timeoutSecondsOf(mid: Mid): number {
  return mid.settings.timeoutSeconds ?? 30;
}

/** For this time after its insert a row belongs to its process without a check: others wait until it is overdue. */
const ownershipMilliseconds = 1000;

const findUnsent = statement<{ id: string; offsetMs: number }>(
  'transaction-may-send',
  `select 1 from transactions where id = :id and status in ('sent', 'unknown') and cancel_reason is null
      and due_back_at > clock_timestamp() + :offsetMs::float8 * interval '1 millisecond'`,
);

/**
 * Whether this process may still send the request. A process that was suspended must not send a request that another
 * has cancelled or polled meanwhile, or that is past its deadline. It queries the database only where time has passed
 * since the insert.
 */
export async function mayStillSend({ id, insertedAtMs }: Transaction): Promise<boolean> {
  const elapsed = insertedAtMs === undefined ? Number.NaN : Date.now() - insertedAtMs;
  if (elapsed >= 0 && elapsed < ownershipMilliseconds) return true;
  return (await findUnsent({ id, offsetMs: clockOffsetMilliseconds() })).length > 0;
}

/** The outcome of a call that was not made because the row is no longer this process's. */
export const notSent: Outcome = { kind: 'unknown', why: 'the row was taken over before the call' };

/** Sends an attempt to an account's provider. Never throws on errors of the provider. */
export async function callProvider(
  { payment, transaction }: PaymentWithTransaction,
  mid: Mid,
  payload: AttemptPayload,
): Promise<Outcome> {
  const connector = findConnector(mid.connector);
  if (!connector) throw new Error(`MID ${mid.id} names an unknown connector`);
  const returnUrl = `${checkoutBaseUrl()}/return/${await createLinkToken(transaction.id, 'return')}`;
  if (!(await mayStillSend(transaction))) return notSent;
  const { walletToken } = payload;
  const secret = await decryptParameters(payment, transaction.method);
  if (walletToken !== undefined) secret.payment_token = walletToken;
  const request = buildRequest(payment, transaction, mid, payload, { secret, returnUrl });
  const target = { settings: mid.settings, payerTextMax: maxPayerTextLength(mid) };
  return transaction.kind === 'credit' ? connector.payout(target, request) : connector.pay(target, request);
}

function buildRequest(
  payment: Payment,
  transaction: Transaction,
  mid: Mid,
  payload: AttemptPayload,
  { secret, returnUrl }: { secret: Record<string, string>; returnUrl: string },
): PayRequest {
  const { method, kind } = transaction;
  const isCharge = kind !== 'credit';
  const parameters = (payment.parameters[method] ?? {}) as { readonly [name: string]: unknown };
  // Parameter set LBP lets a merchant set the statement descriptor.
  const descriptor = typeof parameters.descriptor === 'string' ? parameters.descriptor : payload.descriptor;
  return {
    key: transaction.id,
    operation: connectorOperation(kind),
    method,
    amount: { minor: transaction.amountMinor, currency: transaction.currency },
    order: { number: payment.orderNumber, description: payment.description },
    // The card of a payout is the payee's.
    card: isCharge ? payload.card : undefined,
    wallet: payload.wallet,
    payeeCard: isCharge ? payload.payeeCard : payload.card && payeeCardOf(payment, payload.card),
    payer: payment.payer,
    payee: payeeOf(payment),
    browser: payload.browser,
    // A cryptogram is the wallet's authentication of the payer.
    threeDS: payload.mpi || payload.wallet?.cryptogram || payment.recurringFirstId || !isCharge ? 'none' : undefined,
    mpi: payload.mpi,
    recurring: payment.recurringFirstId ? 'next' : payment.recurringInit ? 'first' : undefined,
    parameters: { ...parameters, ...secret },
    descriptor,
    deadline: transaction.responseDueAt ?? undefined,
    returnUrl,
    notifyUrl: notificationUrl(mid),
  };
}

/** The stored wallet of a payment's card, without its cryptogram. */
export function storedWallet({ digitalWallet: kind, panType }: Payment): CardWallet | undefined {
  return kind && panType ? { kind, panType } : undefined;
}

/** Whether the stored card can be charged again: a device number without cryptogram only in the payer's absence. */
export function isChargeableWithoutWallet({ panType, recurringFirstId }: Payment): boolean {
  return panType !== 'dpan' || recurringFirstId !== null;
}

function payeeCardOf({ payee }: Payment, card: CardData): CardData {
  return { ...card, holder: fullName(payee) ?? card.holder };
}

/** The payee's fields, without the masked card of a transfer. */
function payeeOf({ payee: { card: _mask, ...payee } }: Payment): PartyDetails | undefined {
  return Object.keys(payee).length > 0 ? payee : undefined;
}

/** A payee's name, from either form of the request. */
export function fullName({ first_name, last_name, name }: PartyDetails): string | undefined {
  return [first_name, last_name].filter(Boolean).join(' ') || name;
}

function connectorOperation(kind: Kind): PayRequest['operation'] {
  if (kind === 'authorize' || kind === 'debit' || kind === 'transfer') return kind;
  return 'sale';
}
