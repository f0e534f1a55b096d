/**
 * The sandbox key that the documentation is filled with for whoever has signed in. A password is shown by nobody but the
 * page of keys, which asks for a proof first; here it signs, for those who may have requests signed.
 */

import { authenticate, may } from '../../auth';
import { env } from '../../config';
import { demoMerchant } from '../../core/demo';
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

/** Null for strangers, in production, and for those who look after every merchant. */
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
    // The demo merchant's is the same everywhere, and public.
    shownPassword: key.key === demoMerchant.key ? key.password : 'YOUR-PASSWORD',
    maySign: may(viewer.role, 'developers.send'),
    digest: caller.mapping?.digest ?? 'md5',
    base: env.baseUrl,
    isOwn: true,
    merchant: caller.merchant.name,
    accounts: caller.mids.map(({ name, id }) => `${name} (${id})`),
  };
}
