// The hosted page in a frame of the shop's page. A page of another origin cannot be read, the shop's own can: the payer
// is back once the frame shows the shop's own address, or once a page of the shop's on another origin says so.

import { type Outcome, originOf, type ReturnAddresses, readerOf } from './address';
import { asObject, FlorinError, throwArgumentError } from './errors';

export type OpenOptions = ReturnAddresses & {
  /** The frame's name for screen readers, in the shop's language. */
  title?: string;
  /** Takes the frame away and fails the promise with `aborted`. */
  signal?: AbortSignal;
};

const kind = 'florin.outcome';

/**
 * Shows the hosted page in a frame that fills `element`, and takes the frame away when the payer is back. Fails with
 * `argument` or `aborted`. The merchant's settings have to allow the shop's origin to frame the page, and the session
 * leaves `url_target` out. Where success and cancel pages are not of this page's origin, they call `reportOutcome`.
 */
export async function openPayment(element: Element, redirectUrl: string, options: OpenOptions): Promise<Outcome> {
  const read = readerOf(absolute(options));
  if (originOf(redirectUrl) === null) throwArgumentError('redirectUrl is a web address.');
  const { signal } = options;
  const frame = frameFor(element, redirectUrl, options.title);
  const stop = new AbortController();
  const { signal: over } = stop;
  try {
    return await new Promise<Outcome>((resolve, reject) => {
      const tell = (outcome: Outcome | null) => outcome && resolve(outcome);
      const giveUp = () => reject(new FlorinError('aborted', 'The payment was taken off the page.'));
      if (signal?.aborted) giveUp();
      signal?.addEventListener('abort', giveUp, { signal: over });
      frame.addEventListener('load', () => tell(read(addressIn(frame) ?? '')), { signal: over });
      window.addEventListener('message', (event) => tell(readMessage(event, frame, read)), { signal: over });
      if (!signal?.aborted) element.append(frame);
    });
  } finally {
    stop.abort();
    frame.remove();
  }
}

/**
 * For a success or cancel page on another origin than the page with the frame: hands this page's address to it. `to` is
 * the exact origin of that page, `https://shop.example`; the query goes to no other. False where there is no frame.
 */
export function reportOutcome({ to }: { to: string }): boolean {
  if (originOf(to) === null || new URL(to).origin !== to)
    throwArgumentError('`to` is an origin, as https://shop.example.');
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

/** The browser's own spelling: relative addresses, names in other scripts. */
function absolute({ successUrl, cancelUrl, errorUrl, expiryUrl }: ReturnAddresses): ReturnAddresses {
  const spelt = (address: string) => {
    try {
      return new URL(address, window.location.href).href;
    } catch {
      return address;
    }
  };
  return {
    successUrl: spelt(successUrl),
    cancelUrl: spelt(cancelUrl),
    ...(errorUrl !== undefined && { errorUrl: spelt(errorUrl) }),
    ...(expiryUrl !== undefined && { expiryUrl: spelt(expiryUrl) }),
  };
}

function addressIn(frame: HTMLIFrameElement): string | null {
  try {
    return frame.contentWindow?.location.href ?? null;
  } catch {
    return null;
  }
}

// The hosted page is in the frame too, and any page can send messages: only a page that stands at the address that it
// reports is believed.
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
