// What the merchant's page and the frames say to each other: nothing in it is ever a digit of the card. The page speaks
// first, to the frame's exact origin; from then on both use the port that came with it, which nobody else holds.

/** The frames, by the names that the merchant uses. */
export type FieldName = 'card' | 'expiry' | 'cvv';
export const fieldNames: readonly FieldName[] = ['card', 'expiry', 'cvv'];

/** CSS by selector: `input`, `::placeholder`, `input:focus`, `input.invalid`. */
export type Style = { [selector: string]: { [property: string]: string } };

/** The page's first message to a frame, with the port. `fields`: all that the page has mounted. */
export type Connect = {
  florin: 'connect';
  channel: string;
  field: FieldName;
  fields: FieldName[];
  placeholder?: string;
  label?: string;
  style?: Style;
};

/** From the page. */
export type ToFrame =
  | { type: 'focus' }
  | { type: 'clear' }
  | { type: 'style'; style: Style }
  | { type: 'submit'; token: string; turn: number };

/** What is wrong with one field: a code for programs, a sentence in the frame's language. */
export type FieldError = { field: FieldName; code: string; message: string };

/**
 * Why a submit failed. validation: what was typed; expired: the token is none (any more); busy: a submit is under way;
 * network: no answer; setup: the frames are not there.
 */
export type FailureCode = 'validation' | 'expired' | 'busy' | 'network' | 'setup';

/** How a submit ended. */
export type SubmitResult =
  | { result: 'success'; message: string }
  | { result: 'error'; message: string; code: FailureCode; faults: FieldError[] };

/** From a frame. `brand` is the scheme's id, with the card's field only; `turn` is that of the page's submit. */
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
