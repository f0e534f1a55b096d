/**
 * The last used method, remembered on the payer's device if they agree: a cookie of the payment pages with the method's
 * identifier and nothing else. A page in a shop's frame does not offer it, because browsers block such cookies.
 */
import { cookieIn, cookieLine, cookieName, type HttpRequest } from '../http/index.ts';
import { findMethod } from '../methods/catalog.ts';

const methodCookie = () => cookieName('florin_method');
const keptDays = 180;

/** The remembered method; undefined without a cookie. */
export function rememberedMethod(request: HttpRequest): string | undefined {
  return findMethod(cookieIn(request.headers, methodCookie()) ?? '')?.id;
}

/**
 * The cookie that a submit sets. `remember` is the checkbox of the form: null if the form has none, which changes
 * nothing. A payer who clears the checkbox of the remembered method ends the memory.
 */
export function memoryCookies(
  { method, remember }: { method: string; remember: string | null },
  remembered: string | undefined,
): string[] {
  if (remember === '1') return [cookieOf(method, keptDays * 86_400)];
  return remember === '0' && remembered === method ? [cookieOf('', 0)] : [];
}

function cookieOf(value: string, seconds: number): string {
  return cookieLine(methodCookie(), value, seconds);
}
