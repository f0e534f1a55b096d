import type { Metadata, Viewport } from 'next';
import { connection } from 'next/server';
import type { ReactNode } from 'react';
import { env } from '../lib/env';
import { codeFont, textFont } from './fonts';
import './tokens.css';
import './base.css';
import './parts.css';

export const metadata: Metadata = {
  title: { default: 'Florin', template: '%s · Florin' },
  description: 'A self-hosted payment service: hosted payment pages, server-to-server protocols and signed callbacks.',
  robots: { index: false },
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
  return (
    <html lang="en" className={`${textFont.variable} ${codeFont.variable}`}>
      <body>
        {env.appEnv === 'sandbox' ? <div className="sandbox-band" aria-hidden="true" /> : null}
        {children}
      </body>
    </html>
  );
}
