// The content security policy of the app's pages: nothing but this site's own files, and inline scripts only with the
// nonce of the very answer, which Next puts on its own. The addresses of the table of routes set their own headers.
import { randomBytes } from 'node:crypto';
import { type NextRequest, NextResponse } from 'next/server';

const development = process.env.NODE_ENV === 'development';

function policyOf(nonce: string): string {
  return [
    "default-src 'none'",
    // The development server builds its scripts out of text and sets styles as it reloads.
    `script-src 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ''}`,
    `style-src 'self'${development ? " 'unsafe-inline'" : ''}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
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
    '/((?!_next/static|_next/image|api/|s2s/|pay/|fields/|return/|notify/|sandbox/|sdk/|healthz|post$|post-va$|v2/|icon|favicon).*)',
  ],
};
