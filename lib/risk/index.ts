// Request rate limits, card testing defence, used request signatures and used wallet tokens.
// Owns tallies, used_signatures and used_wallet_tokens.
// May import the rooms before it: core to merchants.
export * from './card-testing.ts';
export * from './claims.ts';
export {
  retryAfterForAddress,
  retryAfterForInvitation,
  retryAfterForMerchant,
  retryAfterForMessage,
  retryAfterForPayment,
  retryAfterForUser,
} from './rate-limits.ts';
