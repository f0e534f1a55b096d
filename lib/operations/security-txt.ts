// GET /.well-known/security.txt (RFC 9116): the contact of this deployment for reports of vulnerabilities.
import { env } from '../config/index.ts';
import { now } from '../db/clock.ts';
import { type HttpResult, httpResult } from '../http/index.ts';

const validDays = 180;

/** The file; 404 without SECURITY_CONTACT. */
export async function serveSecurityTxt(): Promise<HttpResult> {
  if (env.securityContact === null) return httpResult(null, { status: 404 });
  const expires = new Date(now().getTime() + validDays * 86_400_000).toISOString();
  const text = `Contact: ${env.securityContact}\nExpires: ${expires}\nPreferred-Languages: en\n`;
  return httpResult(text, { headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache' } });
}
