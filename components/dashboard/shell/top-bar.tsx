'use client';
// The top bar: title or breadcrumb, search and environment. Esc follows the breadcrumb too.
import clsx from 'clsx';
import Link from 'next/link';
import { type ReactNode, useEffect, useState } from 'react';
import { Logo } from '../../ui/logo.tsx';
import { Icon } from '../icons.tsx';
import { KeyCap } from '../ui/button.tsx';
import { useShell } from './context.tsx';

type BarProps = {
  /** The parent page of a deeper page with its link; Esc leads there too. */
  parent?: { href: string; text: string };
  title: string;
  /** Whether the bar's title is the page's main heading. */
  heading?: boolean;
  count?: string;
};

/** The bar above every page. */
export function TopBar({ parent, title, heading = true, count }: BarProps) {
  const { open, sandbox } = useShell();
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
      {/* Looks like a field and opens the command menu. Only an icon on small screens. */}
      <button
        type="button"
        onClick={() => open('commands')}
        className="ml-auto flex h-[30px] w-[264px] min-w-8 shrink items-center gap-2 rounded-control border border-solid border-line2 bg-sub px-2.5 text-ink3 hover:text-ink2 max-md:size-8 max-md:shrink-0 max-md:justify-center max-md:p-0 phone:size-11 phone:border-transparent phone:bg-transparent"
      >
        <Icon name="search" />
        <span className="min-w-0 flex-1 truncate text-start max-md:sr-only">Search or jump to</span>
        <span className="max-md:hidden">
          <KeyCap text="Ctrl K" />
        </span>
      </button>
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

const keyOf = (path: string) => `florin_list ${path}`;

/** Remembers a list's address for the links of its objects, until the browser's tab is closed. */
export function useRememberedList(query: string): void {
  useEffect(() => sessionStorage.setItem(keyOf(location.pathname), query), [query]);
}

/** To a list it leads with the filters that the list had last. */
function UpLink({ href, children }: { href: string; children: ReactNode }) {
  const [query, setQuery] = useState('');
  useEffect(() => setQuery(sessionStorage.getItem(keyOf(href)) ?? ''), [href]);
  return (
    <Link
      href={query === '' ? href : `${href}?${query}`}
      data-up=""
      className="whitespace-nowrap text-ink2 no-underline hover:text-ink hover:underline"
    >
      {children}
    </Link>
  );
}
