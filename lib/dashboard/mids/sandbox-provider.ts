/**
 * The sandbox simulator for MIDs that users create: each gets its own accounts there. Its URL follows the port of this
 * process and its key is derived from the vault key, so that no input is needed.
 */
import { env } from '../../config';
import type { StoredMid } from '../../merchants';
import { providerPath, sandboxProviderSettings } from '../../sandbox';

type Settings = StoredMid['settings'];

const ownKey = /^sandbox\.([\w-]{1,64})\.[\w-]{43}$/;

/** Whether these settings use the sandbox simulator. */
export function leadsToSandbox({ url, apiKey }: Settings): boolean {
  if (env.appEnv !== 'sandbox' || !URL.canParse(url) || !ownKey.test(apiKey)) return false;
  const { hostname, pathname } = new URL(url);
  return hostname === '127.0.0.1' && pathname === providerPath;
}

/** The simulator's URL and keys for a MID. An existing MID keeps its accounts. */
export function sandboxSettings(
  midId: string,
  stored: Settings | null,
): Pick<Settings, 'url' | 'apiKey' | 'signingSecret'> {
  const [, account = midId] = (stored && leadsToSandbox(stored) && ownKey.exec(stored.apiKey)) || [];
  const { url, apiKey, signingSecret } = sandboxProviderSettings(`http://127.0.0.1:${env.port}`, env.vaultKey, account);
  return { url, apiKey, signingSecret };
}
