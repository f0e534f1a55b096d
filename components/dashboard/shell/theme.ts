// The theme from a cookie that the server reads before it renders, so that nothing flashes. Without one, the system
// decides.

export type Theme = 'system' | 'light' | 'dark';

export const themeCookie = 'florin_theme';

/** The theme of a cookie's value. */
export function readTheme(value: string | undefined): Theme {
  return value === 'light' || value === 'dark' ? value : 'system';
}
