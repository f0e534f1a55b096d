// Encrypted card numbers and secrets: sealing, data keys and their rotation, fingerprints.
// Owns cards, card_tokens, data_keys and pending_cards, and the sealed columns of other tables.
// May import the rooms before it: core to connectors.

export { type KeySource, keySourceOf } from './key-source.ts';
export { loadDataKeys } from './keys.ts';
export { KmsError } from './kms-request.ts';
export { createLinkToken, verifyLinkToken } from './link-tokens.ts';
export { areDataKeysLost, countOtherConnections, discardSealed } from './lost-key.ts';
export {
  endPaymentCall,
  type FieldsPayment,
  markPaymentCall,
  type PendingCard,
  removeExpiredCards,
  storePendingCard,
  takenVersion,
  takePendingCard,
} from './pending-cards.ts';
export { findPresentations, sealPresentation, withWholePresentation } from './presentations.ts';
export {
  exchangeVaultKey,
  forgetOldKey,
  RotationError,
  replaceLinkKey,
  replaceSessionsKey,
  rotateFingerprintKey,
  rotateSealKey,
} from './rotation.ts';
export {
  decryptCard,
  decryptParameters,
  findCards,
  findToken,
  fingerprintHmac,
  hasSealedParameters,
  linkHmac,
  linkHmacs,
  linkHmacUnder,
  removeToken,
  SealError,
  type SealedRow,
  type StoredCard,
  seal,
  sealParameters,
  sessionSecret,
  toStoredCard,
  unseal,
} from './seal.ts';
