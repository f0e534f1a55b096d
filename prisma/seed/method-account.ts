// What the sandbox's merchant accounts need for payment methods besides the card: the whole list of them, and made-up
// credentials for those that have some of their own.
import { findMethod, methods } from '../../lib/methods/catalog';
import { type CredentialLine, credentialLines } from '../../lib/methods/catalog/lines';

/** The identifiers of every method but the card, in the order of the catalogue. */
export const otherMethods: string[] = methods.map((method) => method.id).filter((id) => id !== 'card');

/** Whether an account has every method, so that one added to the catalogue is its own after the next start. */
export function hasEveryMethod(ids: readonly string[]): boolean {
  return otherMethods.every((id) => ids.includes(id));
}

/** `settings.methods` of an account with these methods: what their rows demand, in values that the provider takes. */
export function sandboxCredentials(ids: readonly string[]): { [method: string]: { [name: string]: string } } {
  const own = ids.map((id) => {
    const needed = credentialLines(findMethod(id)?.credentials).filter(({ required }) => required);
    const sandboxValue = ({ name, format }: CredentialLine) =>
      format === 'by-currency' ? 'EUR=sandbox' : `sandbox-${name.toLowerCase()}`;
    return [id, Object.fromEntries(needed.map((line) => [line.name, sandboxValue(line)]))] as const;
  });
  return Object.fromEntries(own.filter(([, values]) => Object.keys(values).length > 0));
}
