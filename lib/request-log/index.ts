// The log of API requests, scrubbed of card numbers and secrets.
// Owns api_requests.
// May import the rooms before it: core to recurring.
export { logAnsweredRequest, markPayingRequest, placeholderFor } from './record.ts';
export { deleteOldRequests, flushRequests } from './store.ts';
