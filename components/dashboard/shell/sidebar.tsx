'use client';
// The sidebar: merchant, navigation and user. It is reduced to icons below 1024 px and hidden on a phone.
import clsx from 'clsx';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { Fragment } from 'react';
import { Icon } from '../icons.tsx';
import { useCounts, useShell } from './context.tsx';
import { isCurrent, type NavItem, navGroups } from './nav.ts';
import { MerchantSwitcher } from './switcher.tsx';
import { UserMenu } from './user-menu.tsx';

export function Sidebar() {
  return (
    <aside
      aria-label="Navigation"
      className="sticky top-(--top) flex h-[calc(100dvh-var(--top))] flex-col gap-1 border-r border-line bg-sub p-2 phone:hidden"
    >
      <MerchantSwitcher />
      <nav aria-label="Dashboard" className="-mx-2 min-h-0 flex-1 overflow-y-auto px-2 py-1">
        {navGroups(useShell().navItems).map(({ title, items }) => (
          <Fragment key={title}>
            {title ? (
              <p className="mt-2.5 px-2 pt-1 pb-1 text-11 font-medium text-ink3 max-lg:mx-2 max-lg:h-px max-lg:overflow-hidden max-lg:bg-line max-lg:p-0 max-lg:indent-[-999px]">
                {title}
              </p>
            ) : null}
            <ul className="grid gap-px">
              {items.map((item) => (
                <li key={item.href}>
                  <NavLink item={item} />
                </li>
              ))}
            </ul>
          </Fragment>
        ))}
      </nav>
      <UserMenu />
    </aside>
  );
}

/** The alert counts are the only red in the sidebar. */
const countLabels: Record<NonNullable<NavItem['count']>, string> = {
  callbacks: 'not delivered',
  payments: 'with unknown outcome',
  chargebacks: 'new',
  unresolved: 'open',
};

function NavLink({ item }: { item: NavItem }) {
  const path = usePathname();
  const counts = useCounts();
  const here = isCurrent(path, item.href);
  const count = item.count ? counts[item.count] : 0;
  return (
    <Link
      href={item.href}
      prefetch={false}
      aria-current={here ? 'page' : undefined}
      title={item.label}
      className={clsx(
        'relative flex min-h-[27px] items-center gap-2.5 rounded-control px-2 font-medium no-underline max-lg:min-h-9 max-lg:justify-center max-lg:px-0',
        here ? 'bg-ink/9 text-ink' : 'text-ink2 hover:bg-hover hover:text-ink',
      )}
    >
      <Icon name={item.glyph} />
      <span className="min-w-0 flex-1 truncate max-lg:sr-only">{item.label}</span>
      {item.count && count > 0 ? (
        <span className="figures text-xs font-medium text-bad max-lg:absolute max-lg:top-1 max-lg:right-1 max-lg:size-1.5 max-lg:overflow-hidden max-lg:rounded-full max-lg:bg-bad max-lg:indent-[99px]">
          {count > 99 ? '99+' : count}
          <span className="unseen"> {countLabels[item.count]}</span>
        </span>
      ) : null}
    </Link>
  );
}
