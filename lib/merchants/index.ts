// Merchants, keys, MIDs, mappings, branding and wallet settings, as the service reads and the dashboard changes them.
// Owns merchants, merchant_keys, merchant_logos, mids, earlier_mid_settings, protocol_mappings, wallets and wallet_domains.
// May import the rooms before it: core to outbox.

export { isAcceptedByApple } from './apple-pay-check.ts';
export {
  type BrandingSettings,
  findBranding,
  findLogo,
  type NewLogo,
  type StoredBranding,
  saveBranding,
} from './branding.ts';
export { describeKey, generateKey, normalizeKey, publicPoint } from './google-wallet-keys.ts';
export {
  createMapping,
  findMapping,
  type ListedMapping,
  listMappings,
  type MappingSettings,
  mappingsOf,
  type StoredMapping,
  updateMapping,
} from './mapping-settings.ts';
export {
  addKey,
  createMerchant,
  findMerchant,
  findMerchantNames,
  generateKeyPair,
  isMerchantNameTaken,
  type ListedKey,
  listKeys,
  type MerchantSettings,
  passwordOf,
  revokeKey,
  type SigningKey,
  type StoredMerchant,
  signingKeysOf,
  updateMerchant,
} from './merchant-settings.ts';
export {
  acceptsDecryptedCards,
  type Caller,
  callerOf,
  clearSettingsCache,
  earlierSettings,
  findCaller,
  findMid,
  findMidOf,
  type Mapping,
  type Merchant,
  type MerchantKey,
  type Mid,
  maxPayerTextLength,
  providerUrls,
  type Rule,
  settingsOf,
  walletCapability,
} from './merchants.ts';
export {
  checkProvider,
  connectorNames,
  createMid,
  credentialsOf,
  findMidSettings,
  isMidNameTaken,
  type MidFees,
  type MidSettings,
  midUsage,
  newMidId,
  notifyUrlOf,
  type StoredMid,
  setMidEnabled,
  updateMid,
} from './mid-settings.ts';
export {
  domainFileOf,
  domainsOf,
  findServedFile,
  removeDomain,
  saveDomain,
  saveDomainCheck,
  type WalletDomain,
} from './wallet-domains.ts';
export { type ExpiringCertificate, expiringCertificates, warningDays } from './wallet-expiry.ts';
export {
  type AppleSettings,
  type AppleWallet,
  countWalletPayments,
  createWallet,
  type DecryptedWallet,
  deployedEnvironment,
  findWallet,
  type GoogleSettings,
  type GoogleWallet,
  type PendingRequest,
  removeWallet,
  saveWallet,
  type WalletMid,
  walletMids,
  walletsOf,
} from './wallet-settings.ts';
export {
  type ApplePay,
  canDecrypt,
  type DecryptedToken,
  decryptToken,
  type GooglePay,
  walletSettings,
} from './wallets.ts';
