// The request that a newcomer can paste: a session of the demo merchant, signed, with an order number of its own.
import { demoMerchant } from '../lib/core/demo';
import { sign } from '../lib/core/signatures';

/** A curl command that creates a session at `baseUrl` and answers with the address of its payment page. */
export function sessionCurl(baseUrl: string, orderNumber: string): string {
  const order = { number: orderNumber, amount: '84.50', currency: 'EUR', description: 'Two coffee cups' };
  const { number: orderId, amount, currency, description } = order;
  const values = { orderId, amount, currency, description, password: demoMerchant.password };
  const body = {
    merchant_key: demoMerchant.key,
    operation: 'purchase',
    methods: ['card'],
    order,
    success_url: `${baseUrl}/?paid`,
    cancel_url: `${baseUrl}/?cancelled`,
    hash: sign('session', values, { digest: 'md5' }),
  };
  return [
    `curl -s ${baseUrl}/api/v1/session \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${JSON.stringify(body)}'`,
  ].join('\n');
}

export { demoMerchant };
