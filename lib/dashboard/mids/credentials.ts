/** Credentials of single methods as the catalogue describes them: form fields and validation. */

import { findMethod } from '../../methods/catalog';
import { type CredentialLine, credentialLines } from '../../methods/catalog/lines';
import { checkOf, formatOf } from '../../methods/formats';
import type { CredentialField } from './contract';

/** The credential definitions of a method; most have none. */
export function linesOf(method: string): CredentialLine[] {
  return credentialLines(findMethod(method)?.credentials);
}

/** The fields of a method's form. */
export function credentialFields(method: string): CredentialField[] {
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
