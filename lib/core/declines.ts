// Why a payment was declined, as far as the payer can act on it. The page has one text and one action
// per class. An unknown outcome is never a decline, so it has no class.

/**
 * data: something typed is wrong; funds: not enough money or over a limit; bank: the bank says no, or
 * the reason may not be told; technical: the bank could not be reached; unconfirmed: the payer was not
 * authenticated.
 */
export type DeclineClass = 'data' | 'funds' | 'bank' | 'technical' | 'unconfirmed';

/** Every class, for walks over texts and for reading a provider's answer. */
export const declineClasses: readonly DeclineClass[] = ['data', 'funds', 'bank', 'technical', 'unconfirmed'];

/** The class that a provider named; `bank`, which claims the least, when it named none that is known. */
export function declineClassOf(text: unknown): DeclineClass {
  return declineClasses.find((known) => known === text) ?? 'bank';
}
