/**
 * The types of the money path. Wire names (PENDING, 3ds, trans_id) are derived at the edge. Amounts are bigint minor
 * units; the merchant's own text is kept with them because signatures cover it.
 */

import type { DeclineClass } from './declines';
import type { BrowserInfo, NextAction, ProviderData, WalletKind } from './provider-data';
import type { State } from './states';

/** A repeat of a request within this time gets the first outcome (contract, Limits). */
export const repeatSeconds = 15;

export type Protocol = 'checkout' | 's2s_card' | 's2s_apm';
export type Operation = 'purchase' | 'debit' | 'credit' | 'transfer' | 'recurring';
export type Kind =
  | 'sale'
  | 'authorize'
  | 'debit'
  | 'credit'
  | 'transfer'
  | 'recurring'
  | 'capture'
  | 'refund'
  | 'reversal'
  | 'void'
  | 'chargeback';
/**
 * `sent`: recorded, without a response of the provider yet. `challenge`, `redirect`: the payer acts. `waiting`: the
 * provider processes it. `unknown`: the outcome could not be determined. `success` and `fail` are final.
 */
export type Status = 'sent' | 'challenge' | 'redirect' | 'waiting' | 'unknown' | 'success' | 'fail';

/** The payer's data by the contract's names without `payer_`: first_name, email, phone_country_code ... */
export type PartyDetails = { [field: string]: string | undefined };

/** The parts of a card that may be shown and signed; never its number. */
export type CardView = {
  id: string;
  first6: string;
  last4: string;
  brand: string | null;
  expMonth: number;
  expYear: number;
  holder: string | null;
};

/** Who initiated a charge of a stored card, from where, and its position in the series (credential on file). */
export type CredentialOnFile = { initiator: string | null; source: string | null; sequence: string | null };

/** One MID that was chosen or skipped, and why. */
export type RoutingStep = { midId: string; taken: boolean; why: string };

/** One payment, of a session or of a server-to-server request. */
export type Payment = {
  id: string;
  merchantId: string;
  keyId: string;
  protocol: Protocol;
  operation: Operation;
  state: State;
  version: number;
  current: boolean;
  orderNumber: string;
  /** The merchant's text. */
  orderAmount: string;
  currency: string;
  amountMinor: bigint;
  description: string;
  settledMinor: bigint;
  refundedMinor: bigint;
  refundingMinor: bigint;
  /** Disputed or lost to chargebacks. */
  chargedBackMinor: bigint;
  authorizeOnly: boolean;
  recurringInit: boolean;
  requestToken: boolean;
  payer: PartyDetails;
  payee: PartyDetails;
  parameters: Record<string, unknown>;
  customData: unknown;
  notificationUrl: string | null;
  channelId: string | null;
  scheduleId: string | null;
  scheduleStart: string | null;
  scheduleAmount: string | null;
  /** `trans_id` on the wire: the latest attempt. */
  attemptId: string | null;
  inFlightId: string | null;
  attempts: number;
  declines: number;
  method: string | null;
  card: CardView | null;
  cardToken: string | null;
  /** The address to which a payer of a form protocol returns after 3DS or a redirect, and its window. */
  returnUrl: string | null;
  returnTarget: string | null;
  /** `YYYY-MM-DD`: the first automatic charge. */
  firstRecurring: string | null;
  routingLog: RoutingStep[];
  recurringToken: string | null;
  recurringFirstId: string | null;
  /** The subscription that makes this charge automatically. */
  subscriptionId: string | null;
  digitalWallet: WalletKind | null;
  panType: 'dpan' | 'fpan' | null;
  reason: string | null;
  createdAt: Date;
  updatedAt: Date;
  settledAt: Date | null;
};

/** The data of a payment that the hosted page and the hosted fields use. */
export type Session = {
  paymentId: string;
  methods: string[];
  language: string | null;
  successUrl: string | null;
  cancelUrl: string | null;
  errorUrl: string | null;
  expiryUrl: string | null;
  returnUrl: string | null;
  /** `_blank`, `_self`, `_parent`, `_top`. */
  linkTarget: string | null;
  cardTokens: string[];
  formId: string | null;
  expiresAt: Date;
  cancelledAt: Date | null;
  hostedFields: boolean;
  /** The payer must consent to further charges. */
  consentRequired: boolean;
};

/** One operation at a provider. Its id is the provider's idempotency key. */
export type Transaction = {
  id: string;
  paymentId: string;
  kind: Kind;
  status: Status;
  amountMinor: bigint;
  currency: string;
  midId: string;
  method: string;
  /** Of a modification: its attempt. Of a failover attempt: the first attempt. Null on the first attempt itself. */
  attemptId: string | null;
  providerData: ProviderData;
  action: NextAction | null;
  browser: BrowserInfo | null;
  declineCode: string | null;
  declineReason: string | null;
  declineClass: DeclineClass | null;
  /** Whether another attempt with the same card may succeed; null without a decline. */
  declineSoft: boolean | null;
  /** Why the provider is asked to cancel this attempt or release its authorisation; null otherwise. */
  cancelReason: string | null;
  initiator: string | null;
  source: string | null;
  sequence: string | null;
  polls: number;
  /** The deadline of the provider's response, by the database's clock (including the sandbox's offset). */
  responseDueAt: Date | null;
  /**
   * Seconds since the deadline by the same clock when the row was read; negative before it, null on a row that was not
   * read.
   */
  overdueSeconds: number | null;
  /** When a notification or the payer's return first proved that the provider received the request. */
  receivedByProviderAt: Date | null;
  /** The version of the MID's settings that the request used. */
  settingsVersion: number;
  /** How often the provider has rejected its cancellation. */
  rejectedCancels: number;
  /** When this process inserted it, in milliseconds of the system clock; absent on a transaction that was read. */
  insertedAtMs?: number;
  dueAt: Date | null;
  createdAt: Date;
  finishedAt: Date | null;
};

/** A payment with one of its transactions, as both were read together. */
export type PaymentWithTransaction = { payment: Payment; transaction: Transaction };

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
