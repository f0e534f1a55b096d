// Merchants, keys, MIDs, mappings, branding and wallet settings, as the service reads and the dashboard changes them.
// Owns merchants, merchant_keys, merchant_logos, mids, earlier_mid_settings, protocol_mappings, wallets and wallet_domains.
// May import the rooms before it: core to outbox.
export { isAcceptedByApple } from './apple-pay-check';
export { type BrandingSettings, type NewLogo, type StoredBranding, findBranding, saveBranding } from './branding';
export { describeKey, generateKey, normalizeKey, publicPoint } from './google-wallet-keys';
export { findLogo } from './logos';
export { type ListedMapping, type MappingSettings, type StoredMapping, createMapping, findMapping, listMappings, mappingsOf, updateMapping } from './mapping-settings';
export { type ListedKey, type ListedMerchant, type MerchantFilter, type MerchantSettings, type StoredMerchant, addKey, createMerchant, findMerchant, generateKeyPair, isMerchantNameTaken, listKeys, listMerchants, passwordOf, revokeKey, updateMerchant } from './merchant-settings';
export { type Caller, type Mapping, type Merchant, type MerchantKey, type Mid, type Rule, callerOf, clearSettingsCache, earlierSettings, findCaller, findMid, findMidOf, settingsOf } from './merchants';
export { acceptsDecryptedCards, maxPayerTextLength, walletCapability } from './mid-capabilities';
export { type ListedMid, type MidFees, type MidFilter, type MidSettings, type StoredMid, checkProvider, connectorNames, createMid, credentialsOf, findMidSettings, isMidNameTaken, listMids, midUsage, newMidId, notifyUrlOf, setMidEnabled, updateMid } from './mid-settings';
export { providerUrls } from './mid-urls';
export { findMerchantNames } from './names';
export { type SigningKey, signingKeysOf } from './signing-keys';
export { type WalletDomain, domainFileOf, domainsOf, findServedFile, removeDomain, saveDomain, saveDomainCheck } from './wallet-domains';
export { type ExpiringCertificate, expiringCertificates, warningDays } from './wallet-expiry';
export { type AppleSettings, type AppleWallet, type DecryptedWallet, type GoogleSettings, type GoogleWallet, type PendingRequest, type WalletMid, countWalletPayments, createWallet, deployedEnvironment, findWallet, removeWallet, saveWallet, walletMids, walletsOf } from './wallet-settings';
export { type ApplePay, type DecryptedToken, type GooglePay, canDecrypt, decryptToken, walletSettings } from './wallets';
