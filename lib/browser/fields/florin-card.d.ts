// Types of the element <florin-card> that /sdk/florin-card.js defines.
import type {
  HostedFieldChange,
  HostedFieldName,
  HostedFieldStyle,
  HostedFields,
  HostedFieldsEvents,
  HostedFieldsResult,
} from './hosted-fields.d.ts';

/** `line`: number, date and code in one line. `separate`: a labelled field for each. */
export type FlorinCardMode = 'line' | 'separate';

/** `auto`: the text colour of the page, on its background. */
export type FlorinCardTheme = 'auto' | 'light' | 'dark';

/** The element's events; `change`, `complete` and `agreement` bubble. */
export type FlorinCardEvents = {
  ready: CustomEvent<HostedFieldsEvents['ready']>;
  /** `complete`: all fields are valid. */
  change: CustomEvent<HostedFieldChange & { complete: boolean }>;
  /** All fields have become valid. */
  complete: CustomEvent<null>;
  /** What the payer agrees to is drawn, or the payer has changed a box. */
  agreement: CustomEvent<HostedFieldsEvents['agreement']>;
  error: CustomEvent<HostedFieldsEvents['error']>;
};

/**
 * The fields of a card as an element. Attributes: `token` (from POST /api/v1/session/token), `mode`, `theme`, `locale`
 * (one of the 21 language codes, or a language tag such as `es-MX`), `label` (of the line), `agreement` (show what the payer agrees to) and the attributes of a form's element: `name`, `disabled`.
 */
export declare class FlorinCard extends HTMLElement {
  token: string;
  locale: string;
  mode: FlorinCardMode;
  theme: FlorinCardTheme;
  /** Shows the box that has the card saved, and the words of later charges, where the session has them. */
  agreement: boolean;
  /** Of the line: its visible label, and the accessible name of its fields' group. */
  label: string;
  name: string;
  disabled: boolean;
  /** Styles of the inputs in addition to the theme's, as `style` of HostedFields. */
  fieldStyle: HostedFieldStyle;
  /** Whether all fields are valid. */
  readonly complete: boolean;
  /** The fields, for the buttons of wallets; null without a token. */
  readonly hosted: HostedFields | null;
  readonly form: HTMLFormElement | null;
  readonly validity: ValidityState;
  readonly validationMessage: string;
  checkValidity(): boolean;
  reportValidity(): boolean;
  /** Sends the card to the service. After a success the value in the form is `collected`, until the card changes. */
  submit(): Promise<HostedFieldsResult>;
  focusField(field?: HostedFieldName): void;
  clear(): void;
  addEventListener<Name extends keyof FlorinCardEvents>(
    name: Name,
    listener: (event: FlorinCardEvents[Name]) => void,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    name: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

declare global {
  interface HTMLElementTagNameMap {
    'florin-card': FlorinCard;
  }
}
