/**
 * What the gateway knows of any provider that moves money: the requests it makes, the answers it
 * understands and the promises every adapter must keep. Everything above this room speaks these
 * types and never a provider's own words, so that a provider can be added without touching payments.
 */
import type { Money } from '../core/money';
import type { PayerReply } from '../core/presentation';
import type { BrowserInfo, Decline, NextAction, ProviderData, WalletKind } from '../core/provider-data';

/** Settings of a provider that speaks the open provider contract over HTTP. */
export type HttpSettings = {
  /** Base URL without a trailing slash, e.g. `https://provider.example/v1`. */
  url: string;
  apiKey: string;
  /** Secret of its notifications, `whsec_` followed by base64. */
  signingSecret: string;
  /** The longest one call may take as a whole; 30 when absent. */
  timeoutSeconds?: number;
  /**
   * Credentials and options that single methods need besides, by method id or by family (`paycash-`); their names are
   * those of the catalogue's rows (lib/methods/catalog.ts, `credentials`).
   */
  methods?: { [method: string]: { [name: string]: string } };
};

/** A card in the clear. Lives in memory only: never stored, logged or put into an error. */
export type CardData = {
  number: string;
  /** Month and year are 0 where nobody named them: a payee's card is found by its number alone. */
  expMonth: number;
  expYear: number;
  cvv?: string;
  holder?: string;
};

/**
 * The wallet that a card came from. A device's number (`dpan`) goes with the cryptogram that the device has made for
 * this one payment; it lives in memory only, like a security code. `fpan` is the number on the card.
 */
export type CardWallet = { kind: WalletKind; panType: 'dpan' | 'fpan'; cryptogram?: string; eci?: string };

/** An order to move money: a payment, or with `payout` a payment to somebody. */
export type PayRequest = {
  /** Our transaction id: the idempotency key and the provider's reference for it. */
  key: string;
  operation: 'sale' | 'authorize' | 'debit' | 'transfer';
  method: string;
  amount: Money;
  order: { number: string; description: string };
  card?: CardData;
  /** The wallet that gave `card`. With a cryptogram the payer has been authenticated already. */
  wallet?: CardWallet;
  payeeCard?: CardData;
  payer: Record<string, string | undefined>;
  /** To whom a payout or a transfer goes, as far as the request says. */
  payee?: Record<string, string | undefined>;
  browser?: BrowserInfo;
  threeDS?: 'own' | 'none';
  /** Results of a 3-D Secure check made elsewhere. */
  mpi?: Record<string, string>;
  recurring?: 'first' | 'next';
  parameters: Record<string, unknown>;
  descriptor?: string;
  /** Where the provider sends the payer's browser afterwards. */
  returnUrl: string;
  /** Where the provider sends its notifications. */
  notifyUrl: string;
  /** The provider refuses the order when it arrives later than this; no limit when absent. */
  deadline?: Date;
};

/** An order about an earlier payment. */
export type ModificationRequest = {
  key: string;
  operation: 'capture' | 'refund' | 'void';
  /** The key of the pay call it follows. */
  original: string;
  /** The whole (remaining) amount when absent. */
  amount?: Money;
  /** As in {@link PayRequest}. */
  deadline?: Date;
};

/** A payer's answer to what they were shown. Every answer has a key of its own; it moves no money by itself. */
export type ProceedRequest = { key: string; original: string; reply: PayerReply };

/**
 * What became of an operation, as far as the provider has said. `amount` is what the provider says has moved or is held,
 * absent only where its answer has none; `received` is what has arrived so far where the payer pays in parts. Neither is
 * checked against the order here.
 */
export type Outcome =
  | { kind: 'approved'; amount?: Money; facts: ProviderData }
  | { kind: 'authorized'; amount?: Money; facts: ProviderData }
  | { kind: 'declined'; decline: Decline; facts: ProviderData }
  | { kind: 'challenge'; action: NextAction; facts: ProviderData }
  | { kind: 'redirect'; action: NextAction; facts: ProviderData }
  | { kind: 'waiting'; received?: Money; facts: ProviderData }
  /** No trustworthy answer. Money may have moved: ask `status`, never treat it as a decline. */
  | { kind: 'unknown'; why: string }
  /** Of `status` only: the provider never received this key. */
  | { kind: 'absent' };

/** The terminal an operation goes to. */
export type Target = {
  settings: HttpSettings;
  /** The most characters of a payer's text that the provider behind the account takes; absent: the connector's own. */
  payerTextMax?: number;
};

/** What a provider can do; payments refuses the rest before it asks. */
export type Capabilities = {
  operations: string[];
  /** Empty means every method: which of them an account has is a matter of its settings. */
  methods: string[];
  partialCapture: boolean;
  partialRefund: boolean;
  zeroAmount: boolean;
  /** Runs 3-D Secure itself, with challenges answered as `challenge`. */
  threeDS: boolean;
  /** Accepts the results of a 3-D Secure check made elsewhere (`mpi`). */
  externalThreeDS: boolean;
  recurring: boolean;
  /** The most characters of a payer's name or of a line of their address; longer ones are sent shortened. */
  payerTextMax: number;
  /** What it takes of a wallet: the card in the clear, the wallet's own token, or nothing. */
  wallet: 'decrypted' | 'token' | 'none';
};

/**
 * What a provider has answered to the question what it can do. `methods` is empty where it does not say; `refused`: it
 * does not know the credentials; `unclear`: it speaks, but not of that; `unreachable`: nothing came back.
 */
export type ConnectionCheck = { durationMs: number } & (
  | { kind: 'answers'; operations: string[]; methods: string[]; wallet?: string }
  | { kind: 'refused' | 'unclear'; httpStatus: number }
  | { kind: 'unreachable'; why: string }
);

/**
 * One way of talking to a provider. No function throws for a fault of the provider: a timeout, a
 * reset, a 5xx or garbage is `unknown`; a definite refusal before anything was done is `declined`
 * of class `technical`.
 */
export type Connector = {
  id: string;
  /** As account managers read it. */
  name: string;
  capabilities: Capabilities;
  /** Starts a payment. The same key again gets the first answer and never moves money twice. */
  pay(target: Target, request: PayRequest): Promise<Outcome>;
  /**
   * Captures, refunds or voids. `void` on an unfinished payment cancels it: `approved` means that
   * the provider guarantees it will never settle; any other outcome says what it became.
   */
  modify(target: Target, request: ModificationRequest): Promise<Outcome>;
  /** Passes on what the payer has answered to a presentation of an unfinished payment. */
  proceed(target: Target, request: ProceedRequest): Promise<Outcome>;
  /** Pays out to `payeeCard` or to what `parameters` name. */
  payout(target: Target, request: PayRequest): Promise<Outcome>;
  /** What became of the operation with this key; `absent` when the provider never received it. */
  status(target: Target, key: string): Promise<Outcome>;
  /** Asks the provider what it can do. Nothing moves and nothing is made: whoever sets up an account asks as they like. */
  check(target: Target): Promise<ConnectionCheck>;
  /**
   * The key that a genuine notification is about, else null. Genuine is what the secret of one of the targets verifies, so
   * that older settings of an account can be tried beside the present ones. The caller then asks `status`.
   */
  readNotification(targets: Target[], request: Request): Promise<{ key: string } | null>;
};
