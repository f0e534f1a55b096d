// Request rate limits, card testing defence, used request signatures and used wallet tokens.
// Owns tallies, used_signatures and used_wallet_tokens.
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
export { claimWalletToken, claimWalletTokenForAttempt, deleteExpiredClaims } from './wallet-claims';
