// The example request: a signed session of the demo merchant with its own order number. The server's start message, the
// start page and the documentation show it.
import { demoMerchant } from './demo-merchant.ts';
import { sign, verify } from './signatures.ts';

const options = { digest: 'md5' } as const;

/** The ordered goods; with the order number these are the signed values. */
export const demoOrder = { amount: '84.50', currency: 'EUR', description: 'Two coffee cups' } as const;

const values = (number: string) => ({ orderId: number, ...demoOrder, password: demoMerchant.password });

/** The hash of the session request for this order number. */
export function demoHash(orderNumber: string): string {
  return sign('session', values(orderNumber), options);
}

/** The body of the session request. The payer returns to the start page, which recognises the order. */
export function demoSession(baseUrl: string, orderNumber: string) {
  return {
    merchant_key: demoMerchant.key,
    operation: 'purchase',
    methods: ['card'],
    order: { number: orderNumber, ...demoOrder },
    success_url: `${baseUrl}/?paid`,
    cancel_url: `${baseUrl}/?cancelled`,
    hash: demoHash(orderNumber),
  };
}

/** A curl command that creates a session at `checkoutUrl` and returns the address of its payment page. */
export function sessionCurl(checkoutUrl: string, orderNumber: string, baseUrl = checkoutUrl, indent = 0): string {
  return [
    `curl -s ${checkoutUrl}/api/v1/session \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify(demoSession(baseUrl, orderNumber), null, indent)}'`,
  ].join('\n');
}

const alternativeHosts: { [host: string]: string } = {
  localhost: '127.0.0.1',
  '127.0.0.1': 'localhost',
  '[::1]': 'localhost',
};

/** The demo shop's page with hosted fields, on a local machine under its other host name, as another origin. */
export function fieldsShopUrl(baseUrl: string): string {
  const { protocol, hostname, port } = new URL(baseUrl);
  return `${protocol}//${alternativeHosts[hostname] ?? hostname}${port && `:${port}`}/sandbox/shop/fields`;
}

/** Whether the query of a return address has a valid signature for an order of {@link sessionCurl}. */
export function isDemoReturn(query: { payment_id?: string; order_id?: string; hash?: string }): boolean {
  const { payment_id: paymentId = '', order_id: number = '', hash = '' } = query;
  return verify('checkoutCallback', { ...values(number), paymentId }, hash, options);
}
