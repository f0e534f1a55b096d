// Classes of declines by what the payer can do next; the page has one text and one action per class. An unknown outcome
// is not a decline and has no class.

/**
 * data: invalid card data; funds: insufficient funds or over a limit; bank: the issuer declined, or the reason must not
 * be disclosed; technical: the issuer is unavailable; unconfirmed: the payer was not authenticated.
 */
export type DeclineClass = 'data' | 'funds' | 'bank' | 'technical' | 'unconfirmed';

/** Every class, for iteration and for reading a provider's response. */
export const declineClasses: readonly DeclineClass[] = ['data', 'funds', 'bank', 'technical', 'unconfirmed'];

/** The class that a provider reported; `bank`, the least specific, if it is missing or unknown. */
export function declineClassOf(text: unknown): DeclineClass {
  return declineClasses.find((known) => known === text) ?? 'bank';
}
