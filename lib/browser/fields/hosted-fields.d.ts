// Types of the global class `HostedFields` that /sdk/hosted-fields.js defines.

export type HostedFieldName = 'card' | 'expiry' | 'cvv';

/** CSS by selector: `input`, `input:focus`, `input.invalid`, `input.valid`, `::placeholder`, `::selection`. */
export type HostedFieldStyle = { [selector: string]: { [property: string]: string } };

export type HostedFieldOptions = {
  /** The id of the container, or the container itself. */
  id?: string;
  element?: HTMLElement;
  placeholder?: string;
  /** The accessible name; that of the frame's language when absent. */
  label?: string;
};

export type HostedFieldsOptions = {
  /** Of POST /api/v1/session/token. */
  sessionToken: string;
  /** Any of the three; with a kept card the code alone. */
  fields: { [name in HostedFieldName]?: HostedFieldOptions };
  style?: HostedFieldStyle;
  /** One of the 21 language codes; the browser's language when absent. */
  language?: string;
};

export type HostedFieldChange = {
  field: HostedFieldName;
  valid: boolean;
  empty: boolean;
  /** The card's scheme, with the field `card` only. */
  brand: string | null;
};

export type HostedFieldFault = { field: HostedFieldName; code: string; message: string };

/**
 * validation: what was typed. expired: the token is none, or none any more. busy: a submit is under way. network: no
 * answer. setup: the frames are not there.
 */
export type HostedFieldsFailure = 'validation' | 'expired' | 'busy' | 'network' | 'setup';

export type HostedFieldsResult =
  | { result: 'success'; message: string }
  | { result: 'error'; code: HostedFieldsFailure; message: string; faults: HostedFieldFault[] };

export type HostedFieldsEvents = {
  /** All frames are there. */
  ready: undefined;
  change: HostedFieldChange;
  focus: { field: HostedFieldName };
  blur: { field: HostedFieldName };
  /** The Enter key: submit your form. */
  enter: { field: HostedFieldName };
  submit: HostedFieldsResult;
  error: { type: HostedFieldsFailure; message: string; faults: HostedFieldFault[] };
  /** A wallet's sheet has closed after a payment was tried: go on as the answer says. */
  wallet: { wallet: WalletName; answer: WalletAnswer };
};

export type WalletName = 'applepay' | 'googlepay';

/** What the processing call takes in the place of `with_hosted_fields` and `name`. */
export type WalletMeans = { digital_wallet: WalletName; payment_token: string };

/** What the processing call has answered; `result` tells the wallet's sheet how it went. */
export type WalletAnswer = { result?: string };

export type WalletOptions<Answer extends WalletAnswer = WalletAnswer> = {
  /** The id of the container, or the container itself. */
  id?: string;
  element?: HTMLElement;
  /** That of `init` when absent: wallets need no fields. */
  sessionToken?: string;
  /** Of the buttons' accessible names. */
  language?: string;
  /** Makes the payment with the wallet's token by the processing call, and gives its answer. */
  pay: (means: WalletMeans) => Promise<Answer>;
};

export type HostedFieldHandlers = {
  input?: (change: HostedFieldChange) => void;
  focus?: () => void;
  blur?: () => void;
};

export declare class HostedFields {
  cardOn: HostedFieldHandlers;
  expiryOn: HostedFieldHandlers;
  cvvOn: HostedFieldHandlers;
  onSubmitResult: ((result: HostedFieldsResult) => void) | null;
  /** Puts the frames into their containers. Throws a TypeError for options that cannot work. */
  init(options: HostedFieldsOptions): this;
  /** Calls `handler` at every event of that name; the answer stops it. */
  on<Name extends keyof HostedFieldsEvents>(
    event: Name,
    handler: (detail: HostedFieldsEvents[Name]) => void,
  ): () => void;
  focus(field?: HostedFieldName): void;
  clear(field?: HostedFieldName): void;
  setStyle(style: HostedFieldStyle): void;
  /** Sends what was typed to the service. Resolves with the outcome, also told by `submit` and `onSubmitResult`. */
  submit(): Promise<HostedFieldsResult>;
  /** The same without the promise. */
  collectIframesData(): void;
  /** Puts the buttons of the wallets that can pay, on this device, into a container. Resolves with their names. */
  wallets(options: WalletOptions): Promise<WalletName[]>;
  destroy(): void;
}
