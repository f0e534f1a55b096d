// Request rate limits, card testing defence, used request signatures and used wallet tokens.
// Owns tallies, used_signatures and used_wallet_tokens.
// May import the rooms before it: core to merchants.
export {
  type CardTestingKeys,
  cardTestingBlock,
  cardTestingKeys,
  countAttemptResult,
  testingDecline,
} from './card-testing.ts';
export { retryAfterForAddress, retryAfterForMerchant } from './rate-limits.ts';
export { claimSignature, deleteExpiredSignatures } from './used-signatures.ts';
export { claimWalletToken, claimWalletTokenForAttempt, deleteExpiredClaims } from './wallet-claims.ts';
