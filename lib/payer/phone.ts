/**
 * The payer's phone number as a method's provider wants it: international. It is read by the payer's country or, where a
 * method has one country only, by that; which numbers the method takes is said by its row (Benin, Togo).
 */
import type { Method } from '../methods/method';
import { acceptsRequestField } from '../methods/parameters';
import { readPhone } from '../methods/phone';

/** The number in international form; null where it is none that the method takes. */
export function phoneFor(method: Method, country: string | undefined, text: string): string | null {
  const { countries = [] } = method;
  const only = countries.length === 1 ? countries[0] : undefined;
  for (const by of new Set([country?.toUpperCase() || undefined, only, undefined])) {
    const phone = readPhone(text, by);
    if (phone !== null && acceptsRequestField(method, 'payer_phone', phone)) return phone;
  }
  return null;
}
