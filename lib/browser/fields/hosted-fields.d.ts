// Types of the global class `HostedFields` that /sdk/hosted-fields.js defines.

export type HostedFieldName = 'card' | 'expiry' | 'cvv';

/** A frame: of one field, of all three in one line, or of what the payer agrees to besides the payment. */
export type HostedFieldFrame = HostedFieldName | 'line' | 'agreement';

/** CSS by selector: `input`, `input:focus`, `input.invalid`, `input.valid`, `::placeholder`, `::selection`, `agreement`. */
export type HostedFieldStyle = { [selector: string]: { [property: string]: string } };

export type HostedFieldOptions = {
  /** The id of the container, or the container itself. */
  id?: string;
  element?: HTMLElement;
  /** In a line: of the number. */
  placeholder?: string;
  /** The accessible name, in a line that of the group; default: the one in the frame's language. */
  label?: string;
};

export type HostedFieldsOptions = {
  /** From POST /api/v1/session/token. */
  sessionToken: string;
  /**
   * Any of the three, with a saved card only the code; or `line` without them: number, date and code in one frame.
   * `agreement`: the box that has the card saved, where the mapping offers it, and the words of later charges.
   */
  fields: { [name in HostedFieldFrame]?: HostedFieldOptions };
  style?: HostedFieldStyle;
  /** One of the 21 language codes or a language tag such as `es-MX`; default: the browser's language. */
  language?: string;
};

export type HostedFieldChange = {
  field: HostedFieldName;
  valid: boolean;
  empty: boolean;
  /** The card's scheme, with the field `card` only. */
  brand: string | null;
};

/** `field` is `agreement` for a box that must be ticked. */
export type HostedFieldFault = { field: HostedFieldName | 'agreement'; code: string; message: string };

/**
 * validation: the input is invalid. expired: the token is invalid or expired. busy: a submit is in progress. network:
 * no response. setup: the frames are missing.
 */
export type HostedFieldsFailure = 'validation' | 'expired' | 'busy' | 'network' | 'setup';

export type HostedFieldsResult =
  | { result: 'success'; message: string }
  | { result: 'error'; code: HostedFieldsFailure; message: string; faults: HostedFieldFault[] };

export type HostedFieldsEvents = {
  /** All frames are loaded. `labels`: the names of the fields in the frames' language; `message`: what is to be entered. */
  ready: { labels: { [name in HostedFieldName]?: string }; message: string };
  change: HostedFieldChange;
  focus: { field: HostedFieldName };
  blur: { field: HostedFieldName };
  /** The Enter key: submit your form. */
  enter: { field: HostedFieldName };
  /** The agreement's frame is drawn, or the payer has changed a box. `saves`: the card is to be saved. */
  agreement: { shown: boolean; saves: boolean };
  submit: HostedFieldsResult;
  error: { type: HostedFieldsFailure; message: string; faults: HostedFieldFault[] };
  /** A wallet's sheet has closed after a payment attempt: continue as the response requires. */
  wallet: { wallet: WalletName; answer: WalletAnswer };
};

export type WalletName = 'applepay' | 'googlepay';

/** Parameters of the processing call that replace `with_hosted_fields` and `name`. */
export type WalletMeans = { digital_wallet: WalletName; payment_token: string };

/** The response of the processing call; `result` sets the final state of the wallet's sheet. */
export type WalletAnswer = { result?: string };

export type WalletOptions<Answer extends WalletAnswer = WalletAnswer> = {
  /** The id of the container, or the container itself. */
  id?: string;
  element?: HTMLElement;
  /** Default: the token of `init`; wallets need no fields. */
  sessionToken?: string;
  /** The language of the buttons' accessible names. */
  language?: string;
  /** Makes the payment with the wallet's token by the processing call, and returns its response. */
  pay: (token: WalletMeans) => Promise<Answer>;
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
  /** Adds the frames to their containers. Throws a TypeError for invalid options. */
  init(options: HostedFieldsOptions): this;
  /** Calls `handler` for every event of that name; the returned function unsubscribes. */
  on<Name extends keyof HostedFieldsEvents>(
    event: Name,
    handler: (detail: HostedFieldsEvents[Name]) => void,
  ): () => void;
  /** Default: the number. `agreement`: the box that must be ticked. */
  focus(field?: HostedFieldName | 'agreement'): void;
  clear(field?: HostedFieldName): void;
  setStyle(style: HostedFieldStyle): void;
  /** Changes the accessible name of a frame's field, or of its group; an empty one is that in the frame's language. */
  setLabel(frame: HostedFieldFrame, label: string): void;
  /** Shows and reports the faults of all fields, without submitting. */
  report(): void;
  /** Sends the input to the service. Resolves with the outcome, which `submit` and `onSubmitResult` report too. */
  submit(): Promise<HostedFieldsResult>;
  /** Like `submit`, without the promise. */
  collectIframesData(): void;
  /** Adds the buttons of the wallets that this device can pay with to a container. Resolves with their names. */
  wallets(options: WalletOptions): Promise<WalletName[]>;
  destroy(): void;
}
