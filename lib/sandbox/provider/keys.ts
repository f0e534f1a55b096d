// The sandbox provider's API keys and notification secrets. Both are derived from the deployment's vault key, so that
// the provider recognises a key without a table of accounts and the seed can write the settings of any number of MIDs.
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Where the provider's API begins. */
export const providerPath = '/sandbox/provider/v1';

/** What a merchant account has to know of its provider; the settings of the `http` connector. */
export type ProviderSettings = { url: string; apiKey: string; signingSecret: string; timeoutSeconds: number };

/** Seconds that sandbox accounts give a call: enough for every honest answer, short enough to test those that hang. */
const timeoutSeconds = 6;

/**
 * Connector settings of a MID that works with the sandbox provider at `baseUrl`. MIDs with the same `account` (letters,
 * digits, `-` and `_`) share their books there.
 */
export function sandboxProviderSettings(baseUrl: string, vaultKey: Uint8Array, account = 'demo'): ProviderSettings {
  return {
    url: baseUrl + providerPath,
    apiKey: `sandbox.${account}.${derive(vaultKey, 'key', account).toString('base64url')}`,
    signingSecret: signingSecretOf(vaultKey, account),
    timeoutSeconds,
  };
}

/** The secret that signs an account's notifications. */
export function signingSecretOf(vaultKey: Uint8Array, account: string): string {
  return `whsec_${derive(vaultKey, 'notifications', account).toString('base64')}`;
}

/** The account behind an Authorization header; null unless its key is right. */
export function accountOf(vaultKey: Uint8Array, authorization: string | null): string | null {
  const match = /^Bearer sandbox\.([\w-]{1,64})\.([\w-]{43})$/.exec(authorization ?? '');
  if (!match) return null;
  const [, account = '', mac = ''] = match;
  const right = derive(vaultKey, 'key', account);
  const given = Buffer.from(mac, 'base64url');
  return given.length === right.length && timingSafeEqual(given, right) ? account : null;
}

function derive(vaultKey: Uint8Array, purpose: string, account: string): Buffer {
  return createHmac('sha256', vaultKey).update(`sandbox provider ${purpose} ${account}`).digest();
}
