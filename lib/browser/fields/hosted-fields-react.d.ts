// Types of /sdk/hosted-fields-react.js: hosted fields as a React component and as a hook. React 18 and later.
import type { ReactElement, ReactNode, RefObject } from 'react';
import type {
  HostedFieldChange,
  HostedFieldFault,
  HostedFieldFrame,
  HostedFieldName,
  HostedFieldStyle,
  HostedFieldsEvents,
  HostedFieldsResult,
  WalletName,
  WalletOptions,
} from './hosted-fields.d.ts';

/** The state of one field. `brand` is the card's scheme, with the field `card` only. */
export type HostedFieldState = Omit<HostedFieldChange, 'field'> & { focused: boolean; fault: HostedFieldFault | null };

export type UseHostedFieldsOptions = {
  /** The address of /sdk/hosted-fields.js, or of the version that `integrity` belongs to. */
  script: string;
  integrity?: string;
  /** From POST /api/v1/session/token; null until your server has one. Another token mounts new, empty fields. */
  sessionToken: string | null;
  /** The fields to mount: those whose ref has an element. With a saved card only `cvv`; `line` alone has all three. */
  fields: { [name in HostedFieldFrame]?: { placeholder?: string; label?: string } };
  style?: HostedFieldStyle;
  /** One of the 21 language codes or a language tag such as `es-MX`; default: the browser's language. */
  language?: string;
  onReady?: () => void;
  onChange?: (change: HostedFieldChange) => void;
  /** The Enter key was pressed in a field. */
  onEnter?: (detail: HostedFieldsEvents['enter']) => void;
  onError?: (error: HostedFieldsEvents['error']) => void;
  /** What the payer agrees to is drawn, or the payer has changed a box. */
  onAgreement?: (detail: HostedFieldsEvents['agreement']) => void;
  /** A wallet's sheet has closed after a payment attempt. */
  onWallet?: (detail: HostedFieldsEvents['wallet']) => void;
};

export type HostedFieldsControls = {
  /** Refs for the elements that contain the frames; the elements must have no other content. */
  refs: { [name in HostedFieldFrame]: RefObject<HTMLDivElement | null> };
  /** By field, those of a line too. */
  states: { [name in HostedFieldName]: HostedFieldState };
  isReady: boolean;
  /** Sends the input to the service; your page gets the outcome, not the data. */
  submit: () => Promise<HostedFieldsResult>;
  focus: (field?: HostedFieldName | 'agreement') => void;
  clear: (field?: HostedFieldName) => void;
  /** Adds the buttons of the available wallets to an element, once `isReady`. */
  wallets: (options: WalletOptions) => Promise<WalletName[]>;
};

/** Mounts hosted fields into the elements of `refs` and removes them with the component. */
export declare function useHostedFields(options: UseHostedFieldsOptions): HostedFieldsControls;

export type HostedFieldsFormProps = Omit<UseHostedFieldsOptions, 'onEnter'> & {
  /** Called with the outcome of each submit; on success your page or server makes the payment. */
  onResult: (result: HostedFieldsResult) => void;
  className?: string;
  /** Content below the fields: further inputs, the button. */
  children?: ReactNode;
};

/**
 * A form with label, container and error text for each frame of `fields`. The elements have the classes `hosted-field`,
 * `hosted-field-label`, `hosted-field-box` (with data-focused, data-valid, data-invalid), `hosted-field-error` and
 * `hosted-field-agreement`; the styles are yours.
 */
export declare function HostedFieldsForm(props: HostedFieldsFormProps): ReactElement;
