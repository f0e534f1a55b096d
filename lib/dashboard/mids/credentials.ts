/** Credentials of single methods as the catalogue describes them: form fields and validation. */

import { findMethod } from '../../methods/catalog';
import { type CredentialLine, credentialLines } from '../../methods/catalog/lines';
import { checkOf, inputOf } from '../../methods/formats';

/** The credential definitions of a method; most have none. */
export function linesOf(method: string): CredentialLine[] {
  return credentialLines(findMethod(method)?.credentials);
}

/** The fields of a method's form. `choices` if only these are allowed. */
export function credentialFields(method: string) {
  return linesOf(method).map(({ name, secret, required, about, format }) => {
    const { choices } = inputOf(format);
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
