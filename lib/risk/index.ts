// Request rate limits, card testing defence and used request signatures.
// Owns tallies and used_signatures.
// May import the rooms before it: core to merchants.
export {
  type CardTestingKeys,
  cardTestingBlock,
  cardTestingKeys,
  countAttemptResult,
  testingDecline,
} from './card-testing';
export { retryAfterForAddress, retryAfterForMerchant } from './rate-limits';
export { claimSignature, deleteExpiredSignatures } from './used-signatures';
