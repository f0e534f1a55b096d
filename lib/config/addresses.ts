/** The addresses under which the outside world reaches this service. */
import { env } from './config.ts';

/** The public address of Checkout and of the payment pages, without a trailing slash. */
export function checkoutBaseUrl(): string {
  return env.checkoutHost ? `${new URL(env.baseUrl).protocol}//${env.checkoutHost}` : env.baseUrl;
}
