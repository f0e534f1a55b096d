/** The interface of connectors: requests, outcomes and guarantees, in no provider's own format. */
import type { Money } from '../core/money.ts';
import type { PayerReply } from '../core/presentation.ts';
import type { BrowserInfo, Decline, NextAction, ProviderData, WalletKind } from '../core/provider-data.ts';
import type { HttpRequest } from '../http/index.ts';

/** Settings of a provider that speaks the open provider contract over HTTP. */
export type HttpSettings = {
  /** Base URL without a trailing slash, e.g. `https://provider.example/v1`. */
  url: string;
  apiKey: string;
  /** The secret of notifications, `whsec_` followed by base64. */
  signingSecret: string;
  /** The timeout of one call in seconds; 30 by default. */
  timeoutSeconds?: number;
  /** Credentials of single methods, by method id or family (`paycash-`), under the catalogue's names. */
  methods?: { [method: string]: { [name: string]: string } };
};

/** A card in the clear. In memory only: never stored, logged or part of an error. */
export type CardData = {
  number: string;
  /** Month and year are 0 if they are unknown: a payee's card needs only its number. */
  expMonth: number;
  expYear: number;
  cvv?: string;
  holder?: string;
};

/**
 * The wallet that a card came from. A device number (`dpan`) has a cryptogram of the device for this one payment, which
 * is in memory only, like a security code. `fpan` is the number on the card.
 */
export type CardWallet = { kind: WalletKind; panType: 'dpan' | 'fpan'; cryptogram?: string; eci?: string };

/** A request to move money: a payment or a payout. */
export type PayRequest = {
  /** Florin's transaction id: the idempotency key and the provider's reference. */
  key: string;
  operation: 'sale' | 'authorize' | 'debit' | 'transfer';
  method: string;
  amount: Money;
  order: { number: string; description: string };
  card?: CardData;
  /** The wallet of `card`. With a cryptogram the payer is authenticated already. */
  wallet?: CardWallet;
  payeeCard?: CardData;
  payer: Record<string, string | undefined>;
  /** The payee of a payout or a transfer, if known. */
  payee?: Record<string, string | undefined>;
  browser?: BrowserInfo;
  threeDS?: 'own' | 'none';
  /** Results of an external 3-D Secure check. */
  mpi?: Record<string, string>;
  recurring?: 'first' | 'next';
  parameters: Record<string, unknown>;
  descriptor?: string;
  /** Where the provider sends the payer's browser afterwards. */
  returnUrl: string;
  /** Where the provider sends its notifications. */
  notifyUrl: string;
  /** The provider refuses the request if it arrives later; no limit if absent. */
  deadline?: Date;
};

/** A modification of an earlier payment. */
export type ModificationRequest = {
  key: string;
  operation: 'capture' | 'refund' | 'void';
  /** The key of the payment. */
  original: string;
  /** The full (remaining) amount if absent. */
  amount?: Money;
  /** As in {@link PayRequest}. */
  deadline?: Date;
};

/** A payer's reply to a presentation. Every reply has a key of its own and moves no money by itself. */
export type ProceedRequest = { key: string; original: string; reply: PayerReply };

/**
 * The outcome of an operation according to the provider. `amount` is the collected or authorised amount of the
 * response, absent if the response has none; `received` is the amount received so far if the payer pays in parts.
 * Neither is compared with the order here.
 */
export type Outcome =
  | { kind: 'approved'; amount?: Money; facts: ProviderData }
  | { kind: 'authorized'; amount?: Money; facts: ProviderData }
  | { kind: 'declined'; decline: Decline; facts: ProviderData }
  | { kind: 'challenge'; action: NextAction; facts: ProviderData }
  | { kind: 'redirect'; action: NextAction; facts: ProviderData }
  | { kind: 'waiting'; received?: Money; facts: ProviderData }
  /** No reliable response. Money may have moved: call `status`, never treat it as a decline. */
  | { kind: 'unknown'; why: string }
  /** From `status` only: the provider never received this key. */
  | { kind: 'absent' };

/** The provider account of an operation. */
export type Target = {
  settings: HttpSettings;
  /** The maximum length of payer texts at the provider; by default the connector's. */
  payerTextMax?: number;
};

/** The capabilities of a provider. Payments are not sent to providers without the required ones. */
export type Capabilities = {
  operations: string[];
  /** Empty means all methods: the settings of an account decide. */
  methods: string[];
  partialCapture: boolean;
  partialRefund: boolean;
  zeroAmount: boolean;
  /** Runs 3-D Secure itself, with the outcome `challenge`. */
  threeDS: boolean;
  /** Accepts the results of an external 3-D Secure check (`mpi`). */
  externalThreeDS: boolean;
  recurring: boolean;
  /** The maximum length of a payer's name or address line; longer ones are truncated. */
  payerTextMax: number;
  /** Accepted wallet data: the decrypted card, the wallet's token, or none. */
  wallet: 'decrypted' | 'token' | 'none';
};

/** A connection check. `refused`: wrong credentials; `unclear`: no capabilities; `unreachable`: no response. */
export type ConnectionCheck = { durationMs: number } & (
  | { kind: 'answers'; operations: string[]; methods: string[]; wallet?: string }
  | { kind: 'refused' | 'unclear'; httpStatus: number }
  | { kind: 'unreachable'; why: string }
);

/**
 * A connector. No function throws for an error of the provider: a timeout, a reset, a 5xx or a malformed response is
 * `unknown`; a definite refusal without any effect is `declined` of class `technical`.
 */
export type Connector = {
  id: string;
  /** The name in the dashboard. */
  name: string;
  capabilities: Capabilities;
  /** Starts a payment. A repeat with the same key gets the first response and never moves money twice. */
  pay(target: Target, request: PayRequest): Promise<Outcome>;
  /**
   * Captures, refunds or voids; a repeat with the same key moves no money twice. A `void` of an unfinished payment cancels
   * it: `approved` guarantees that it will never settle, and any other outcome is that of the payment itself.
   */
  modify(target: Target, request: ModificationRequest): Promise<Outcome>;
  /** Sends the payer's reply to a presentation of an unfinished payment. */
  proceed(target: Target, request: ProceedRequest): Promise<Outcome>;
  /** Pays out to `payeeCard` or to the account in `parameters`. */
  payout(target: Target, request: PayRequest): Promise<Outcome>;
  /** Returns the outcome of the operation with this key; `absent` if the provider never received it. */
  status(target: Target, key: string): Promise<Outcome>;
  /** Requests the provider's capabilities. It has no effects and can be repeated at any time. */
  check(target: Target): Promise<ConnectionCheck>;
  /**
   * Returns the key of the operation that a notification is about, and those of the targets (an account's settings, present
   * and earlier) whose secret verifies it; null where none does. It is no outcome: the caller then calls `status`.
   */
  readNotification<T extends Target>(targets: T[], request: HttpRequest): Promise<{ key: string; signers: T[] } | null>;
};
