// The content security policy of the app's pages: nothing but this site's own files, and inline scripts and
// style elements only with the nonce of the very answer, which Next puts on scripts by itself. The addresses of the table of routes set their own headers.
import { randomBytes } from 'node:crypto';
import { type NextRequest, NextResponse } from 'next/server';

const development = process.env.NODE_ENV === 'development';

/** Payment pages on a host of their own: a form of ours that opens one is led there, and the policy counts the way too. */
function checkoutOrigin(): string {
  const { CHECKOUT_HOST: host, BASE_URL: base = '' } = process.env;
  if (!host) return '';
  return ` ${base.startsWith('https:') ? 'https' : 'http'}://${host}`;
}

function policyOf(nonce: string): string {
  return [
    "default-src 'none'",
    // The development server builds its scripts out of text and sets styles as it reloads.
    `script-src 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ''}`,
    // Dialogs hold the page still by a style element, which carries the nonce too. No element's style attribute is let in.
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

export function proxy(request: NextRequest): NextResponse {
  const policy = policyOf(randomBytes(16).toString('base64'));
  const headers = new Headers(request.headers);
  headers.set('content-security-policy', policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('content-security-policy', policy);
  response.headers.set('x-frame-options', 'DENY');
  response.headers.set('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=()');
  return response;
}

export const config = {
  // Everything but files and the addresses of the table of routes.
  matcher: [
    '/((?!_next/static|_next/image|api/|s2s/|pay/|fields/|return/|notify/|sandbox/|sdk/|openapi/|dashboard/api/|\\.well-known/|healthz|readyz|metrics|post$|post-va$|v2/|icon|favicon|apple-touch-icon|robots\\.txt|site\\.webmanifest).*)',
  ],
};
