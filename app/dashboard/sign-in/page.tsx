import type { Metadata } from 'next';
import Link from 'next/link';
import { redirect } from 'next/navigation';
import { SignInForm } from '../../../components/dashboard/sign-in';
import styles from '../../../components/dashboard/sign-in.module.css';
import { signInFault, signInFaults } from '../../../components/dashboard/sign-in-words';
import { Coin } from '../../../components/ui/coin';
import { safeNext } from '../../../lib/dashboard/paths';
import { env } from '../../../lib/env';
import { currentViewer } from '../session';

export const metadata: Metadata = { title: 'Sign in' };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function SignInPage({ searchParams }: Props) {
  const query = await searchParams;
  const next = safeNext(query.next);
  if (await currentViewer()) redirect(next);
  const kind = signInFaults.find((each) => each === query.fault);
  const count = typeof query.count === 'string' ? query.count : null;
  const sandbox = env.appEnv === 'sandbox';
  return (
    <div className={styles.page}>
      <div className={styles.side}>
        <header>
          <Link href="/" className={styles.mark}>
            <Coin />
            Florin
          </Link>
        </header>
        <main className={styles.main} id="main">
          <h1>Sign in</h1>
          <p className={styles.intro}>To the dashboard of Florin</p>
          <SignInForm next={next} fault={kind ? signInFault(kind, count) : null} />
          {sandbox ? <SandboxHint /> : <p className={styles.hint}>No account? Ask your account manager for one.</p>}
        </main>
        <footer className={styles.foot}>
          <span>{new URL(env.baseUrl).host}</span>
          <span>{sandbox ? 'Sandbox' : 'Live'}</span>
        </footer>
      </div>
      <div className={styles.rosette} aria-hidden="true" />
    </div>
  );
}

function SandboxHint() {
  return (
    <p className={styles.hint}>
      In the sandbox sign in as <code>merchant@demo.test</code>, who sees the demo shop, or as{' '}
      <code>manager@demo.test</code>, who sees every merchant. Their password was printed at the first start and is kept
      in <code>.data/demo-password</code>, unless <code>DEMO_PASSWORD</code> was set.
    </p>
  );
}
