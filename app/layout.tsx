import type { Metadata, Viewport } from 'next';
import { cookies } from 'next/headers';
import { connection } from 'next/server';
import type { ReactNode } from 'react';
import { readTheme, themeCookie } from '../components/dashboard/shell/theme';
import { env } from '../lib/config';
import { codeFont, textFont } from './fonts';
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

// Every page is rendered when it is asked for: its scripts carry the nonce of that very answer (see proxy.ts).
export default async function Layout({ children }: { children: ReactNode }) {
  await connection();
  // The cookie is the dashboard's: on other pages there is none, and the system decides.
  const theme = readTheme((await cookies()).get(themeCookie)?.value);
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
