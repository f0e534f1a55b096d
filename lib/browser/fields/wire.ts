// The messages between the merchant's page and the frames; none contains a digit of the card. The page sends the first
// message to the frame's exact origin; after that both use its private message port.

/** The frames, by their public names. */
export type FieldName = 'card' | 'expiry' | 'cvv';
export const fieldNames: readonly FieldName[] = ['card', 'expiry', 'cvv'];

/** CSS by selector: `input`, `::placeholder`, `input:focus`, `input.invalid`. */
export type Style = { [selector: string]: { [property: string]: string } };

/** The page's first message to a frame, with the port. `fields`: all fields that the page has mounted. */
export type Connect = {
  florin: 'connect';
  channel: string;
  field: FieldName;
  fields: FieldName[];
  placeholder?: string;
  label?: string;
  style?: Style;
};

/** Messages from the page. */
export type ToFrame =
  | { type: 'focus' }
  | { type: 'clear' }
  | { type: 'style'; style: Style }
  | { type: 'submit'; token: string; turn: number };

/** The error of one field: a code for programs, a sentence in the frame's language. */
export type FieldError = { field: FieldName; code: string; message: string };

/**
 * Why a submit failed. validation: the input is invalid; expired: the token is invalid or expired; busy: a submit is in
 * progress; network: no response; setup: the frames are missing.
 */
export type FailureCode = 'validation' | 'expired' | 'busy' | 'network' | 'setup';

/** The outcome of a submit. */
export type SubmitResult =
  | { result: 'success'; message: string }
  | { result: 'error'; message: string; code: FailureCode; faults: FieldError[] };

/**
 * Messages from a frame. `brand` is the scheme's id, with the card's field only; `turn` is the number of the page's
 * submit.
 */
export type FromFrame =
  | { type: 'ready' }
  | { type: 'focus' }
  | { type: 'blur' }
  | { type: 'enter' }
  | { type: 'change'; valid: boolean; empty: boolean; brand: string | null }
  | { type: 'error'; fault: FieldError | null }
  | ({ type: 'submit'; turn: number } & SubmitResult);

/** The name of a frame's window, by which its siblings find it. */
export function frameName(channel: string, field: FieldName): string {
  return `florin-${channel}-${field}`;
}
