// Encrypted card numbers and secrets: sealing, data keys and their rotation, fingerprints.
// Owns cards, card_tokens and data_keys, and the sealed columns of other tables.
// May import the rooms before it: core to auth.

export { type PendingCard, pendingCardAnswers, storePendingCard, takePendingCard } from './pending-cards.ts';
export { exchangeVaultKey, forgetOldKey, RotationError, rotateFingerprintKey, rotateSealKey } from './rotation.ts';
export {
  decryptCard,
  decryptParameters,
  findCards,
  findToken,
  hasSealedParameters,
  linkHmac,
  removeToken,
  type StoredCard,
  seal,
  sealParameters,
  toStoredCard,
  unseal,
} from './seal.ts';
