// The sandbox provider's API keys and notification secrets. Both derive from the deployment's vault key, so that the
// provider verifies a key without a table of accounts and the seed can write the settings of any MID.
import { createHmac, timingSafeEqual } from 'node:crypto';

/** The base path of the provider's API. */
export const providerPath = '/sandbox/provider/v1';

/** The connector settings of a MID, as the `http` connector takes them. */
export type ProviderSettings = { url: string; apiKey: string; signingSecret: string; timeoutSeconds: number };

/** The provider timeout of sandbox accounts: enough for normal answers, short enough to test hanging ones. */
const timeoutSeconds = 6;

/** Connector settings of a MID; those with the same `account` (letters, digits, `-`, `_`) share their operations. */
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

/** The account of an Authorization header; null if its key is wrong. */
export function accountOf(vaultKey: Uint8Array, authorization: string | null): string | null {
  const match = /^Bearer sandbox\.([\w-]{1,64})\.([\w-]{43})$/.exec(authorization ?? '');
  if (!match) return null;
  const [, account = '', mac = ''] = match;
  const right = derive(vaultKey, 'key', account);
  const received = Buffer.from(mac, 'base64url');
  return received.length === right.length && timingSafeEqual(received, right) ? account : null;
}

function derive(vaultKey: Uint8Array, purpose: string, account: string): Buffer {
  return createHmac('sha256', vaultKey).update(`sandbox provider ${purpose} ${account}`).digest();
}
