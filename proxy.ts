// Sets the content security policy of the app's pages: only files of this site, and inline scripts and style elements
// only with the nonce of the response, which Next adds to scripts. The table of routes sets its own headers.
import { randomBytes } from 'node:crypto';
import { type NextRequest, NextResponse } from 'next/server';

const development = process.env.NODE_ENV === 'development';

/** The origin of payment pages with a host of their own: form-action also applies to the redirects of a form. */
function checkoutOrigin(): string {
  const { CHECKOUT_HOST: host, BASE_URL: base = '' } = process.env;
  if (!host) return '';
  return ` ${base.startsWith('https:') ? 'https' : 'http'}://${host}`;
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
  // All paths except files and the table of routes.
  matcher: [
    '/((?!_next/static|_next/image|api/|s2s/|pay/|fields/|return/|notify/|sandbox/|sdk/|openapi/|dashboard/api/|\\.well-known/|healthz|readyz|metrics|post$|post-va$|v2/|icon|favicon|apple-touch-icon|robots\\.txt|site\\.webmanifest).*)',
  ],
};
