// What the pages of wallets show. No private key is among it, and no part of one. Times are ISO 8601.

export type WalletName = 'applepay' | 'googlepay';

/** Both certificates of Apple Pay: the one that tokens are sealed for, and the one that Apple knows the server by. */
export type CertificateSlot = 'processing' | 'identity';

export type MerchantChoice = { id: string; name: string };

/** A country and its English name, as the server knows it. */
export type CountryChoice = { code: string; name: string };

/** What somebody fills in for Apple Pay. */
export type AppleValues = {
  merchantIdentifier: string;
  country: string;
  shopName: string;
  merchantCapabilities: string[];
  supportedNetworks: string[];
};

/** What somebody fills in for Google Pay. */
export type GoogleValues = {
  /** Whom the tokens are sealed for: a gateway, or the merchant itself. */
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
  /** Whether its private key is here. */
  hasKey: boolean;
  state: 'valid' | 'ending' | 'ended';
};

/** A certificate that was asked for and has not come yet; the request itself is downloaded. */
export type RequestView = { kind: 'EC' | 'RSA'; madeAt: string };

export type DomainView = {
  host: string;
  url: string;
  updatedAt: string;
  checkedAt: string | null;
  fault: string | null;
};

/** A key of Google Pay: its public half in Base64, as Google takes it. */
export type KeyView = { fingerprint: string; publicKey: string };

/** What an account takes of the wallet, and whether the wallet's method is on it. */
export type AccountView = { id: string; name: string; takes: 'decrypted' | 'token' | 'none'; offers: boolean };

type Common = {
  id: string;
  merchant: MerchantChoice;
  environment: 'TEST' | 'PRODUCTION';
  version: number;
  enabled: boolean;
  /** `card`: tokens are opened here. `virtual`: they go to the provider as they are. `none`: no account takes any. */
  flow: 'card' | 'virtual' | 'none';
  accounts: AccountView[];
  mayChange: boolean;
};

export type AppleView = Common & {
  kind: 'applepay';
  values: AppleValues;
  /** In the order of their end, the latest first. */
  processing: CertificateView[];
  identity: CertificateView | null;
  requests: Record<CertificateSlot, RequestView | null>;
  domains: DomainView[];
  /** The host of this deployment's payment pages, which is what to register. */
  pageHost: string;
};

export type GoogleView = Common & {
  kind: 'googlepay';
  values: GoogleValues;
  /** The first is the one that pages ask tokens to be sealed for. */
  keys: KeyView[];
  /** Whether the deployment has Google's root keys; without them nothing is opened. */
  hasRoots: boolean;
};

export type WalletView = AppleView | GoogleView;

/** A merchant's wallets, and whose else can be looked at. */
export type WalletsPage = {
  merchants: MerchantChoice[];
  merchant: MerchantChoice | null;
  apple: AppleView | null;
  google: GoogleView | null;
  /** Payments in the last `days` days; at `most` the counting stops. */
  payments: Record<WalletName, number> & { days: number; most: number };
  environment: 'TEST' | 'PRODUCTION';
  mayChange: boolean;
};

/** What came of asking Apple for a session, as a payer's page would. */
export type ValidationAnswer = { host: string; fault: string | null };

/** Apple's names of networks whose cards can be told from their numbers, with what people call them. */
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
