/** Signing keys: the newest valid one, and the sandbox key that the documentation uses in its examples. */
import { authenticate, may } from '../../auth/index.ts';
import { env } from '../../config/index.ts';
import { demoMerchant } from '../../core/demo-merchant.ts';
import { findCaller, type SigningKey, signingKeysOf } from '../../merchants/index.ts';

/** The newest valid key of this environment. */
export const validKeyOf = (keys: readonly SigningKey[], now: Date) =>
  keys.find((key) => key.environment === env.appEnv && (!key.validUntil || key.validUntil > now));

/**
 * The key for the examples of a signed-in user. The password is not shown; only the key page shows passwords, after a
 * proof of identity. Null for anonymous readers, in production, and for users who manage every merchant.
 */
export async function findUsableKey(headers: Headers, now: Date) {
  if (env.appEnv !== 'sandbox') return null;
  const { viewer } = await authenticate(headers);
  if (!viewer?.merchantId || !may(viewer.role, 'developers.read')) return null;
  const found = validKeyOf(await signingKeysOf(viewer.merchantId), now);
  const caller = found && (await findCaller(found.key, 'checkout', now));
  if (!found || !caller) return null;
  const { key, password } = found;
  return {
    key,
    password,
    base: env.baseUrl,
    isOwn: true as const,
    merchant: caller.merchant.name,
    // The demo merchant's key is the same everywhere, and public.
    shownPassword: key === demoMerchant.key ? password : 'YOUR-PASSWORD',
    maySign: may(viewer.role, 'developers.send'),
    digest: caller.mapping?.digest ?? 'md5',
    accounts: caller.mids.map(({ name, id }) => `${name} (${id})`),
  };
}
