// The messages between the merchant's page and the frames; none contains a digit of the card. The page sends the first
// message to the frame's exact origin; after that both use its private message port.
import type {
  HostedFieldName as FieldName,
  HostedFieldFrame as FrameName,
  HostedFieldChange,
  HostedFieldFault,
  HostedFieldsEvents,
  HostedFieldsResult,
  HostedFieldStyle as Style,
} from './hosted-fields.d.ts';

export const fieldNames: readonly FieldName[] = ['card', 'expiry', 'cvv'];
export const frameNames: readonly FrameName[] = [...fieldNames, 'line', 'agreement'];

/** The fields in a frame: one, or all of them in one line; none in the agreement. */
export function fieldsIn(frame: FrameName): readonly FieldName[] {
  if (frame === 'line') return fieldNames;
  return frame === 'agreement' ? [] : [frame];
}

/**
 * The page's first message to a frame, with the port. `fields`: all frames that the page has mounted; `token`: for the
 * frame that shows what the session's payer agrees to.
 */
export type Connect = {
  florin: 'connect';
  channel: string;
  field: FrameName;
  fields: FrameName[];
  token?: string;
  placeholder?: string;
  label?: string;
  style?: Style;
};

/** Messages from the page. Without `field` they are for the frame's first field, `clear` for all of them. */
export type ToFrame =
  | { type: 'focus'; field?: FieldName | 'agreement' }
  | { type: 'clear'; field?: FieldName }
  | { type: 'style'; style: Style }
  | { type: 'label'; label: string }
  | { type: 'report' }
  | { type: 'submit'; token: string; turn: number };

/** Messages from a frame. `labels`: the names of its fields; `message`: the fault of its empty first field; `brand`: the scheme's id, for the card's field only; `turn`: the number of the submit. */
export type FromFrame =
  | { type: 'ready'; labels: HostedFieldsEvents['ready']['labels']; message: string }
  | { type: 'focus' | 'blur' | 'enter'; field: FieldName }
  | ({ type: 'change' } & HostedFieldChange)
  | { type: 'error'; fault: HostedFieldFault | null }
  | ({ type: 'agreement'; height: number } & HostedFieldsEvents['agreement'])
  | ({ type: 'submit'; turn: number } & HostedFieldsResult);

/** The name of a frame's window, by which its siblings find it. */
export function windowName(channel: string, frame: FrameName): string {
  return `florin-${channel}-${frame}`;
}
