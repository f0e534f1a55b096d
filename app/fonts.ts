// The two typefaces of the app's pages, served by the app itself. Only the Latin subset is loaded; other scripts use
// the system's typeface.
import localFont from 'next/font/local';

export const textFont = localFont({
  src: '../node_modules/@fontsource-variable/inter/files/inter-latin-opsz-normal.woff2',
  weight: '100 900',
  variable: '--font-text',
  display: 'swap',
  fallback: ['system-ui', '-apple-system', 'Segoe UI', 'Roboto', 'sans-serif'],
});

export const codeFont = localFont({
  src: '../node_modules/@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
  weight: '100 800',
  variable: '--font-code',
  display: 'swap',
  preload: false,
  adjustFontFallback: false,
  fallback: ['ui-monospace', 'SF Mono', 'Cascadia Mono', 'Roboto Mono', 'monospace'],
});
