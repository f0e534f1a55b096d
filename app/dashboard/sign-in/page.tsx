import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { SignInForm } from '../../../components/dashboard/sign-in/sign-in';
import styles from '../../../components/dashboard/sign-in/sign-in.module.css';
import { Hint, SignInLayout } from '../../../components/dashboard/sign-in/sign-in-layout';
import { safeNext } from '../../../lib/dashboard';
import { signInErrorKinds, signInErrorText } from '../../../lib/dashboard/sign-in/labels';
import { deploymentInfo, type Query } from '../deployment';
import { currentViewer } from '../session';

export const metadata: Metadata = { title: 'Sign in' };

export default async function SignInPage({ searchParams }: { searchParams: Query }) {
  const query = await searchParams;
  const next = safeNext(query.next);
  if (await currentViewer()) redirect(next);
  const kind = signInErrorKinds.find((each) => each === query.fault);
  const count = typeof query.count === 'string' ? query.count : null;
  const place = deploymentInfo();
  return (
    <SignInLayout title="Sign in" about="To the Florin dashboard" {...place}>
      {query.fresh ? (
        <p className={styles.note} role="status">
          Your password is changed and all sessions have ended. Sign in with the new password.
        </p>
      ) : null}
      <SignInForm next={next} fault={kind ? signInErrorText(kind, count) : null} />
      {place.sandbox ? <SandboxHint /> : <Hint>No account? Ask your account manager for an invitation.</Hint>}
    </SignInLayout>
  );
}

function SandboxHint() {
  return (
    <Hint>
      In the sandbox, sign in as <code>merchant@demo.test</code>, who sees the demo shop, or as{' '}
      <code>manager@demo.test</code>, who sees all merchants. Their password was printed at the first start and is
      stored in <code>.data/demo-password</code>, unless <code>DEMO_PASSWORD</code> was set.
    </Hint>
  );
}
