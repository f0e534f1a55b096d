/** Protocol mappings as JSON for the browser: limits as text, times in ISO 8601. */
import type { MappingProtocol } from '../../core/mapping-options';

/** Every setting; settings that the protocol does not have are null and cannot be sent. */
export type MappingValues = {
  enabled: boolean;
  digest: 'md5' | 'sha256';
  requiredPayerFields: string[];
  callbackFields: string[];
  statusFields: string[];
  redirectParameters: boolean;
  /** One of the contract's 21 languages; null uses the payer's browser. */
  defaultLanguage: string | null;
  maximumDeclines: number | null;
  orderIdReuse: 'never' | 'after_failed' | 'always';
  /** One address or network each. */
  ipAllowlist: string[];
  /** Whether requests need the header X-Florin-Signature. */
  signedRequests: boolean;
  /** Whether payouts are accepted with the contract's hash alone. */
  openPayouts: boolean;
  defaultNotificationUrl: string | null;
  /** How signatures of callbacks and return URLs handle upper case. */
  uppercase: 'ascii' | 'unicode';
  /** The name of the reversal of an authorisation on Checkout. */
  reversalWord: 'reversal' | 'void';
  frameBySuccessUrl: boolean;
  scheduleRetries: number;
  scheduleRetryHours: number;
  missedSlots: 'one' | 'all' | 'none';
  cascadeLimit: number;
  /** In minor units of each currency. */
  dailyLimitMinor: string | null;
  weeklyLimitMinor: string | null;
};

/** One mapping with the further data of its page. */
export type MappingPage = {
  id: string;
  merchant: { id: string; name: string };
  protocol: MappingProtocol;
  version: number;
  values: MappingValues;
  /** The merchant's mappings, including this one. */
  siblings: { id: string; protocol: MappingProtocol }[];
  /** Whether the user may change it. */
  editable: boolean;
};
