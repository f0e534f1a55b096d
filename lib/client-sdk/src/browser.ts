// The hosted page in a frame of the shop's page. A page of another origin cannot be read, but the shop's own can: the
// payer has returned once the frame shows the shop's own address, or once a page of the shop on another origin reports
// it.

import { type Outcome, originOf, type ReturnAddresses, readerOf } from './address.ts';
import { asObject, FlorinError, throwArgumentError } from './errors.ts';

export type OpenOptions = ReturnAddresses & {
  /** The frame's name for screen readers, in the shop's language. */
  title?: string;
  /** Removes the frame and rejects the promise with `aborted`. */
  signal?: AbortSignal;
};

const kind = 'florin.outcome';

/**
 * Shows the hosted page in a frame that fills `element`, and removes the frame when the payer returns. Rejects with
 * `argument` or `aborted`. The merchant's settings must allow the shop's origin to frame the page, and the session must
 * not set `url_target`. Success and cancel pages on another origin than this page call `reportOutcome`.
 */
export async function openPayment(element: Element, redirectUrl: string, options: OpenOptions): Promise<Outcome> {
  const read = readerOf(options, absolute);
  if (originOf(redirectUrl) === null) throwArgumentError('redirectUrl must be a web address.');
  const { signal } = options;
  const frame = frameFor(element, redirectUrl, options.title);
  const stop = new AbortController();
  const { signal: over } = stop;
  try {
    return await new Promise<Outcome>((resolve, reject) => {
      const report = (outcome: Outcome | null) => outcome && resolve(outcome);
      const giveUp = () => reject(new FlorinError('aborted', 'The payment was removed from the page.'));
      if (signal?.aborted) giveUp();
      signal?.addEventListener('abort', giveUp, { signal: over });
      frame.addEventListener('load', () => report(read(addressIn(frame) ?? '')), { signal: over });
      window.addEventListener('message', (event) => report(readMessage(event, frame, read)), { signal: over });
      if (!signal?.aborted) element.append(frame);
    });
  } finally {
    stop.abort();
    frame.remove();
  }
}

/**
 * For a success or cancel page on another origin than the page with the frame: sends this page's address to that page.
 * `to` is its exact origin, `https://shop.example`; no other origin receives the query. False if there is no frame.
 */
export function reportOutcome({ to }: { to: string }): boolean {
  if (originOf(to) === null || new URL(to).origin !== to)
    throwArgumentError('`to` must be an origin such as https://shop.example.');
  if (window.parent === window) return false;
  window.parent.postMessage({ kind, address: window.location.href }, to);
  return true;
}

function frameFor(element: Element, redirectUrl: string, title = 'Payment'): HTMLIFrameElement {
  const frame = element.ownerDocument.createElement('iframe');
  frame.title = title;
  frame.allow = 'payment';
  Object.assign(frame.style, { display: 'block', width: '100%', height: '100%', border: '0' });
  frame.src = redirectUrl;
  return frame;
}

/** An address in the browser's own spelling: resolves relative ones and international names. */
function absolute(address: string): string {
  try {
    return new URL(address, window.location.href).href;
  } catch {
    return address;
  }
}

function addressIn(frame: HTMLIFrameElement): string | null {
  try {
    return frame.contentWindow?.location.href ?? null;
  } catch {
    return null;
  }
}

// The hosted page is in the frame too, and any page can send messages: a message is accepted only from the origin of
// the address that it reports.
function readMessage(
  { source, origin, data }: MessageEvent,
  frame: HTMLIFrameElement,
  read: (address: string) => Outcome | null,
): Outcome | null {
  if (source === null || source !== frame.contentWindow) return null;
  const message = asObject(data);
  if (message?.kind !== kind || typeof message.address !== 'string') return null;
  return originOf(message.address) === origin ? read(message.address) : null;
}
