// Data of the pages of merchants and their keys. A response contains a password only when it is shown.
import type { z } from 'zod';
import type { merchantInput } from './schema';

export type MerchantRow = {
  id: string;
  name: string;
  site: string | null;
  enabled: boolean;
  /** Enabled MIDs and valid keys. */
  mids: number;
  keys: number;
  createdAt: string;
};

/** The fields of the form; empty fields are not set. */
export type MerchantValues = z.input<typeof merchantInput>;

/** The integration of a new merchant: own code, or a shop plugin, which cannot sign with HMAC. */
export type NewMerchantValues = MerchantValues & { integration: '' | 'own_code' | 'shop_plugin' };

export type MerchantPage = {
  id: string;
  version: number;
  enabled: boolean;
  createdAt: string;
  values: MerchantValues;
  /** What payments need beside the first key: an active MID, a default callback URL, a user of the merchant. */
  setup: { mids: boolean; callbacks: boolean; users: boolean };
  /** What this user may do here; sections without permission are read-only. */
  mayChange: boolean;
  mayChangeKeys: boolean;
};

export type KeyState = 'valid' | 'ending' | 'ended';

export type KeyRow = {
  id: string;
  key: string;
  environment: 'sandbox' | 'production';
  createdAt: string;
  validUntil: string | null;
  state: KeyState;
  /** Whether this deployment accepts keys of that environment. */
  served: boolean;
};

export type KeyList = { rows: KeyRow[] };

/** How long the old key stays valid after a rotation. */
export type Overlap = 'none' | 'hour' | 'day' | 'week';

/** A key with its password, when it is shown. */
export type KeyPair = { id: string; key: string; password: string; environment: 'sandbox' | 'production' };

/** A new merchant with its first key. */
export type CreatedMerchant = { id: string; pair: KeyPair };

/** A new key with the updated list. */
export type CreatedKey = KeyList & { pair: KeyPair };

/** Defaults of the form of a new merchant. */
export const emptyMerchant: NewMerchantValues = {
  integration: '',
  name: '',
  site: '',
  supportEmail: '',
  privacyUrl: '',
  termsUrl: '',
  frameAncestors: [],
  appSchemes: [],
};
