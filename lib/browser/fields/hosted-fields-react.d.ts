// Types of /sdk/hosted-fields-react.js: hosted fields as a React component and as a hook. React 18 and later.
import type { ReactElement, ReactNode, RefObject } from 'react';
import type {
  HostedFieldChange,
  HostedFieldFault,
  HostedFieldName,
  HostedFieldStyle,
  HostedFieldsEvents,
  HostedFieldsResult,
  WalletName,
  WalletOptions,
} from './hosted-fields';

/** What is to be known of one field. `brand` is the card's scheme, with the field `card` only. */
export type HostedFieldState = Omit<HostedFieldChange, 'field'> & { focused: boolean; fault: HostedFieldFault | null };

export type UseHostedFieldsOptions = {
  /** The address of /sdk/hosted-fields.js, or of the version of it that `integrity` belongs to. */
  script: string;
  integrity?: string;
  /** Of POST /api/v1/session/token; null until your server has made one. Another token mounts new, empty fields. */
  sessionToken: string | null;
  /** The fields to mount: those whose ref has an element. With a kept card `cvv` alone. */
  fields: { [name in HostedFieldName]?: { placeholder?: string; label?: string } };
  style?: HostedFieldStyle;
  /** One of the 21 language codes; the browser's language when absent. */
  language?: string;
  onReady?: () => void;
  onChange?: (change: HostedFieldChange) => void;
  /** The Enter key in a field. */
  onEnter?: (detail: HostedFieldsEvents['enter']) => void;
  onError?: (error: HostedFieldsEvents['error']) => void;
  /** A wallet's sheet has closed after a payment was tried. */
  onWallet?: (detail: HostedFieldsEvents['wallet']) => void;
};

export type HostedFieldsControls = {
  /** For the elements that the frames are put into; they hold nothing else. */
  refs: { [name in HostedFieldName]: RefObject<HTMLDivElement | null> };
  states: { [name in HostedFieldName]: HostedFieldState };
  isReady: boolean;
  /** Sends what was typed to the service; your page gets the outcome, not the data. */
  submit: () => Promise<HostedFieldsResult>;
  focus: (field?: HostedFieldName) => void;
  clear: (field?: HostedFieldName) => void;
  /** Puts the buttons of the wallets that can pay into an element, once `isReady`. */
  wallets: (options: WalletOptions) => Promise<WalletName[]>;
};

/** Mounts hosted fields into the elements of `refs` and takes them away with the component. */
export declare function useHostedFields(options: UseHostedFieldsOptions): HostedFieldsControls;

export type HostedFieldsFormProps = Omit<UseHostedFieldsOptions, 'onEnter'> & {
  /** Called with the outcome of each submit; on success your page or server makes the payment. */
  onResult: (result: HostedFieldsResult) => void;
  className?: string;
  /** What stands below the fields: further inputs, the button. */
  children?: ReactNode;
};

/**
 * A form with label, container and error text for each of `fields`. The elements have the classes
 * `hosted-field`, `hosted-field-label`, `hosted-field-box` (with data-focused, data-valid, data-invalid) and
 * `hosted-field-error`; how they look is yours.
 */
export declare function HostedFieldsForm(props: HostedFieldsFormProps): ReactElement;
