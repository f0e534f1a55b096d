// Encrypted card numbers and secrets: sealing, data keys and their rotation, fingerprints.
// Owns cards, card_tokens and data_keys, and the sealed columns of other tables.
// May import the rooms before it: core to connectors.

export { type KeySource, keySourceOf } from './key-source.ts';
export { loadDataKeys } from './keys.ts';
export { KmsError } from './kms-request.ts';
export { createLinkToken, verifyLinkToken } from './link-tokens.ts';
export { type PendingCard, pendingCardAnswers, storePendingCard, takePendingCard } from './pending-cards.ts';
export {
  exchangeVaultKey,
  forgetOldKey,
  RotationError,
  replaceSessionsKey,
  rotateFingerprintKey,
  rotateSealKey,
} from './rotation.ts';
export {
  decryptCard,
  decryptParameters,
  findCards,
  findToken,
  hasSealedParameters,
  linkHmac,
  removeToken,
  type SealedRow,
  type StoredCard,
  seal,
  sealParameters,
  sessionSecret,
  toStoredCard,
  unseal,
} from './seal.ts';
