/** The addresses under which the outside world reaches this service. */
import { env } from './config.ts';

/** The public address of Checkout and of the payment pages, without a trailing slash. */
export function checkoutBaseUrl(): string {
  return env.checkoutHost ? `${new URL(env.baseUrl).protocol}//${env.checkoutHost}` : env.baseUrl;
}

/** The public address of a protocol, without a trailing slash. */
export function protocolBaseUrl(protocol: 'checkout' | 's2s_card' | 's2s_apm'): string {
  if (protocol === 'checkout') return checkoutBaseUrl();
  const [host, path] = protocol === 's2s_card' ? [env.s2sCardHost, '/s2s/card'] : [env.s2sApmHost, '/s2s/apm'];
  return host ? `${new URL(env.baseUrl).protocol}//${host}` : env.baseUrl + path;
}
