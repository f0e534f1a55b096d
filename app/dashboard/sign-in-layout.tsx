// The layout of the pages before the dashboard: the form on the left, Florin's rosette on the right.
import Link from 'next/link';
import type { ReactNode } from 'react';
import { Icon } from '../../components/dashboard/icons.tsx';
import styles from '../../components/dashboard/sign-in/sign-in.module.css';
import { Logo } from '../../components/ui/logo.tsx';
import { dashboardBaseUrl, env } from '../../lib/config/index.ts';

type TextLink = [text: string, href: string];

type Props = {
  title: string;
  about?: ReactNode;
  back?: TextLink;
  children: ReactNode;
  links?: TextLink[];
  hint?: ReactNode;
};

export function SignInLayout({ title, about, back, children, links, hint }: Props) {
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
          {back ? (
            <Link href={back[1]} prefetch={false} className={styles.back}>
              <Icon name="left" />
              {back[0]}
            </Link>
          ) : null}
          <h1>{title}</h1>
          {about ? <p className={styles.intro}>{about}</p> : null}
          {children}
          {links ? (
            <p className={styles.ways}>
              {links.map(([text, href]) => (
                <Link key={text} href={href} prefetch={false}>
                  {text}
                </Link>
              ))}
            </p>
          ) : null}
          {hint ? <p className={styles.hint}>{hint}</p> : null}
        </main>
        <footer className={styles.foot}>
          <span>{new URL(dashboardBaseUrl()).host}</span>
          <span>{env.appEnv === 'sandbox' ? 'Sandbox' : 'Live'}</span>
          <span className={styles.language}>English</span>
        </footer>
      </div>
      <div className={styles.rosette} aria-hidden="true" />
    </div>
  );
}
