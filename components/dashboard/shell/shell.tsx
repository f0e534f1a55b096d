'use client';
// The dashboard's shell: the sidebar (a bottom bar on a phone), the keyboard shortcuts of every page, and what opens over
// every page.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Fragment, type ReactNode, useEffect, useMemo, useState } from 'react';
import type { ProofWay } from '../../../lib/dashboard/contract.ts';
import { IdentityCheck, ProofDialog } from '../confirm-identity.tsx';
import type { Proof } from '../passkeys.ts';
import { KeyCap } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Switch } from '../ui/fields.tsx';
import { useGo } from '../ui/leave-guard.tsx';
import { onExpiredSession, request, type Unlocking } from '../ui/request.ts';
import { keyName, makePairs, takesSingleKeys, useShortcuts, useSingleKeys } from '../ui/shortcuts.ts';
import { ToastProvider } from '../ui/toast.tsx';
import { ZoneProvider } from '../zone.tsx';
import { BottomBar } from './bottom-bar.tsx';
import { CommandMenu } from './command-menu.tsx';
import { ShellProvider, type ShellState, useShell } from './context.tsx';
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
            <IdentityCheck />
          </ShellProvider>
        </ZoneProvider>
      </ToastProvider>
    </QueryClientProvider>
  );
}

/** Handles the shortcuts that work on every page. */
function PageShortcuts() {
  const { open } = useShell();
  useShortcutPairs();
  useShortcuts({
    'ctrl+k': () => open('commands'),
    '?': () => open('keys'),
    // The breadcrumb leads up; it asks first if there are unsaved changes.
    escape: () => document.querySelector<HTMLElement>('[data-up]')?.click(),
  });
  return <ShortcutsDialog />;
}

/** G and a letter opens a page. Handled first, because the letter may be a shortcut itself. */
function useShortcutPairs(): void {
  const { navItems } = useShell();
  const go = useGo();
  const pair = useMemo(
    () => makePairs('g', Object.fromEntries(navItems.flatMap(({ key, href }) => (key ? [[key, href]] : [])))),
    [navItems],
  );
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!takesSingleKeys(event)) return;
      const href = pair(keyName(event), event.timeStamp);
      if (!href) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      go(href);
    };
    addEventListener('keydown', press, true);
    return () => removeEventListener('keydown', press, true);
  }, [pair, go]);
}

const lists: Record<string, Record<string, string>> = {
  Everywhere: { 'Ctrl K': 'Command menu', '/': 'Search in the list', '?': 'Keyboard shortcuts', Esc: 'Close, then up' },
  'In a list': { J: 'Next row', K: 'Previous row', X: 'Select', '↵': 'Open' },
  'On a payment': { R: 'Refund', V: 'Void' },
  'In a form': { 'Ctrl S': 'Review and save', 'Ctrl ↵': 'Confirm' },
};

function ShortcutsDialog() {
  const { opened, open, navItems } = useShell();
  const [on, setOn] = useSingleKeys();
  const ahead = navItems.flatMap(({ key, label }): [string, string][] =>
    key ? [[`G ${key.toUpperCase()}`, label]] : [],
  );
  return (
    <Dialog open={opened === 'keys'} onClose={() => open(null)} title="Keyboard shortcuts" wide>
      <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        {Object.entries({ ...lists, 'Go to': Object.fromEntries(ahead) }).map(([title, keys]) => (
          <section key={title} aria-label={title}>
            <h3 className="mb-1.5 text-xs font-medium text-ink3">{title}</h3>
            <dl className="grid grid-cols-[96px_1fr] items-center gap-y-1">
              {Object.entries(keys).map(([caps, what]) => (
                <Fragment key={what}>
                  <dt className="flex gap-1">
                    <span className="unseen">{caps}</span>
                    {caps.split(' ').map((cap) => (
                      <KeyCap key={cap} text={cap} />
                    ))}
                  </dt>
                  <dd>{what}</dd>
                </Fragment>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <Switch checked={on} onChange={() => setOn(!on)}>
        Single-key shortcuts (those with Ctrl always work)
      </Switch>
    </Dialog>
  );
}

type Done = (signedIn: boolean) => void;

/**
 * Signs the user in again over a form with unsaved changes after the session has expired, and unlocks a locked session on
 * any page: the page and its values stay. Closing the dialog leads to the sign-in page.
 */
function SignInAgain() {
  const [asking, setAsking] = useState<{ unlocking: Unlocking; done: Done } | null>(null);
  useEffect(() => {
    onExpiredSession((unlocking) => new Promise((done) => setAsking({ unlocking, done })));
    return () => onExpiredSession(null);
  }, []);
  const isLocked = asking?.unlocking != null;
  // The page is hidden from others at the same screen.
  useEffect(() => {
    document.documentElement.toggleAttribute('data-locked', isLocked);
  }, [isLocked]);
  if (asking === null) return null;
  const end = (signedIn: boolean) => {
    asking.done(signedIn);
    // The page stays hidden while the browser leaves it.
    if (signedIn || !isLocked) setAsking(null);
  };
  return asking.unlocking === null ? <SignInDialog end={end} /> : <UnlockDialog ways={asking.unlocking} end={end} />;
}

function UnlockDialog({ ways, end }: { ways: readonly ProofWay[]; end: Done }) {
  const { email } = useShell().person;
  return (
    <ProofDialog
      unlocks
      title="Your session is locked"
      about="It was not used for a while. Your changes on this page stay."
      ways={ways}
      purpose="confirmation"
      verb="Unlock"
      foot={<span>{email}</span>}
      send={async (proof) => {
        await request('/unlock', { body: proof, reads: true, signsIn: true });
        end(true);
      }}
      onClose={() => end(false)}
    />
  );
}

function SignInDialog({ end }: { end: Done }) {
  const { email } = useShell().person;
  const [ways, setWays] = useState<readonly ProofWay[]>(['password']);
  const send = async (proof: Proof) => {
    const next = '/dashboard';
    const [path, body] =
      'password' in proof
        ? ['/sign-in', { email, ...proof, next }]
        : ['/sign-in/code', { way: 'code' in proof ? 'totp' : 'passkey', ...proof, next }];
    const answer = await request<{ next: string; ways?: ProofWay[] }>(path, { body, reads: true, signsIn: true });
    if (answer.next.startsWith('/dashboard/sign-in/')) setWays(answer.ways ?? ['code']);
    else end(true);
  };
  return (
    <ProofDialog
      key={ways.join()}
      title="Your session has expired"
      about="Sign in again to continue. Your changes on this page stay."
      ways={ways}
      purpose="second_step"
      verb="Sign in"
      foot={<span>{email}</span>}
      send={send}
      onClose={() => end(false)}
    />
  );
}
