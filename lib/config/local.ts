// Whether a request comes from this machine, for what a sandbox shows to its own developer only.
import { env } from './config.ts';

const own = /^(localhost|127\.0\.0\.1|\[?::1\]?)$/;

/**
 * Whether a browser on this machine sent a request, from a page of this machine's name: another site can let its own
 * name lead here (DNS rebinding), but not change the Host. Behind a proxy every client address is local, but then the
 * sandbox's own address is not.
 */
export function isLocal(headers: Headers, address: string): boolean {
  const host = `http://${headers.get('host') ?? ''}`;
  const hosts = [URL.canParse(host) ? new URL(host).hostname : '', new URL(env.baseUrl).hostname];
  return own.test(address) && hosts.every((each) => own.test(each));
}
