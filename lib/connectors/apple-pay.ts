/**
 * Fetches Apple Pay merchant sessions: opaque objects that Apple returns for the merchant's identity certificate. The
 * page sends the validation URL, so only Apple's own hosts are called.
 */
import { Agent, request } from 'undici';
import { readAtMost } from '../http/index.ts';
import { log } from '../telemetry/index.ts';

const timeoutSeconds = 15;
const answerBytesMax = 64 * 1024;

/** `apple-pay-gateway.apple.com`, its pods (`-nc-pod1`), the hosts in China and the test hosts (`-cert`). */
const gateway = /^(cn-)?apple-pay-gateway(-[a-z0-9]+)*\.apple\.com$/;
const paths = ['/paymentservices/startSession', '/paymentservices/paymentSession'];

/** Certificate and private key in PEM. */
export type MerchantIdentity = { certificate: string; privateKey: string };

/** The body of the request to Apple. */
export type SessionRequest = {
  merchantIdentifier: string;
  displayName: string;
  initiative: 'web';
  /** The page's host name, as registered with Apple. */
  initiativeContext: string;
};

/** Reports whether a URL is one of Apple's, or of `standIn` (an origin), which replaces Apple in a sandbox. */
export function isApplePayGateway(address: string, standIn: string | null): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, port, username, password, pathname, search, origin } = new URL(address);
  if (username !== '' || password !== '' || search !== '' || !paths.includes(pathname)) return false;
  if (standIn !== null) return origin === standIn;
  return protocol === 'https:' && port === '' && gateway.test(hostname);
}

/** Fetches a session; null for any other result. `authorities` (PEM) replace the default certificate authorities. */
export async function applePaySession(
  address: string,
  { certificate: cert, privateKey: key }: MerchantIdentity,
  body: SessionRequest,
  authorities?: string,
): Promise<object | null> {
  const agent = new Agent({ connect: { cert, key, ca: authorities } });
  try {
    const response = await request(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutSeconds * 1000),
      dispatcher: agent,
    });
    const session = response.statusCode === 200 ? await readObject(response.body) : null;
    if (session === null) log.warn({ http: response.statusCode }, 'Apple Pay returned no session');
    return session;
  } catch (error) {
    // The error's message may contain the key.
    const { code, name } = error as { code?: string; name?: string };
    log.warn({ why: code ?? name }, 'the request for an Apple Pay session failed');
    return null;
  } finally {
    void agent.destroy();
  }
}

async function readObject(body: AsyncIterable<Uint8Array>): Promise<object | null> {
  const bytes = await readAtMost(body, answerBytesMax);
  const parsed: unknown = bytes && JSON.parse(bytes.toString('utf8'));
  return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? parsed : null;
}
