// The example request that `npm start` prints, as a bundle entry.
export { demoMerchant } from '../lib/core/demo-merchant.ts';
export { sessionCurl } from '../lib/core/demo-request.ts';
