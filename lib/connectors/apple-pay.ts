/**
 * Apple's word that a merchant may ask for Apple Pay on a page: an opaque session, fetched with the merchant's identity
 * certificate from the address that the payer's browser was given. The page names that address, so only Apple's own are
 * called.
 */
import { Agent, request } from 'undici';
import { log } from '../telemetry';

const timeoutSeconds = 15;
const answerBytesMax = 64 * 1024;

/** `apple-pay-gateway.apple.com`, its pods (`-nc-pod1`), China's and those of tests (`-cert`). */
const gateway = /^(cn-)?apple-pay-gateway(-[a-z0-9]+)*\.apple\.com$/;
const paths = ['/paymentservices/startSession', '/paymentservices/paymentSession'];

/** Certificate and private key in PEM. */
export type MerchantIdentity = { certificate: string; privateKey: string };

/** What Apple is told of the page. */
export type SessionRequest = {
  merchantIdentifier: string;
  displayName: string;
  initiative: 'web';
  /** The page's host name, as registered with Apple. */
  initiativeContext: string;
};

/** Whether an address is one of Apple's, or of the `standIn` that a sandbox may have in Apple's place (an origin). */
export function isApplePayGateway(address: string, standIn: string | null): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, port, username, password, pathname, search, origin } = new URL(address);
  if (username !== '' || password !== '' || search !== '' || !paths.includes(pathname)) return false;
  if (standIn !== null) return origin === standIn;
  return protocol === 'https:' && port === '' && gateway.test(hostname);
}

/** Fetches a session; null for whatever is none. `authorities` stand in the place of the usual ones, in PEM. */
export async function applePaySession(
  address: string,
  { certificate: cert, privateKey: key }: MerchantIdentity,
  body: SessionRequest,
  authorities?: string,
): Promise<object | null> {
  const agent = new Agent({ connect: { cert, key, ca: authorities } });
  try {
    const answer = await request(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutSeconds * 1000),
      dispatcher: agent,
    });
    const session = answer.statusCode === 200 ? await readObject(answer.body) : null;
    if (session === null) log.warn({ http: answer.statusCode }, 'Apple Pay gave no session');
    return session;
  } catch (fault) {
    // A fault's message may quote the key.
    const { code, name } = fault as { code?: string; name?: string };
    log.warn({ why: code ?? name }, 'Apple Pay could not be asked for a session');
    return null;
  } finally {
    void agent.destroy();
  }
}

async function readObject(body: AsyncIterable<Uint8Array>): Promise<object | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > answerBytesMax) return null;
    chunks.push(chunk);
  }
  const read: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  return typeof read === 'object' && read !== null && !Array.isArray(read) ? read : null;
}
