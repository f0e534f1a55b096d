// What the pages of merchants and their keys are given. A password stands in an answer at the one moment it is shown.

export type MerchantRow = {
  id: string;
  name: string;
  site: string | null;
  enabled: boolean;
  /** Accounts that are switched on, and keys that are valid. */
  mids: number;
  keys: number;
  createdAt: string;
};

/** The fields of the form; what is empty is not set. */
export type MerchantValues = {
  name: string;
  site: string;
  supportEmail: string;
  privacyUrl: string;
  termsUrl: string;
  frameAncestors: string[];
  /** Schemes of the merchant's own apps. */
  appSchemes: string[];
};

/** Those of a new merchant: its own code, or a plugin of a shop, which knows no strong signature. */
export type NewMerchantValues = MerchantValues & { integration: '' | 'own_code' | 'shop_plugin' };

export type MerchantPage = {
  id: string;
  version: number;
  enabled: boolean;
  createdAt: string;
  values: MerchantValues;
  /** What this person may do here; what is false is only shown. */
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
  /** Whether this deployment takes requests with keys of that environment. */
  served: boolean;
};

export type KeyList = { rows: KeyRow[] };

/** How long the old pair stays valid beside a new one. */
export type Overlap = 'none' | 'hour' | 'day' | 'week';

/** A key with its password, at the moment it is shown. */
export type KeyPair = { id: string; key: string; password: string; environment: 'sandbox' | 'production' };

/** A merchant that has just been made, with its first key. */
export type CreatedMerchant = { id: string; pair: KeyPair };

/** A new pair beside the list that it now stands in. */
export type CreatedKey = KeyList & { pair: KeyPair };

/** What a form of a new merchant begins with. */
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
