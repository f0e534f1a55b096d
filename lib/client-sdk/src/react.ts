// The frame as a React component, in an entry of its own, so that other users do not need React.

import { type CSSProperties, createElement, type ReactElement, useEffect, useRef } from 'react';
import type { Outcome, ReturnAddresses } from './address.ts';
import { openPayment } from './browser.ts';

export type PaymentViewProps = ReturnAddresses & {
  /** From fetchPaymentUrl. A new value opens another payment. */
  redirectUrl: string;
  /** Called once, when the payer returns. The frame has been removed by then. */
  onOutcome: (outcome: Outcome) => void;
  /** Called if the addresses are invalid. Without it the error is thrown. */
  onError?: (error: unknown) => void;
  /** The frame's name for screen readers. */
  title?: string;
  className?: string;
  /** The frame fills the element, which therefore needs a height. */
  style?: CSSProperties;
};

/** The hosted page in a frame: openPayment as a component. */
export function PaymentView(props: PaymentViewProps): ReactElement {
  const { redirectUrl, successUrl, cancelUrl, errorUrl, expiryUrl, title, className, style } = props;
  const box = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const options = { successUrl, cancelUrl, errorUrl, expiryUrl, title, signal };
    openPayment(box.current as Element, redirectUrl, options).then(
      (outcome) => latest.current.onOutcome(outcome),
      (error) => {
        if (signal.aborted) return;
        if (!latest.current.onError) throw error;
        latest.current.onError(error);
      },
    );
    return () => leaving.abort();
  }, [redirectUrl, successUrl, cancelUrl, errorUrl, expiryUrl, title]);
  return createElement('div', { ref: box, className, style });
}
