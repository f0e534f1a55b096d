/** Credentials of single methods, as the catalogue's rows describe them: what is asked for, and what is wrong with it. */

import { findMethod } from '../../methods/catalog';
import { type CredentialLine, credentialLines } from '../../methods/catalog/lines';
import { checkOf, inputOf } from '../../methods/formats';
import type { CredentialField } from './contract';

/** The lines of a method; none for most. */
export function linesOf(method: string): CredentialLine[] {
  return credentialLines(findMethod(method)?.credentials);
}

/** The fields of a method's form. */
export function credentialFields(method: string): CredentialField[] {
  return linesOf(method).map(({ name, secret, required, about, format }) => {
    const { choices } = inputOf(format);
    return { name, secret, required, about, choices: choices ? [...choices] : null };
  });
}

/** What is wrong with a value, as a sentence; null for a good one. */
export function credentialError({ format }: CredentialLine, value: string): string | null {
  if ('value' in checkOf(format)(value)) return null;
  const [word, ...measures] = format.split(' ');
  if (word === 'one') return `Choose ${measures.join(' or ')}.`;
  if (word === 'header') return 'It goes into a header: visible ASCII without blanks.';
  if (word === 'by-currency') return 'Write a currency, = and the id, blanks between: EUR=1234 RON=5678.';
  return `Write at most ${measures[0]} characters.`;
}
