// Data of the MID pages. Amounts are text; secrets are only sent to the server.
import type { z } from 'zod';
import type { midInput } from './schema';

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

/**
 * The fields of the form. Empty texts are not set; empty `apiKey`, `signingSecret` and secret credentials stay
 * unchanged.
 */
export type MidValues = z.input<typeof midInput>;

/** Which secrets are stored; for credentials by method. */
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
  /** The URL for the provider's notifications. */
  notifyUrl: string;
  /** Attempts of the last 14 days, sales and authorisations of the last 7; ten thousand may be more. */
  use: { tries: number; sales: number; holds: number; lastAt: string | null };
  /** Whether this user may change it; otherwise it is read-only. */
  mayChange: boolean;
};

export type MidChoice = { value: string; label: string; group?: string };

/** A credential of a method as the form asks for it. `choices` if only these are allowed. */
export type CredentialField = {
  name: string;
  secret: boolean;
  required: boolean;
  about: string;
  choices: string[] | null;
};

/** The choices of a MID's fields in this deployment. */
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

/** A provider's answer. `note` names differences from the MID's settings. */
export type ConnectionCheck = { ok: boolean; text: string; note: string | null };

/**
 * The currency of a MID's limits: its first, or EUR if it accepts every one. Each currency is counted separately, up to
 * the same number of minor units.
 */
export function limitCurrencyOf(currencies: readonly string[]): string {
  return currencies[0] ?? 'EUR';
}
