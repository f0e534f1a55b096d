// Data of the wallet pages. It contains no private key and no part of one. Times are ISO 8601.

export type WalletName = 'applepay' | 'googlepay';

/** The certificates of Apple Pay: one for token encryption, one that identifies the server to Apple. */
export type CertificateSlot = 'processing' | 'identity';

export type MerchantChoice = { id: string; name: string };

/** A country with its English name. */
export type CountryChoice = { code: string; name: string };

/** The maximum length of a shop's name in Apple's payment sheet. */
export const shopNameMax = 64;

/** The input for Apple Pay. */
export type AppleValues = {
  merchantIdentifier: string;
  country: string;
  shopName: string;
  merchantCapabilities: string[];
  supportedNetworks: string[];
};

/** The input for Google Pay. */
export type GoogleValues = {
  /** For whom the tokens are encrypted: a gateway, or the merchant itself. */
  recipient: 'gateway' | 'merchant';
  gateway: string;
  gatewayMerchantId: string;
  merchantId: string;
  allowedAuthMethods: string[];
  networks: string[];
};

export type CertificateView = {
  name: string;
  issuer: string;
  merchantIdentifier: string | null;
  serial: string;
  /** SHA-256 in hex. */
  fingerprint: string;
  validFrom: string;
  validTo: string;
  key: string;
  marks: string[];
  /** Whether its private key is stored here. */
  hasKey: boolean;
  state: 'valid' | 'ending' | 'ended';
};

/** A pending certificate signing request; the CSR itself is downloaded. */
export type RequestView = { kind: 'EC' | 'RSA'; madeAt: string };

export type DomainView = {
  host: string;
  url: string;
  updatedAt: string;
  checkedAt: string | null;
  fault: string | null;
};

/** A key of Google Pay: its public key in Base64, as Google expects it. */
export type KeyView = { fingerprint: string; publicKey: string };

/** What a MID accepts from the wallet, and whether it has the wallet's method. */
export type AccountView = { id: string; name: string; takes: 'decrypted' | 'token' | 'none'; offers: boolean };

type Common = {
  id: string;
  merchant: MerchantChoice;
  environment: 'TEST' | 'PRODUCTION';
  version: number;
  enabled: boolean;
  /** `card`: tokens are decrypted here. `virtual`: they are passed to the provider. `none`: no MID accepts any. */
  flow: 'card' | 'virtual' | 'none';
  accounts: AccountView[];
  mayChange: boolean;
};

export type AppleView = Common & {
  kind: 'applepay';
  values: AppleValues;
  /** By expiry, the latest first. */
  processing: CertificateView[];
  identity: CertificateView | null;
  requests: Record<CertificateSlot, RequestView | null>;
  domains: DomainView[];
  /** The host of this deployment's payment pages, which must be registered. */
  pageHost: string;
};

export type GoogleView = Common & {
  kind: 'googlepay';
  values: GoogleValues;
  /** The first key is the one that payment pages use. */
  keys: KeyView[];
  /** Whether the deployment has Google's root keys; without them no token is decrypted. */
  hasRoots: boolean;
};

export type WalletView = AppleView | GoogleView;

/** A merchant's wallets, and the other merchants in scope. */
export type WalletsPage = {
  merchants: MerchantChoice[];
  merchant: MerchantChoice | null;
  apple: AppleView | null;
  google: GoogleView | null;
  /** Payments in the last `days` days; the count stops at `most`. */
  payments: Record<WalletName, number> & { days: number; most: number };
  environment: 'TEST' | 'PRODUCTION';
  mayChange: boolean;
};

/** The result of a session request to Apple, as a payment page makes it. */
export type ValidationAnswer = { host: string; fault: string | null };

/** Apple's identifiers of networks that can be recognised by card number, with their names. */
export const appleNetworks: readonly [id: string, name: string][] = [
  ['visa', 'Visa'],
  ['masterCard', 'Mastercard'],
  ['amex', 'Amex'],
  ['discover', 'Discover'],
  ['jcb', 'JCB'],
  ['maestro', 'Maestro'],
  ['chinaUnionPay', 'UnionPay'],
  ['elo', 'Elo'],
  ['mir', 'Mir'],
];

export const appleCapabilities: readonly [id: string, name: string][] = [
  ['supports3DS', '3DS'],
  ['supportsCredit', 'Credit'],
  ['supportsDebit', 'Debit'],
  ['supportsEMV', 'EMV'],
];

export const googleNetworks = ['MASTERCARD', 'VISA', 'AMEX', 'DISCOVER', 'JCB'] as const;
export const googleAuthMethods = ['CRYPTOGRAM_3DS', 'PAN_ONLY'] as const;
