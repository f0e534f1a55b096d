/** The providers of MIDs: credentials of single methods as the catalogue describes them, and the sandbox simulator. */

import { env } from '../../config/index.ts';
import type { StoredMid } from '../../merchants/index.ts';
import { type CredentialLine, credentialLines } from '../../methods/catalog/lines.ts';
import { findMethod } from '../../methods/catalog.ts';
import { checkOf, formatOf } from '../../methods/formats.ts';
import { providerPath, sandboxProviderSettings } from '../../sandbox/index.ts';

/** The credential definitions of a method; most have none. */
export function linesOf(method: string): CredentialLine[] {
  return credentialLines(findMethod(method)?.credentials);
}

/** The fields of a method's form. `choices` if only these are allowed. */
export function credentialFields(method: string) {
  return linesOf(method).map(({ name, secret, required, about, format }) => {
    const { choices } = formatOf(format).input;
    return { name, secret, required, about, choices: choices ? [...choices] : null };
  });
}

/** The error of a value as a sentence; null for a valid one. */
export function credentialError({ format }: CredentialLine, value: string): string | null {
  if ('value' in checkOf(format)(value)) return null;
  const [word, ...measures] = format.split(' ');
  if (word === 'one') return `Choose ${measures.join(' or ')}.`;
  if (word === 'header') return 'It is sent in a header: use visible ASCII characters without spaces.';
  if (word === 'by-currency')
    return 'Enter a currency, an equals sign and the ID, separated by spaces: EUR=1234 RON=5678.';
  return `Enter at most ${measures[0]} characters.`;
}

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
