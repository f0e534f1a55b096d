/**
 * Formats the payer's phone number internationally for a method's provider. The number is read by the payer's country
 * or by the method's only country; the method's catalogue row defines which numbers it accepts (Benin, Togo).
 */
import type { Method } from '../methods/method';
import { acceptsRequestField } from '../methods/parameters';
import { readPhone } from '../methods/phone';

/** The number in international form; null if the method does not accept it. */
export function phoneFor(method: Method, country: string | undefined, text: string): string | null {
  const { countries = [] } = method;
  const only = countries.length === 1 ? countries[0] : undefined;
  for (const by of new Set([country?.toUpperCase() || undefined, only, undefined])) {
    const phone = readPhone(text, by);
    if (phone !== null && acceptsRequestField(method, 'payer_phone', phone)) return phone;
  }
  return null;
}
