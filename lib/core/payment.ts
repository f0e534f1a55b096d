/**
 * The types of the money path. Wire names (PENDING, 3ds, trans_id) are derived at the edge. Amounts are bigint minor
 * units; the merchant's own text is kept with them because signatures cover it.
 */

import type { Card, Payment as Row, Transaction as TransactionRow } from '../prisma/client.ts';
import type { CardTestingKeys } from './card-testing.ts';
import type { DeclineClass } from './declines.ts';
import type { BrowserInfo, NextAction, ProviderData, WalletKind } from './provider-data.ts';

/** A repeat of a request within this time gets the first outcome (contract, Limits). */
export const repeatSeconds = 15;

export type Protocol = Row['protocol'];
export type Operation = Row['operation'];
export type Kind = TransactionRow['kind'];
/**
 * `sent`: recorded, without a response of the provider yet. `challenge`, `redirect`: the payer acts. `waiting`: the
 * provider processes it. `unknown`: the outcome could not be determined. `success` and `fail` are final.
 */
export type Status = TransactionRow['status'];

/** The payer's data by the contract's names without `payer_`: first_name, email, phone_country_code ... */
export type PartyDetails = { [field: string]: string | undefined };

/** The parts of a card that may be shown and signed; never its number. */
export type CardView = Pick<Card, 'id' | 'first6' | 'last4' | 'brand' | 'expMonth' | 'expYear' | 'holder'>;

/** Who initiated a charge of a stored card, from where, and its position in the series (credential on file). */
export type CredentialOnFile = { initiator: string | null; source: string | null; sequence: string | null };

/** One MID that was chosen or skipped, and why. */
export type RoutingStep = { midId: string; taken: boolean; why: string };

type UnusedColumn = 'requestDigest' | 'vatCalc' | 'cardId' | 'trace';

type PaymentValues = {
  payer: PartyDetails;
  payee: PartyDetails;
  parameters: Record<string, unknown>;
  customData: unknown;
  scheduleStart: string | null;
  card: CardView | null;
  /** `YYYY-MM-DD`: the first automatic charge. */
  firstRecurring: string | null;
  routingLog: RoutingStep[];
  digitalWallet: WalletKind | null;
  panType: 'dpan' | 'fpan' | null;
};

/** One payment, of a session or of a server-to-server request; its other members are the columns of payments. */
export type Payment = Omit<Row, UnusedColumn | keyof PaymentValues> & PaymentValues;

type TransactionValues = {
  providerData: ProviderData;
  action: NextAction | null;
  browser: BrowserInfo | null;
  declineClass: DeclineClass | null;
  /** The deadline of the provider's response, by the database's clock (including the sandbox's offset). */
  responseDueAt: Date | null;
  /** Seconds since the deadline by the same clock when the row was read; negative before it, null if not read. */
  overdueSeconds: number | null;
  /** When a notification or the payer's return first proved that the provider received the request. */
  receivedByProviderAt: Date | null;
  /** How often the provider has rejected its cancellation. */
  rejectedCancels: number;
  /** The keys of its counters against card testing; null for one that is not checked or is final. */
  testingKeys: CardTestingKeys | null;
  /** When this process inserted it, in milliseconds of the system clock; absent on a transaction that was read. */
  insertedAtMs?: number;
};

/** One operation at a provider; its other members are columns of transactions. Its id is the provider's idempotency key. */
export type Transaction = Pick<
  TransactionRow,
  | ('id' | 'paymentId' | 'kind' | 'status' | 'amountMinor' | 'currency' | 'midId' | 'method' | 'attemptId')
  | ('declineCode' | 'declineReason' | 'declineSoft' | 'cancelReason' | 'initiator' | 'source' | 'sequence')
  | ('polls' | 'settingsVersion' | 'dueAt' | 'createdAt' | 'finishedAt')
> &
  TransactionValues;

/** A payment with one of its transactions, as both were read together. */
export type PaymentWithTransaction = { payment: Payment; transaction: Transaction };

/** The data of a payment that the hosted page and the hosted fields use. */
export type { Session } from '../prisma/client.ts';

export const nonFinalStatuses: Status[] = ['sent', 'challenge', 'redirect', 'waiting', 'unknown'];

/** Whether the transaction has no final outcome yet. */
export function isNotFinal(transaction: Transaction): boolean {
  return nonFinalStatuses.includes(transaction.status);
}

/**
 * The refundable amount in minor units: settled, less refunded, refunds in progress and disputed amounts. Zero for a
 * payment that is neither settled nor partially disputed, for a payout, and if chargebacks already cover the rest.
 */
export function refundableMinor(payment: Payment): bigint {
  const { state, operation, settledMinor, refundedMinor, refundingMinor, chargedBackMinor } = payment;
  if ((state !== 'settled' && state !== 'chargeback') || operation === 'credit') return 0n;
  const left = settledMinor - refundedMinor - refundingMinor - chargedBackMinor;
  return left > 0n ? left : 0n;
}

/** What is an attempt to pay, as opposed to a modification of a payment. */
export const attemptKinds: readonly Kind[] = ['sale', 'authorize', 'debit', 'credit', 'transfer', 'recurring'];

/** Whether the transaction is an attempt, not a modification. */
export function isAttempt(transaction: Pick<Transaction, 'kind'>): boolean {
  return attemptKinds.includes(transaction.kind);
}

/**
 * Whether the transaction releases a payment that is not settled. A release is always whole, whatever amount is reported;
 * the reversal of a settled debit is a refund.
 */
export function isRelease({ settledMinor }: Payment, { kind }: Pick<Transaction, 'kind'>): boolean {
  return kind === 'void' || (kind === 'reversal' && settledMinor === 0n);
}
