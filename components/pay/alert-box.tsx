// The alert at the top of the sheet. Every form's document contains it, hidden if empty, so that the script only fills
// in text and never builds markup.
import type { ReactNode } from 'react';
import { Icon } from './icons';

type Props = {
  kind?: 'decline' | 'unknown';
  heading?: string;
  text?: string;
  /** The heading takes the focus when the document appears. */
  focus?: boolean;
  children?: ReactNode;
};

/** 'decline' is red; 'unknown' has the accent's tint and a clock and is never red. */
export function AlertBox({ kind = 'decline', heading, text, focus, children }: Props) {
  return (
    <div className="alert" id="alert" data-kind={kind} hidden={!heading}>
      <Icon name="error" className="when-decline" />
      <Icon name="clock" className="when-unknown" />
      <div>
        {/* biome-ignore lint/a11y/noAutofocus: after a failed attempt the reason comes first */}
        <h2 tabIndex={-1} autoFocus={focus}>
          {heading}
        </h2>
        <p>{text}</p>
        {children}
      </div>
    </div>
  );
}
