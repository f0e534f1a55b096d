// The layout of the public pages: logo, navigation and environment.
import Link from 'next/link';
import type { ReactNode } from 'react';
import { Logo } from './logo.tsx';
import styles from './site.module.css';

/** `links` are addresses of this site, in order. */
export type SiteLayout = { sandbox: boolean; links: { href: string; text: string }[] };

export function Site({ frame, children }: { frame: SiteLayout; children: ReactNode }) {
  return (
    <>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <header className={styles.header}>
        <div className={`wide ${styles.bar}`}>
          <Link href="/" className={styles.home}>
            <Logo />
            Florin
          </Link>
          <nav aria-label="Site" className={styles.links}>
            {frame.links.map(({ href, text }) => (
              <Link key={href} href={href}>
                {text}
              </Link>
            ))}
          </nav>
          {frame.sandbox ? (
            <span className={styles.environment}>
              <span aria-hidden="true" /> Sandbox
            </span>
          ) : null}
        </div>
      </header>
      <main id="main" className={styles.main} tabIndex={-1}>
        {children}
      </main>
    </>
  );
}
