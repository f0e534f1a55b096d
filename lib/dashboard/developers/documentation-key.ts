/**
 * The sandbox key that the documentation uses in its examples for a signed-in user. The password is not shown; only the
 * key page shows passwords, after a proof of identity.
 */

import { authenticate, may } from '../../auth';
import { env } from '../../config';
import { demoMerchant } from '../../core/demo-merchant';
import type { Digest } from '../../core/signatures';
import { findCaller, signingKeysOf } from '../../merchants';

export type UsableKey = {
  key: string;
  password: string;
  shownPassword: string;
  maySign: boolean;
  digest: Digest;
  base: string;
  isOwn: true;
  merchant: string;
  accounts: string[];
};

/** Null for anonymous readers, in production, and for users who manage every merchant. */
export async function findUsableKey(headers: Headers, now: Date): Promise<UsableKey | null> {
  if (env.appEnv !== 'sandbox') return null;
  const { viewer } = await authenticate(headers);
  if (!viewer?.merchantId || !may(viewer.role, 'developers.read')) return null;
  const keys = await signingKeysOf(viewer.merchantId);
  const key = keys.find((each) => each.environment === 'sandbox' && (!each.validUntil || each.validUntil > now));
  const caller = key && (await findCaller(key.key, 'checkout', now));
  if (!key || !caller) return null;
  return {
    key: key.key,
    password: key.password,
    // The demo merchant's key is the same everywhere, and public.
    shownPassword: key.key === demoMerchant.key ? key.password : 'YOUR-PASSWORD',
    maySign: may(viewer.role, 'developers.send'),
    digest: caller.mapping?.digest ?? 'md5',
    base: env.baseUrl,
    isOwn: true,
    merchant: caller.merchant.name,
    accounts: caller.mids.map(({ name, id }) => `${name} (${id})`),
  };
}
