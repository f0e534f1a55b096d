// The theme from a cookie that the server reads before it renders, so that nothing flashes. Without one, the system
// decides.

/** The themes as users choose them. */
export const themes = [
  { name: 'system', text: 'System', icon: 'screen', command: 'Use the theme of the system' },
  { name: 'light', text: 'Light', icon: 'sun', command: 'Use the light theme' },
  { name: 'dark', text: 'Dark', icon: 'moon', command: 'Use the dark theme' },
] as const;

export type Theme = (typeof themes)[number]['name'];

export const themeCookie = 'florin_theme';

/** The theme of a cookie's value. */
export function readTheme(value: string | undefined): Theme {
  return value === 'light' || value === 'dark' ? value : 'system';
}
