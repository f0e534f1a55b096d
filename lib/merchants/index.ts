// Merchants, keys, MIDs, mappings, branding and wallet settings, as the service reads and the dashboard changes them.
// Owns merchants, merchant_keys, merchant_logos, themes, theme_forms, mids, earlier_mid_settings, protocol_mappings, wallets
// and wallet_domains.
// May import the rooms before it: core to outbox.

export * from './branding.ts';
export * from './mapping-settings.ts';
export * from './merchant-settings.ts';
export {
  acceptsDecryptedCards,
  type Caller,
  callerOf,
  clearSettingsCache,
  currentCallerOf,
  earlierSettings,
  findCaller,
  findMid,
  findMidOf,
  type KnownCaller,
  type Mapping,
  type Merchant,
  type MerchantKey,
  type Mid,
  maxPayerTextLength,
  notificationUrl,
  type Rule,
  settingsOf,
  walletCapability,
} from './merchants.ts';
export * from './mid-settings.ts';
export * from './themes.ts';
export * from './wallet-settings.ts';
export {
  type ApplePay,
  canDecrypt,
  type DecryptedToken,
  decryptToken,
  type GooglePay,
  walletSettings,
} from './wallets.ts';
