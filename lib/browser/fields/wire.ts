// The messages between the merchant's page and the frames; none contains a digit of the card. The page sends the first
// message to the frame's exact origin; after that both use its private message port.
import type {
  HostedFieldName as FieldName,
  HostedFieldChange,
  HostedFieldFault,
  HostedFieldsResult,
  HostedFieldStyle as Style,
} from './hosted-fields.d.ts';

export const fieldNames: readonly FieldName[] = ['card', 'expiry', 'cvv'];

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

/** Messages from a frame. `brand`: the scheme's id, for the card's field only; `turn`: the number of the submit. */
export type FromFrame =
  | { type: 'ready' }
  | { type: 'focus' }
  | { type: 'blur' }
  | { type: 'enter' }
  | ({ type: 'change' } & Omit<HostedFieldChange, 'field'>)
  | { type: 'error'; fault: HostedFieldFault | null }
  | ({ type: 'submit'; turn: number } & HostedFieldsResult);

/** The name of a frame's window, by which its siblings find it. */
export function frameName(channel: string, field: FieldName): string {
  return `florin-${channel}-${field}`;
}
