// What a person chooses for this browser: the theme, and the merchant that is looked at. Kept in cookies that only the
// dashboard's addresses get.
import { type Theme, themeCookie } from './theme';

const yearSeconds = 365 * 86_400;

/** Fixes the theme, at once and for the next pages. */
export function chooseTheme(theme: Theme): void {
  setCookie(themeCookie, theme === 'system' ? null : theme);
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** Picks the merchant to whose rows every page is confined; null for all. The pages have to be asked for again. */
export function chooseMerchant(id: string | null): void {
  setCookie('florin_merchant', id);
}

function setCookie(name: string, value: string | null): void {
  const age = value === null ? 0 : yearSeconds;
  // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is not in every browser, and this holds no secret
  document.cookie = `${name}=${encodeURIComponent(value ?? '')}; path=/dashboard; max-age=${age}; samesite=lax`;
}
