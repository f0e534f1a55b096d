// The request that a newcomer can paste: a session of the demo merchant, signed, with an order number of its own. The
// start of the server, the start page and the documentation show the same one.
import { demoMerchant } from './demo';
import { sign, verify } from './signatures';

const options = { digest: 'md5' } as const;

/** What is bought; with the order number these are the signed values. */
export const demoOrder = { amount: '84.50', currency: 'EUR', description: 'Two coffee cups' } as const;

const values = (number: string) => ({ orderId: number, ...demoOrder, password: demoMerchant.password });

/** The hash of the session request for this order number. */
export function demoHash(orderNumber: string): string {
  return sign('session', values(orderNumber), options);
}

/** The body of the session request. The payer comes back to the start page, which recognises the order. */
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

/**
 * A curl command that creates the session at `checkoutUrl` and answers with the address of its payment page. `indent`
 * spreads the body over lines, for reading.
 */
export function sessionCurl(checkoutUrl: string, orderNumber: string, baseUrl = checkoutUrl, indent = 0): string {
  return [
    `curl -s ${checkoutUrl}/api/v1/session \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify(demoSession(baseUrl, orderNumber), null, indent)}'`,
  ].join('\n');
}

const otherNames: { [host: string]: string } = {
  localhost: '127.0.0.1',
  '127.0.0.1': 'localhost',
  '[::1]': 'localhost',
};

/**
 * The demo shop's page with hosted fields. On a machine of one's own it is opened under the machine's other name, so that
 * it is of another origin than the service, as every merchant's page is.
 */
export function fieldsShopUrl(baseUrl: string): string {
  const { protocol, hostname, port } = new URL(baseUrl);
  return `${protocol}//${otherNames[hostname] ?? hostname}${port && `:${port}`}/sandbox/shop/fields`;
}

/** Whether the query of a return address is signed for an order of {@link sessionCurl}. */
export function isDemoReturn(query: { payment_id?: string; order_id?: string; hash?: string }): boolean {
  const { payment_id: paymentId = '', order_id: number = '', hash = '' } = query;
  return verify('checkoutCallback', { ...values(number), paymentId }, hash, options);
}
