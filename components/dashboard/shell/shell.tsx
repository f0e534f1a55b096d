'use client';
// The dashboard's shell: the sidebar (a bottom bar on a phone), and what opens over every page.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { SignInAgain } from '../sign-in/sign-in-again.tsx';
import { ToastProvider } from '../ui/toast.tsx';
import { ZoneProvider } from '../zone.tsx';
import { BottomBar } from './bottom-bar.tsx';
import { CommandMenu } from './command-menu.tsx';
import { ShellProvider, type ShellState } from './context.tsx';
import { PageShortcuts } from './shortcuts.tsx';
import { Sidebar } from './sidebar.tsx';

// Menus and dialogs add a style element to stop scrolling, which the content security policy allows only with this
// document's nonce. The library reads it under this name.
if (typeof document !== 'undefined') {
  const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce;
  if (nonce) Object.assign(globalThis, { __webpack_nonce__: nonce });
}

export function Shell({ frame, zone, children }: { frame: ShellState; zone: string; children: ReactNode }) {
  const [client] = useState(() => new QueryClient({ defaultOptions: { queries: { retry: 1, staleTime: 2_000 } } }));
  return (
    <QueryClientProvider client={client}>
      <ToastProvider>
        <ZoneProvider zone={zone}>
          <ShellProvider frame={frame}>
            <div className="dashboard-shell" data-sandbox={frame.sandbox || undefined}>
              <a className="skip" href="#main">
                Skip to the content
              </a>
              <Sidebar />
              <div className="flex min-w-0 flex-col">{children}</div>
              <BottomBar />
            </div>
            <CommandMenu />
            <PageShortcuts />
            <SignInAgain />
          </ShellProvider>
        </ZoneProvider>
      </ToastProvider>
    </QueryClientProvider>
  );
}
