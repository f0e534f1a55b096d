// What `npm start` prints, as an entry that a script can bundle.
export { demoMerchant } from '../lib/core/demo';
export { sessionCurl } from '../lib/core/demo-request';
