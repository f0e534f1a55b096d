// The frame of the dashboard: where to go on the left (at the bottom on a phone), what this page is above, who has signed
// in. Only what exists is named here.
import Link from 'next/link';
import type { ReactNode } from 'react';
import { Coin } from '../ui/coin';
import { DashboardClient } from './client';
import type { Person } from './model';
import { NavLink } from './nav-link';
import styles from './shell.module.css';
import { SignOut } from './sign-out';
import { ZoneProvider } from './zone';

type Props = { person: Person; sandbox: boolean; zone: string; children: ReactNode };

export function Shell({ person, sandbox, zone, children }: Props) {
  return (
    <DashboardClient>
      <ZoneProvider zone={zone}>
        <div className={styles.shell} data-sandbox={sandbox || undefined}>
          <a className="skip" href="#main">
            Skip to the content
          </a>
          <aside aria-label="Ways to go" className={styles.side}>
            <Link href="/dashboard/payments" className={styles.home} aria-label="Florin, to the payments">
              <Coin size={26} />
              <span className={styles.place}>
                <span>{person.merchantName ?? 'Florin'}</span>
                <span>{person.merchantName ? 'Merchant' : 'All merchants'}</span>
              </span>
            </Link>
            <nav aria-label="Dashboard" className={styles.nav}>
              <NavLink href="/dashboard/payments" glyph="payments">
                Payments
              </NavLink>
              <NavLink href="/dashboard/account" glyph="person" phoneOnly>
                Account
              </NavLink>
            </nav>
            <div className={styles.person}>
              <Link href="/dashboard/account" className={styles.who}>
                <span className={styles.initials} aria-hidden="true">
                  {initialsOf(person.name)}
                </span>
                <span className={styles.place}>
                  <span>{person.name}</span>
                  <span>{person.roleName}</span>
                </span>
              </Link>
              <SignOut small />
            </div>
          </aside>
          <div className={styles.body}>{children}</div>
        </div>
      </ZoneProvider>
    </DashboardClient>
  );
}

function initialsOf(name: string): string {
  const words = name.split(' ').filter((word) => word !== '');
  return [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => word?.charAt(0).toUpperCase()).join('');
}

type BarProps = {
  /** What stands in front of the title on a deeper page, and where it leads. */
  parent?: { href: string; text: string };
  title: string;
  /** Whether the bar's title is the page's own heading. */
  heading?: boolean;
  count?: string;
  sandbox: boolean;
};

/** The top bar: title or breadcrumb, and which environment this is. */
export function TopBar({ parent, title, heading = true, count, sandbox }: BarProps) {
  const Title = heading ? 'h1' : 'span';
  return (
    <header className={styles.bar}>
      {parent ? (
        <nav aria-label="Breadcrumb" className={styles.crumbs}>
          <Link href={parent.href}>{parent.text}</Link>
          <span aria-hidden="true">›</span>
        </nav>
      ) : null}
      <Title className={parent ? styles.leaf : styles.title} aria-current={parent ? 'page' : undefined}>
        {title}
      </Title>
      {count ? <span className="quiet figures">{count}</span> : null}
      <span className={styles.environment}>
        <span aria-hidden="true" data-sandbox={sandbox || undefined} />
        {sandbox ? 'Sandbox' : 'Live'}
      </span>
    </header>
  );
}
