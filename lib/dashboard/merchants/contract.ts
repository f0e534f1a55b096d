// Data of the pages of merchants and their keys. A response contains a password only when it is shown.
import type { z } from 'zod';
import type { Answer } from '../guard.ts';
import type { createKeyAction, keyList } from './keys.ts';
import type { createAction, merchantPage } from './merchants.ts';
import type { merchantInput, newMerchantInput, rotateInput } from './schema.ts';

/** The fields of the form; empty fields are not set. */
export type MerchantValues = z.input<typeof merchantInput>;

/** The integration of a new merchant: own code, or a shop plugin, which cannot sign with HMAC. */
export type NewMerchantValues = MerchantValues & { integration: '' | z.input<typeof newMerchantInput>['integration'] };

export type MerchantPage = Answer<typeof merchantPage>;

export type KeyList = Answer<typeof keyList>;
export type KeyRow = KeyList['rows'][number];

/** How long the old key stays valid after a rotation. */
export type Overlap = z.input<typeof rotateInput>['overlap'];

/** A new key with the updated list. */
export type CreatedKey = Answer<typeof createKeyAction>;

/** A key with its password, when it is shown. */
export type KeyPair = CreatedKey['pair'];

/** A new merchant with its first key. */
export type CreatedMerchant = Answer<typeof createAction>;

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
