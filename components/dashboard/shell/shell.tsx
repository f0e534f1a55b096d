// The dashboard's shell: sidebar (a bottom bar on a phone), page title and user. It lists only pages that exist and
// that the user may see.
import clsx from 'clsx';
import type { ReactNode } from 'react';
import { Logo } from '../../ui/logo';
import { SignInAgain } from '../sign-in/sign-in-again';
import { ZoneProvider } from '../zone';
import { BottomBar } from './bottom-bar';
import { DashboardClient } from './client';
import { CommandMenu } from './command-menu';
import { ShellProvider, type ShellState } from './context';
import { PageShortcuts } from './shortcuts';
import { Sidebar } from './sidebar';
import { TopSearch } from './top-search';
import { UpLink } from './up-link';

type Props = { frame: ShellState; zone: string; children: ReactNode };

export function Shell({ frame, zone, children }: Props) {
  return (
    <DashboardClient>
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
    </DashboardClient>
  );
}

type BarProps = {
  /** The parent page of a deeper page with its link; Esc leads there too. */
  parent?: { href: string; text: string };
  title: string;
  /** Whether the bar's title is the page's main heading. */
  heading?: boolean;
  count?: string;
  sandbox: boolean;
};

/** The top bar: title or breadcrumb, search and environment. */
export function TopBar({ parent, title, heading = true, count, sandbox }: BarProps) {
  const Title = heading ? 'h1' : 'span';
  return (
    <header className="sticky top-(--top) z-3 flex min-h-12 items-center gap-2.5 border-b border-line bg-bg px-gutter phone:min-h-14">
      {parent ? (
        <nav aria-label="Breadcrumb" className="flex gap-2 text-ink3">
          <UpLink href={parent.href}>{parent.text}</UpLink>
          <span aria-hidden="true">›</span>
        </nav>
      ) : (
        <span className="hidden phone:block">
          <Logo size={26} />
        </span>
      )}
      <Title
        dir="auto"
        className={clsx('truncate font-semibold', parent ? 'text-sm tracking-normal' : 'text-bar phone:text-[18px]')}
        aria-current={parent ? 'page' : undefined}
      >
        {title}
      </Title>
      {count ? <span className="figures whitespace-nowrap text-ink3">{count}</span> : null}
      <TopSearch />
      <span className="inline-flex min-h-[30px] shrink-0 items-center gap-2 rounded-control border border-solid border-line2 px-2.5 font-medium">
        <span
          aria-hidden="true"
          className={clsx('size-2 forced-color-adjust-none', sandbox ? 'bg-warn' : 'rounded-full bg-ok')}
        />
        {sandbox ? 'Sandbox' : 'Live'}
      </span>
    </header>
  );
}
