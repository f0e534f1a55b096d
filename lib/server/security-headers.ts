/** The defaults of all responses without headers of their own: no sniffing, no active content or framing, no caching. */
export const defaultSecurityHeaders = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
} as const;
