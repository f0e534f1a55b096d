// Preferences of this browser: theme and selected merchant. Stored in cookies that are limited to the dashboard's path.
import { type Theme, themeCookie } from './theme';

const yearSeconds = 365 * 86_400;

/** Sets the theme, immediately and for the next pages. */
export function chooseTheme(theme: Theme): void {
  setCookie(themeCookie, theme === 'system' ? null : theme);
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** Selects the merchant that limits every page; null for all. Pages must be loaded again. */
export function chooseMerchant(id: string | null): void {
  setCookie('florin_merchant', id);
}

function setCookie(name: string, value: string | null): void {
  const age = value === null ? 0 : yearSeconds;
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the cookie store, and this is not a secret
  document.cookie = `${name}=${encodeURIComponent(value ?? '')}; path=/dashboard; max-age=${age}; samesite=lax`;
}
