// Settings of the sandbox's MIDs for other methods than the card: the list of methods, and placeholder credentials for
// those that need some.

import { type CredentialLine, credentialLines } from '../../lib/methods/catalog/lines.ts';
import { findMethod, methods } from '../../lib/methods/catalog.ts';

/** The identifiers of every method except the card, in catalogue order. */
export const otherMethods: string[] = methods.map((method) => method.id).filter((id) => id !== 'card');

/** Whether a MID has every method, so that methods added to the catalogue are added to it at the next start. */
export function hasEveryMethod(ids: readonly string[]): boolean {
  return otherMethods.every((id) => ids.includes(id));
}

/** `settings.methods` of a MID with these methods: the required credentials, with values that the provider accepts. */
export function sandboxCredentials(ids: readonly string[]): { [method: string]: { [name: string]: string } } {
  const own = ids.map((id) => {
    const needed = credentialLines(findMethod(id)?.credentials).filter(({ required }) => required);
    const sandboxValue = ({ name, format }: CredentialLine) =>
      format === 'by-currency' ? 'EUR=sandbox' : `sandbox-${name.toLowerCase()}`;
    return [id, Object.fromEntries(needed.map((line) => [line.name, sandboxValue(line)]))] as const;
  });
  return Object.fromEntries(own.filter(([, values]) => Object.keys(values).length > 0));
}
