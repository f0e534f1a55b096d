// The layout of the pages before the dashboard: the form on the left, Florin's rosette on the right.
import Link from 'next/link';
import type { ReactNode } from 'react';
import { Logo } from '../../ui/logo';
import styles from './sign-in.module.css';

type Props = {
  title: string;
  about?: ReactNode;
  /** The host of this deployment, and whether it is a sandbox. */
  host: string;
  sandbox: boolean;
  /** Shown above the title: the link back. */
  back?: ReactNode;
  children: ReactNode;
};

export function SignInLayout({ title, about, host, sandbox, back, children }: Props) {
  return (
    <div className={styles.page}>
      <div className={styles.side}>
        <header>
          <Link href="/" className={styles.mark}>
            <Logo />
            Florin
          </Link>
        </header>
        <main className={styles.main} id="main">
          {back}
          <h1>{title}</h1>
          {about ? <p className={styles.intro}>{about}</p> : null}
          {children}
        </main>
        <footer className={styles.foot}>
          <span>{host}</span>
          <span>{sandbox ? 'Sandbox' : 'Live'}</span>
          <span className={styles.language}>English</span>
        </footer>
      </div>
      <div className={styles.rosette} aria-hidden="true" />
    </div>
  );
}

/** A link below the form. */
export function FormLinks({ children }: { children: ReactNode }) {
  return <p className={styles.ways}>{children}</p>;
}

/** A secondary line below the form. */
export function Hint({ children }: { children: ReactNode }) {
  return <p className={styles.hint}>{children}</p>;
}
