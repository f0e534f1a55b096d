// What a payer's page hands to its script: one block of JSON in the document, so that the script holds
// no words and no addresses of its own. Types only; the renderers write it and lib/browser reads it.

export type PageData = {
  /** The model's state ('form', 'challenge', 'receipt' ...). */
  state: string;
  /** Where the page is loaded again from. */
  pageUrl: string;
  live?: {
    eventsUrl: string;
    stateUrl: string;
    version: string;
    /** Until the session ends, counted from the moment the document was made; absent: no end. */
    secondsLeft?: number;
  };
  form?: {
    /** Texts of faults by message key without 'error.', with the count where it has one ('long:32', 'card_cvv.empty:3'). */
    errors: Record<string, string>;
    /** Placeholders of the security code for 3 and 4 digits. */
    code: { 3: string; 4: string };
    /** Accepted brands; empty: all. */
    brands: readonly string[];
    /** Countries that have states, with the label of the field. */
    states?: { url: string; labels: Record<string, string> };
    offline: { heading: string; text: string };
    wallets?: WalletData;
  };
  /** Until what the page shows (a code, a request) stops working, counted like `live.secondsLeft`. */
  stepSecondsLeft?: number;
  /** The session's end with '{time}' in the place of minutes and seconds. */
  closes?: string;
  /** A receipt's return: the sentence for 0, 1, 2 ... seconds left. */
  countdown?: string[];
};

/** What the browser's own wallets are asked for with, in their own words. */
export type WalletData = {
  /** ApplePayPaymentRequest, and where the opaque session is fetched. */
  applepay?: { request: object; validateUrl: string };
  /** The two arguments of PaymentRequest. */
  googlepay?: { methods: { supportedMethods: string; data: object }[]; details: PaymentDetails };
};

/** The total as PaymentRequest takes it. */
type PaymentDetails = { total: { label: string; amount: { currency: string; value: string } } };

/** The JSON that POST /pay/:token answers a script with. */
export type SubmitResult =
  | { next: 'reload' }
  /** `isTaken`: the payment has gone out and was not declined, as far as is known. */
  | { next: 'go'; url: string; isTaken?: boolean }
  /** The browser is to send the form itself: what was chosen brings fields that this document has not. */
  | { next: 'post' }
  | {
      next: 'stay';
      /** Field name to text in the payer's language. */
      errors: Partial<Record<string, string>>;
      alert?: AlertText;
      /** New values of hidden fields (the attempt's number). */
      hidden?: Record<string, string>;
    };

/** An alert in words: made by `alertText` in lib/payer/alert.ts, shown by the renderer or by the script. */
export type AlertText = {
  kind: 'data' | 'funds' | 'bank' | 'technical' | 'unconfirmed';
  heading: string;
  text: string;
  /** The sheet's heading and the button below the alert; a button without words keeps its own. */
  formHeading: string;
  button?: string;
  /** The document's new title. */
  title: string;
  /** Fields to empty. */
  clears: string[];
  /** The error of the field to blame, by its name; empty when none is. */
  errors: Partial<Record<string, string>>;
};
