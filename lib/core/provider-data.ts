// What providers report with an operation, and what they are given of the payer's browser, in types that the money tables
// store too. The calls themselves are described in lib/connectors/connector.ts.
import type { DeclineClass } from './declines';
import type { Money } from './money';
import type { Presentation } from './presentation';

/** What the payer's browser says about itself, as 3-D Secure wants it. */
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

/** The wallets whose tokens are opened here. */
export type WalletKind = 'applepay' | 'googlepay';

/** What a provider tells about an operation besides its outcome. */
export type ProviderData = {
  providerRef?: string;
  rrn?: string;
  arn?: string;
  approvalCode?: string;
  descriptor?: string;
  brand?: string;
  threeDS?: Record<string, string>;
  extended?: Record<string, string>;
  /** What the payer is to be shown, with `waiting`. It may be another one at a later time (a renewed code), and null once there
   * is nothing more to show. */
  present?: Presentation | null;
  /** Every chargeback of the payment so far, each with an id of its own. Answers of `status` have them at any later time. */
  chargebacks?: Chargeback[];
};

/**
 * Money of a settled payment that the payer's bank has taken back. `id` is the provider's and unique within the payment;
 * `date` and `bankDate` are `YYYY-MM-DD`; `won`: the money has come back to the merchant.
 */
export type Chargeback = {
  id: string;
  amount: Money;
  date: string;
  bankDate?: string;
  reasonCode?: string;
  status: 'open' | 'won';
};

/** Where the payer's browser has to go next, and how. */
export type NextAction = { url: string; method: 'GET' | 'POST'; params: Record<string, string> };

/** A refusal of which the provider is certain: no money has moved and none will. */
export type Decline = {
  code: string;
  reason: string;
  class: DeclineClass;
  /** Whether another attempt with the same means of payment may succeed. */
  soft: boolean;
};
