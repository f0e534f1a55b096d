import type { Metadata, Viewport } from 'next';
import { cookies } from 'next/headers';
import { connection } from 'next/server';
import type { ReactNode } from 'react';
import { readTheme, themeCookie } from '../components/dashboard/shell/theme.ts';
import { env } from '../lib/config/index.ts';
import { cookieName } from '../lib/http/index.ts';
import { codeFont, textFont } from './fonts.ts';
import './tokens.css';
import './base.css';
import './parts.css';

export const metadata: Metadata = {
  title: { default: 'Florin', template: '%s · Florin' },
  description: 'A self-hosted payment service: hosted payment pages, server-to-server protocols and signed callbacks.',
  robots: { index: false },
  icons: {
    icon: [
      { url: '/favicon.ico', sizes: '32x32' },
      { url: '/icon.svg', type: 'image/svg+xml' },
    ],
    apple: '/apple-touch-icon.png',
  },
  manifest: '/site.webmanifest',
};

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  colorScheme: 'light dark',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#ffffff' },
    { media: '(prefers-color-scheme: dark)', color: '#0e1012' },
  ],
};

// Every page is rendered per request: its scripts have the nonce of that response (lib/server/server.ts).
export default async function Layout({ children }: { children: ReactNode }) {
  await connection();
  // Only the dashboard sets this cookie: other pages use the system's colour scheme.
  const theme = readTheme((await cookies()).get(cookieName(themeCookie))?.value);
  return (
    <html
      lang="en"
      className={`${textFont.variable} ${codeFont.variable}`}
      data-theme={theme === 'system' ? undefined : theme}
    >
      <body>
        {env.appEnv === 'sandbox' ? <div className="sandbox-band" aria-hidden="true" /> : null}
        {children}
      </body>
    </html>
  );
}
