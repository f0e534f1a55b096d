// The settings of the sandbox's accounts for payment methods besides the card: the list of methods, and fictitious
// credentials for those that need them.
import { findMethod, methods } from '../../lib/methods/catalog';
import { type CredentialLine, credentialLines } from '../../lib/methods/catalog/lines';

/** The identifiers of every method except the card, in catalogue order. */
export const otherMethods: string[] = methods.map((method) => method.id).filter((id) => id !== 'card');

/** Whether an account has every method, so that it gets new ones at the next start. */
export function hasEveryMethod(ids: readonly string[]): boolean {
  return otherMethods.every((id) => ids.includes(id));
}

/** `settings.methods` of an account with these methods: the required values, as the provider accepts them. */
export function sandboxCredentials(ids: readonly string[]): { [method: string]: { [name: string]: string } } {
  const own = ids.map((id) => {
    const needed = credentialLines(findMethod(id)?.credentials).filter(({ required }) => required);
    const sandboxValue = ({ name, format }: CredentialLine) =>
      format === 'by-currency' ? 'EUR=sandbox' : `sandbox-${name.toLowerCase()}`;
    return [id, Object.fromEntries(needed.map((line) => [line.name, sandboxValue(line)]))] as const;
  });
  return Object.fromEntries(own.filter(([, values]) => Object.keys(values).length > 0));
}
