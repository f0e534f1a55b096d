/**
 * The nouns of the money path, as the code holds them. Wire names (PENDING, 3ds, trans_id) are derived at the edge;
 * amounts are minor units in bigint, with the merchant's own text beside them because signatures are made over it.
 */

import type { DeclineClass } from './declines';
import type { BrowserInfo, NextAction, ProviderData, WalletKind } from './provider-data';
import type { State } from './states';

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
 * `sent`: recorded, the provider's answer is not. `challenge`, `redirect`: with the payer. `waiting`: the provider
 * works on it. `unknown`: nobody could say. `success` and `fail` are final.
 */
export type Status = 'sent' | 'challenge' | 'redirect' | 'waiting' | 'unknown' | 'success' | 'fail';

/** The payer's data by the contract's names without `payer_`: first_name, email, phone_country_code ... */
export type PartyDetails = { [field: string]: string | undefined };

/** A card as it may be shown and signed with: never its number. */
export type CardView = {
  id: string;
  first6: string;
  last4: string;
  brand: string | null;
  expMonth: number;
  expYear: number;
  holder: string | null;
};

/** Who began a charge on a stored card, from where, and which of the row it is (card on file). */
export type CredentialOnFile = { initiator: string | null; source: string | null; sequence: string | null };

/** One merchant account that was taken or passed over, and why. */
export type RoutingStep = { midId: string; taken: boolean; why: string };

/** One payment: a session's, or later one of a server-to-server request. */
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
  /** Where a payer of a form protocol is led after 3DS or a redirect, and in which window. */
  returnUrl: string | null;
  returnTarget: string | null;
  /** `YYYY-MM-DD`: the first automatic charge. */
  firstRecurring: string | null;
  routingLog: RoutingStep[];
  recurringToken: string | null;
  recurringFirstId: string | null;
  /** The subscription that makes this charge by itself. */
  subscriptionId: string | null;
  digitalWallet: WalletKind | null;
  panType: 'dpan' | 'fpan' | null;
  reason: string | null;
  createdAt: Date;
  updatedAt: Date;
  settledAt: Date | null;
};

/** What the hosted page and the hosted fields know of a payment. */
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
  /** The payer has to tick that they may be charged again. */
  consentRequired: boolean;
};

/** One movement, or the try of one, at a provider. Its id is the provider's idempotency key. */
export type Transaction = {
  id: string;
  paymentId: string;
  kind: Kind;
  status: Status;
  amountMinor: bigint;
  currency: string;
  midId: string;
  method: string;
  /** Of a modification the attempt that it acts on, of a later call of a failover the first one; null on the first call. */
  attemptId: string | null;
  providerData: ProviderData;
  action: NextAction | null;
  browser: BrowserInfo | null;
  declineCode: string | null;
  declineReason: string | null;
  declineClass: DeclineClass | null;
  /** Whether another attempt with the same card may succeed; null without a decline. */
  declineSoft: boolean | null;
  /** Why the provider is being told to cancel this attempt, or to release its hold; null where it is not. */
  cancelReason: string | null;
  initiator: string | null;
  source: string | null;
  sequence: string | null;
  polls: number;
  /** When the provider's answer is due, by the database's clock (and the sandbox's moved one): the deadline of the request. */
  responseDueAt: Date | null;
  /** Seconds since then by the same clock, at the moment of reading; negative before, null on one that was not read. */
  overdueSeconds: number | null;
  /** When a notification or the payer's return first showed that the provider has received the request. */
  receivedByProviderAt: Date | null;
  /** The version of the account's settings that the request was sent with. */
  settingsVersion: number;
  /** How often the provider has refused to cancel it. */
  rejectedCancels: number;
  /** When this process wrote it down, in milliseconds of the system's clock; absent on a transaction that was read. */
  insertedAtMs?: number;
  dueAt: Date | null;
  createdAt: Date;
  finishedAt: Date | null;
};

/** A payment with one of its transactions, as both were read together. */
export type PaymentWithTransaction = { payment: Payment; transaction: Transaction };

export const nonFinalStatuses: Status[] = ['sent', 'challenge', 'redirect', 'waiting', 'unknown'];

/** Whether the transaction's outcome is still to come. */
export function isNotFinal(transaction: Transaction): boolean {
  return nonFinalStatuses.includes(transaction.status);
}

/**
 * What a refund can still give back: settled, less what was refunded, is on its way back or is disputed. Nothing of a payment
 * that is neither settled nor disputed in part, and nothing of a payout; nothing, too, where the payer's bank has taken back
 * what was refunded before. Minor units.
 */
export function refundableMinor(payment: Payment): bigint {
  const { state, operation, settledMinor, refundedMinor, refundingMinor, chargedBackMinor } = payment;
  if ((state !== 'settled' && state !== 'chargeback') || operation === 'credit') return 0n;
  const left = settledMinor - refundedMinor - refundingMinor - chargedBackMinor;
  return left > 0n ? left : 0n;
}

/** What is an attempt to pay, as opposed to a modification of a payment. */
export const attemptKinds: readonly Kind[] = ['sale', 'authorize', 'debit', 'credit', 'transfer', 'recurring'];

/** Whether the transaction is an attempt to pay, as opposed to a follow-up. */
export function isAttempt(transaction: Pick<Transaction, 'kind'>): boolean {
  return attemptKinds.includes(transaction.kind);
}
