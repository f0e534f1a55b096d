// The security headers of Next's pages. Handlers of the table of routes set their own.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { env } from '../config/index.ts';

const development = process.env.NODE_ENV === 'development';

/** The origin of payment pages with a host of their own: form-action also applies to the redirects of a form. */
function checkoutOrigin(): string {
  const { checkoutHost: host, baseUrl } = env;
  return host === null ? '' : ` ${new URL(baseUrl).protocol}//${host}`;
}

function policyOf(nonce: string): string {
  return [
    "default-src 'none'",
    // The development server evaluates scripts and sets inline styles.
    `script-src 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ''}`,
    // Dialogs disable scrolling by a style element with the nonce. Style attributes are not allowed.
    `style-src 'self' ${development ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    // The preview of the payment page.
    "frame-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    `form-action 'self'${checkoutOrigin()}`,
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Sets the headers of a page. Next reads the policy from the request and gives its scripts the nonce. */
export function addPageHeaders(incoming: IncomingMessage, outgoing: ServerResponse): void {
  // Built files are no documents.
  if (incoming.url?.startsWith('/_next/')) return;
  const policy = policyOf(randomBytes(16).toString('base64'));
  incoming.headers['content-security-policy'] = policy;
  outgoing.setHeader('content-security-policy', policy);
  outgoing.setHeader('x-frame-options', 'DENY');
  outgoing.setHeader('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=()');
}
