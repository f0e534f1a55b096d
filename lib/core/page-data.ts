// The data that a payer's page gives its script: one JSON block in the document, so that the script contains no texts
// and no addresses. Types only; the renderers write it and lib/browser reads it.

export type PageData = {
  /** The model's state ('form', 'challenge', 'receipt' ...). */
  state: string;
  /** The address from which the page is reloaded. */
  pageUrl: string;
  live?: {
    eventsUrl: string;
    stateUrl: string;
    version: string;
    /** Until the session ends, counted from rendering; absent: no end. */
    secondsLeft?: number;
  };
  form?: {
    /** Error texts by message key without 'error.', with the count if there is one ('long:32', 'card_cvv.empty:3'). */
    errors: Record<string, string>;
    /** Placeholders of the security code for 3 and 4 digits. */
    code: { 3: string; 4: string };
    /** Accepted brands; empty: all. */
    brands: readonly string[];
    /** GET with `&country=US` appended: the AddressForm of another country. */
    addressUrl?: string;
    offline: { heading: string; text: string };
    wallets?: WalletData;
  };
  /** Until the displayed code or request expires, counted like `live.secondsLeft`. */
  stepSecondsLeft?: number;
  /** The text of the session's end, with '{time}' as the placeholder of minutes and seconds. */
  closes?: string;
  /** The return from a receipt: the sentence for 0, 1, 2 ... seconds left. */
  countdown?: string[];
};

/** The address form of a country, as the page and its script show it. */
export type AddressForm = {
  /** The fields by name, in the order of an envelope; a row has one field, or two short ones. */
  rows: readonly (readonly string[])[];
  /** Only a country with states shows their list. */
  states: readonly { code: string; name: string }[];
  labels: Record<string, string>;
  /** Error texts as in `PageData`. */
  errors: Record<string, string>;
};

/** The requests for the browser's wallets, in the formats of their APIs. */
export type WalletData = {
  /** ApplePayPaymentRequest, and the address that returns the opaque session. */
  applepay?: { request: object; validateUrl: string };
  /** The two arguments of PaymentRequest. */
  googlepay?: { methods: { supportedMethods: string; data: object }[]; details: PaymentDetails };
};

/** The total in the format of PaymentRequest. */
type PaymentDetails = { total: { label: string; amount: { currency: string; value: string } } };

/** The JSON response of POST /pay/:token to a script. With the header `page-nonce` a final page is in the response itself. */
export type SubmitResult =
  | { next: 'reload' }
  /** `isTaken`: the payment was sent to the provider and is not known to be declined. */
  | { next: 'go'; url: string; isTaken?: boolean }
  /** The browser must submit the form itself: the choice adds fields that this document does not contain. */
  | { next: 'post' }
  | {
      next: 'stay';
      /** Field name to text in the payer's language. */
      errors: Partial<Record<string, string>>;
      alert?: AlertText;
      /** New values of hidden fields (the attempt number). */
      hidden?: Record<string, string>;
    };

/** The texts of an alert: created by `alertText` in lib/payer/decline-alert.ts, shown by the renderer or by the script. */
export type AlertText = {
  kind: 'data' | 'funds' | 'bank' | 'technical' | 'unconfirmed';
  heading: string;
  text: string;
  /** The sheet's heading and the button below the alert; without a button text the old one remains. */
  formHeading: string;
  button?: string;
  /** The document's new title. */
  title: string;
  /** Fields to clear. */
  clears: string[];
  /** The errors by field name; empty if none applies. */
  errors: Partial<Record<string, string>>;
};
