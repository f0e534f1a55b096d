/**
 * The sandbox's own provider for accounts that people make: each gets books of its own there. Its address follows the
 * port that this process listens on, and its key is derived from the vault's, so that nobody has to type either.
 */
import { env } from '../../config';
import type { StoredMid } from '../../merchants';
import { providerPath, sandboxProviderSettings } from '../../sandbox';

type Settings = StoredMid['settings'];

const ownKey = /^sandbox\.([\w-]{1,64})\.[\w-]{43}$/;

/** Whether these settings lead to this sandbox's own provider. */
export function leadsToSandbox({ url, apiKey }: Settings): boolean {
  if (env.appEnv !== 'sandbox' || !URL.canParse(url) || !ownKey.test(apiKey)) return false;
  const { hostname, pathname } = new URL(url);
  return hostname === '127.0.0.1' && pathname === providerPath;
}

/** Where an account finds the sandbox's provider. One that was there before keeps its books. */
export function sandboxSettings(
  midId: string,
  stored: Settings | null,
): Pick<Settings, 'url' | 'apiKey' | 'signingSecret'> {
  const [, account = midId] = (stored && leadsToSandbox(stored) && ownKey.exec(stored.apiKey)) || [];
  const { url, apiKey, signingSecret } = sandboxProviderSettings(`http://127.0.0.1:${env.port}`, env.vaultKey, account);
  return { url, apiKey, signingSecret };
}
