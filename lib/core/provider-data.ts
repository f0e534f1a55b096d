// The data that providers report with an operation, and the browser data that they receive, as types that the money
// tables store. lib/connectors/connector.ts describes the calls.
import type { DeclineClass } from './declines.ts';
import type { Money } from './money.ts';
import type { StoredPresentation } from './presentation.ts';

/** The payer's browser data for 3-D Secure. */
export type BrowserInfo = {
  acceptHeaders?: string;
  userAgent?: string;
  language?: string;
  colorDepth?: number;
  screenHeight?: number;
  screenWidth?: number;
  /** Minutes, as `Date.prototype.getTimezoneOffset` gives them. */
  timezoneOffset?: number;
  javaEnabled?: boolean;
  javascriptEnabled?: boolean;
  platform?: string;
};

/** The wallets whose tokens Florin decrypts. */
export type WalletKind = 'applepay' | 'googlepay';

/** The data that a provider reports with an operation in addition to its outcome. */
export type ProviderData = {
  providerRef?: string;
  rrn?: string;
  arn?: string;
  approvalCode?: string;
  descriptor?: string;
  brand?: string;
  threeDS?: Record<string, string>;
  extended?: Record<string, string>;
  /** Instructions for the payer, with `waiting`. They may change later (a renewed code); null once none are left. */
  present?: StoredPresentation | null;
  /** Every chargeback of the payment so far, each with its own id. Later responses of `status` also contain them. */
  chargebacks?: Chargeback[];
};

/**
 * Money of a settled payment that the payer's bank took back. `id` is the provider's, unique within the payment; `date`
 * and `bankDate` are `YYYY-MM-DD`; `won`: the money was returned to the merchant.
 */
export type Chargeback = {
  id: string;
  amount: Money;
  date: string;
  bankDate?: string;
  reasonCode?: string;
  status: 'open' | 'won';
};

/** The next address for the payer's browser, with method and parameters. */
export type NextAction = { url: string; method: 'GET' | 'POST'; params: Record<string, string> };

/** A definite refusal of the provider: no money has moved and none will. */
export type Decline = {
  code: string;
  reason: string;
  class: DeclineClass;
  /** Whether another attempt with the same payment instrument may succeed. */
  soft: boolean;
};
