// What the pages of merchant accounts (MIDs) are given and send. Amounts are text; secrets only ever go to the server.

export type PaymentMode = 'sms' | 'dms' | 'sms_dms';

export type MidRow = {
  id: string;
  name: string;
  merchantName: string;
  enabled: boolean;
  priority: number;
  paymentMode: PaymentMode;
  connectorName: string;
  methods: string[];
  /** Empty means every currency. */
  currencies: string[];
  createdAt: string;
};

/** The fields of the form. Empty texts are not set; in `apiKey`, `signingSecret` and secret credentials: unchanged. */
export type MidValues = {
  name: string;
  priority: number;
  paymentMode: PaymentMode;
  connector: string;
  /** Which provider: the sandbox's own, or one at `url`. */
  provider: 'sandbox' | 'own';
  url: string;
  apiKey: string;
  signingSecret: string;
  timeoutSeconds: number | null;
  methods: string[];
  /** By method and by the name of the catalogue. */
  credentials: Record<string, Record<string, string>>;
  currencies: string[];
  /** Empty means all. */
  operations: string[];
  cardOnFileSupport: boolean;
  overrideLinkTarget: '' | '_blank' | '_self' | '_parent' | '_top';
  refundSupport: 'api' | 'portal' | 'none';
  lateSuccess: 'void' | 'refund' | 'task';
  zeroAmounts: boolean;
  feePercent: string;
  feeFixed: string;
  feePayerBears: boolean;
  holdDays: number;
  /** Null: as many as the connector takes. */
  payerTextMax: number | null;
  dailyLimit: string;
  monthlyLimit: string;
  /** Empty: what the connector says. */
  wallet: '' | 'decrypted' | 'token' | 'none';
  cardSets: string[];
};

/** Which secrets are stored; of credentials by method. */
export type StoredSecrets = { apiKey: boolean; signingSecret: boolean; credentials: Record<string, string[]> };

export type MidPage = {
  id: string;
  version: number;
  enabled: boolean;
  createdAt: string;
  merchantId: string;
  merchantName: string;
  values: MidValues;
  stored: StoredSecrets;
  /** Where the provider sends its notifications. */
  notifyUrl: string;
  /** Tries of the last 14 days, sales and holds of the last 7; ten thousand may be more. */
  use: { tries: number; sales: number; holds: number; lastAt: string | null };
  /** Whether this person may change it; else it is only shown. */
  mayChange: boolean;
};

export type MidChoice = { value: string; label: string; group?: string };

/** A credential of a method, as it is asked for. `choices` where only these will do. */
export type CredentialField = {
  name: string;
  secret: boolean;
  required: boolean;
  about: string;
  choices: string[] | null;
};

/** What the fields of an account can be set to in this deployment. */
export type MidChoices = {
  sandbox: boolean;
  connectors: MidChoice[];
  methods: MidChoice[];
  credentials: Record<string, CredentialField[]>;
  currencies: MidChoice[];
  operations: MidChoice[];
  cardSets: MidChoice[];
  merchants: { id: string; name: string }[];
};

/** What a provider has answered. `note` says what does not fit the account. */
export type ConnectionCheck = { ok: boolean; text: string; note: string | null };

/**
 * The currency that an account's limits are written in: its first, or the euro where it takes every one. Each currency
 * is counted by itself, up to the same number of its smallest units.
 */
export function limitCurrencyOf(currencies: readonly string[]): string {
  return currencies[0] ?? 'EUR';
}
